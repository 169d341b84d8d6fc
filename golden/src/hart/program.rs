// SPDX-License-Identifier: Apache-2.0
//! A program for the host: assembled words, or an ELF file.

use object::Endianness;
use object::elf;
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};

use super::{Hart, Place, RAM_BYTES};
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
    /// Bytes where no memory is.
    #[error(
        "{len} bytes at {address:#x} are outside of the memories: program memory has {RAM_BYTES:#x} bytes from 0 on, L1M {l1m:#x} from 0x10000000 on, L0M {l0m:#x} from 0x20000000 on"
    )]
    Outside {
        /// Address of the first byte.
        address: u32,
        /// How many.
        len: usize,
        /// Bytes in L1M.
        l1m: usize,
        /// Bytes in L0M.
        l0m: usize,
    },
}

impl Program {
    /// Words from address 0 on. Behind the last one the program ends.
    pub fn from_words(words: &[u32]) -> Self {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        // Longer ones do not load.
        let end = u32::try_from(bytes.len()).ok();
        Self { entry: 0, segments: vec![Segment { address: 0, bytes }], end }
    }

    /// Whether these are the first bytes of an ELF file.
    pub fn is_elf(bytes: &[u8]) -> bool {
        bytes.starts_with(&elf::ELFMAG)
    }

    /// The segments to be loaded of an ELF file, at their physical addresses.
    ///
    /// # Errors
    /// When it is damaged, or for another machine.
    pub fn from_elf(bytes: &[u8]) -> Result<Self, ProgramError> {
        let damaged = |error: object::Error| ProgramError::Elf(error.to_string());
        let machine = |found: &str| ProgramError::Machine { found: found.into() };
        match bytes.get(4..6) {
            Some([elf::ELFCLASS32, elf::ELFDATA2LSB]) => {}
            Some([elf::ELFCLASS64, _]) => return Err(machine("a 64-bit one")),
            Some([_, elf::ELFDATA2MSB]) => return Err(machine("a big-endian one")),
            _ => return Err(ProgramError::Elf("the header is cut off".into())),
        }
        let file = ElfFile32::<Endianness>::parse(bytes).map_err(damaged)?;
        let (header, endian) = (file.elf_header(), file.endian());
        if header.e_machine(endian) != elf::EM_RISCV {
            return Err(machine(&format!("for machine {}", header.e_machine(endian))));
        }
        if header.e_type(endian) != elf::ET_EXEC {
            return Err(machine("no executable: it has not been linked, or is position independent"));
        }
        if header.e_flags(endian) & elf::EF_RISCV_RVC != 0 {
            return Err(machine("one with compressed instructions"));
        }
        let (mut segments, mut total) = (Vec::new(), 0);
        for segment in file.elf_program_headers() {
            let data = segment.data(endian, bytes);
            let data = data.map_err(|()| ProgramError::Elf("a segment is outside of the file".into()))?;
            // Thousands of headers may name the same bytes.
            total += data.len();
            if total > bytes.len() {
                return Err(ProgramError::Elf("its segments have more bytes than the file".into()));
            }
            // What memory has beyond the file is zero at the start, as all memory is.
            if segment.p_type(endian) == elf::PT_LOAD && !data.is_empty() {
                segments.push(Segment { address: segment.p_paddr(endian), bytes: data.to_vec() });
            }
        }
        Ok(Self { entry: header.e_entry(endian), segments, end: None })
    }
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
        *self = Self { x: [0; REGISTERS], pc: entry, ram: Memory::new(RAM_BYTES), end, ..Self::default() };
        for Segment { address, bytes } in &program.segments {
            let (address, len) = (*address, bytes.len());
            let outside = ProgramError::Outside { address, len, l1m: l1m.bytes.len(), l0m: l0m.bytes.len() };
            let (memory, address) = match Place::of(address) {
                Some(Place::Ram(address)) => (&mut self.ram, address),
                Some(Place::L1m(address)) => (&mut *l1m, address),
                Some(Place::L0m(address)) => (&mut *l0m, address),
                Some(Place::Exit | Place::Print) | None => return Err(outside),
            };
            let place = u32::try_from(len).ok().and_then(|len| memory.get_mut(address, len)).ok_or(outside)?;
            place.copy_from_slice(bytes);
        }
        Ok(())
    }
}
