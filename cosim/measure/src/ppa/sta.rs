// SPDX-License-Identifier: Apache-2.0
//! Static timing analysis of cells of a library, by OpenSTA: wires have a load and no resistance.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::cells::{LIBRARY, memory};
use super::netlist::Netlist;
use super::route::{Clock, Hop};
use super::synthesis::Job;
use super::watch;
use crate::model::toolchain::find;

/// Picofarads of a wire for each pin that it goes to.
pub const WIRE_LOAD: f64 = 0.015;

/// Nanoseconds from the clock to the data of a memory: of one word, and more for each bit of its address.
const ACCESS: (f64, f64) = (1.2, 0.15);

/// Nanoseconds that the inputs of a memory are there before the clock.
const SETUP: f64 = 0.5;

/// Picofarads of the clock of a memory, and of another input.
pub const MEMORY_CLOCK: f64 = 0.05;
pub const MEMORY_INPUT: f64 = 0.02;

/// Timing of the ports, where there is one.
pub const CONSTRAINTS: &str = "tl.sdc";

const LOG: &str = "sta.log";

#[derive(Clone, Debug)]
pub struct Sta(PathBuf);

impl Sta {
    /// The one that `STA` names, that `make setup-asic` has installed, or that is on PATH.
    pub fn find() -> Result<Sta> {
        find("STA", &["sta"], "-version", Some("make setup-asic")).map(Sta)
    }

    /// Its version: `2.0.17`.
    pub fn version(&self) -> Result<String> {
        let done = Command::new(&self.0).arg("-version").output();
        let done = done.with_context(|| format!("cannot run {}", self.0.display()))?;
        Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    /// The longest path between flip-flops or memories of what [`Job::cells`] has left, and the slack of all paths
    /// under `tl.sdc` with a clock of `period` ns. `None` when the time is over.
    pub fn paths(&self, job: &Job, top: &str, netlist: &Netlist, period: f64) -> Result<Option<Clock>> {
        let write = |name: &str, text: &str| {
            fs::write(job.folder.join(name), text).with_context(|| format!("cannot write {name}"))
        };
        write("macros.lib", &macros(netlist))?;
        let script = format!(
            "read_liberty {LIBRARY}\nread_liberty macros.lib\nread_verilog cells.v\nlink_design {top}\nset tl_period {period}\n\
             if {{[file exists {CONSTRAINTS}]}} {{source {CONSTRAINTS}}} else {{\n  \
             create_clock -name clk -period $tl_period [get_ports {{clk clk_i}}]\n}}\n\
             set_wire_load_mode top\nset_wire_load_model -name wires\n\
             set flip_flops [all_registers -edge_triggered -data_pins]\n\
             report_checks -from [all_registers -clock_pins] -to $flip_flops -format full -digits 4 -fields nets\n\
             puts SLACK\nreport_checks -to [concat $flip_flops [all_outputs]] -format end -digits 4\n\
             catch {{report_checks -path_group **clock_gating_default** -format end -digits 4}}\n"
        );
        write("sta.tcl", &script)?;
        let mut command = Command::new("sh");
        // It tells no errors by its exit code.
        command.args(["-c", "exec \"$1\" -no_splash -no_init -exit sta.tcl >$2 2>&1", "sh"]).arg(&self.0).arg(LOG);
        let what = format!("{}: OpenSTA", job.name);
        command.current_dir(job.folder);
        if !watch::run(command, &what, &job.folder.join(LOG), job.start, job.limit, |_| None)? {
            return Ok(None);
        }
        let log = fs::read_to_string(job.folder.join(LOG)).with_context(|| format!("{what} leaves no log"))?;
        paths(&log, period).with_context(|| format!("{what} fails")).map(Some)
    }
}

/// A Liberty file with the memories of a netlist and the load of wires.
fn macros(netlist: &Netlist) -> String {
    let mut text = "library (macros) {\n  delay_model : table_lookup;\n  time_unit : \"1ns\";\n  \
                    voltage_unit : \"1V\";\n  current_unit : \"1uA\";\n  \
                    pulling_resistance_unit : \"1kohm\";\n  leakage_power_unit : \"1nW\";\n  \
                    capacitive_load_unit (1, pf);\n"
        .to_owned();
    for edge in ["rise", "fall"] {
        for (kind, percent) in [("input", 50), ("output", 50)] {
            let _ = writeln!(text, "  {kind}_threshold_pct_{edge} : {percent};");
        }
        let _ = writeln!(text, "  slew_lower_threshold_pct_{edge} : 20;\n  slew_upper_threshold_pct_{edge} : 80;");
    }
    let _ = writeln!(
        text,
        "  wire_load (\"wires\") {{ resistance : 0; capacitance : 1; area : 0; slope : {WIRE_LOAD}; \
         fanout_length (1, {WIRE_LOAD}); }}"
    );
    let mut types = BTreeSet::new();
    let mut cells = String::new();
    for (name, module) in &netlist.modules {
        let Some(memory) = memory(name, module) else { continue };
        let access = ACCESS.0 + ACCESS.1 * (memory.depth as f64).log2().ceil();
        let _ = writeln!(cells, "  cell (\"{}\") {{\n    area : 0;", name.replace('\\', "\\\\"));
        for (port, it) in &module.ports {
            let width = it.bits.len();
            types.insert(width);
            let (group, kind) =
                if width == 1 { ("pin", String::new()) } else { ("bus", format!("bus_type : \"w{width}\"; ")) };
            let timing = match (port.as_str(), it.direction.as_str()) {
                ("clk_i", _) => format!("clock : true; capacitance : {MEMORY_CLOCK};"),
                (_, "output") => format!(
                    "timing () {{ related_pin : \"clk_i\"; timing_type : rising_edge; {}}}",
                    ["cell_rise", "cell_fall", "rise_transition", "fall_transition"]
                        .map(|table| {
                            let ns = if table.starts_with("cell") { access } else { 0.2 };
                            format!("{table} (scalar) {{ values (\"{ns:.3}\"); }} ")
                        })
                        .concat()
                ),
                _ => format!(
                    "capacitance : {MEMORY_INPUT}; timing () {{ related_pin : \"clk_i\"; timing_type : setup_rising; \
                     rise_constraint (scalar) {{ values (\"{SETUP}\"); }} fall_constraint (scalar) {{ values (\"{SETUP}\"); }} }}"
                ),
            };
            let _ = writeln!(cells, "    {group} (\"{port}\") {{ {kind}direction : {}; {timing} }}", it.direction);
        }
        cells.push_str("  }\n");
    }
    for width in types {
        let _ = writeln!(
            text,
            "  type (\"w{width}\") {{ base_type : array; data_type : bit; bit_width : {width}; bit_from : {}; bit_to : 0; \
             downto : true; }}",
            width - 1
        );
    }
    text + &cells + "}\n"
}

/// Reads the two reports.
fn paths(log: &str, period: f64) -> Result<Clock> {
    if let Some(error) = log.lines().find(|line| line.starts_with("Error")) {
        bail!("{error}");
    }
    let (path, ends) = log.split_once("SLACK\n").context("no report")?;
    let mut hops: Vec<Hop> = Vec::new();
    for line in path.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            // `0.2570    0.2570 v u_load/u_x.addr_q[2]$_DFF_P_/Q (DFFPOSX1)`
            [delay, _, "^" | "v", pin, cell] if cell.starts_with('(') => {
                let cell = pin.rsplit_once('/').map_or(*pin, |(cell, _)| cell).replace('/', ".");
                let instance = cell.split('$').next().and_then(|name| name.rsplit_once('.'));
                let instance = instance.map_or("", |(instance, _)| instance);
                let ns: f64 = delay.parse().context("no delay")?;
                // Gates have no name of their own below the instance that stays.
                let below = |hop: &Hop| hop.instance.split('.').next() == Some(instance) && cell.ends_with('_');
                let within = |hop: &Hop| hop.instance == instance || below(hop);
                if !hops.last().is_some_and(within) {
                    hops.push(Hop { instance: instance.to_owned(), ..Hop::default() });
                }
                let Some(hop) = hops.last_mut() else { continue };
                hop.logic += ns;
                hop.cells += u32::from(ns > 0.0);
            }
            [_, net, "(net)"] if !net.rsplit('/').next().unwrap_or(net).starts_with('_') => {
                let signal = net.rsplit(['/', '.']).next().unwrap_or(net);
                hops.last_mut().into_iter().for_each(|hop| hop.signals.push(signal.to_owned()));
            }
            _ => {}
        }
    }
    let number = |line: &str| line.split_whitespace().find_map(|word| word.parse::<f64>().ok());
    let slack = path.lines().rev().find(|line| line.contains("slack (")).and_then(number).context("no path")?;
    // `u_x.words_q[1]$_DFF_P_/D (DFFPOSX1)  9.8414  1.3705  8.4709 (MET)`, one of each group of paths
    let ends = ends.lines().filter(|line| line.ends_with("(MET)") || line.ends_with("(VIOLATED)"));
    let slacks = ends.filter_map(|line| line.split_whitespace().rev().nth(1)?.parse::<f64>().ok());
    let with_ports = slacks.min_by(f64::total_cmp);
    let arrival: f64 = hops.iter().map(|hop| hop.logic).sum();
    // Setup time, and uncertainty of the clock.
    hops.last_mut().into_iter().for_each(|hop| hop.logic += period - slack - arrival);
    Ok(Clock { mhz: 1000.0 / (period - slack), path: hops, slack: with_ports, ..Clock::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "Startpoint: u_a/x_q$_DFF_P_ (rising edge-triggered flip-flop clocked by clk)

Fanout     Delay      Time   Description
------------------------------------------------------------------
         0.0000    0.0000   clock clk (rise edge)
         0.0000    0.0000 ^ u_a/u_f.x_q[1]$_DFF_P_/CLK (DFFPOSX1)
         0.4000    0.4000 v u_a/u_f.x_q[1]$_DFF_P_/Q (DFFPOSX1)
    5                       u_a/u_f.x_q[1] (net)
         0.1000    0.5000 ^ u_a/_101_/Y (NAND3X1)
    1                       u_a/_070_ (net)
         0.3000    0.8000 ^ _102_/Y (BUFX2)
    1                       ready (net)
         0.0000    0.8000 v u_b/words[1][0]$_DFFE_PP_/D (DFFPOSX1)
                   0.8000   data arrival time

        -0.2000    9.8000   library setup time
------------------------------------------------------------------
                   9.0000   slack (MET)


SLACK
max_delay/setup group clk

Endpoint                                 Delay     Delay     Slack
------------------------------------------------------------------
u_g/valid_o$_DFF_PN0_/R (DFFSR)           9.8414    1.3705    8.4709 (MET)
u_f/words[1][0]$_DFFE_PP_/D (DFFPOSX1)    9.8414   18.3123    -8.4709 (VIOLATED)
";

    #[test]
    fn a_path_is_cut_into_instances_and_has_its_setup_time() {
        let clock = paths(REPORT, 10.0).expect("a report");
        let hops: Vec<_> =
            clock.path.iter().map(|hop| (hop.instance.as_str(), hop.cells, hop.signals.join(" "))).collect();
        let signals = |text: &str| text.to_owned();
        assert_eq!(hops, [("u_a.u_f", 2, signals("x_q[1]")), ("", 1, signals("ready")), ("u_b", 0, signals(""))]);
        let ns: Vec<f64> = clock.path.iter().map(|hop| (hop.logic * 10.0).round() / 10.0).collect();
        assert_eq!((ns, clock.mhz, clock.slack), (vec![0.5, 0.3, 0.2], 1000.0, Some(-8.4709)));
        let error = paths("Error: cells.v, line 3 syntax error\nSLACK\n", 10.0).expect_err("an error").to_string();
        assert_eq!(error, "Error: cells.v, line 3 syntax error");
        assert!(paths("No paths found.\nSLACK\n", 10.0).is_err());
    }

    #[test]
    fn a_memory_is_a_cell_whose_delay_grows_with_its_depth() {
        let text = r#"{"modules": {"top": {}, "$paramod$1f\\tl_ram_macro": {"parameter_default_values": {"Depth": "1010"},
            "ports": {"clk_i": {"direction": "input", "bits": [1]}, "rdata_o": {"direction": "output", "bits": [2, 3]}}}}}"#;
        let text = macros(&serde_json::from_str(text).expect("JSON"));
        assert!(text.contains(r#"cell ("$paramod$1f\\tl_ram_macro")"#), "{text}");
        assert!(
            text.contains("cell_rise (scalar) { values (\"1.800\"); }") && text.contains("type (\"w2\")"),
            "{text}"
        );
    }
}
