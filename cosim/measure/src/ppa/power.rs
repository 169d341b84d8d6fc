// SPDX-License-Identifier: Apache-2.0
//! Power of a unit in cells of a library: the RTL runs each operation and leaves a waveform of its ports; the netlist
//! runs with the same inputs, must give the same outputs, and its edges are counted.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use fst_reader::{FstFilter, FstSignalValue};
use serde::Serialize;

use super::circuit::{CLOCK, Circuit};
use super::synthesis::UNIT;
use crate::base::table::{progress, table};
use crate::performance::activity::{self, Activity};
use crate::unit::target::Target;
use crate::waveform;

/// Outputs that are compared in every cycle, and those that are with a request.
const HANDSHAKES: [&str; 4] = ["issue_ready_o", "result_valid_o", "l1m_req_o", "l0m_req_o"];
const REQUESTS: [(&str, &[&str]); 2] = [("l1m_req_o", &["l1m_addr_o"]), ("l0m_req_o", &["l0m_addr_o", "l0m_be_o"])];

/// The cost of an operation, many behind each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Power {
    pub operation: String,
    /// Milliwatts of the cells, without memories.
    pub milliwatts: f64,
    /// Of each instance in the top.
    pub instances: BTreeMap<String, f64>,
    /// Nanojoules for each KiB of results, and words of memories that are read or written for it; none when idle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nanojoules: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accesses: Option<f64>,
    /// Edges of the flip-flops of each instance in a cycle.
    pub register_edges: BTreeMap<String, f64>,
}

/// All operations of `target` on its netlist, with a clock of `period` ns.
///
/// # Errors
/// When the RTL fails, or the netlist does something else.
pub fn measure(target: &Target, mut circuit: Circuit, period: f64) -> Result<Vec<Power>> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let operations = activity::operations(target);
    let bar = progress("power", operations.len() as u64);
    let mut list = Vec::new();
    for operation in &operations {
        let wave = folder.path().join("wave.fst");
        let activity = activity::run(target, operation.as_ref(), &wave)?;
        list.push(power(&mut circuit, &wave, &activity, period).with_context(|| activity.name.clone())?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(list)
}

fn power(circuit: &mut Circuit, wave: &Path, activity: &Activity, period: f64) -> Result<Power> {
    replay(circuit, wave, activity)?;
    let cost = circuit.cost();
    let cycles = (activity.end - activity.start) as f64;
    // 1 pJ / 1 ns is 1 mW.
    let milliwatts = |instance: usize| cost.picojoules[instance] / (cycles * period) + 1e3 * cost.leakage[instance];
    let names = || circuit.instances.iter().cloned().enumerate();
    let instances: BTreeMap<String, f64> = names().map(|(i, name)| (name, milliwatts(i))).collect();
    let all: f64 = instances.values().sum();
    let per_kib = |value: f64| (activity.bytes > 0).then(|| value * 1024.0 / activity.bytes as f64);
    Ok(Power {
        operation: activity.name.clone(),
        milliwatts: all,
        nanojoules: per_kib(all * cycles * period * 1e-3),
        accesses: per_kib(cost.accesses as f64),
        register_edges: names().map(|(i, name)| (name, cost.register_edges[i] as f64 / cycles)).collect(),
        instances,
    })
}

/// Runs the circuit with the inputs of a waveform up to the end of the activity; edges count from its start.
fn replay(circuit: &mut Circuit, wave: &Path, activity: &Activity) -> Result<()> {
    let changes = changes(circuit, wave)?;
    let mut changes = changes.into_iter().peekable();
    let mut expected: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    // The waveform begins behind the reset.
    for port in
        circuit.ports.keys().filter(|port| port.ends_with("_ni") || port.ends_with("_i")).cloned().collect::<Vec<_>>()
    {
        let zeros = vec![false; circuit.read(&port).len()];
        circuit.drive(&port, &zeros);
    }
    for cycle in 0..activity.end {
        if cycle == activity.start {
            circuit.cost();
        }
        // The low half; what changes in the high half are outputs.
        while let Some((_, port, bits)) = changes.next_if(|(time, ..)| *time <= 2 * cycle) {
            if port.ends_with("_o") {
                expected.insert(port, bits);
            } else if port != CLOCK {
                circuit.drive(&port, &bits);
            }
        }
        circuit.low();
        let is_set = |name: &str| expected.get(name).is_some_and(|bits| bits.contains(&true));
        let requests = REQUESTS.iter().filter(|(request, _)| is_set(request)).flat_map(|(_, ports)| ports.iter());
        for port in HANDSHAKES.iter().chain(requests) {
            let (netlist, rtl) = (circuit.read(port), expected.get(*port));
            ensure!(
                rtl.is_none_or(|rtl| *rtl == netlist),
                "cycle {cycle}: {port} is {netlist:?} in the netlist and {rtl:?} in the RTL"
            );
        }
        circuit.high();
    }
    Ok(())
}

/// The changes of the ports of the unit in a waveform: time, port, and value, the lowest bit first.
fn changes(circuit: &Circuit, wave: &Path) -> Result<Vec<(u64, String, Vec<bool>)>> {
    let mut reader = waveform::open(wave)?;
    let variables = waveform::variables(&mut reader, UNIT)?.into_iter();
    let (mut ports, mut handles) = (Vec::new(), Vec::new());
    for variable in variables.filter(|variable| circuit.ports.contains_key(&variable.local)) {
        ports.push((variable.handle.get_index(), variable.local));
        handles.push(variable.handle);
    }
    ensure!(!ports.is_empty(), "{} has no ports of {UNIT}", wave.display());
    let mut changes = Vec::new();
    let each = |time: u64, handle: fst_reader::FstSignalHandle, value: FstSignalValue<'_>| {
        let FstSignalValue::String(digits) = value else { return Ok(()) };
        let bits: Vec<bool> = digits.iter().rev().map(|&digit| digit == b'1').collect();
        let named = ports.iter().filter(|(other, _)| *other == handle.get_index());
        changes.extend(named.map(|(_, port)| (time, port.clone(), bits.clone())));
        Ok::<(), std::convert::Infallible>(())
    };
    reader
        .read_signals(&FstFilter::filter_signals(handles), each)
        .map_err(|error| anyhow!("{}: {error}", wave.display()))?;
    changes.sort_by_key(|(time, ..)| *time);
    Ok(changes)
}

/// Two tables: cost of each operation, and the milliwatts of the instances.
pub fn text(list: &[Power]) -> String {
    let mut costs = table(&["operation", "mW", "nJ for a KiB", "words of memories for it"], 1);
    let value = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
    for power in list {
        let milliwatts = format!("{:.1}", power.milliwatts);
        costs.add_row([power.operation.clone(), milliwatts, value(power.nanojoules), value(power.accesses)]);
    }
    let header: Vec<&str> =
        ["mW"].into_iter().chain(list.iter().filter_map(|it| it.operation.split(' ').next())).collect();
    let mut parts = table(&header, 1);
    for instance in list.iter().flat_map(|power| power.instances.keys()).collect::<std::collections::BTreeSet<_>>() {
        let milliwatts = |power: &Power| power.instances.get(instance).copied().unwrap_or(0.0);
        if list.iter().any(|power| milliwatts(power) >= 0.5) {
            let values = list.iter().map(|power| format!("{:.1}", milliwatts(power)));
            parts.add_row([instance.clone()].into_iter().chain(values));
        }
    }
    format!("{costs}\n\n{parts}\n")
}
