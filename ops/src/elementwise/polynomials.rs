//! Orthogonal polynomials of two tensors: arguments, and degrees that are cut to whole numbers.

use opwright_macros::native_op;
use opwright_runtime::iterate::Each;
use opwright_runtime::{Element, Result};
use opwright_vecmath::orthogonal;

use crate::elementwise::doubles;

#[native_op(special_chebyshev_polynomial_t.out, elementwise, dtypes = [f32, f64])]
fn special_chebyshev_polynomial_t_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::chebyshev_t)
}

#[native_op(special_chebyshev_polynomial_u.out, elementwise, dtypes = [f32, f64])]
fn special_chebyshev_polynomial_u_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::chebyshev_u)
}

#[native_op(special_chebyshev_polynomial_v.out, elementwise, dtypes = [f32, f64])]
fn special_chebyshev_polynomial_v_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::chebyshev_v)
}

#[native_op(special_chebyshev_polynomial_w.out, elementwise, dtypes = [f32, f64])]
fn special_chebyshev_polynomial_w_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::chebyshev_w)
}

#[native_op(special_hermite_polynomial_h.out, elementwise, dtypes = [f32, f64])]
fn special_hermite_polynomial_h_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::hermite_h)
}

#[native_op(special_hermite_polynomial_he.out, elementwise, dtypes = [f32, f64])]
fn special_hermite_polynomial_he_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::hermite_he)
}

#[native_op(special_laguerre_polynomial_l.out, elementwise, dtypes = [f32, f64])]
fn special_laguerre_polynomial_l_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::laguerre_l)
}

#[native_op(special_legendre_polynomial_p.out, elementwise, dtypes = [f32, f64])]
fn special_legendre_polynomial_p_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::legendre_p)
}

#[native_op(special_shifted_chebyshev_polynomial_t.out, elementwise, dtypes = [f32, f64])]
fn special_shifted_chebyshev_polynomial_t_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::shifted_chebyshev_t)
}

#[native_op(special_shifted_chebyshev_polynomial_u.out, elementwise, dtypes = [f32, f64])]
fn special_shifted_chebyshev_polynomial_u_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::shifted_chebyshev_u)
}

#[native_op(special_shifted_chebyshev_polynomial_v.out, elementwise, dtypes = [f32, f64])]
fn special_shifted_chebyshev_polynomial_v_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::shifted_chebyshev_v)
}

#[native_op(special_shifted_chebyshev_polynomial_w.out, elementwise, dtypes = [f32, f64])]
fn special_shifted_chebyshev_polynomial_w_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, orthogonal::shifted_chebyshev_w)
}
