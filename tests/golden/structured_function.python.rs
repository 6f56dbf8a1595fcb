// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
static NAMED_SPREAD: __bindings::NamedTuple = __bindings::NamedTuple::new(
    "spread",
    &["low", "high"],
);
mod function_spread {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "spread",
        &[
            rt::resolve::Signature {
                text: "spread(Tensor input, Tensor|None mask, tuple[Tensor] parts, int dim=-1, *, tuple[Tensor] out=None)",
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
                        name: "mask",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: true,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "parts",
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
                        name: "dim",
                        kind: rt::op::Type::Int.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &["axis"],
                    },
                    rt::resolve::Parameter {
                        name: "out",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Tensor,
                                ::core::option::Option::Some(2),
                            )
                            .kind(),
                        nullable: true,
                        required: false,
                        size: 2,
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
        if call.has(4) {
            call.with_out(
                4,
                |call| { super::__steps::steps1(call, crate::ops::spread::out::call) },
            )
        } else {
            super::__steps::steps0(call, crate::ops::spread::Default_::call)
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::spread::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(<crate::ops::spread::out as rt::Op>::SCHEMA),
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
    /// For `spread` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional_tensor(1)?;
        let __arg2 = call.required::<__bindings::args::Several<rt::Tensor>>(2)?;
        let __arg3 = call.or::<::core::primitive::i64>(3, -1)?;
        let __result = call
            .run(|| __overload(__arg0, __arg1, &__arg2.refs::<rt::Tensor>()?, __arg3))?;
        super::NAMED_SPREAD.wrap(call.py(), __result)
    }
    /// For `spread.out` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
            &mut rt::Tensor,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional_tensor(1)?;
        let __arg2 = call.required::<__bindings::args::Several<rt::Tensor>>(2)?;
        let __arg3 = call.or::<::core::primitive::i64>(3, -1)?;
        let mut __arg4: __bindings::args::TensorMut = call.element(4, 0, 2)?;
        let mut __arg5: __bindings::args::TensorMut = call.element(4, 1, 2)?;
        call.run(|| __overload(
            __arg0,
            __arg1,
            &__arg2.refs::<rt::Tensor>()?,
            __arg3,
            &mut __arg4.tensor,
            &mut __arg5.tensor,
        ))?;
        __bindings::tuple_of(
            call.py(),
            ::core::option::Option::Some(&super::NAMED_SPREAD),
            [__arg4.finish(call.py()), __arg5.finish(call.py())],
        )
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"spread",
        function_spread::entry,
        c"spread(input, mask, parts, dim=-1, *, out=None)\n--\n\nspread(Tensor input, Tensor|None mask, tuple[Tensor] parts, int dim=-1, *, tuple[Tensor] out=None)\n",
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
    named_tuples: &[&NAMED_SPREAD],
    targets: &[
        __bindings::Named {
            name: "spread",
            target: &function_spread::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
