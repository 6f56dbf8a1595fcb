// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
static NAMED_PICK: __bindings::NamedTuple = __bindings::NamedTuple::new(
    "pick",
    &["values", "indices"],
);
mod function_pick {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "pick",
        &[
            rt::resolve::Signature {
                text: "pick(Tensor input)",
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
            rt::resolve::Signature {
                text: "pick(Tensor input, Tensor other)",
                params: &[
                    rt::resolve::Parameter {
                        name: "input",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x", "a", "x1"],
                    },
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                ],
                positional: 2,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "pick(Tensor input, int dim, bool keepdim=False)",
                params: &[
                    rt::resolve::Parameter {
                        name: "input",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x", "a", "x1"],
                    },
                    rt::resolve::Parameter {
                        name: "dim",
                        kind: rt::op::Type::Int.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["axis"],
                    },
                    rt::resolve::Parameter {
                        name: "keepdim",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &["keepdims"],
                    },
                ],
                positional: 3,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "pick(Tensor input, Number other)",
                params: &[
                    rt::resolve::Parameter {
                        name: "input",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x", "a", "x1"],
                    },
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                ],
                positional: 2,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        match call.overload() {
            0 => super::__steps::steps0(call, crate::ops::pick::Default_::call),
            1 => super::__steps::steps1(call, crate::ops::pick::other::call),
            2 => super::__steps::steps2(call, crate::ops::pick::dim::call),
            _ => super::__steps::steps3(call, crate::ops::pick::Scalar::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::pick::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::pick::other as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(<crate::ops::pick::dim as rt::Op>::SCHEMA),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::pick::Scalar as rt::Op>::SCHEMA,
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
mod method_pick {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "pick",
        &[
            rt::resolve::Signature {
                text: "pick()",
                params: &[],
                positional: 0,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "pick(Tensor other)",
                params: &[
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                ],
                positional: 1,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "pick(int dim, bool keepdim=False)",
                params: &[
                    rt::resolve::Parameter {
                        name: "dim",
                        kind: rt::op::Type::Int.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["axis"],
                    },
                    rt::resolve::Parameter {
                        name: "keepdim",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &["keepdims"],
                    },
                ],
                positional: 2,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "pick(Number other)",
                params: &[
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
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
        match call.overload() {
            0 => super::__steps::steps4(call, crate::ops::pick::Default_::call),
            1 => super::__steps::steps5(call, crate::ops::pick::other::call),
            2 => super::__steps::steps6(call, crate::ops::pick::dim::call),
            _ => super::__steps::steps7(call, crate::ops::pick::Scalar::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::pick::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::pick::other as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(<crate::ops::pick::dim as rt::Op>::SCHEMA),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::pick::Scalar as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: true,
        module: "",
    };
    __bindings::__entry!(arguments);
}
#[allow(
    clippy::type_complexity,
    unused_imports,
    reason = "as many arguments as schemas say, and not each uses every path"
)]
mod __steps {
    use super::{__bindings, rt};
    /// For `pick` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `pick.other` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `pick.dim` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::primitive::i64,
            ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<::core::primitive::i64>(1)?;
        let __arg2 = call.or::<::core::primitive::bool>(2, false)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        super::NAMED_PICK.wrap(call.py(), __result)
    }
    /// For `pick.Scalar` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<rt::Scalar>(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `pick` and those like it.
    pub(super) fn steps4(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `pick.other` and those like it.
    pub(super) fn steps5(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `pick.dim` and those like it.
    pub(super) fn steps6(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::primitive::i64,
            ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.required::<::core::primitive::i64>(0)?;
        let __arg2 = call.or::<::core::primitive::bool>(1, false)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        super::NAMED_PICK.wrap(call.py(), __result)
    }
    /// For `pick.Scalar` and those like it.
    pub(super) fn steps7(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.required::<rt::Scalar>(0)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"pick",
        function_pick::entry,
        c"pick(input, other=..., dim=..., keepdim=False)\n--\n\npick(Tensor input)\npick(Tensor input, Tensor other)\npick(Tensor input, int dim, bool keepdim=False)\npick(Tensor input, Number other)\n\nParameters\n----------\ninput : Tensor\nother : Tensor or Number, optional\ndim : int, optional\nkeepdim : bool, default False\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"pick",
        method_pick::entry,
        c"pick($self, /, other=..., dim=..., keepdim=False)\n--\n\npick()\npick(Tensor other)\npick(int dim, bool keepdim=False)\npick(Number other)\n\nParameters\n----------\nother : Tensor or Number, optional\ndim : int, optional\nkeepdim : bool, default False\n",
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
    named_tuples: &[&NAMED_PICK],
    targets: &[
        __bindings::PythonName {
            name: "pick",
            target: &function_pick::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.pick",
            target: &method_pick::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
