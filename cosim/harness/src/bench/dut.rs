// SPDX-License-Identifier: Apache-2.0
//! A verilated unit: its ports by name, and its clock.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use super::case::{Failure, Rtl};
use crate::cases::process::child;
use crate::model::library::Library;

/// Clock cycles for which reset is held.
pub(super) const RESET_CYCLES: u64 = 3;

type Handle = *mut c_void;
type Said = *const c_char;

/// The functions of a model's library.
struct Functions {
    free: unsafe extern "C" fn(Handle),
    set: unsafe extern "C" fn(Handle, u32, *const u32),
    get: unsafe extern "C" fn(Handle, u32, *mut u32),
    assert: unsafe extern "C" fn(Handle, bool),
    evaluate: unsafe extern "C" fn(Handle, bool) -> Said,
    wave: unsafe extern "C" fn(Handle, *const c_char) -> Said,
}

struct Port {
    index: u32,
    input: bool,
    bits: u32,
}

/// A unit in simulation. Inputs are 0 until they are set; outputs are those after the latest [`Dut::tick`] or
/// [`Dut::settle`].
pub struct Dut {
    handle: Handle,
    functions: Functions,
    ports: HashMap<String, Port>,
    clock: &'static str,
    reset: &'static str,
    cycle: u64,
    step: Option<usize>,
    /// With a waveform: the clock cycle in which the run ends, whatever the unit does.
    end: Option<u64>,
    // Declared last: it is dropped behind the unit, whose code it is.
    _library: Arc<Library>,
}

impl Dut {
    /// A unit that has just been reset. `power_up` seeds what reset leaves alone; `selection` is a planted fault or a
    /// mutant. With `wave` every signal goes into this file, up to a clock cycle, and the parent of the process is told
    /// of each.
    pub(super) fn new(
        library: &Arc<Library>,
        rtl: &Rtl,
        power_up: u64,
        selection: u32,
        wave: Option<(&Path, u64)>,
    ) -> Result<Result<Dut, Failure>> {
        // SAFETY: `glue` has written these functions with these types.
        let (make, ports, functions) = unsafe {
            let make: unsafe extern "C" fn(u64, u32) -> Handle = library.function("unit_make")?;
            let ports: unsafe extern "C" fn() -> Said = library.function("unit_ports")?;
            let functions = Functions {
                free: library.function("unit_free")?,
                set: library.function("unit_set")?,
                get: library.function("unit_get")?,
                assert: library.function("unit_assert")?,
                evaluate: library.function("unit_evaluate")?,
                wave: library.function("unit_wave")?,
            };
            (make, ports, functions)
        };
        // SAFETY: as above; the text lives as long as the library.
        let (handle, list) = unsafe { (make(power_up, selection), CStr::from_ptr(ports())) };
        ensure!(!handle.is_null(), "the model cannot be made");
        let port = |(index, line): (usize, &str)| {
            let [direction, bits, name] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
            Some((name.to_owned(), Port { index: index as u32, input: direction == "in", bits: bits.parse().ok()? }))
        };
        let ports = list.to_str()?.lines().enumerate().filter_map(port).collect();
        let mut dut = Dut {
            handle,
            functions,
            ports,
            clock: rtl.clock,
            reset: rtl.reset.port().0,
            cycle: 0,
            step: None,
            end: wave.map(|(_, end)| end),
            _library: library.clone(),
        };
        if let Some((path, _)) = wave {
            let path = CString::new(path.as_os_str().as_encoded_bytes()).context("the name of a waveform")?;
            // SAFETY: the handle is of this library.
            let said = unsafe { (dut.functions.wave)(dut.handle, path.as_ptr()) };
            said_nothing(said).map_err(anyhow::Error::msg)?;
        }
        let (reset, active) = rtl.reset.port();
        for (name, input) in [(rtl.clock, true), (reset, true)] {
            ensure!(dut.ports.get(name).is_some_and(|port| port.input == input), "the top module has no input {name}");
        }
        Ok(dut.reset(reset, active).map(|()| dut))
    }

    fn reset(&mut self, reset: &str, active: u32) -> Result<(), Failure> {
        // They begin at random, like registers.
        let inputs = self.ports.iter().filter(|(_, port)| port.input).map(|(name, _)| name.clone());
        inputs.collect::<Vec<_>>().iter().try_for_each(|name| self.drive(name, &[0]))?;
        // Before reset nothing is promised. A flip-flop with an asynchronous reset has to see it come.
        self.assertions(false);
        self.drive(reset, &[1 - active])?;
        self.settle()?;
        self.drive(reset, &[active])?;
        for _ in 0..RESET_CYCLES {
            self.tick()?;
        }
        self.drive(reset, &[1 - active])?;
        self.settle()?;
        self.assertions(true);
        self.cycle = 0;
        self.tell();
        Ok(())
    }

    fn assertions(&mut self, on: bool) {
        // SAFETY: the handle is of this library.
        unsafe { (self.functions.assert)(self.handle, on) };
    }

    /// Step `index` begins.
    pub fn begin(&mut self, index: usize) {
        self.step = Some(index);
    }

    /// Clock cycles since reset ended.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    pub(super) fn step(&self) -> Option<usize> {
        self.step
    }

    /// Sets an input of at most 64 bits.
    ///
    /// # Errors
    /// When there is no such input, the value is too wide, or the input is the clock or the reset.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), Failure> {
        self.set_words(name, &[value as u32, (value >> 32) as u32])
    }

    /// Sets an input of any width, its lowest 32 bits first.
    ///
    /// # Errors
    /// As [`Dut::set`].
    pub fn set_words(&mut self, name: &str, words: &[u32]) -> Result<(), Failure> {
        if name == self.clock || name == self.reset {
            return Err(Failure::new(
                "wrong bench",
                format!("{name} is driven by the bench: `tick`, and before `run`"),
            ));
        }
        self.drive(name, words)
    }

    fn drive(&mut self, name: &str, words: &[u32]) -> Result<(), Failure> {
        let &Port { index, bits, .. } = self.port(name, true)?;
        let highest = words.iter().rposition(|&word| word != 0);
        let used = highest.map_or(0, |at| 32 * (at as u32 + 1) - words[at].leading_zeros());
        if used > bits {
            return Err(Failure::new("wrong bench", format!("{name} has {bits} bits, and the value needs {used}")));
        }
        let mut all = vec![0; bits.div_ceil(32).max(2) as usize];
        let count = words.len().min(all.len());
        all[..count].copy_from_slice(&words[..count]);
        // SAFETY: the words of the port are there.
        unsafe { (self.functions.set)(self.handle, index, all.as_ptr()) };
        Ok(())
    }

    /// A port of at most 64 bits; of a wider one its lowest bits.
    ///
    /// # Errors
    /// When there is no such port.
    pub fn get(&self, name: &str) -> Result<u64, Failure> {
        let words = self.get_words(name)?;
        Ok(u64::from(words[0]) | u64::from(words.get(1).copied().unwrap_or(0)) << 32)
    }

    /// A port of any width, its lowest 32 bits first.
    ///
    /// # Errors
    /// When there is no such port.
    pub fn get_words(&self, name: &str) -> Result<Vec<u32>, Failure> {
        let &Port { index, bits, .. } = self.port(name, false)?;
        let mut words = vec![0; bits.div_ceil(32) as usize];
        // SAFETY: there is room for the words of the port.
        unsafe { (self.functions.get)(self.handle, index, words.as_mut_ptr()) };
        Ok(words)
    }

    /// Lets outputs follow inputs within a cycle.
    ///
    /// # Errors
    /// An assertion of the RTL.
    pub fn settle(&mut self) -> Result<(), Failure> {
        self.evaluate(false)
    }

    /// A rising edge of the clock; then outputs are those of the next cycle.
    ///
    /// # Errors
    /// An assertion of the RTL.
    pub fn tick(&mut self) -> Result<(), Failure> {
        self.evaluate(true)?;
        self.drive(self.clock, &[1])?;
        self.evaluate(true)?;
        self.drive(self.clock, &[0])?;
        self.cycle += 1;
        self.evaluate(false)?;
        self.tell();
        match self.end {
            Some(end) if self.cycle >= end => Err(Failure::new("stopped", "the waveform ends here")),
            _ => Ok(()),
        }
    }

    /// Tells the parent how far a run with a waveform is, for the report of a crash.
    fn tell(&self) {
        if self.end.is_some() {
            child::tell(&(self.step, self.cycle));
        }
    }

    /// Clocks until the output `name` is not 0; gives how many cycles that took.
    ///
    /// # Errors
    /// A hang, when it still is 0 after `limit` cycles; an assertion of the RTL.
    pub fn wait_for(&mut self, name: &str, limit: u64) -> Result<u64, Failure> {
        for waited in 0..=limit {
            if self.get(name)? != 0 {
                return Ok(waited);
            }
            self.tick()?;
        }
        Err(Failure::new(format!("no {name}"), format!("{name} is 0 for {limit} cycles")))
    }

    fn port(&self, name: &str, input: bool) -> Result<&Port, Failure> {
        self.ports.get(name).filter(|port| port.input || !input).ok_or_else(|| {
            let mut known: Vec<&str> =
                self.ports.iter().filter(|(_, port)| port.input || !input).map(|(name, _)| name.as_str()).collect();
            known.sort_unstable();
            let what = if input { "input" } else { "port" };
            Failure::new("wrong bench", format!("the unit has no {what} {name}; it has {}", known.join(", ")))
        })
    }

    fn evaluate(&mut self, dump: bool) -> Result<(), Failure> {
        // SAFETY: the handle is of this library.
        let said = unsafe { (self.functions.evaluate)(self.handle, dump) };
        // `the RTL failed in TOP.a, a.sv:12: 3 is not 4`: values are behind the place.
        said_nothing(said).map_err(|text| Failure::new(text.split(": ").next().unwrap_or_default().to_owned(), text))
    }
}

/// Whether a function of the model has failed, and with which words.
fn said_nothing(said: Said) -> Result<(), String> {
    if said.is_null() {
        return Ok(());
    }
    // SAFETY: a text of the unit, which lives until the next call.
    Err(unsafe { CStr::from_ptr(said) }.to_string_lossy().into_owned())
}

impl Drop for Dut {
    fn drop(&mut self) {
        // SAFETY: made by the same library, and used no more.
        unsafe { (self.functions.free)(self.handle) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::Reset;
    use super::super::glue::glue;
    use super::super::kind::Kind;
    use super::*;
    use crate::model::on_demand::{Makers, OnDemand};
    use crate::model::product::Product;
    use crate::model::recipe::Recipe;
    use crate::model::source::{SourceFile, Style};

    const TEXT: &str = "module adder (\n  input logic clk_i, input logic rst_ni, input logic [69:0] a_i, input logic [2:0] b_i,\n  \
        output logic [69:0] sum_o\n);\n  always_ff @(posedge clk_i or negedge rst_ni) begin\n    if (!rst_ni) sum_o <= '0;\n    \
        else sum_o <= a_i + 70'(b_i);\n  end\nendmodule\n";

    fn adder() -> Dut {
        let rtl = Rtl {
            folder: std::path::PathBuf::new(),
            files: vec![],
            top: "adder",
            parameters: vec![],
            flags: vec![],
            clock: "clk_i",
            reset: Reset::ActiveLow("rst_ni"),
        };
        let recipe = Recipe {
            config: "adder".into(),
            kind: "fast",
            prefix: "Vadder_fast".into(),
            top: "adder",
            files: vec![SourceFile { name: "adder.sv".into(), text: TEXT.into() }],
            headers: vec![],
            style: Style::Rtl,
            flags: vec!["--x-initial", "unique"],
            parameters: vec![],
            optimise: "-O0",
            traced: false,
            covered: false,
            glue: glue("Vadder_fast", Kind::Fast),
        };
        let models = OnDemand::new(&Makers::new(Product::named("cosim-harness")));
        let library = models.get(Kind::Fast, || Ok(recipe)).expect("a model");
        Dut::new(&library, &rtl, 1, 0, None).expect("a unit").expect("it is reset")
    }

    #[test]
    fn ports_of_any_width_are_set_and_read_and_wrong_ones_are_told() {
        let mut dut = adder();
        assert_eq!((dut.get_words("sum_o").expect("there"), dut.cycle()), (vec![0; 3], 0));
        dut.set_words("a_i", &[u32::MAX, u32::MAX, 0x3e]).expect("it fits");
        dut.set("b_i", 7).expect("it fits");
        dut.tick().expect("no assertion");
        assert_eq!((dut.get_words("sum_o").expect("there"), dut.cycle()), (vec![6, 0, 0x3f], 1));
        for (name, words, message) in [
            ("b_i", &[8][..], "b_i has 3 bits, and the value needs 4"),
            ("a_i", &[0, 0, 0x40], "a_i has 70 bits, and the value needs 71"),
            ("clk_i", &[1], "clk_i is driven by the bench"),
            ("rst_ni", &[0], "rst_ni is driven by the bench"),
            ("sum_o", &[0], "the unit has no input sum_o; it has a_i, b_i, clk_i, rst_ni"),
        ] {
            let failure = dut.set_words(name, words).expect_err(message);
            assert!(failure.signature == "wrong bench" && failure.text.contains(message), "{failure:?}");
        }
    }
}
