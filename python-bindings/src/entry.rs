//! The functions whose addresses stand in the tables: all of them only hand
//! their arguments and their target on.

/// Prints a function that the interpreter calls, around a `Target` in scope.
#[doc(hidden)]
#[macro_export]
macro_rules! __entry {
    (arguments) => {
        pub(super) unsafe extern "C" fn entry(
            receiver: *mut $crate::ffi::PyObject,
            args: *const *mut $crate::ffi::PyObject,
            count: $crate::ffi::Py_ssize_t,
            names: *mut $crate::ffi::PyObject,
        ) -> *mut $crate::ffi::PyObject {
            // SAFETY: called by the interpreter, as its table's flags say.
            unsafe { $crate::shim::run(&TARGET, receiver, args, count, names) }
        }
    };
    (alone) => {
        pub(super) unsafe extern "C" fn entry(
            receiver: *mut $crate::ffi::PyObject,
            _: *mut $crate::ffi::PyObject,
        ) -> *mut $crate::ffi::PyObject {
            // SAFETY: called by the interpreter, as its table's flags say.
            unsafe { $crate::shim::run_alone(&TARGET, receiver) }
        }
    };
    (unary $name:ident $target:path) => {
        unsafe extern "C" fn $name(
            operand: *mut $crate::ffi::PyObject,
        ) -> *mut $crate::ffi::PyObject {
            // SAFETY: called by the interpreter with a tensor.
            unsafe { $crate::shim::unary(&$target, operand) }
        }
    };
    (binary $name:ident $target:path) => {
        unsafe extern "C" fn $name(
            left: *mut $crate::ffi::PyObject,
            right: *mut $crate::ffi::PyObject,
        ) -> *mut $crate::ffi::PyObject {
            // SAFETY: called by the interpreter with valid operands.
            unsafe { $crate::shim::binary(&$target, left, right) }
        }
    };
    (ternary $name:ident $target:path) => {
        unsafe extern "C" fn $name(
            left: *mut $crate::ffi::PyObject,
            right: *mut $crate::ffi::PyObject,
            modulus: *mut $crate::ffi::PyObject,
        ) -> *mut $crate::ffi::PyObject {
            // SAFETY: called by the interpreter with valid operands.
            unsafe { $crate::shim::ternary(&$target, left, right, modulus) }
        }
    };
    (comparison $name:ident $targets:path) => {
        unsafe extern "C" fn $name(
            left: *mut $crate::ffi::PyObject,
            right: *mut $crate::ffi::PyObject,
            operator: ::core::ffi::c_int,
        ) -> *mut $crate::ffi::PyObject {
            // SAFETY: called by the interpreter with a tensor on the left.
            unsafe { $crate::shim::compare(&$targets, left, right, operator) }
        }
    };
}
