// SPDX-License-Identifier: Apache-2.0
//! An ELF file of a program. Spike asks for a table of sections, and finds `tohost` in a table of symbols.

use golden::Program;

const HEADER: usize = 52;
const SEGMENT: usize = 32;
const SECTION: usize = 40;

/// A 32-bit executable for RISC-V with the segments of `program`, and absolute symbols.
pub fn write(program: &Program, symbols: &[(&str, u32)]) -> Vec<u8> {
    let half = |value: usize| (value as u16).to_le_bytes().to_vec();
    let word = |value: usize| (value as u32).to_le_bytes().to_vec();
    let mut names = b"\0.symtab\0.strtab\0".to_vec();
    let mut table = vec![0; 16];
    for (name, value) in symbols {
        // Global, of no type, absolute.
        table.extend([names.len(), *value as usize, 0].map(word).concat());
        table.extend([0x10, 0, 0xf1, 0xff]);
        names.extend([name.as_bytes(), b"\0"].concat());
    }
    let count = program.segments.len();
    let sections = HEADER + SEGMENT * count;
    let (at_table, at_names) = (sections + 3 * SECTION, sections + 3 * SECTION + table.len());
    let identity = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let places = [1, program.entry as usize, HEADER, sections, 0].map(word).concat();
    let sizes = [HEADER, SEGMENT, count, SECTION, 3, 2].map(half).concat();
    let mut file = [identity, half(2), half(243), places, sizes].concat();
    let mut at = at_names + names.len();
    for segment in &program.segments {
        let (address, size) = (segment.address as usize, segment.bytes.len());
        file.extend([1, at, address, address, size, size + segment.zeros as usize, 7, 4].map(word).concat());
        at += size;
    }
    file.extend([0; SECTION]);
    file.extend([1, 2, 0, 0, at_table, table.len(), 2, 1, 4, 16].map(word).concat());
    file.extend([9, 3, 0, 0, at_names, names.len(), 0, 0, 1, 0].map(word).concat());
    file.extend([table, names].concat());
    file.extend(program.segments.iter().flat_map(|segment| &segment.bytes));
    file
}
