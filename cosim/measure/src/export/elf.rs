// SPDX-License-Identifier: Apache-2.0
//! An ELF file of a program. Spike asks for a table of sections, and finds `tohost` in a table of symbols.

use golden::Program;

/// An executable for RISC-V with `xlen` bits (32 or 64), with the segments of `program`, and absolute symbols.
pub fn write(program: &Program, symbols: &[(&str, u32)], xlen: u32) -> Vec<u8> {
    let wide = xlen == 64;
    let [header, segment_header, section_header, symbol] = if wide { [64, 56, 64, 24] } else { [52, 32, 40, 16] };
    let half = |value: usize| (value as u16).to_le_bytes().to_vec();
    let word = |value: usize| (value as u32).to_le_bytes().to_vec();
    // An address, an offset or a size.
    let long = |value: usize| if wide { (value as u64).to_le_bytes().to_vec() } else { word(value) };
    let mut names = b"\0.symtab\0.strtab\0".to_vec();
    let mut table = vec![0; symbol];
    for (name, value) in symbols {
        // Global, of no type, absolute.
        let (kind, value) = (vec![0x10, 0, 0xf1, 0xff], [long(*value as usize), long(0)].concat());
        let [second, third] = if wide { [kind, value] } else { [value, kind] };
        table.extend([word(names.len()), second, third].concat());
        names.extend([name.as_bytes(), b"\0"].concat());
    }
    let count = program.segments.len();
    let sections = header + segment_header * count;
    let at_table = sections + 3 * section_header;
    let at_names = at_table + table.len();
    let identity = [b"\x7fELF".as_slice(), &[1 + u8::from(wide), 1, 1], &[0; 9]].concat();
    let kind = [half(2), half(243), word(1)].concat();
    let places = [program.entry as usize, header, sections].map(long).concat();
    let sizes = [header, segment_header, count, section_header, 3, 2].map(half).concat();
    let mut file = [identity, kind, places, word(0), sizes].concat();
    let mut at = at_names + names.len();
    for segment in &program.segments {
        let (address, size) = (segment.address as usize, segment.bytes.len());
        let place = [at, address, address, size, size + segment.zeros as usize].map(long).concat();
        let [second, third] = if wide { [word(7), place] } else { [place, word(7)] };
        file.extend([word(1), second, third, long(4)].concat());
        at += size;
    }
    let section = |[name, kind, at, size, link, info, align, entry]: [usize; 8]| {
        let place = [0, 0, at, size].map(long).concat();
        [word(name), word(kind), place, word(link), word(info), long(align), long(entry)].concat()
    };
    file.extend(section([0; 8]));
    file.extend(section([1, 2, at_table, table.len(), 2, 1, 4, symbol]));
    file.extend(section([9, 3, at_names, names.len(), 0, 0, 1, 0]));
    file.extend([table, names].concat());
    file.extend(program.segments.iter().flat_map(|segment| &segment.bytes));
    file
}
