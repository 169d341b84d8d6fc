// SPDX-License-Identifier: Apache-2.0
//! From a plan to a program in C, with the intrinsics of `include/tensorload.h`.

use std::fmt::{Display, Write};

use super::kernel::{Kernel, Op};
use crate::mapping::Dim;
use crate::plan::block::{Grid, Job, Loop};
use crate::plan::pieces::Copy;
use crate::plan::{Body, Place, Plan, Step, access};
use crate::unit::Unit;

const HEAD: &str = "// SPDX-License-Identifier: Apache-2.0
// A plan of `kernels` as a program in C; docs/operators.md.
#include \"tensorload.h\"

#define AT(type, memory, at) (*(volatile type *)((uint32_t)(memory) + (at)))
#define PROGRAM 0
";

/// What the host needs for elements of 4 bits.
const NIBBLES: &str = "
// Places count elements of 4 bits.
static inline uint32_t nibble(uint32_t memory, uint32_t at) { return AT(uint8_t, memory, at >> 1) >> (at & 1) * 4 & 15; }
static inline void set_nibble(uint32_t memory, uint32_t at, uint32_t value) {
  volatile uint8_t *byte = &AT(uint8_t, memory, at >> 1);
  *byte = (uint8_t)((*byte & 240 >> (at & 1) * 4) | value << (at & 1) * 4);
}
";

/// What the host needs for sums.
const SUM: &str = "
// The sum of an element and a number; elements below low and above high as these.
static inline uint32_t sum(uint32_t element, uint32_t low, uint32_t high, uint32_t by) {
  return (element < low ? low : element > high ? high : element) + by;
}
";

/// The program of a plan in C: it needs and leaves what [`super::program`] does.
pub fn program(plan: &Plan, unit: &Unit) -> String {
    let mut c = C { text: HEAD.to_string(), depth: 0 };
    let any = |what: fn(&Job) -> bool| plan.steps.iter().flat_map(|step| &step.parts).any(|part| what(&part.job));
    if any(|job| job.unit == 4) {
        c.text.push_str(NIBBLES);
    }
    if any(|job| job.sum.is_some()) {
        c.text.push_str(SUM);
    }
    c.text.push('\n');
    for (i, step) in plan.steps.iter().enumerate() {
        c.line(format_args!("// {}", step.describe()));
        c.step(i, step, plan.scratch, unit);
    }
    c.open("int main(void)");
    (0..plan.steps.len()).for_each(|i| c.line(format_args!("step{i}();")));
    c.line("return 0;");
    c.close();
    c.text.pop();
    c.text
}

struct C {
    text: String,
    depth: usize,
}

/// A sum of a constant and of loop counters with their strides.
fn place(first: i64, names: &[String], strides: impl Iterator<Item = i64>) -> String {
    let mut terms: Vec<String> =
        names.iter().zip(strides).map(|(name, by)| format!("{name} * {}u", by as u32)).collect();
    if first != 0 || terms.is_empty() {
        terms.insert(0, format!("{}u", first as u32));
    }
    terms.join(" + ")
}

/// An element with what is added to it.
fn summed(job: &Job, element: String) -> String {
    let Some(sum) = job.sum else { return element };
    let [low, high] = sum.range();
    format!("(uint{}_t)sum({element}, {low}u, {high}u, {}u)", sum.bits.max(8), i32::from(sum.add) as u32)
}

impl C {
    fn line(&mut self, line: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * self.depth);
    }

    fn open(&mut self, line: impl Display) {
        self.line(format!("{line} {{").trim_start());
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line('}');
        if self.depth == 0 {
            self.text.push('\n');
        }
    }

    /// Opens loops with these numbers of iterations, and gives the names of their counters.
    fn loops(&mut self, counts: impl Iterator<Item = usize>) -> Vec<String> {
        let open = |(i, count): (usize, usize)| {
            let name = format!("i{i}");
            self.open(format_args!("for (uint32_t {name} = 0; {name} < {count}; {name}++)"));
            name
        };
        counts.enumerate().map(open).collect()
    }

    fn close_all(&mut self, names: &[String]) {
        names.iter().for_each(|_| self.close());
    }

    fn step(&mut self, i: usize, step: &Step, scratch: u64, unit: &Unit) {
        match &step.place {
            Place::Program => {
                self.open(format_args!("static void step{i}(void)"));
                step.parts.iter().for_each(|part| self.host(&part.job, ["PROGRAM"; 2]));
                self.close();
            }
            Place::Memories => self.block(&format!("step{i}"), step, scratch, unit),
            Place::Pieces(pieces) => {
                self.copy(&format!("copy_in{i}"), &pieces.copy_in, ["PROGRAM + piece", "TL_L1M"]);
                self.copy(&format!("copy_out{i}"), &pieces.copy_out, ["TL_L0M", "PROGRAM + piece"]);
                self.block(&format!("piece{i}"), step, scratch, unit);
                self.open(format_args!("static void step{i}(void)"));
                for grid in &pieces.grids {
                    let names = self.loops(grid.loops.iter().map(|l| l.count));
                    self.line(format_args!(
                        "copy_in{i}({});",
                        place(grid.from, &names, grid.loops.iter().map(|l| l.from))
                    ));
                    self.line(format_args!("piece{i}();"));
                    self.line(format_args!(
                        "copy_out{i}({});",
                        place(grid.to, &names, grid.loops.iter().map(|l| l.to))
                    ));
                    self.close_all(&names);
                }
                self.close();
            }
        }
    }

    fn copy(&mut self, name: &str, copy: &Copy, memories: [&str; 2]) {
        self.open(format_args!("static void {name}(uint32_t piece)"));
        self.moves(&copy.job, copy.access, memories);
        self.close();
    }

    /// A step in L1M and L0M as a function of this name.
    fn block(&mut self, name: &str, step: &Step, scratch: u64, unit: &Unit) {
        let names: Vec<String> = (0..step.parts.len()).map(|i| format!("{name}_{i}")).collect();
        for (part, name) in step.parts.iter().zip(&names) {
            let kernel = Kernel::new(part, scratch, unit, 0);
            if part.body != Body::Host {
                self.turn(name, &kernel);
            }
            self.open(format_args!("static void {name}(void)"));
            if part.body == Body::Host {
                self.host(&part.job, ["TL_L1M", "TL_L0M"]);
            } else {
                kernel.setup.iter().flatten().for_each(|op| self.op(op, ""));
                self.grid(name, &kernel, &part.grid, kernel.store_after() + 1);
            }
            self.close();
        }
        self.open(format_args!("static void {name}(void)"));
        names.iter().for_each(|name| self.line(format_args!("{name}();")));
        self.close();
    }

    /// A function that starts what can be started in turn k: the load of block k, and what older blocks are ready for.
    fn turn(&mut self, name: &str, kernel: &Kernel) {
        let (work, store) = (kernel.work_after(), kernel.store_after());
        let sets = store + 1;
        let from = if kernel.loads() { "uint32_t from, " } else { "" };
        self.open(format_args!("static void {name}_turn(uint32_t k, uint32_t blocks, {from}const uint32_t *to)"));
        self.open(format_args!("switch (k % {sets})"));
        for set in 0..sets {
            self.line(format_args!("case {set}:"));
            self.depth += 1;
            for part in 0..kernel.parts() {
                self.when(0, &kernel.load(set, part), "from");
                if part == 0 && work > 0 {
                    self.when(work, &kernel.work((set + sets - work) % sets), "");
                }
                let done = (set + 1) % sets;
                self.when(store, &kernel.store(done, part), &format!("to[{done}]"));
            }
            self.line("break;");
            self.depth -= 1;
        }
        self.close();
        self.close();
    }

    /// Instructions for the block of `before` turns ago, if there is one.
    fn when(&mut self, before: usize, ops: &[Op], place: &str) {
        if ops.is_empty() {
            return;
        }
        let block = if before == 0 { "k".into() } else { format!("k - {before}") };
        self.open(format_args!("if ({block} < blocks)"));
        ops.iter().for_each(|op| self.op(op, place));
        self.close();
    }

    /// All turns for the blocks of a grid.
    fn grid(&mut self, name: &str, kernel: &Kernel, grid: &Grid, sets: usize) {
        let blocks = grid.blocks();
        self.open("");
        self.line(format_args!("uint32_t k = 0, to[{sets}];"));
        let names = self.loops(grid.loops.iter().map(|l| l.count));
        let at = |first, stride: fn(&Loop) -> i64| place(first, &names, grid.loops.iter().map(stride));
        self.line(format_args!("to[k % {sets}] = {};", at(grid.to, |l| l.to)));
        let from = if kernel.loads() { at(grid.from, |l| l.from) + ", " } else { String::new() };
        self.line(format_args!("{name}_turn(k++, {blocks}, {from}to);"));
        self.close_all(&names);
        if kernel.store_after() > 0 {
            let from = if kernel.loads() { "0, " } else { "" };
            let turns = blocks + kernel.store_after();
            self.line(format_args!("while (k < {turns}) {name}_turn(k++, {blocks}, {from}to);"));
        }
        self.close();
    }

    fn op(&mut self, op: &Op, place: &str) {
        let behind = |bytes: i64| if bytes == 0 { String::new() } else { format!(" + {}u", bytes as u32) };
        match op {
            Op::Csr(name, value) => {
                let name = name.to_uppercase();
                match (name.as_str(), name.split_once("STRIDE")) {
                    (_, Some((way, number))) => {
                        self.line(format_args!("tl_csr_write(TL_{way}STRIDE({number}), {value}u);"));
                    }
                    ("TTYPE", _) => self.line(format_args!("tl_csr_write(TL_TTYPE, TL_INT{});", 4 * value)),
                    ("TSHAPE", _) => self.shape(*value),
                    _ => self.line(format_args!("tl_csr_write(TL_{name}, {value}u);")),
                }
            }
            Op::Word(at, value) => self.line(format_args!("AT(uint32_t, TL_L1M, {at}) = {value}u;")),
            Op::Fetch(register, at) => self.line(format_args!("tl_load({register}, 0, {at});")),
            Op::Shape(value) => self.shape(*value),
            Op::Slices(mnemonic, register, slots, bytes) => {
                let (name, behind) = (mnemonic.replace('.', "_"), behind(*bytes));
                self.line(format_args!("{name}({register}, {slots}, {place}{behind});"));
            }
            Op::Combine(mnemonic, first, second) => {
                let (name, dim) = mnemonic.rsplit_once('.').unwrap_or((mnemonic, ""));
                self.line(format_args!("{}({dim}, {first}, {first}, {second});", name.replace('.', "_")));
            }
            Op::Add(register, number) => self.line(format_args!("tl_addi({register}, {register}, {number});")),
            Op::Xpose([p, q], register, sizes) => {
                let [a, b, c, d] = sizes.to_le_bytes();
                let sizes = format!("TL_SIZES({a}, {b}, {c}, {d})");
                self.line(format_args!("tl_xpose({p}, {q}, {register}, {}, {sizes});", register + 1));
            }
            Op::Lines(name, register, pitch) => {
                self.line(format_args!("{name}({register}, {place}, {}u);", *pitch as u32));
            }
            Op::TileSize(name, size) => self.line(format_args!("{name}({size});")),
        }
    }

    fn shape(&mut self, value: u32) {
        let [_, a, b, c] = value.to_be_bytes();
        self.line(format_args!("tl_csr_write(TL_TSHAPE, TL_SHAPE({a}, {b}, {c}));"));
    }

    /// A job of the host alone.
    fn host(&mut self, job: &Job, memories: [&str; 2]) {
        if job.value.is_none() && job.unit == 8 {
            return self.moves(job, access(job), memories);
        }
        let [from_memory, to_memory] = memories.map(|memory| format!("(uint32_t)({memory})"));
        let mut dims: Vec<Dim> = job.others().into_iter().map(|(_, dim)| dim).collect();
        dims.push(Dim { size: job.run() / job.element, from: job.element as isize, to: job.element as isize });
        let names = self.loops(dims.iter().map(|dim| dim.size));
        let to = place(job.to, &names, dims.iter().map(|dim| dim.to as i64));
        let from = place(job.from, &names, dims.iter().map(|dim| dim.from as i64));
        match job.value {
            None => {
                let value = summed(job, format!("nibble({from_memory}, {from})"));
                self.line(format_args!("set_nibble({to_memory}, {to}, {value});"));
            }
            Some(value) if job.unit == 4 => self.line(format_args!("set_nibble({to_memory}, {to}, {value});")),
            Some(value) => {
                let bits = 8 * job.element;
                self.line(format_args!("AT(uint{bits}_t, {}, {to}) = (uint{bits}_t){value}ull;", memories[1]));
            }
        }
        self.close_all(&names);
    }

    /// Copies of bytes by the host, so many at once.
    fn moves(&mut self, job: &Job, access: usize, memories: [&str; 2]) {
        let mut dims: Vec<Dim> = job.others().into_iter().map(|(_, dim)| dim).collect();
        dims.push(Dim { size: job.run() / access, from: access as isize, to: access as isize });
        let names = self.loops(dims.iter().map(|dim| dim.size));
        let to = place(job.to, &names, dims.iter().map(|dim| dim.to as i64));
        let from = place(job.from, &names, dims.iter().map(|dim| dim.from as i64));
        let bits = 8 * access;
        let value = summed(job, format!("AT(uint{bits}_t, {}, {from})", memories[0]));
        self.line(format_args!("AT(uint{bits}_t, {}, {to}) = {value};", memories[1]));
        self.close_all(&names);
    }
}
