// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_plus {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "plus",
        &[
            rt::resolve::Signature {
                text: "plus(Tensor|Number input, Tensor|Number other, *, Number alpha=1)",
                params: &[
                    rt::resolve::Parameter {
                        name: "input",
                        kind: rt::resolve::Kind::TensorOrNumber,
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x", "a", "x1"],
                    },
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::resolve::Kind::TensorOrNumber,
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                    rt::resolve::Parameter {
                        name: "alpha",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &["scale"],
                    },
                ],
                positional: 2,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "plus(Tensor|Number input, Number alpha, Tensor|Number other)",
                params: &[
                    rt::resolve::Parameter {
                        name: "input",
                        kind: rt::resolve::Kind::TensorOrNumber,
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x", "a", "x1"],
                    },
                    rt::resolve::Parameter {
                        name: "alpha",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["scale"],
                    },
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::resolve::Kind::TensorOrNumber,
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                ],
                positional: 3,
                variadic: false,
                deprecated: true,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        match call.overload() {
            0 => super::__steps::steps0(call, crate::ops::plus::Tensor::call),
            _ => super::__steps::steps1(call, crate::ops::plus::Tensor::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::plus::Tensor as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::plus::Tensor as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: false,
        module: "",
    };
    __bindings::__entry!(arguments);
    __bindings::__entry!(arguments alias_0 as "sum_of");
}
mod function_public_name {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "public_name",
        &[
            rt::resolve::Signature {
                text: "public_name(Tensor input)",
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
        super::__steps::steps2(call, crate::ops::internal_name::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::internal_name::Default_ as rt::Op>::SCHEMA,
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
mod method_plus {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "plus",
        &[
            rt::resolve::Signature {
                text: "plus(Tensor|Number other, *, Number alpha=1)",
                params: &[
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::resolve::Kind::TensorOrNumber,
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                    rt::resolve::Parameter {
                        name: "alpha",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &["scale"],
                    },
                ],
                positional: 1,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "plus(Number alpha, Tensor|Number other)",
                params: &[
                    rt::resolve::Parameter {
                        name: "alpha",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["scale"],
                    },
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::resolve::Kind::TensorOrNumber,
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                ],
                positional: 2,
                variadic: false,
                deprecated: true,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        match call.overload() {
            0 => super::__steps::steps3(call, crate::ops::plus::Tensor::call),
            _ => super::__steps::steps4(call, crate::ops::plus::Tensor::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::plus::Tensor as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::plus::Tensor as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: true,
        module: "",
    };
    __bindings::__entry!(arguments);
    __bindings::__entry!(arguments alias_0 as "sum_of");
}
#[allow(
    clippy::type_complexity,
    unused_imports,
    reason = "as many arguments as schemas say, and not each uses every path"
)]
mod __steps {
    use super::{__bindings, rt};
    /// For `plus.Tensor` and those like it.
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
    /// For `plus.Tensor` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(2)?;
        let __arg2 = call.required::<rt::Scalar>(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `internal_name` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `plus.Tensor` and those like it.
    pub(super) fn steps3(
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
    /// For `plus.Tensor` and those like it.
    pub(super) fn steps4(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.tensor(1)?;
        let __arg2 = call.required::<rt::Scalar>(0)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
__bindings::__entry!(binary py_nb_add function_plus::TARGET);
static FUNCTIONS: __bindings::Methods<4> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"plus",
        function_plus::entry,
        c"plus(input, other, *, alpha=1)\n--\n\nplus(Tensor|Number input, Tensor|Number other, *, Number alpha=1)\nplus(Tensor|Number input, Number alpha, Tensor|Number other)  (deprecated)\n\nParameters\n----------\ninput : Tensor|Number\nother : Tensor|Number\nalpha : Number, default 1\n",
    ),
    __bindings::method::with_arguments(
        c"sum_of",
        function_plus::alias_0,
        c"sum_of(input, other, *, alpha=1)\n--\n\nplus(Tensor|Number input, Tensor|Number other, *, Number alpha=1)\nplus(Tensor|Number input, Number alpha, Tensor|Number other)  (deprecated)\n\nParameters\n----------\ninput : Tensor|Number\nother : Tensor|Number\nalpha : Number, default 1\n",
    ),
    __bindings::method::with_arguments(
        c"public_name",
        function_public_name::entry,
        c"public_name(input)\n--\n\npublic_name(Tensor input)\n\nParameters\n----------\ninput : Tensor\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<3> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"plus",
        method_plus::entry,
        c"plus($self, /, other, *, alpha=1)\n--\n\nplus(Tensor|Number other, *, Number alpha=1)\nplus(Number alpha, Tensor|Number other)  (deprecated)\n\nParameters\n----------\nother : Tensor|Number\nalpha : Number, default 1\n",
    ),
    __bindings::method::with_arguments(
        c"sum_of",
        method_plus::alias_0,
        c"sum_of($self, /, other, *, alpha=1)\n--\n\nplus(Tensor|Number other, *, Number alpha=1)\nplus(Number alpha, Tensor|Number other)  (deprecated)\n\nParameters\n----------\nother : Tensor|Number\nalpha : Number, default 1\n",
    ),
    __bindings::Methods::<1>::END,
]);
/// Everything that the module binds.
pub(crate) static TABLES: __bindings::Tables = __bindings::Tables {
    functions: FUNCTIONS.first(),
    submodules: &[],
    methods: METHODS.first(),
    slots: &[
        __bindings::Slot {
            id: __bindings::ffi::Py_nb_add,
            function: py_nb_add as *const _,
        },
    ],
    protocols: &[],
    named_tuples: &[],
    targets: &[
        __bindings::PythonName {
            name: "plus",
            target: &function_plus::TARGET,
        },
        __bindings::PythonName {
            name: "sum_of",
            target: &function_plus::TARGET,
        },
        __bindings::PythonName {
            name: "public_name",
            target: &function_public_name::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.plus",
            target: &method_plus::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.sum_of",
            target: &method_plus::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
