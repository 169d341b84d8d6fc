// SPDX-License-Identifier: Apache-2.0
//! Parts of the unit that are enough for many proofs: a mutant is often harmless because of what its engine, or the check
//! of the shape before it, guarantees. All latches elsewhere are free inputs then, which can only make a proof fail.

/// Latches that make sure that shapes, masks and types are legal.
const SHAPE: &[&str] = &[
    "tshape",
    "ttype",
    "tmask",
    "mask_init",
    "tload_width",
    "tstore_width",
    "u_shape",
    "dim_shape",
    "ls_shape",
    "block",
    "type_ok",
    "ewidth",
    "int_type",
];

/// Latches that know which instructions are in flight.
const FLIGHT: &[&str] = &[
    "entry_valid",
    "map_",
    "tensor",
    "tag",
    "retired",
    "store_tag",
    "matrix_store_tag",
    "u_retire",
    "u_l1m",
    "u_l0m",
    "busy",
    "free",
    "store_read",
    "load_cmd",
    "u_decode",
    "u_dispatch",
    "u_queue.one_q",
    "u_queue.empty_o",
    "u_queue.ready_o",
    "u_queue.head_q",
    "u_queue.tail_q",
    "u_rename",
];

const MOVE: &[&str] = &["u_move"];
const XPOSE: &[&str] = &["u_xpose"];
const LOAD_STORE: &[&str] = &["u_load", "u_store", "load_cmd", "store_read"];
const MATRIX: &[&str] = &["u_matrix", "matrix", "mtile", "tile", "trap"];
const MEMORY: &[&str] = &["u_load", "u_store", "load_cmd", "store_read", "u_matrix", "matrix", "mtile", "tile", "trap"];

const READERS: &[&str] = &["u_move", "u_xpose", "u_store", "store_read", "u_regfile"];

/// The engine of a module, by the beginning of its name; the front end has none.
const ENGINES: &[(&str, &[&str])] = &[
    ("tl_move", MOVE),
    ("tl_concat", MOVE),
    ("tl_lane_mask", MOVE),
    ("tl_addi", MOVE),
    ("tl_xpose", XPOSE),
    ("tl_load", LOAD_STORE),
    ("tl_store", LOAD_STORE),
    ("tl_slice_walk", LOAD_STORE),
    ("tl_retire", MEMORY),
    ("tl_regfile", READERS),
    ("tl_ram", READERS),
    ("tl_port_owner", MEMORY),
    ("tl_mx", MATRIX),
    ("tl_matrix", MATRIX),
];

/// A part of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// How the names of its latches begin; `None` for all of them.
    prefixes: Option<Vec<&'static str>>,
}

impl View {
    /// All of the unit.
    pub fn whole() -> View {
        View { prefixes: None }
    }

    /// Whether nothing is cut out.
    pub fn is_whole(&self) -> bool {
        self.prefixes.is_none()
    }

    /// Whether this latch is part of it.
    pub fn keeps(&self, latch: &str) -> bool {
        self.prefixes.as_ref().is_none_or(|prefixes| prefixes.iter().any(|prefix| latch.starts_with(prefix)))
    }

    /// What looks for a short trace.
    pub fn bounded(&self, seconds: u64) -> Script {
        let seconds = seconds.clamp(1, if self.is_whole() { 60 } else { 15 });
        Script { commands: format!("bmc3 -T {seconds}"), seconds }
    }

    /// What looks for a proof, or for any trace. In the whole unit, finding what is always the same makes a long search
    /// shorter; it takes some seconds itself.
    pub fn proof(&self, seconds: u64) -> Script {
        let commands = match self.is_whole() {
            true => format!("&get; &scorr; &put; pdr -T {}", seconds.saturating_sub(10).max(1)),
            false => format!("pdr -T {seconds}"),
        };
        Script { commands, seconds }
    }
}

/// Commands for ABC that take about so long.
pub struct Script {
    /// With semicolons between them.
    pub commands: String,
    /// Time.
    pub seconds: u64,
}

/// The parts to look at for a mutant of `module`, smallest first.
pub fn parts(module: &str) -> Vec<View> {
    let engine = ENGINES.iter().find(|(start, _)| module.starts_with(start)).map_or(&[][..], |(_, engine)| engine);
    let view = |groups: [&[&'static str]; 2]| View { prefixes: Some([&groups.concat(), engine].concat()) };
    let views =
        [view([&[], &[]]), view([SHAPE, &[]]), view([FLIGHT, &[]]), view([SHAPE, FLIGHT]), view([FLIGHT, MEMORY])];
    views.into_iter().skip(usize::from(engine.is_empty())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_of_an_engine_has_its_latches_alone() {
        let views = parts("tl_concat_plan");
        assert!(views[0].keeps("u_move.u_concat_plan.row_q[1]") && !views[0].keeps("tshape[3]"));
        assert!(views[1].keeps("tshape[3]") && !views[1].keeps("u_load.tag_q"));
        assert!(views.iter().all(|view| !view.is_whole()) && View::whole().keeps("anything"));
        assert_eq!((parts("tl_dispatch").len(), parts("tl_xpose").len()), (4, 5));
    }
}
