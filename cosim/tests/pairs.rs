// SPDX-License-Identifier: Apache-2.0
//! Pairs and the other small scopes: what they find that random programs reach seldom, and that they hold on the RTL.

use tempfile::tempdir;

use crate::common::{cosim, edit, tiny};
use cosim_bench::pairs::Pairs;
use cosim_bench::run::executor::run_case;
use cosim_bench::unit::ModelKind;
use rtl_gen::Config;

/// What each memory or list with values after reset can lack: file, text, and the text with the fault.
const AFTER_RESET: [[&str; 3]; 7] = [
    // Strides are dispatched in the cycle in which they are ready, and were not read.
    ["tl_dispatch.sv", "stays && strides_free && open_i;", "stays && strides_free;"],
    // The last stride is not set.
    ["tl_csr.sv", "assign load_we      = !ready_o ||", "assign load_we      = (init_q < 6'd31) ||"],
    // The bound of the strides is 0.
    ["tl_csr.sv", "else wrote_q <= store_we;", "else wrote_q <= store_we && ready_o;"],
    // ttype is read as 0.
    ["tl_csr.sv", "copy_reset = 32'h2;", "copy_reset = 32'h0;"],
    // The zero flag of tl31 is not set.
    ["tl_rename.sv", "assign sweeps      = fill_q < PhysW'(32);", "assign sweeps      = fill_q < PhysW'(31);"],
    // The queue begins anywhere.
    ["tl_queue.sv", "      tail_q   <= '0;", "      tail_q   <= tail_q;"],
    // So does the list of instructions in flight.
    ["tl_retire.sv", "      count_q   <= '0;", "      count_q   <= count_q;"],
];

/// Plants a fault, and gives what the command says.
fn with_fault(fault: [&str; 3]) -> String {
    with_fault_in(&Config::named("tiny").expect("tiny"), fault)
}

fn with_fault_in(config: &Config, [file, from, to]: [&str; 3]) -> String {
    let folder = tempdir().expect("folder");
    let rtl = folder.path().join("rtl");
    rtl_gen::write(config, &rtl).expect("written");
    edit(&rtl.join(file), from, to);
    cosim(folder.path(), "check pairs --rtl rtl --no-shrink").with_code(1)
}

#[test]
fn an_access_to_a_stride_in_the_first_cycle_after_reset_is_tried() {
    let text = with_fault(AFTER_RESET[0]);
    assert!(text.contains("tload_stride0"), "{text}");
}

#[test]
#[ignore = "needs half a minute of processor time: make test-all"]
fn what_has_values_after_reset_is_tried() {
    for fault in &AFTER_RESET[1..] {
        let text = with_fault(*fault);
        // The store stops at an assertion of its own.
        let sign = if fault[2].contains("wrote_q") { "probes were good, and a slice fails" } else { "MISMATCH" };
        assert!(text.contains(sign), "{fault:?}: {text}");
    }
}

/// The bound of all strides is exact only when no stride was written for a while.
#[test]
#[ignore = "needs half a minute of processor time: make test-all"]
fn a_stride_at_an_edge_is_tried_when_the_unit_has_had_time() {
    let bound = "bound_small = bound_i[31:31-ByteW]";
    let text = with_fault(["tl_store_check.sv", bound, "bound_small = bound_i[31:32-ByteW]"]);
    assert!(text.contains("probes were good, and a slice fails"), "{text}");
}

/// The scan of all strides goes on around a read of one; it must not leave a stride out.
#[test]
#[ignore = "needs half a minute of processor time: make test-all"]
fn a_stride_is_read_while_the_unit_goes_over_all() {
    let text =
        with_fault(["tl_csr.sv", "if (!csr_i.store_stride) scan_q <= scan_q + 5'd1;", "scan_q <= scan_q + 5'd1;"]);
    assert!(text.contains("probes were good, and a slice fails"), "{text}");
}

/// A pitch at its largest, and the bound of the strides and an immediate with which the probe of the bound wraps around.
#[test]
#[ignore = "needs half a minute of processor time: make test-all"]
fn a_slice_that_wraps_around_is_tried() {
    let mut config = Config::named("tiny").expect("tiny");
    (config.name, config.pitch) = ("pitched".into(), true);
    let text = with_fault_in(&config, ["tl_store_check.sv", "bound_i[31:15] == '0", "bound_i[31:16] == '0"]);
    assert!(text.contains("probes were good, and a slice fails"), "{text}");
}

/// Sizes are packed into the bytes of a word: each byte has edges of its own, and powers of two every product.
#[test]
#[ignore = "needs half a minute of processor time: make test-all"]
fn edges_of_each_byte_are_tried() {
    let sum = "assign log2_sum       = 5'(log2_sum_i[0]) + 5'(log2_sum_i[1]);";
    let wraps = "assign log2_sum       = 5'(4'(log2_sum_i[0] + log2_sum_i[1]));";
    let merge = [
        "2'd1:    {merge_ok, concat_ok} = {meaning_i.merge_ok[1],",
        "2'd1:    {merge_ok, concat_ok} = {meaning_i.merge_ok[0],",
    ];
    for (from, to, instruction) in [(sum, wraps, "tl.xpose"), (merge[0], merge[1], "tl.merge.1")] {
        let text = with_fault(["tl_legal.sv", from, to]);
        assert!(text.contains("MISMATCH: trap") && text.contains(instruction), "{text}");
    }
}

/// Needs all three requesters of a bank in one cycle, and so three engines at work.
#[test]
#[ignore = "a minute: make test-all"]
fn triples_find_what_no_smaller_scope_does() {
    let (target, fault) = (tiny(), 204);
    let pairs = Pairs::new(&target);
    let fails = |&number: &u64| {
        let case = pairs.case(&target, 1, number);
        run_case(&target, &case, ModelKind::Faults, fault, |_| Ok(())).is_err()
    };
    let is_triple = |&number: &u64| pairs.name(number).matches(", then ").count() == 2;
    let (triples, others): (Vec<u64>, Vec<u64>) = (0..pairs.count()).partition(is_triple);
    assert!(triples.iter().any(fails));
    let found: Vec<String> = others.iter().filter(|number| fails(number)).map(|&number| pairs.name(number)).collect();
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_case_runs_again_alone_and_says_what_it_is_about() {
    let folder = tempdir().expect("folder");
    let text = cosim(folder.path(), "check pairs --case 3").with_code(0);
    assert!(text.contains("case 3 of ") && text.contains("3 cycles after reset"), "{text}");
    cosim(folder.path(), "check pairs --case 99999999").refused("--case is 99999999; allowed: 0 to ");
}
