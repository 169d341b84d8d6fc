// SPDX-License-Identifier: Apache-2.0
//! The memories of the unit as macros of a memory compiler (docs/integration.md, "Macros in place of the memories").
#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::common::tiny;
use cosim::workshop;
use cosim_bench::random::random_case;
use cosim_bench::run::executor::run_case;
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::RtlOptions;

const MACRO: &str = "sram_1r1w.sv";

#[test]
#[ignore = "a sixth of a minute: make test-all"]
fn the_unit_runs_on_macros_in_place_of_its_memories() {
    let folder = tempfile::tempdir().unwrap();
    // With matrix instructions, whose registers have byte enables.
    let config = tiny().rtl;
    rtl_gen::write(&config, folder.path()).unwrap();
    for name in [MACRO, "tl_ram_1r1w.sv", "tl_ram_1r1w_be.sv"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/packages/ram").join(name);
        std::fs::copy(file, folder.path().join(name)).unwrap();
    }
    // The probe reads the memories by the names that they have no more.
    std::fs::remove_file(folder.path().join("tl_probe.sv")).unwrap();
    let list = folder.path().join("tl.f");
    let files = std::fs::read_to_string(&list).unwrap();
    assert!(files.contains("tl_ram_1r1w.sv\n") && files.contains("tl_ram_1r1w_be.sv\n"), "{files}");
    std::fs::write(&list, format!("{MACRO}\n{files}")).unwrap();
    let options = RtlOptions { rtl: Some(folder.path().into()), ..RtlOptions::default() };
    let target = workshop().with(&options).unwrap().target_of(config).unwrap();
    let mut retired = 0;
    for number in 0..20 {
        let done = run_case(&target, &random_case(&target, 1, number), ModelKind::Traced, 0, |_| Ok(()));
        retired += done.unwrap_or_else(|failure| panic!("case {number}: {:?}", failure.cause)).retired;
    }
    assert!(retired > 2000, "{retired}");
}
