// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_rounded {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "rounded",
        &[
            rt::resolve::Signature {
                text: "rounded(Tensor input, tuple[str] modes, str|None rounding_mode=None, *, str mode='reflect', str side='left', reduction reduction=mean)",
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
                        name: "modes",
                        kind: rt::op::Type::List(
                                &rt::op::Type::StrEnum(rt::QrMode::ROW),
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "rounding_mode",
                        kind: rt::op::Type::StrEnum(rt::RoundingMode::ROW).kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "mode",
                        kind: rt::op::Type::StrEnum(rt::PaddingMode::ROW).kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "side",
                        kind: rt::op::Type::StrEnum(rt::SearchSide::ROW).kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "reduction",
                        kind: rt::op::Type::Reduction.kind(),
                        nullable: false,
                        required: false,
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
        super::__steps::steps0(call, crate::ops::rounded::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::rounded::Default_ as rt::Op>::SCHEMA,
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
    /// For `rounded` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            &[rt::QrMode],
            ::core::option::Option<rt::RoundingMode>,
            rt::PaddingMode,
            ::core::option::Option<rt::SearchSide>,
            rt::Reduction,
        ) -> rt::Result<(rt::Tensor, rt::PaddingMode)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<__bindings::args::List<rt::QrMode>>(1)?;
        let __arg2 = call.optional::<rt::RoundingMode>(2)?;
        let __arg3 = call.or::<rt::PaddingMode>(3, rt::PaddingMode::Reflect)?;
        let __arg4 = call
            .optional::<rt::SearchSide>(4)?
            .or(::core::option::Option::Some(rt::SearchSide::Left));
        let __arg5 = call.or::<rt::Reduction>(5, rt::Reduction::Mean)?;
        let __result = call
            .run(|| __overload(__arg0, &__arg1, __arg2, __arg3, __arg4, __arg5))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"rounded",
        function_rounded::entry,
        c"rounded(input, modes, rounding_mode=None, *, mode='reflect', side='left', reduction='mean')\n--\n\nrounded(Tensor input, tuple[str] modes, str|None rounding_mode=None, *, str mode='reflect', str side='left', reduction reduction=mean)\n\nParameters\n----------\ninput : Tensor\nmodes : tuple[str]\nrounding_mode : str|None, optional\nmode : str, default 'reflect'\nside : str, default 'left'\nreduction : reduction, default mean\n",
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
            name: "rounded",
            target: &function_rounded::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
