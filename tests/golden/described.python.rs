// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_bucket {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "bucket",
        &[
            rt::resolve::Signature {
                text: "bucket(Tensor x, Tensor edges, *, bool right=False)",
                params: &[
                    rt::resolve::Parameter {
                        name: "x",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "edges",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "right",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                ],
                positional: 2,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "bucket(Tensor x, str rule, int count)",
                params: &[
                    rt::resolve::Parameter {
                        name: "x",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "rule",
                        kind: rt::op::Type::Str.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "count",
                        kind: rt::op::Type::Int.kind(),
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
            rt::resolve::Signature {
                text: "bucket(Tensor x, float width, *, Tensor out=None)",
                params: &[
                    rt::resolve::Parameter {
                        name: "x",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "width",
                        kind: rt::op::Type::Float.kind(),
                        nullable: false,
                        required: true,
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
        match call.overload() {
            0 => super::__steps::steps0(call, crate::ops::bucket::edges::call),
            1 => super::__steps::steps1(call, crate::ops::bucket::count::call),
            _ => {
                if call.has(2) {
                    call.with_out(
                        2,
                        |call| {
                            super::__steps::steps3(
                                call,
                                crate::ops::bucket::width_out::call,
                            )
                        },
                    )
                } else {
                    super::__steps::steps2(call, crate::ops::bucket::width::call)
                }
            }
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::bucket::edges as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::bucket::count as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::bucket::width as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(
                    <crate::ops::bucket::width_out as rt::Op>::SCHEMA,
                ),
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
    /// For `bucket.edges` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            &rt::Tensor,
            ::core::primitive::bool,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let __arg2 = call.or::<::core::primitive::bool>(2, false)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `bucket.count` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            &::core::primitive::str,
            ::core::primitive::i64,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<::std::string::String>(1)?;
        let __arg2 = call.required::<::core::primitive::i64>(2)?;
        let __result = call.run(|| __overload(__arg0, &__arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `bucket.width` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, ::core::primitive::f64) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<::core::primitive::f64>(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `bucket.width_out` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::primitive::f64,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<::core::primitive::f64>(1)?;
        let mut __arg2: __bindings::args::TensorMut = call.required(2)?;
        call.run(|| __overload(__arg0, __arg1, &mut __arg2.tensor))?;
        ::core::result::Result::Ok(__arg2.finish(call.py()))
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"bucket",
        function_bucket::entry,
        c"bucket(x, edges=..., rule=..., width=..., count=..., *, right=False, out=None)\n--\n\nbucket(Tensor x, Tensor edges, *, bool right=False)\nbucket(Tensor x, str rule, int count)\n\nThe bucket of each element between edges that are given.\n\nbucket(Tensor x, float width, *, Tensor out=None)\n\nThe bucket of each element, where all are equally wide.\n\n    >>> my_ops.bucket(my_ops.tensor([0.5, 1.5]), 1.0)\n    tensor([0, 1], dtype=int64, shape=(2,))\n",
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
        __bindings::Named {
            name: "bucket",
            target: &function_bucket::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
