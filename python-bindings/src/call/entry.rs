//! The functions whose addresses stand in the tables: all of them only hand
//! their arguments and their target on.

/// Prints a function that the interpreter calls, around a `Target` in scope.
#[doc(hidden)]
#[macro_export]
macro_rules! __entry {
    (arguments) => {
        $crate::__entry! {
            pub(super) entry = run(&TARGET) with
            receiver: *mut $crate::ffi::PyObject,
            args: *const *mut $crate::ffi::PyObject,
            count: $crate::ffi::Py_ssize_t,
            names: *mut $crate::ffi::PyObject
        }
    };
    (functional) => {
        pub(super) unsafe extern "C" fn entry(
            receiver: *mut $crate::ffi::PyObject,
            args: *const *mut $crate::ffi::PyObject,
            count: $crate::ffi::Py_ssize_t,
            names: *mut $crate::ffi::PyObject,
        ) -> *mut $crate::ffi::PyObject {
            // SAFETY: the interpreter calls this as its entry in a table says.
            unsafe { $crate::functional::run(&FUNCTIONAL, receiver, args, count, names) }
        }
    };
    (alone) => {
        $crate::__entry! {
            pub(super) entry = run_alone(&TARGET) with
            receiver: *mut $crate::ffi::PyObject,
            nothing: *mut $crate::ffi::PyObject
        }
    };
    (arguments $name:ident as $shown:literal) => {
        $crate::__entry! {
            pub(super) $name = run_as(&$crate::shim::Alias { target: &TARGET, name: $shown }) with
            receiver: *mut $crate::ffi::PyObject,
            args: *const *mut $crate::ffi::PyObject,
            count: $crate::ffi::Py_ssize_t,
            names: *mut $crate::ffi::PyObject
        }
    };
    (alone $name:ident as $shown:literal) => {
        $crate::__entry! {
            pub(super) $name = run_alone_as(
                &$crate::shim::Alias { target: &TARGET, name: $shown }
            ) with
            receiver: *mut $crate::ffi::PyObject,
            nothing: *mut $crate::ffi::PyObject
        }
    };
    (unary $name:ident $target:path) => {
        $crate::__entry! {
            $name = unary(&$target) with
            operand: *mut $crate::ffi::PyObject
        }
    };
    (binary $name:ident $target:path) => {
        $crate::__entry! {
            $name = binary(&$target) with
            left: *mut $crate::ffi::PyObject,
            right: *mut $crate::ffi::PyObject
        }
    };
    (ternary $name:ident $target:path) => {
        $crate::__entry! {
            $name = ternary(&$target) with
            left: *mut $crate::ffi::PyObject,
            right: *mut $crate::ffi::PyObject,
            modulus: *mut $crate::ffi::PyObject
        }
    };
    (comparison $name:ident $targets:path) => {
        $crate::__entry! {
            $name = compare(&$targets) with
            left: *mut $crate::ffi::PyObject,
            right: *mut $crate::ffi::PyObject,
            operator: ::core::ffi::c_int
        }
    };
    ($visibility:vis $name:ident = $function:ident($target:expr) with $($arg:ident: $type:ty),+) => {
        $visibility unsafe extern "C" fn $name($($arg: $type),+) -> *mut $crate::ffi::PyObject {
            // SAFETY: the interpreter calls this as its slot, or its entry in a table, says: with
            // the GIL held, objects that it keeps until the call returns, and a tensor where the
            // method or the operator was found.
            unsafe { $crate::shim::$function($target, $($arg),+) }
        }
    };
}
