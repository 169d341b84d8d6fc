// SPDX-License-Identifier: Apache-2.0
//! Where the clock of a placement is lost: the registers and memories whose inputs come last.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Groups that are told, at most.
const GROUPS: usize = 24;

/// What nextpnr tells of a net with `--detailed-timing-report`.
#[derive(Deserialize)]
pub struct NetTiming {
    event: String,
    endpoints: Vec<Endpoint>,
}

#[derive(Deserialize)]
struct Endpoint {
    cell: String,
    event: String,
    port: String,
    /// Nanoseconds from the clock edge until the input is stable: the shortest and the longest path.
    delay: [f64; 2],
}

/// An input of the cells of a register or memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// The register or memory, without the number of its bit.
    pub register: String,
    /// `enable`, `reset`, or `data`, which is everything else.
    pub input: String,
    /// Cells that miss the period.
    pub cells: u32,
    /// Nanoseconds of the latest of them.
    pub ns: f64,
}

/// The inputs that miss `period`, in nanoseconds, in each register or memory; the latest first.
pub fn late(nets: &[NetTiming], period: f64) -> Vec<Arrival> {
    let clocked = |event: &str| !event.contains("<async>");
    let mut groups: BTreeMap<(String, &str), (u32, f64)> = BTreeMap::new();
    for net in nets.iter().filter(|net| clocked(&net.event)) {
        for end in net.endpoints.iter().filter(|end| clocked(&end.event) && end.delay[1] > period) {
            let input = match end.port.as_str() {
                "CE" => "enable",
                "LSR" => "reset",
                _ => "data",
            };
            let (cells, ns) = groups.entry((register(&end.cell), input)).or_default();
            *cells += 1;
            *ns = end.delay[1].max(*ns);
        }
    }
    let rounded = |ns: f64| (ns * 100.0).round() / 100.0;
    let told = groups.into_iter();
    let mut told: Vec<Arrival> = told
        .map(|((register, input), (cells, ns))| Arrival { register, input: input.into(), cells, ns: rounded(ns) })
        .collect();
    told.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    told.truncate(GROUPS);
    told
}

/// The register that a cell is a bit of, the memory that it is a part of, or the instance of one without a name.
fn register(cell: &str) -> String {
    let cell = cell.split(['$', '~']).next().unwrap_or_default();
    let part = |text: &str| text.parse::<u32>().is_ok();
    // A bit stands behind all names, the index of a generate block before some.
    let bit = cell.strip_suffix(']').and_then(|cell| cell.rsplit_once('['));
    let cell = bit.map_or(cell, |(register, _)| register);
    let mut names: Vec<&str> = cell.split('.').filter(|name| !name.is_empty()).collect();
    while names.last().is_some_and(|name| part(name)) {
        names.pop();
    }
    names.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_a_register_and_parts_of_a_memory_are_one() {
        for (cell, name) in [
            ("u_queue.head_q[3]", "u_queue.head_q"),
            ("u_move.u_fetch.rows_0.0.3$DPRAM_COMB1", "u_move.u_fetch.rows_0"),
            ("u_rename.~~342", "u_rename"),
            ("u_regfile.gen_bank[1].u_lower.mem.0.0", "u_regfile.gen_bank[1].u_lower.mem"),
        ] {
            assert_eq!(register(cell), name);
        }
    }

    #[test]
    fn what_is_in_time_is_not_told_and_the_latest_comes_first() -> anyhow::Result<()> {
        let text = r#"[{"event": "posedge clk", "endpoints": [
            {"cell": "a.x_q[0]", "event": "posedge clk", "port": "CE", "delay": [1.0, 12.6]},
            {"cell": "a.x_q[1]", "event": "posedge clk", "port": "CE", "delay": [1.0, 13.1]},
            {"cell": "a.y_q", "event": "posedge clk", "port": "DI", "delay": [1.0, 12.4]}]},
          {"event": "posedge clk", "endpoints": [
            {"cell": "b.z_q", "event": "posedge clk", "port": "M", "delay": [1.0, 14.004]},
            {"cell": "b.w_q", "event": "<async>", "port": "M", "delay": [1.0, 99.0]}]}]"#;
        let nets: Vec<NetTiming> = serde_json::from_str(text)?;
        let arrival = |register: &str, input: &str, cells, ns| Arrival {
            register: register.into(),
            input: input.into(),
            cells,
            ns,
        };
        assert_eq!(late(&nets, 12.5), [arrival("b.z_q", "data", 1, 14.0), arrival("a.x_q", "enable", 2, 13.1)]);
        Ok(())
    }
}
