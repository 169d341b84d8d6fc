// SPDX-License-Identifier: Apache-2.0
//! The class `Machine`, and what one of its instructions did.

use golden::decode::Isa;
use golden::hart::HartCsr;
use golden::{Csr, Machine, MatrixCsr, Memory, Program, asm, run};
use numpy::ndarray::{ArrayView2, ArrayViewMut1};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyRuntimeError};
use pyo3::prelude::*;

use crate::{TrapError, config, value_error};

/// A trap.
#[pyclass(frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub struct Trap {
    cause: u32,
    tval: u64,
    name: &'static str,
}

/// What an instruction did.
#[pyclass(frozen, get_all)]
pub struct Outcome {
    pc: u32,
    word: u32,
    trap: Option<Trap>,
    /// The host register written, and its value.
    x: Option<(u8, u32)>,
    /// The CSR written, and the value that it keeps.
    csr: Option<(String, u32)>,
    /// The `tl` registers written.
    tl: Vec<u16>,
    /// Ranges of L0M written: address and length.
    l0m: Vec<(u32, u32)>,
}

#[pymethods]
impl Trap {
    fn __repr__(&self) -> String {
        format!("Trap(cause={}, tval={:#x}, name={:?})", self.cause, self.tval, self.name)
    }
}

impl From<golden::Trap> for Trap {
    fn from(trap: golden::Trap) -> Self {
        Self { cause: trap.cause, tval: trap.tval, name: trap.cause_name() }
    }
}

impl From<golden::Outcome> for Outcome {
    fn from(done: golden::Outcome) -> Self {
        let name = |address| {
            Csr::from_address(address).map(Csr::name).or(HartCsr::from_address(address).map(|csr| csr.name().into()))
        };
        Self {
            pc: done.pc,
            word: done.word,
            trap: done.trap.map(Trap::from),
            x: done.gpr_write,
            csr: done.csr_write.map(|(address, value)| (name(address).unwrap_or_default(), value)),
            tl: done.tl_writes.into_iter().map(u16::from).collect(),
            l0m: done.mem_writes,
        }
    }
}

/// A host with the unit attached.
#[pyclass(name = "Machine")]
pub struct PyMachine {
    machine: Machine,
}

impl PyMachine {
    /// The bytes as an array that keeps the machine. They are never moved: nothing here resets a machine.
    fn view<'py>(
        slf: &Bound<'py, Self>,
        memory: fn(&mut Machine) -> &mut Memory,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let mut this = slf.try_borrow_mut()?;
        let bytes = ArrayViewMut1::from(&mut memory(&mut this.machine).bytes[..]);
        // SAFETY: the array keeps the machine, whose memories stay where they are.
        Ok(unsafe { PyArray1::borrow_from_array(&bytes, slf.clone().into_any()) })
    }

    /// The CSR of that name.
    fn named(&self, name: &str) -> PyResult<Csr> {
        let isa = Isa::from(self.machine.config());
        let csr = Csr::from_name(name).filter(|&csr| isa.has(csr));
        csr.ok_or_else(|| PyKeyError::new_err(format!("the unit has no CSR `{name}`; `csrs` lists them")))
    }
}

fn register(number: u8) -> PyResult<u8> {
    let error = || PyIndexError::new_err(format!("register {number}; allowed is 0 to 31"));
    (number < 32).then_some(number).ok_or_else(error)
}

#[pymethods]
impl PyMachine {
    #[new]
    #[pyo3(signature = (config="w16"))]
    fn new(config: &str) -> PyResult<Self> {
        Ok(Self { machine: Machine::new(&self::config(config)?) })
    }

    #[getter]
    fn l1m<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Self::view(slf, |machine| &mut machine.l1m)
    }

    #[getter]
    fn l0m<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Self::view(slf, |machine| &mut machine.l0m)
    }

    /// Read only, since `tl0` is zeros.
    #[getter]
    fn tl<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let this = slf.try_borrow()?;
        let registers = &this.machine.tl;
        let all = ArrayView2::from_shape((32, registers.reg_bytes()), registers.bytes()).map_err(value_error)?;
        // SAFETY: as in `view`.
        let array = unsafe { PyArray2::borrow_from_array(&all, slf.clone().into_any()) };
        array.readwrite().make_nonwriteable();
        Ok(array)
    }

    /// Missing bytes become 0; a write to `tl0` is dropped.
    fn set_tl(&mut self, number: u8, bytes: Vec<u8>) -> PyResult<()> {
        let most = self.machine.tl.reg_bytes();
        if bytes.len() > most {
            return Err(value_error(anyhow::anyhow!("{} bytes for a register; allowed is {most}", bytes.len())));
        }
        self.machine.tl.set(register(number)?, &bytes);
        Ok(())
    }

    #[getter]
    fn x(&self) -> Vec<u64> {
        (0..32).map(|i| self.machine.operand(i)).collect()
    }

    fn set_x(&mut self, number: u8, value: u64) -> PyResult<()> {
        let xlen = self.machine.config().xlen;
        self.machine.hart.set_wide(register(number)?, value, xlen);
        Ok(())
    }

    #[getter]
    fn pc(&self) -> u32 {
        self.machine.hart.pc
    }

    #[getter]
    fn console(&self) -> Vec<u8> {
        self.machine.hart.console.clone()
    }

    /// The names of the unit's CSRs.
    #[getter]
    fn csrs(&self) -> Vec<String> {
        let isa = Isa::from(self.machine.config());
        let all = Csr::all().chain(MatrixCsr::all().map(Csr::Matrix));
        all.filter(|&csr| isa.has(csr)).map(Csr::name).collect()
    }

    fn __getitem__(&self, csr: &str) -> PyResult<u32> {
        Ok(self.machine.csr.read(self.named(csr)?))
    }

    fn __setitem__(&mut self, csr: &str, value: u32) -> PyResult<()> {
        let written = self.machine.csr.write(self.named(csr)?, value);
        written.map(drop).ok_or_else(|| PyKeyError::new_err(format!("`{csr}` is read only")))
    }

    /// Executes one word as the next one of a stream.
    #[pyo3(signature = (word, check=false))]
    fn step(&mut self, py: Python, word: u32, check: bool) -> PyResult<Outcome> {
        let done = Outcome::from(py.detach(|| self.machine.step(word)));
        match &done.trap {
            Some(trap) if check => {
                let text = asm::disassemble(word, Isa::from(self.machine.config()));
                let error = TrapError::new_err(format!("{text}: {} (tval {:#x})", trap.name, trap.tval));
                error.value(py).setattr("cause", trap.cause)?;
                error.value(py).setattr("tval", trap.tval)?;
                Err(error)
            }
            _ => Ok(done),
        }
    }

    /// Runs a program, as assembly language or an ELF file; gives its exit code and traps.
    #[pyo3(signature = (program, limit=run::LIMIT))]
    fn run(&mut self, py: Python, program: Source, limit: u64) -> PyResult<(u32, Vec<(u32, Trap)>)> {
        let program = match program {
            Source::Assembly(text) => asm::program("program", &text, self.machine.config()).map_err(value_error)?,
            Source::Elf(bytes) => Program::from_elf(&bytes).map_err(value_error)?,
        };
        self.machine.load(&program).map_err(value_error)?;
        let mut traps = Vec::new();
        let machine = &mut self.machine;
        let seen = |done: &golden::Outcome| traps.extend(done.trap.map(|trap| (done.pc, Trap::from(trap))));
        let code = py.detach(|| run::execute(machine, limit, seen));
        Ok((code.map_err(|error| PyRuntimeError::new_err(error.to_string()))?, traps))
    }
}

/// A program.
#[derive(FromPyObject)]
enum Source {
    Assembly(String),
    Elf(Vec<u8>),
}
