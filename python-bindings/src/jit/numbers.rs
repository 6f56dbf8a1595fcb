//! Boxing and unboxing of numbers: words from objects, and objects from words.

use opwright_jit::types::{Ty, TyKind};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyComplexMethods};

use super::arrays::Words;
use crate::raw;

/// Appends the words of a number of a type.
pub(super) fn unbox(object: &Bound<'_, PyAny>, ty: Ty, words: &mut Words) -> PyResult<()> {
    match &*ty {
        TyKind::Bool => words.push(u64::from(object.is_truthy()?)),
        TyKind::Int(int) => match int.is_signed {
            true => words.push(object.extract::<i64>()?.cast_unsigned()),
            false => words.push(object.extract::<u64>()?),
        },
        TyKind::Float(64) => words.push(object.extract::<f64>()?.to_bits()),
        TyKind::Float(_) => words.push(u64::from((object.extract::<f64>()? as f32).to_bits())),
        TyKind::Complex(bits) => {
            let value = object.py().get_type::<PyComplex>().call1((object,))?;
            let value = value.cast_into::<PyComplex>().map_err(PyErr::from)?;
            for part in [value.real(), value.imag()] {
                words.push(match bits {
                    64 => u64::from((part as f32).to_bits()),
                    _ => part.to_bits(),
                });
            }
        }
        _ => return Err(PyTypeError::new_err(format!("{ty} cannot be passed"))),
    }
    Ok(())
}

/// A number of a type from its words, which are taken from the front.
pub(super) fn boxed<'py>(
    py: Python<'py>,
    ty: Ty,
    words: &mut &[u64],
) -> PyResult<Bound<'py, PyAny>> {
    match &*ty {
        TyKind::Bool => Ok((take(words) != 0).into_pyobject(py)?.to_owned().into_any()),
        TyKind::Int(int) if int.is_signed => raw::int(py, take(words).cast_signed()),
        TyKind::Int(_) => Ok(take(words).into_pyobject(py)?.into_any()),
        TyKind::Float(bits) => raw::float(py, float(take(words), *bits == 64)),
        TyKind::Complex(bits) => {
            let (real, imag) = (take(words), take(words));
            let is_wide = *bits == 128;
            raw::complex(py, float(real, is_wide), float(imag, is_wide))
        }
        _ => Err(PyTypeError::new_err(format!("a value of {ty} cannot be returned"))),
    }
}

/// The first word, which is taken; 0 if there is none.
pub(super) fn take(words: &mut &[u64]) -> u64 {
    let Some((first, rest)) = words.split_first() else { return 0 };
    *words = rest;
    *first
}

fn float(word: u64, is_wide: bool) -> f64 {
    if is_wide { f64::from_bits(word) } else { f64::from(f32::from_bits(word as u32)) }
}
