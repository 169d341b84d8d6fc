// SPDX-License-Identifier: Apache-2.0
//! What `tl_rename` guarantees for tl0.

use super::{Fact, Unit};

/// Registers that make sure of it.
const ABOUT: &[&str] = &[
    "tag",
    "u_l1m_owner",
    "u_load.done",
    "u_matrix.beat",
    "u_matrix.load_done",
    "u_matrix.trap",
    "u_matrix.u_lines",
    "u_matrix.u_load.over_q",
    "u_matrix.u_load.tag_q",
    "u_rename.map_q",
    "u_retire.flight_q",
];

/// The map's entry for tl0: zero, and physical register 0.
const ENTRY: usize = 0x80;

/// tl0 is physical register 0 for ever, because no instruction in flight has it as a result.
pub fn none_for_tl0(unit: &mut Unit) -> Option<Vec<Fact>> {
    let given = unit.given_tags()?;
    let map = unit.slice("u_rename.map_q", 0, 8)?;
    let flight = unit.bits("u_retire.flight_q")?;
    let width = flight.len() / given.len();
    // flight_t from bit 0: of both results the old register, whether it was zero, the new register; rd; valid. Above are 14
    // bits, and the registers have what is left.
    let phys = width.checked_sub(28)? / 4;
    let rd = 4 * phys + 2;
    let valid = rd + 10;
    let mut wrong = vec![!unit.is(&map, ENTRY)];
    for (tag, &given) in given.iter().enumerate() {
        let entry = flight[tag * width..].get(..width)?;
        let none = unit.is(&entry[rd..rd + 5], 0);
        wrong.push(unit.all([given, entry[valid], none]));
    }
    let wrong = unit.any(wrong);
    Some(vec![Fact { name: "tl0 is physical register 0".to_owned(), wrong, about: ABOUT }])
}
