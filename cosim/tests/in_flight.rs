// SPDX-License-Identifier: Apache-2.0
//! How many requests a memory port has in flight at most: the figures of docs/integration.md.
#![allow(clippy::unwrap_used)]

use crate::common::{repository_text, target};
use cosim_bench::unit::target::Target;
use cosim_bench::unit::{Inputs, ModelKind, RESET_CYCLES, Rtl};

/// Requests that a memory takes and never answers: of L1M, and of L0M.
fn unanswered(target: &Target, source: &str, repeated: &str) -> [u32; 2] {
    let words =
        golden::asm::assemble("test", &format!("{source}\n{}", format!("{repeated}\n").repeat(12)), &target.golden);
    let words = words.unwrap();
    let mut rtl = Rtl::new(target, ModelKind::Fast, 1, 0).unwrap();
    rtl.reset(RESET_CYCLES).unwrap();
    let mut rest = &words[..];
    let mut requests = [0; 2];
    for _ in 0..2000 {
        let word = rest.first().copied().unwrap_or_default();
        // All registers of the host have 64, which is a legal address and stride.
        let inputs = Inputs {
            issue_valid: !rest.is_empty(),
            issue_instr: word,
            issue_rs: if word & 0x7f == 0x73 { 0x0001_2020 } else { 64 },
            issue_rs2: 64,
            result_ready: true,
            l1m_gnt: true,
            l0m_gnt: true,
            ..Inputs::default()
        };
        rtl.step(&inputs).unwrap();
        let out = &rtl.outputs;
        requests[0] += u32::from(out.l1m_req);
        requests[1] += u32::from(out.l0m_req);
        if inputs.issue_valid && out.issue_ready {
            rest = &rest[1..];
        }
    }
    assert!(rest.is_empty(), "{} are left", rest.len());
    requests
}

#[test]
fn no_port_has_more_requests_in_flight_than_the_guide_says() {
    let shape = "csrrw x0, tshape, x1\ncsrrwi x0, tload_width, 0";
    let sizes = "msettilemi 4\nmsettileki 16";
    let target = target("w16");
    let most = [
        ("tl.load tl1, 0(x1)", shape),
        ("tl.store tl1, 0(x1)", shape),
        ("mlae8 tr0, (x1), x1", sizes),
        ("msae8 tr0, (x1), x1", sizes),
    ]
    .map(|(repeated, source)| unanswered(&target, source, repeated));
    println!("{most:?}");
    let guide = repository_text("docs/integration.md");
    let [loads, stores, tile_loads, tile_stores] = [most[0][0], most[1][1], most[2][0], most[3][1]];
    let line = format!(
        "{loads} for tensor loads, {stores} for tensor stores, {tile_loads} for matrix loads and {tile_stores} for matrix stores"
    );
    assert!(guide.replace('\n', " ").contains(&line), "docs/integration.md does not say: {line}");
}

/// It would be taken for that of a later request, and wrong bytes for right ones.
#[test]
fn a_response_without_a_request_stops_the_unit() {
    let target = target("tiny");
    let stops = |response: &Inputs| {
        let mut rtl = Rtl::new(&target, ModelKind::Fast, 1, 0).unwrap();
        rtl.reset(RESET_CYCLES).unwrap();
        rtl.step(&Inputs::default()).unwrap();
        rtl.step(response).is_err_and(|error| error.to_string().contains("tl_top.sv"))
    };
    assert!(stops(&Inputs { l1m_rvalid: true, ..Inputs::default() }));
    assert!(stops(&Inputs { l0m_rvalid: true, ..Inputs::default() }));
    assert!(!stops(&Inputs::default()));
}
