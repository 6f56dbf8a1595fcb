// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
static NAMED_BOUNDS: __bindings::NamedTuple = __bindings::NamedTuple::new(
    "bounds",
    &["low", "high"],
);
mod function_bounds {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "bounds",
        &[
            rt::resolve::Signature {
                text: "bounds(Tensor input, *, tuple[Tensor] out=None)",
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
                positional: 1,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        if call.has(1) {
            call.with_out(
                1,
                |call| { super::__steps::steps1(call, crate::ops::bounds::out::call) },
            )
        } else {
            super::__steps::steps0(call, crate::ops::bounds::Default_::call)
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::bounds::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(<crate::ops::bounds::out as rt::Op>::SCHEMA),
            ],
        ],
        body,
        method: false,
        module: "",
    };
    __bindings::__entry!(arguments);
}
mod function_fold {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "fold",
        &[
            rt::resolve::Signature {
                text: "fold(Tensor input, int|tuple[int]|None dim=None, bool keepdim=False, *, dtype dtype=None, Tensor out=None)",
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
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::Some(1),
                            )
                            .kind(),
                        nullable: true,
                        required: false,
                        size: 1,
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
                    rt::resolve::Parameter {
                        name: "dtype",
                        kind: rt::op::Type::ScalarType.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "out",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: true,
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
        if call.has(4) {
            call.with_out(
                4,
                |call| { super::__steps::steps3(call, crate::ops::fold::out::call) },
            )
        } else {
            super::__steps::steps2(call, crate::ops::fold::Default_::call)
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::fold::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(<crate::ops::fold::out as rt::Op>::SCHEMA),
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
    /// For `bounds` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0))?;
        super::NAMED_BOUNDS.wrap(call.py(), __result)
    }
    /// For `bounds.out` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &mut rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let mut __arg1: __bindings::args::TensorMut = call.element(1, 0, 2)?;
        let mut __arg2: __bindings::args::TensorMut = call.element(1, 1, 2)?;
        call.run(|| __overload(__arg0, &mut __arg1.tensor, &mut __arg2.tensor))?;
        __bindings::tuple_of(
            call.py(),
            ::core::option::Option::Some(&super::NAMED_BOUNDS),
            [__arg1.finish(call.py()), __arg2.finish(call.py())],
        )
    }
    /// For `fold` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
            ::core::option::Option<rt::DType>,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional_ints(1)?;
        let __arg2 = call.or::<::core::primitive::bool>(2, false)?;
        let __arg3 = call.optional::<rt::DType>(3)?;
        let __result = call
            .run(|| __overload(__arg0, __arg1.as_deref(), __arg2, __arg3))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `fold.out` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
            ::core::option::Option<rt::DType>,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional_ints(1)?;
        let __arg2 = call.or::<::core::primitive::bool>(2, false)?;
        let __arg3 = call.optional::<rt::DType>(3)?;
        let mut __arg4: __bindings::args::TensorMut = call.required(4)?;
        call.run(|| __overload(
            __arg0,
            __arg1.as_deref(),
            __arg2,
            __arg3,
            &mut __arg4.tensor,
        ))?;
        ::core::result::Result::Ok(__arg4.finish(call.py()))
    }
}
static FUNCTIONS: __bindings::Methods<3> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"bounds",
        function_bounds::entry,
        c"bounds(input, *, out=None)\n--\n\nbounds(Tensor input, *, tuple[Tensor] out=None)\n\nParameters\n----------\ninput : Tensor\nout : tuple[Tensor], optional\n",
    ),
    __bindings::method::with_arguments(
        c"fold",
        function_fold::entry,
        c"fold(input, dim=None, keepdim=False, *, dtype=None, out=None)\n--\n\nfold(Tensor input, int|tuple[int]|None dim=None, bool keepdim=False, *, dtype dtype=None, Tensor out=None)\n\nParameters\n----------\ninput : Tensor\ndim : int|tuple[int]|None, optional\nkeepdim : bool, default False\ndtype : dtype, optional\nout : Tensor, optional\n",
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
    named_tuples: &[&NAMED_BOUNDS],
    targets: &[
        __bindings::PythonName {
            name: "bounds",
            target: &function_bounds::TARGET,
        },
        __bindings::PythonName {
            name: "fold",
            target: &function_fold::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
