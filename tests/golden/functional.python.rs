// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_squash {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "squash",
        &[
            rt::resolve::Signature {
                text: "squash(Tensor input)",
                params: &[
                    rt::resolve::Parameter {
                        name: "input",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x", "a", "x1"],
                    },
                ],
                positional: 1,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        super::__steps::steps0(call, crate::ops::squash::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::squash::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: false,
        module: "",
    };
    __bindings::__entry!(arguments);
}
mod method_squash {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "squash",
        &[
            rt::resolve::Signature {
                text: "squash()",
                params: &[],
                positional: 0,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        super::__steps::steps1(call, crate::ops::squash::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::squash::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: true,
        module: "",
    };
    __bindings::__entry!(alone);
}
#[allow(
    clippy::type_complexity,
    unused_imports,
    reason = "as many arguments as schemas say, and not each uses every path"
)]
mod __steps {
    use super::{__bindings, rt};
    /// For `squash` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `squash` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"squash",
        function_squash::entry,
        c"squash(input)\n--\n\nsquash(Tensor input)\n\nMaps each element to the interval from 0 to 1.\n\nIntegers are converted to the default dtype first.\n\n    >>> opwright.squash(opwright.tensor([0.0]))\n    tensor([0.5000], dtype=float32, shape=(1,))\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::alone(
        c"squash",
        method_squash::entry,
        c"squash($self, /)\n--\n\nsquash()\n\nMaps each element to the interval from 0 to 1.\n\nIntegers are converted to the default dtype first.\n\n    >>> opwright.squash(opwright.tensor([0.0]))\n    tensor([0.5000], dtype=float32, shape=(1,))\n",
    ),
    __bindings::Methods::<1>::END,
]);
/// Everything that the module binds.
pub(crate) static TABLES: __bindings::Tables = __bindings::Tables {
    functions: FUNCTIONS.first(),
    submodules: &[],
    methods: METHODS.first(),
    slots: &[],
    protocols: &[],
    named_tuples: &[],
    targets: &[
        __bindings::Named {
            name: "squash",
            target: &function_squash::TARGET,
        },
        __bindings::Named {
            name: "Tensor.squash",
            target: &method_squash::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
