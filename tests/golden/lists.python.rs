// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_gathered {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "gathered",
        &[
            rt::resolve::Signature {
                text: "gathered(tuple[Tensor] tensors, tuple[Tensor|None] masks, int|tuple[int] padding=0, tuple[int]|None order=None, tuple[float]|None weights=None)",
                params: &[
                    rt::resolve::Parameter {
                        name: "tensors",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Tensor,
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "masks",
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
                        name: "padding",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::Some(2),
                            )
                            .kind(),
                        nullable: false,
                        required: false,
                        size: 2,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "order",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "weights",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Float,
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: true,
                        required: false,
                        size: 0,
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
        super::__steps::steps0(call, crate::ops::gathered::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::gathered::Default_ as rt::Op>::SCHEMA,
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
mod function_settings {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "settings",
        &[
            rt::resolve::Signature {
                text: "settings(Tensor input, str mode='line\\'s', str|None other=None, float eps=1e-05, int reduction=Mean, int|tuple[int] dims=[-2,-1], Number|None limit=None, memory_format memory_format=contiguous_format)",
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
                        name: "mode",
                        kind: rt::op::Type::Str.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Str.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &["x2"],
                    },
                    rt::resolve::Parameter {
                        name: "eps",
                        kind: rt::op::Type::Float.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "reduction",
                        kind: rt::op::Type::Int.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "dims",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::Some(2),
                            )
                            .kind(),
                        nullable: false,
                        required: false,
                        size: 2,
                        aliases: &["axis", "axes"],
                    },
                    rt::resolve::Parameter {
                        name: "limit",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "memory_format",
                        kind: rt::op::Type::MemoryFormat.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                ],
                positional: 8,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        super::__steps::steps1(call, crate::ops::settings::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::settings::Default_ as rt::Op>::SCHEMA,
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
    /// For `gathered` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &[&rt::Tensor],
            &[::core::option::Option<&rt::Tensor>],
            &[::core::primitive::i64],
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::option::Option<&[::core::primitive::f64]>,
        ) -> rt::Result<::std::vec::Vec<rt::Tensor>>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.required::<__bindings::args::Several<rt::Tensor>>(0)?;
        let __arg1 = call.required::<__bindings::args::OptionalTensors>(1)?;
        let __arg2 = call.ints_or(2, &[0, 0])?;
        let __arg3 = call.optional_ints(3)?;
        let __arg4 = call.optional::<__bindings::args::List<::core::primitive::f64>>(4)?;
        let __result = call
            .run(|| __overload(
                &__arg0.refs::<rt::Tensor>()?,
                &__arg1.refs()?,
                &__arg2,
                __arg3.as_deref(),
                __arg4.as_deref(),
            ))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `settings` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            &::core::primitive::str,
            ::core::option::Option<&::core::primitive::str>,
            ::core::primitive::f64,
            ::core::primitive::i64,
            &[::core::primitive::i64],
            ::core::option::Option<rt::Scalar>,
            rt::MemoryFormat,
        ) -> rt::Result<
            (
                ::core::primitive::i64,
                ::core::primitive::f64,
                ::core::primitive::bool,
                ::std::string::String,
            ),
        >,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call
            .or::<::std::string::String>(1, ::std::string::String::from("line's"))?;
        let __arg2 = call.optional::<::std::string::String>(2)?;
        let __arg3 = call.or::<::core::primitive::f64>(3, 0.00001)?;
        let __arg4 = call.or::<::core::primitive::i64>(4, 1)?;
        let __arg5 = call.ints_or(5, &[-2, -1])?;
        let __arg6 = call.optional::<rt::Scalar>(6)?;
        let __arg7 = call.or::<rt::MemoryFormat>(7, rt::MemoryFormat::Contiguous)?;
        let __result = call
            .run(|| __overload(
                __arg0,
                &__arg1,
                __arg2.as_deref(),
                __arg3,
                __arg4,
                &__arg5,
                __arg6,
                __arg7,
            ))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<3> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"gathered",
        function_gathered::entry,
        c"gathered(tensors, masks, padding=0, order=None, weights=None)\n--\n\ngathered(tuple[Tensor] tensors, tuple[Tensor|None] masks, int|tuple[int] padding=0, tuple[int]|None order=None, tuple[float]|None weights=None)\n\nParameters\n----------\ntensors : tuple[Tensor]\nmasks : tuple[Tensor|None]\npadding : int|tuple[int], default 0\norder : tuple[int]|None, optional\nweights : tuple[float]|None, optional\n",
    ),
    __bindings::method::with_arguments(
        c"settings",
        function_settings::entry,
        c"settings(input, mode='line\\'s', other=None, eps=1e-05, reduction=1, dims=(-2, -1), limit=None, memory_format=...)\n--\n\nsettings(Tensor input, str mode='line\\'s', str|None other=None, float eps=1e-05, int reduction=Mean, int|tuple[int] dims=[-2,-1], Number|None limit=None, memory_format memory_format=contiguous_format)\n\nParameters\n----------\ninput : Tensor\nmode : str, default 'line\\'s'\nother : str|None, optional\neps : float, default 1e-05\nreduction : int, default Mean\ndims : int|tuple[int], default [-2,-1]\nlimit : Number|None, optional\nmemory_format : memory_format, default contiguous_format\n",
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
    named_tuples: &[],
    targets: &[
        __bindings::PythonName {
            name: "gathered",
            target: &function_gathered::TARGET,
        },
        __bindings::PythonName {
            name: "settings",
            target: &function_settings::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
