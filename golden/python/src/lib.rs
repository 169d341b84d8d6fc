// SPDX-License-Identifier: Apache-2.0
//! The native half of the Python package `tensorload`; `tensorload/__init__.pyi` describes what a user sees.

mod machine;
mod operators;

use golden::decode::Isa;
use golden::{Config, asm};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(_native, TrapError, PyException, "An instruction trapped: `cause` and `tval` are its attributes.");

/// A `ValueError` with the text of an error and of what caused it.
fn value_error(error: impl Into<anyhow::Error>) -> PyErr {
    PyValueError::new_err(format!("{:#}", error.into()))
}

fn config(name: &str) -> PyResult<Config> {
    Config::load(name).map_err(value_error)
}

#[pyfunction]
#[pyo3(signature = (source, config="w16"))]
fn assemble<'py>(py: Python<'py>, source: &str, config: &str) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let words = asm::assemble("program", source, &self::config(config)?).map_err(value_error)?;
    Ok(words.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (words, config="w16"))]
fn disassemble(words: PyReadonlyArray1<u32>, config: &str) -> PyResult<Vec<String>> {
    let isa = Isa::from(&self::config(config)?);
    Ok(words.as_array().iter().map(|&word| asm::disassemble(word, isa)).collect())
}

#[pymodule]
fn _native(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_class::<machine::PyMachine>()?;
    module.add_class::<machine::Outcome>()?;
    module.add_class::<machine::Trap>()?;
    module.add("TrapError", module.py().get_type::<TrapError>())?;
    module.add_function(wrap_pyfunction!(assemble, module)?)?;
    module.add_function(wrap_pyfunction!(disassemble, module)?)?;
    module.add_function(wrap_pyfunction!(operators::operator, module)?)?;
    Ok(())
}
