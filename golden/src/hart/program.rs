// SPDX-License-Identifier: Apache-2.0
//! A program for the host: assembled words, or an ELF file.

use std::collections::BTreeMap;

use object::Endianness;
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader, Sym};

use super::{Hart, Pages, Place, RAM_BYTES};
use crate::memory::Memory;
use crate::tlregs::REGISTERS;

/// What is in memory when a program starts, and where it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Byte address of the first instruction.
    pub entry: u32,
    /// Contents of memories, by addresses of the host.
    pub segments: Vec<Segment>,
    /// A fetch from this address ends the program with code 0.
    pub end: Option<u32>,
}

/// Bytes at an address of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address of the first byte.
    pub address: u32,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Zeros behind them.
    pub zeros: u32,
}

impl Segment {
    /// The address behind its last byte.
    fn end(&self) -> u64 {
        u64::from(self.address) + self.bytes.len() as u64 + u64::from(self.zeros)
    }
}

/// Why a program cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// Not an ELF file, or damaged.
    #[error("no ELF file, or a damaged one: {0}")]
    Elf(String),
    /// An ELF file for another machine.
    #[error(
        "the ELF file is {found}; allowed is a 32-bit little-endian executable for RISC-V, without compressed instructions (-march=rv32im -mabi=ilp32)"
    )]
    Machine {
        /// What it is for.
        found: String,
    },
    /// The entry is no place for an instruction.
    #[error("the entry is {0:#x}; allowed is a multiple of 4 below {RAM_BYTES:#x}")]
    Entry(u32),
    /// The entry of an ELF file is where it loads nothing.
    #[error(
        "the entry is {entry:#x}, where nothing is loaded; allowed is an address in a segment of the file: {loaded} (is there a `_start`?)"
    )]
    EntryOutside {
        /// The entry.
        entry: u32,
        /// The segments.
        loaded: String,
    },
    /// Two segments of an ELF file for the same addresses.
    #[error("the segments {} and {} overlap", range(.0), range(.1))]
    Overlap([u64; 2], [u64; 2]),
    /// A segment of an ELF file that a program would have to copy.
    #[error(
        "the segment {} is to be loaded at {load:#x} (p_paddr) and used at {address:#x} (p_vaddr); allowed is one address for both", range(&[u64::from(*address), *end])
    )]
    Moved {
        /// p_vaddr.
        address: u32,
        /// Behind it.
        end: u64,
        /// p_paddr.
        load: u32,
    },
    /// Bytes where no memory is.
    #[error(
        "the segment of {len} bytes at {address:#x} is not inside of a memory: program memory has {RAM_BYTES:#x} bytes from 0 on, L1M {l1m:#x} from 0x10000000 on, L0M {l0m:#x} from 0x20000000 on"
    )]
    Outside {
        /// Address of the first byte.
        address: u32,
        /// How many.
        len: u64,
        /// Bytes in L1M.
        l1m: usize,
        /// Bytes in L0M.
        l0m: usize,
    },
}

fn range([start, end]: &[u64; 2]) -> String {
    format!("{start:#x} to {:#x}", end.saturating_sub(1))
}

impl Program {
    /// Words from address 0 on. Behind the last one the program ends.
    pub fn from_words(words: &[u32]) -> Self {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        // Longer ones do not load.
        let end = u32::try_from(bytes.len()).ok();
        Self { entry: 0, segments: vec![Segment { address: 0, bytes, zeros: 0 }], end }
    }

    /// Whether these are the first bytes of an ELF file.
    pub fn is_elf(bytes: &[u8]) -> bool {
        bytes.starts_with(&elf::ELFMAG)
    }

    /// The segments to be loaded of an ELF file.
    ///
    /// # Errors
    /// When it is damaged or for another machine; when its segments overlap, or are not where the program uses them;
    /// when it starts where none is.
    pub fn from_elf(bytes: &[u8]) -> Result<Self, ProgramError> {
        let damaged = |what: &str| ProgramError::Elf(what.into());
        let machine = |found: &str| ProgramError::Machine { found: found.into() };
        match bytes.get(4..6) {
            Some([elf::ELFCLASS32, elf::ELFDATA2LSB]) => {}
            Some([elf::ELFCLASS64, _]) => return Err(machine("a 64-bit one")),
            Some([_, elf::ELFDATA2MSB]) => return Err(machine("a big-endian one")),
            _ => return Err(damaged("the header is cut off")),
        }
        // Sections are of no interest: a file may have none.
        let header = elf::FileHeader32::<Endianness>::parse(bytes).map_err(|error| damaged(&error.to_string()))?;
        let endian = Endianness::Little;
        if header.e_machine(endian) != elf::EM_RISCV {
            return Err(machine(&format!("for machine {}", header.e_machine(endian))));
        }
        if header.e_type(endian) != elf::ET_EXEC {
            return Err(machine("no executable: it has not been linked, or is position independent"));
        }
        if header.e_flags(endian) & elf::EF_RISCV_RVC != 0 {
            return Err(machine("one with compressed instructions"));
        }
        let headers = header.program_headers(endian, bytes).map_err(|error| damaged(&error.to_string()))?;
        let (mut segments, mut total) = (Vec::new(), 0);
        for segment in headers.iter().filter(|header| header.p_type(endian) == elf::PT_LOAD) {
            let data = segment.data(endian, bytes).map_err(|()| damaged("a segment is outside of the file"))?;
            let zeros = segment.p_memsz(endian).checked_sub(segment.p_filesz(endian));
            let zeros = zeros.ok_or_else(|| damaged("a segment has more bytes in the file than in memory"))?;
            // Thousands of headers may name the same bytes.
            total += data.len();
            if total > bytes.len() {
                return Err(damaged("its segments have more bytes than the file"));
            }
            let (address, load) = (segment.p_vaddr(endian), segment.p_paddr(endian));
            let segment = Segment { address, bytes: data.to_vec(), zeros };
            let end = segment.end();
            if end == u64::from(address) {
                continue;
            }
            if load != address {
                return Err(ProgramError::Moved { address, end, load });
            }
            segments.push(segment);
        }
        segments.sort_by_key(|segment| segment.address);
        let ranges: Vec<[u64; 2]> = segments.iter().map(|s| [s.address.into(), s.end()]).collect();
        if let Some(pair) = ranges.windows(2).find(|pair| pair[0][1] > pair[1][0]) {
            return Err(ProgramError::Overlap(pair[0], pair[1]));
        }
        let entry = header.e_entry(endian);
        if !segments.iter().any(|s| entry.checked_sub(s.address).is_some_and(|at| (at as usize) < s.bytes.len())) {
            let most = ranges.iter().take(8).map(range).collect::<Vec<_>>().join(", ");
            let loaded = if most.is_empty() { "it has none".into() } else { most };
            return Err(ProgramError::EntryOutside { entry, loaded });
        }
        Ok(Self { entry, segments, end: None })
    }
}

/// The names in the symbol table of an ELF file by address; nothing when there is none, or a damaged one.
pub fn symbols(bytes: &[u8]) -> BTreeMap<u32, String> {
    let endian = Endianness::Little;
    let table = || -> object::Result<_> {
        let sections = elf::FileHeader32::<Endianness>::parse(bytes)?.sections(endian, bytes)?;
        let table = sections.symbols(endian, bytes, elf::SHT_SYMTAB)?;
        let named = table.iter().filter(|symbol| matches!(symbol.st_type(), elf::STT_FUNC | elf::STT_NOTYPE));
        let names =
            named.filter_map(|symbol| Some((symbol.st_value(endian), symbol.name(endian, table.strings()).ok()?)));
        // `$x` and `.L1` are for linkers.
        let names = names.filter(|(_, name)| !matches!(name.first(), None | Some(b'$' | b'.')));
        Ok(names.map(|(address, name)| (address, String::from_utf8_lossy(name).into_owned())).collect())
    };
    table().unwrap_or_default()
}

impl Hart {
    /// Puts a program into zeroed program memory and into the two memories of the unit, and the host in the state after
    /// reset at its entry.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn load(&mut self, program: &Program, l1m: &mut Memory, l0m: &mut Memory) -> Result<(), ProgramError> {
        let Program { entry, end, .. } = *program;
        if entry & 3 != 0 || entry >= RAM_BYTES {
            return Err(ProgramError::Entry(entry));
        }
        *self = Self { x: [0; REGISTERS], pc: entry, ram: Pages::new(RAM_BYTES), end, ..Self::default() };
        for segment in &program.segments {
            let (address, len) = (segment.address, segment.end() - u64::from(segment.address));
            let outside = ProgramError::Outside { address, len, l1m: l1m.bytes.len(), l0m: l0m.bytes.len() };
            self.loaded.push(segment.address..segment.end() as u32);
            let (memory, address) = match Place::of(address) {
                Some(Place::Ram(address)) => {
                    if u64::from(address) + len > RAM_BYTES.into() {
                        return Err(outside);
                    }
                    // Zeros are there already: no other segment has these addresses.
                    self.ram.write(address, &segment.bytes).ok_or(outside)?;
                    continue;
                }
                Some(Place::L1m(address)) => (&mut *l1m, address),
                Some(Place::L0m(address)) => (&mut *l0m, address),
                Some(Place::Exit | Place::Print) | None => return Err(outside),
            };
            let place = u32::try_from(len).ok().and_then(|len| memory.get_mut(address, len)).ok_or(outside)?;
            let (bytes, zeros) = place.split_at_mut(segment.bytes.len());
            bytes.copy_from_slice(&segment.bytes);
            zeros.fill(0);
        }
        Ok(())
    }
}
