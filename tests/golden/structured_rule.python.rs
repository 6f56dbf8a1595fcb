// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_blend {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "blend",
        &[
            rt::resolve::Signature {
                text: "blend(Tensor input, Tensor other, *, Number weight=1, Tensor out=None)",
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
                    rt::resolve::Parameter {
                        name: "weight",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
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
                positional: 2,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        if call.has(3) {
            call.with_out(
                3,
                |call| { super::__steps::steps1(call, crate::ops::blend::out::call) },
            )
        } else {
            super::__steps::steps0(call, crate::ops::blend::Tensor::call)
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::blend::Tensor as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(<crate::ops::blend::out as rt::Op>::SCHEMA),
            ],
        ],
        body,
        method: false,
        module: "",
    };
    __bindings::__entry!(arguments);
}
mod method_blend {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "blend",
        &[
            rt::resolve::Signature {
                text: "blend(Tensor other, *, Number weight=1)",
                params: &[
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                    rt::resolve::Parameter {
                        name: "weight",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
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
        super::__steps::steps2(call, crate::ops::blend::Tensor::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::blend::Tensor as rt::Op>::SCHEMA,
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
mod method_blend_ {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "blend_",
        &[
            rt::resolve::Signature {
                text: "blend_(Tensor other, *, Number weight=1)",
                params: &[
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                    rt::resolve::Parameter {
                        name: "weight",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
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
        super::__steps::steps3(call, crate::ops::blend_::Tensor::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::blend_::Tensor as rt::Op>::SCHEMA,
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
    /// For `blend.Tensor` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let __arg2 = call.or::<rt::Scalar>(2, rt::Scalar::Int(1))?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `blend.out` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            &rt::Tensor,
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let __arg2 = call.or::<rt::Scalar>(2, rt::Scalar::Int(1))?;
        let mut __arg3: __bindings::args::TensorMut = call.required(3)?;
        call.run(|| __overload(__arg0, __arg1, __arg2, &mut __arg3.tensor))?;
        ::core::result::Result::Ok(__arg3.finish(call.py()))
    }
    /// For `blend.Tensor` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.tensor(0)?;
        let __arg2 = call.or::<rt::Scalar>(1, rt::Scalar::Int(1))?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `blend_.Tensor` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&mut rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let mut __arg0: __bindings::args::TensorMut = call.receiver_mut()?;
        let __arg1 = call.tensor(0)?;
        let __arg2 = call.or::<rt::Scalar>(1, rt::Scalar::Int(1))?;
        call.run(|| __overload(&mut __arg0.tensor, __arg1, __arg2))?;
        ::core::result::Result::Ok(__arg0.finish(call.py()))
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"blend",
        function_blend::entry,
        c"blend(input, other, *, weight=1, out=None)\n--\n\nblend(Tensor input, Tensor other, *, Number weight=1, Tensor out=None)\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<3> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"blend",
        method_blend::entry,
        c"blend($self, /, other, *, weight=1)\n--\n\nblend(Tensor other, *, Number weight=1)\n",
    ),
    __bindings::method::with_arguments(
        c"blend_",
        method_blend_::entry,
        c"blend_($self, /, other, *, weight=1)\n--\n\nblend_(Tensor other, *, Number weight=1)\n",
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
            name: "blend",
            target: &function_blend::TARGET,
        },
        __bindings::Named {
            name: "Tensor.blend",
            target: &method_blend::TARGET,
        },
        __bindings::Named {
            name: "Tensor.blend_",
            target: &method_blend_::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
