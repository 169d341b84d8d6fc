// SPDX-License-Identifier: Apache-2.0
//! Programs in ELF files: what is loaded, and what is refused (docs/isa.md, "Memories of the host").
#![allow(clippy::unwrap_used)]

use golden::hart::{Program, ProgramError, symbols};
use golden::{Config, Machine};

const LOAD: u32 = 1;
const NOTE: u32 = 4;
const TLS: u32 = 7;
const CODE: u32 = 0x1_0000;

/// A program header: kind, p_vaddr, p_paddr, bytes in the file, bytes in memory.
type Header = [u32; 5];

/// A header at one address of `bytes` in the file and as many in memory.
fn load(address: u32, bytes: u32) -> Header {
    [LOAD, address, address, bytes, bytes]
}

/// An executable for RISC-V without section headers. Every segment has the same bytes: instructions that do nothing.
fn elf(entry: u32, headers: &[Header]) -> Vec<u8> {
    let number = headers.len() as u32;
    let start = 52 + 32 * number;
    let mut words = vec![0x464c_457f, 0x0001_0101, 0, 0, 2 | 243 << 16, 1, entry, 52, 0, 0, 52 | 32 << 16, number, 0];
    for [kind, address, load, bytes, memory] in headers {
        words.extend([*kind, start, *address, *load, *bytes, *memory, 5, 4]);
    }
    words.extend([0x13; 16 * 1024]); // nop
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn refused(entry: u32, headers: &[Header]) -> String {
    Program::from_elf(&elf(entry, headers)).unwrap_err().to_string()
}

/// Names of functions, and not those for linkers; without sections there are none.
#[test]
fn names_are_those_of_the_symbol_table() {
    let mut file = elf(CODE, &[load(CODE, 8)]);
    assert!(symbols(&file).is_empty());
    let names = b"\0main\0$xrv32\0.L1\0wait\0";
    let strings = file.len() as u32;
    file.extend(names);
    file.resize(file.len().next_multiple_of(4), 0);
    let table = file.len() as u32;
    // st_name, st_value, st_size, st_info | st_other | st_shndx: a function, names without a type, an object.
    for [name, value, info] in [[0, 0, 0], [1, CODE, 2], [6, CODE, 0], [13, CODE + 4, 0], [17, CODE + 4, 0], [1, 0, 1]]
    {
        file.extend([name, value, 4, info | 1 << 16].into_iter().flat_map(u32::to_le_bytes));
    }
    let sections = file.len() as u32;
    let (size, entry) = (sections - table, 16);
    let headers =
        [[0; 10], [0, 2, 0, 0, table, size, 2, 1, 4, entry], [0, 3, 0, 0, strings, names.len() as u32, 0, 0, 1, 0]];
    file.extend(headers.into_iter().flatten().flat_map(u32::to_le_bytes));
    file[32..36].copy_from_slice(&sections.to_le_bytes());
    file[46..52].copy_from_slice(&[40, 0, 3, 0, 2, 0]);
    let found: Vec<_> = symbols(&file).into_iter().collect();
    assert_eq!(found, [(CODE, "main".to_owned()), (CODE + 4, "wait".to_owned())]);
    for len in 0..file.len() {
        symbols(&file[..len]);
    }
}

/// Bytes that are no ELF file, and pieces of one that are damaged, are errors and no panics.
#[test]
fn elf_files_that_cannot_be_used_are_named() {
    let file = elf(CODE, &[load(CODE, 8)]);
    assert_eq!(Program::from_elf(&file).unwrap().segments.len(), 1);
    let with = |at: usize, value: u8| {
        let mut changed = file.clone();
        changed[at] = value;
        Program::from_elf(&changed).unwrap_err().to_string()
    };
    assert!(with(4, 2).contains("a 64-bit one"));
    assert!(with(5, 2).contains("a big-endian one"));
    assert!(with(16, 1).contains("has not been linked"));
    assert!(with(18, 62).contains("for machine 62"));
    assert!(with(36, 1).contains("compressed"));
    for len in 0..84 {
        assert!(matches!(Program::from_elf(&file[..len]), Err(ProgramError::Elf(_))), "{len} bytes");
    }
}

/// Headers that all name the same bytes would take as much memory as there are headers times bytes.
#[test]
fn segments_have_no_more_bytes_than_their_file() {
    let headers: Vec<Header> = (0..20).map(|i| load(0x1_0000 * i, 0x1_0000)).collect();
    let error = refused(0, &headers);
    assert!(error.contains("its segments have more bytes than the file"), "{error}");
}

/// Without `_start` a linker makes the entry 0, and the program would begin with zeros.
#[test]
fn the_entry_is_in_what_is_loaded() {
    for entry in [0, CODE - 4, CODE + 8, 0xFFFF_FFFC] {
        let expected = format!(
            "the entry is {entry:#x}, where nothing is loaded; allowed is an address in a segment of the file: \
             0x10000 to 0x1000b, 0x10000000 to 0x1000003f (is there a `_start`?)"
        );
        assert_eq!(refused(entry, &[[LOAD, CODE, CODE, 8, 12], load(0x1000_0000, 64)]), expected);
    }
    assert!(refused(0, &[]).contains("in a segment of the file: it has none"));
    let mut machine = Machine::new(&Config::named("tiny").unwrap());
    let in_l1m = Program::from_elf(&elf(0x1000_0000, &[load(0x1000_0000, 64)])).unwrap();
    assert_eq!(machine.load(&in_l1m), Err(ProgramError::Entry(0x1000_0000)));
}

#[test]
fn segments_neither_overlap_nor_move() {
    let error = refused(CODE, &[load(CODE + 0x40, 16), [LOAD, CODE, CODE, 16, 0x41]]);
    assert_eq!(error, "the segments 0x10000 to 0x10040 and 0x10040 to 0x1004f overlap");
    Program::from_elf(&elf(CODE, &[load(CODE + 0x40, 16), [LOAD, CODE, CODE, 16, 0x40]])).unwrap();
    let error = refused(CODE, &[load(CODE, 16), [LOAD, 0x2000, 0x1_1000, 16, 32]]);
    assert_eq!(
        error,
        "the segment 0x2000 to 0x201f is to be loaded at 0x11000 (p_paddr) and used at 0x2000 (p_vaddr); \
         allowed is one address for both"
    );
    assert!(refused(CODE, &[[LOAD, CODE, CODE, 16, 8]]).contains("more bytes in the file than in memory"));
}

/// Memory that a program does not bring with it: zeroed where something may be, refused where none is.
#[test]
fn zeros_behind_the_bytes_are_loaded_and_fit() {
    let mut machine = Machine::new(&Config::named("tiny").unwrap());
    for window in [0x1000_0000, 0x2000_0000] {
        let with = |memory| Program::from_elf(&elf(CODE, &[load(CODE, 4), [LOAD, window, window, 0, memory]])).unwrap();
        machine.l1m.bytes.fill(0xAA);
        machine.l0m.bytes.fill(0xAA);
        machine.load(&with(64)).unwrap();
        let memory = if window == 0x1000_0000 { &machine.l1m } else { &machine.l0m };
        assert_eq!((&memory.bytes[..64], memory.bytes[64]), (&[0; 64][..], 0xAA));
        let error = machine.load(&with(4097)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the segment of 4097 bytes at {window:#x} is not inside")), "{error}");
    }
    let beyond = Program::from_elf(&elf(CODE, &[[LOAD, CODE, CODE, 4, 64 << 20]])).unwrap();
    assert!(matches!(machine.load(&beyond), Err(ProgramError::Outside { address: CODE, len: 0x400_0000, .. })));
    let huge = Program::from_elf(&elf(CODE, &[load(CODE, 4), [LOAD, 0xFFFF_FFF0, 0xFFFF_FFF0, 4, u32::MAX]])).unwrap();
    assert!(matches!(machine.load(&huge), Err(ProgramError::Outside { .. })));
}

/// They name bytes of a segment once more, and nothing is loaded for them.
#[test]
fn thread_storage_and_notes_may_lie_in_a_segment() {
    let all = 0x1_0000;
    let headers = [load(CODE, all), [TLS, CODE, CODE, all, all], [NOTE, 0, 0, all, all]];
    assert_eq!(Program::from_elf(&elf(CODE, &headers)).unwrap().segments.len(), 1);
}
