//! Describe an operator once, as an entry of `native_functions.yaml` or as an
//! annotated Rust function, and get Rust functions, a Python module, stubs and
//! documentation.
//!
//! A crate of operators has a build script of one line,
//!
//! ```ignore
//! fn main() {
//!     opwright_codegen::build::module("native_functions.yaml");
//! }
//! ```
//!
//! and a `lib.rs` that names its Python module and annotates its kernels:
//!
//! ```ignore
//! use opwright::{Result, Tensor, native_op};
//!
//! opwright::module!(my_ops);
//!
//! /// The hypotenuse of a right triangle with these legs.
//! #[native_op("hypotenuse(Tensor x, Tensor y) -> Tensor")]
//! fn hypotenuse(x: &Tensor, y: &Tensor) -> Result<Tensor> { .. }
//! ```
//!
//! A test of one line, of [`testing`], compares all of them with what they
//! declare, and needs no Python.
//!
//! This crate re-exports, and has no code of its own but [`module!`].
//!
//! # Features
//!
//! | feature | what it does |
//! |---|---|
//! | `extension-module`, on by default | leaves Python's symbols to the interpreter that loads the module, so that neither the module nor its tests need a library of Python; a program that starts Python itself leaves it out |
//! | `c` | has what libraries for C are made with, see [`c_library!`] |
//! | `ops` | has the operators of the reference module, for crates that take some of them in; indices, conversions and attributes of tensors in Python call them, too |

pub use opwright_jit as jit;
pub use opwright_jit_macros::{cast, overload};
pub use opwright_macros::{NativeType, gradient_helper, native_op, native_type};
pub use opwright_runtime as runtime;
pub use opwright_runtime::testing;
pub use opwright_runtime::{
    DType, Device, Error, ErrorKind, Generator, Layout, MemoryFormat, Result, Scalar, Tensor, view,
};
pub use opwright_runtime::{ndarray, num_traits};

#[cfg(feature = "ops")]
pub use opwright_ops as ops;

#[doc(hidden)]
pub use opwright_python_bindings as python;

/// Handles, errors, and what printed functions for C read their arguments with.
#[cfg(feature = "c")]
pub use opwright_c_bindings as c;

/// Takes in what the build script generated, as the modules `ops` (Rust) and
/// the Python module of the given name.
///
/// ```ignore
/// use opwright::{Result, Tensor, native_op};
///
/// opwright::module!(my_ops);
///
/// #[native_op("halved(Tensor x) -> Tensor", elementwise, dtypes = floating)]
/// fn halved<T: opwright::runtime::dtype::Float>(x: T) -> T {
///     x * T::constant(0.5)
/// }
///
/// // In Python it is `my_ops.halved(x, out=None)`; in Rust:
/// fn quarter(x: &Tensor) -> Result<Tensor> {
///     ops::halved::Default_::call(&ops::halved::Default_::call(x)?)
/// }
///
/// #[test]
/// fn operators_do_what_they_declare() {
///     opwright::testing::opcheck(ops::OPERATORS).unwrap();
/// }
/// ```
///
/// It needs what the build script writes, so it stands in the root of a crate;
/// `opwright new` makes one.
///
/// A function of the module takes an array of another library wherever it
/// expects a tensor, through DLPack or the buffer protocol and without a copy.
/// `opwright::module!(my_ops, arrays = false)` makes it take tensors alone.
///
/// With the feature `ops`, `opwright::module!(my_ops, operators = [add, mul])`
/// gives the module these operators of the reference module, too, with all
/// their overloads, and the Rust modules `ops::add`, `ops::add_` and so on.
///
/// `ops::OPERATORS` has a row for each overload of this crate: what is declared
/// of it, and a call with values of one type. [`testing::opcheck`] takes it, and
/// Python's `my_ops.ops` is made of it. A crate that wants neither says
/// `opwright::module!(my_ops, ops = false)`; then the table is there in tests
/// alone.
///
/// `opwright::module!(my_ops, overloads = [mean_of])` gives the module functions with
/// `#[overload]`, by their paths: plain Python calls them, and so do functions that `opwright.jit`
/// compiles, without leaving machine code.
///
/// `opwright::module!(my_ops, casts = [middle])` has functions with `#[cast]` as casts of compiled
/// functions, once a class of theirs is registered by `extending.register_native`.
///
/// The options stand in this order: `arrays`, `ops`, `operators`, `overloads`, `casts`.
///
/// In tests the Python module is left out, so that they need no Python; likewise in the builds of
/// [`c_library!`].
#[macro_export]
macro_rules! module {
    (
        $name:ident
        $(, arrays = $arrays:literal)?
        $(, ops = $ops:literal)?
        $(, operators = [$($operator:tt),* $(,)?])?
        $(, overloads = [$($($overload:ident)::+),* $(,)?])?
        $(, casts = [$($($cast:ident)::+),* $(,)?])?
        $(,)?
    ) => {
        /// The operators of this crate.
        #[allow(unexpected_cfgs, reason = "the build script says it, if there is one")]
        pub mod ops {
            /// The facade, whatever it is called in this crate.
            #[doc(hidden)]
            pub mod __facade {
                pub use $crate::*;
            }

            #[cfg(opwright_generated)]
            include!(concat!(env!("OUT_DIR"), "/generated.rs"));

            #[cfg(not(opwright_generated))]
            $crate::__no_build_script!();
        }

        // Tests and programs in C are without an interpreter.
        #[cfg(not(test))]
        #[allow(unexpected_cfgs, reason = "the build script says it, if there is one")]
        mod __python {
            #[cfg(all(opwright_generated, not(opwright_without_python)))]
            include!(concat!(env!("OUT_DIR"), "/python.rs"));

            #[cfg(all(opwright_generated, not(opwright_without_python)))]
            #[$crate::python::pyo3::pymodule(crate = "crate::ops::__facade::python::pyo3")]
            fn $name(
                module: &$crate::python::pyo3::Bound<'_, $crate::python::pyo3::types::PyModule>,
            ) -> $crate::python::pyo3::PyResult<()> {
                let settings = $crate::python::package::Settings {
                    arrays: [$($arrays,)? true][0],
                    version: ::core::env!("CARGO_PKG_VERSION"),
                    doc: ::core::env!("CARGO_PKG_DESCRIPTION"),
                };
                $crate::python::package::init(module, &TABLES, settings)?;
                $crate::python::overloads(module, &[$($(super::$($overload)::+::OVERLOAD),*)?])?;
                $crate::python::casts(module, &[$($(super::$($cast)::+::CAST),*)?])
            }
        }
    };
}

/// Makes the crate a library for C of its operators, those that it takes in among them: takes in the
/// functions that the build script generated.
///
/// ```ignore
/// // build.rs
/// fn main() {
///     let build = opwright_codegen::build::Build::new().yaml("native_functions.yaml");
///     let build = build.through_facade();
///     build.module();
///     #[cfg(feature = "c")]
///     build.c();
/// }
///
/// // src/lib.rs
/// opwright::module!(my_ops);
/// #[cfg(feature = "c")]
/// opwright::c_library!(my_ops);
/// ```
///
/// It stands in the root of the crate, below [`module!`], with `c = ["opwright/c"]` below
/// `[features]` of `Cargo.toml`. A build with this feature has no Python module. The names of all
/// functions, types and constants begin with the library's, `my_ops_tensor`, or with a prefix of
/// one's own: `opwright::c_library!(my_ops, prefix = "mo")`.
#[cfg(feature = "c")]
#[macro_export]
macro_rules! c_library {
    ($name:ident $(, prefix = $prefix:literal)? $(,)?) => {
        #[allow(unexpected_cfgs, reason = "the build script says it, if it writes the functions")]
        #[allow(
            clippy::undocumented_unsafe_blocks,
            clippy::too_many_arguments,
            clippy::type_complexity,
            reason = "printed: callers keep what the header says, and functions take what schemas say"
        )]
        mod __c {
            #[cfg(opwright_c)]
            include!(concat!(env!("OUT_DIR"), "/c.rs"));

            #[cfg(not(opwright_c))]
            ::core::compile_error!(
                "no build script has written the functions for C of this crate: in `build.rs`, call \
                 `c()` on what `opwright_codegen::build::Build::new()` makes, beside `module()`"
            );
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "expected `c_library!(my_ops)` or `c_library!(my_ops, prefix = \"mo\")`"
        );
    };
}

/// Says which feature is missing.
#[cfg(not(feature = "c"))]
#[doc(hidden)]
#[macro_export]
macro_rules! c_library {
    ($($any:tt)*) => {
        ::core::compile_error!(
            "a library for C needs the feature `c` of `opwright`: write `c = [\"opwright/c\"]` \
             below `[features]` of `Cargo.toml`, and `#[cfg(feature = \"c\")]` here"
        );
    };
}

/// What stands in the place of the operators if no build script has written
/// them: one error, and a macro that keeps annotations silent.
#[doc(hidden)]
#[macro_export]
macro_rules! __no_build_script {
    () => {
        ::core::compile_error!(
            "no build script has written the operators of this crate: `build.rs` beside \
             `Cargo.toml` needs `fn main() { \
             opwright_codegen::build::module(\"native_functions.yaml\"); }`, and `Cargo.toml` \
             `opwright-codegen` below `[build-dependencies]`"
        );

        #[doc(hidden)]
        #[allow(unused_imports, reason = "a crate may have no annotations")]
        pub(crate) use $crate::__nothing as __annotated;
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __nothing {
    ($($code:tt)*) => {};
}
