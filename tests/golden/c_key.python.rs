// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
static NAMED_RENAMED: __bindings::NamedTuple = __bindings::NamedTuple::new(
    "renamed",
    &["result", "count"],
);
#[allow(non_snake_case, reason = "named after the operator")]
mod function__hidden_ {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "_hidden_",
        &[
            rt::resolve::Signature {
                text: "_hidden_(Tensor input, Tensor|None self_weight, tuple[Tensor|None] indices, tuple[bool] mask, int|tuple[int]|None size=None)",
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
                        name: "self_weight",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: true,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "indices",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Optional(&rt::op::Type::Tensor),
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "mask",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Bool,
                                ::core::option::Option::Some(3),
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 3,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "size",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::Some(2),
                            )
                            .kind(),
                        nullable: true,
                        required: false,
                        size: 2,
                        aliases: &[],
                    },
                ],
                positional: 5,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        super::__steps::steps0(call, crate::ops::_hidden_::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::_hidden_::Default_ as rt::Op>::SCHEMA,
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
mod function_parts {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "parts",
        &[
            rt::resolve::Signature {
                text: "parts(Tensor input, device|None device=None, Generator|None generator=None, float|None p=None)",
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
                        name: "device",
                        kind: rt::op::Type::Device.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "generator",
                        kind: rt::op::Type::Generator.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "p",
                        kind: rt::op::Type::Float.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                ],
                positional: 4,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        super::__steps::steps1(call, crate::ops::parts::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::parts::Default_ as rt::Op>::SCHEMA,
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
mod function_renamed {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "renamed",
        &[
            rt::resolve::Signature {
                text: "renamed(Tensor input, Number default, tuple[str] words)",
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
                        name: "default",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "words",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Str,
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                ],
                positional: 3,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        super::__steps::steps2(call, crate::ops::renamed::Tensor::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::renamed::Tensor as rt::Op>::SCHEMA,
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
mod function_skipped {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "skipped",
        &[
            rt::resolve::Signature {
                text: "skipped(Tensor input)",
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
        super::__steps::steps3(call, crate::ops::skipped::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::skipped::Default_ as rt::Op>::SCHEMA,
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
#[allow(
    clippy::type_complexity,
    unused_imports,
    reason = "as many arguments as schemas say, and not each uses every path"
)]
mod __steps {
    use super::{__bindings, rt};
    /// For `_hidden_` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &mut rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[::core::option::Option<&rt::Tensor>],
            &[::core::primitive::bool],
            ::core::option::Option<&[::core::primitive::i64]>,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let mut __arg0: __bindings::args::TensorMut = call.required(0)?;
        let __arg1 = call.optional_tensor(1)?;
        let __arg2 = call.required::<__bindings::args::OptionalTensors>(2)?;
        let __arg3 = call
            .required::<__bindings::args::List<::core::primitive::bool>>(3)?;
        let __arg4 = call.optional_ints(4)?;
        call.run(|| __overload(
            &mut __arg0.tensor,
            __arg1,
            &__arg2.refs()?,
            &__arg3,
            __arg4.as_deref(),
        ))?;
        ::core::result::Result::Ok(__arg0.finish(call.py()))
    }
    /// For `parts` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<&rt::Generator>,
            ::core::option::Option<::core::primitive::f64>,
        ) -> rt::Result<
            (
                ::std::vec::Vec<rt::Tensor>,
                ::std::vec::Vec<::core::primitive::i64>,
                ::std::string::String,
                ::core::option::Option<rt::Tensor>,
            ),
        >,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional::<rt::Device>(1)?;
        let __arg2 = call.optional::<rt::Generator>(2)?;
        let __arg3 = call.optional::<::core::primitive::f64>(3)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2.as_ref(), __arg3))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `renamed.Tensor` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            rt::Scalar,
            &[&::core::primitive::str],
        ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<rt::Scalar>(1)?;
        let __arg2 = call
            .required::<__bindings::args::Several<::std::string::String>>(2)?;
        let __result = call
            .run(|| __overload(
                __arg0,
                __arg1,
                &__arg2.refs::<::core::primitive::str>()?,
            ))?;
        super::NAMED_RENAMED.wrap(call.py(), __result)
    }
    /// For `skipped` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<5> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"_hidden_",
        function__hidden_::entry,
        c"_hidden_(input, self_weight, indices, mask, size=None)\n--\n\n_hidden_(Tensor input, Tensor|None self_weight, tuple[Tensor|None] indices, tuple[bool] mask, int|tuple[int]|None size=None)\n",
    ),
    __bindings::method::with_arguments(
        c"parts",
        function_parts::entry,
        c"parts(input, device=None, generator=None, p=None)\n--\n\nparts(Tensor input, device|None device=None, Generator|None generator=None, float|None p=None)\n",
    ),
    __bindings::method::with_arguments(
        c"renamed",
        function_renamed::entry,
        c"renamed(input, default, words)\n--\n\nrenamed(Tensor input, Number default, tuple[str] words)\n",
    ),
    __bindings::method::with_arguments(
        c"skipped",
        function_skipped::entry,
        c"skipped(input)\n--\n\nskipped(Tensor input)\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<1> = __bindings::Methods([
    __bindings::Methods::<1>::END,
]);
/// Everything that the module binds.
pub(crate) static TABLES: __bindings::Tables = __bindings::Tables {
    functions: FUNCTIONS.first(),
    submodules: &[],
    methods: METHODS.first(),
    slots: &[],
    protocols: &[],
    named_tuples: &[&NAMED_RENAMED],
    targets: &[
        __bindings::Named {
            name: "_hidden_",
            target: &function__hidden_::TARGET,
        },
        __bindings::Named {
            name: "parts",
            target: &function_parts::TARGET,
        },
        __bindings::Named {
            name: "renamed",
            target: &function_renamed::TARGET,
        },
        __bindings::Named {
            name: "skipped",
            target: &function_skipped::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
