//! Parts of complex numbers and arrays, and functions of complex numbers.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::ir::Opcode;
use crate::types::{Array, ArrayLayout, Prim, Ty, TyKind};

impl Infer<'_> {
    pub(super) fn complex_view(&mut self, of: &Typed, name: &str) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        if !array.dtype.is_complex() {
            return match name {
                "real" => Ok(of.clone()),
                _ => Err(Error::typing(format!("{} has no imaginary part", of.ty))),
            };
        }
        let part = array.dtype.real_type();
        let mut words = of.words.clone();
        if name == "imag" {
            let half = self.builder.int(part.itemsize());
            words[1] = self.builder.emit(Opcode::Offset, &[words[1], half], Prim::Ptr);
        }
        Ok(Typed::new(
            Ty::new(TyKind::Array(Array { dtype: part, layout: ArrayLayout::Any, ..*array })),
            words,
        ))
    }

    pub(super) fn function_of_complex(&mut self, name: &str, value: &Typed) -> Result<Typed> {
        match super::bind::short(name) {
            "real" => Ok(self.complex_part(value, 0)),
            "imag" => Ok(self.complex_part(value, 1)),
            "abs" | "absolute" => self.abs(value),
            "conjugate" | "conj" => self.call_method(value, "conjugate", Args::default()),
            "phase" | "angle" => {
                let (real, imag) = (self.complex_part(value, 0), self.complex_part(value, 1));
                let ty = value.ty.real_type();
                Ok(self.word_op(super::number::math("atan2"), &[imag.word(), real.word()], ty))
            }
            function if COMPLEX.contains(&function) => {
                let wide = self.convert(value, Ty::complex128())?;
                let found = self.call_library(&format!("complex_{function}"), vec![wide])?;
                if found.ty.is_complex() { self.convert(&found, value.ty) } else { Ok(found) }
            }
            _ => Err(Error::typing(format!("no {name} of {}", value.ty))),
        }
    }
}

/// Functions of complex numbers that the host's library has.
const COMPLEX: &[&str] = &[
    "sqrt", "exp", "log", "log10", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin",
    "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "isnan", "isinf", "isfinite",
];
