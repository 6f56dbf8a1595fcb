// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_match {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "match",
        &[
            rt::resolve::Signature {
                text: "match(Tensor where, Tensor input, Tensor type)",
                params: &[
                    rt::resolve::Parameter {
                        name: "where",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "input",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x", "a", "x1"],
                    },
                    rt::resolve::Parameter {
                        name: "type",
                        kind: rt::op::Type::Tensor.kind(),
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
        super::__steps::steps0(call, crate::ops::r#match::self_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::r#match::self_ as rt::Op>::SCHEMA,
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
mod method_draw_ {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "draw_",
        &[
            rt::resolve::Signature {
                text: "draw_(int ref, int|None loop, *, Generator generator=None)",
                params: &[
                    rt::resolve::Parameter {
                        name: "ref",
                        kind: rt::op::Type::Int.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "loop",
                        kind: rt::op::Type::Int.kind(),
                        nullable: true,
                        required: true,
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
        super::__steps::steps1(call, crate::ops::draw_::from::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::draw_::from as rt::Op>::SCHEMA,
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
mod method_match {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "match",
        &[
            rt::resolve::Signature {
                text: "match(Tensor where, Tensor type)",
                params: &[
                    rt::resolve::Parameter {
                        name: "where",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "type",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
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
        super::__steps::steps2(call, crate::ops::r#match::self_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::r#match::self_ as rt::Op>::SCHEMA,
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
    /// For `match.self` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let __arg2 = call.tensor(2)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `draw_.from` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &mut rt::Tensor,
            ::core::primitive::i64,
            ::core::option::Option<::core::primitive::i64>,
            ::core::option::Option<&rt::Generator>,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let mut __arg0: __bindings::args::TensorMut = call.receiver_mut()?;
        let __arg1 = call.required::<::core::primitive::i64>(0)?;
        let __arg2 = call.optional::<::core::primitive::i64>(1)?;
        let __arg3 = call.optional::<rt::Generator>(2)?;
        call.run(|| __overload(&mut __arg0.tensor, __arg1, __arg2, __arg3.as_ref()))?;
        ::core::result::Result::Ok(__arg0.finish(call.py()))
    }
    /// For `match.self` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.receiver();
        let __arg2 = call.tensor(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"match",
        function_match::entry,
        c"match(where, input, type)\n--\n\nmatch(Tensor where, Tensor input, Tensor type)\n\nParameters\n----------\nwhere : Tensor\ninput : Tensor\ntype : Tensor\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<3> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"draw_",
        method_draw_::entry,
        c"draw_($self, /, ref, loop, *, generator=None)\n--\n\ndraw_(int ref, int|None loop, *, Generator generator=None)\n\nParameters\n----------\nref : int\nloop : int|None\ngenerator : Generator, optional\n",
    ),
    __bindings::method::with_arguments(
        c"match",
        method_match::entry,
        c"match($self, /, where, type)\n--\n\nmatch(Tensor where, Tensor type)\n\nParameters\n----------\nwhere : Tensor\ntype : Tensor\n",
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
        __bindings::PythonName {
            name: "match",
            target: &function_match::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.draw_",
            target: &method_draw_::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.match",
            target: &method_match::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
