// SPDX-License-Identifier: Apache-2.0
//! The programs under tests/programs, on the model and on the RTL.
#![allow(clippy::unwrap_used)]

use e2e::{programs, stdout};
use serde_json::Value;

/// A memory image that is not periodic in any power of two.
fn image(bytes: u32, seed: u32) -> Vec<u8> {
    (0..bytes).map(|i| (i.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

#[test]
fn model_and_rtl_end_in_the_same_state() {
    let folder = tempfile::tempdir().unwrap();
    let l1m = folder.path().join("l1m");
    std::fs::write(&l1m, image(262_144, 7)).unwrap();
    let l1m = l1m.to_str().unwrap();
    assert!(programs().len() >= 6);
    for program in programs() {
        for config in ["w16", "w8", "w32"] {
            let args = ["run", program.to_str().unwrap(), "--config", config, "--l1m", l1m, "--json", "-"];
            let [model, rtl] = ["golden", "cosim"].map(|name| -> Value {
                let text = stdout(name, &args);
                let start = text.find('{').unwrap_or(0);
                serde_json::from_str(&text[start..]).unwrap_or_else(|e| panic!("{name} {args:?}: {e}: {text}"))
            });
            assert!(model["retired"].as_array().unwrap().len() > 2);
            assert_eq!(model, rtl, "{}", program.display());
        }
    }
}

/// (h, w, c) of a 64 x 64 x 4 tensor is at (h*64 + w)*4 + c in L1M and at c*4096 + h*64 + w in L0M.
#[test]
fn nhwc_to_nchw_is_what_a_plain_loop_gives() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let tensor = image(64 * 64 * 4, 1);
    std::fs::write(path("l1m"), &tensor).unwrap();
    let mut expected = vec![0; tensor.len()];
    for h in 0..64 {
        for w in 0..64 {
            for c in 0..4 {
                expected[c * 4096 + h * 64 + w] = tensor[(h * 64 + w) * 4 + c];
            }
        }
    }
    for program in ["golden", "cosim"] {
        let l0m = path(program);
        stdout(program, &["run", "tests/programs/nhwc_to_nchw.s", "--l1m", &path("l1m"), "--dump-l0m", &l0m]);
        let result = std::fs::read(&l0m).unwrap();
        assert!(result[..expected.len()] == expected, "{program}");
        assert!(result[expected.len()..].iter().all(|byte| *byte == 0), "{program}");
    }
}
