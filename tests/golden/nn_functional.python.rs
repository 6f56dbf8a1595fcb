// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_mask {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "mask",
        &[
            rt::resolve::Signature {
                text: "mask(Tensor input, float p, bool train)",
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
                        name: "p",
                        kind: rt::op::Type::Float.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "train",
                        kind: rt::op::Type::Bool.kind(),
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
        super::__steps::steps0(call, crate::ops::mask::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::mask::Default_ as rt::Op>::SCHEMA,
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
mod function_nn_curve {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "curve",
        &[
            rt::resolve::Signature {
                text: "curve(Tensor input, Number alpha=1, Number scale=1, *, Tensor out=None)",
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
                        name: "alpha",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "scale",
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
                positional: 3,
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
                |call| { super::__steps::steps2(call, crate::ops::curve::out::call) },
            )
        } else {
            super::__steps::steps1(call, crate::ops::curve::Default_::call)
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::curve::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(<crate::ops::curve::out as rt::Op>::SCHEMA),
            ],
        ],
        body,
        method: false,
        module: "nn",
    };
    __bindings::__entry!(arguments);
}
mod function_nn_curve_ {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "curve_",
        &[
            rt::resolve::Signature {
                text: "curve_(Tensor input, Number alpha=1, Number scale=1)",
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
                        name: "alpha",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "scale",
                        kind: rt::op::Type::Scalar.kind(),
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
        super::__steps::steps3(call, crate::ops::curve_::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::curve_::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: false,
        module: "nn",
    };
    __bindings::__entry!(arguments);
}
mod function_nn_lose {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "lose",
        &[
            rt::resolve::Signature {
                text: "lose(Tensor input, Tensor target, reduction reduction=mean, *, float by=1.0)",
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
                        name: "target",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
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
                    rt::resolve::Parameter {
                        name: "by",
                        kind: rt::op::Type::Float.kind(),
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
        super::__steps::steps4(call, crate::ops::lose::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::lose::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: false,
        module: "nn",
    };
    __bindings::__entry!(arguments);
}
mod function_nn_functional_curve {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "curve",
        &[
            rt::resolve::Signature {
                text: "curve(Tensor input, Number alpha=1, bool inplace=False, *, Tensor out=None)",
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
                        name: "alpha",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "inplace",
                        kind: rt::op::Type::Bool.kind(),
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
                positional: 3,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    static FUNCTIONAL: __bindings::functional::Functional = __bindings::functional::Functional {
        target: &TARGET,
        plain: &super::function_nn_curve::TARGET,
        in_place: ::core::option::Option::Some(&super::function_nn_curve_::TARGET),
        params: &[
            __bindings::functional::Forwards::Passed {
                name: "input",
                place: ::core::option::Option::Some(0),
                default: ::core::option::Option::None,
                range: ::core::option::Option::None,
            },
            __bindings::functional::Forwards::Passed {
                name: "alpha",
                place: ::core::option::Option::Some(1),
                default: ::core::option::Option::None,
                range: ::core::option::Option::None,
            },
            __bindings::functional::Forwards::Inplace,
        ],
        direct: 2,
        same_names: true,
    };
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        __bindings::functional::body(&FUNCTIONAL, call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::curve::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(<crate::ops::curve::out as rt::Op>::SCHEMA),
            ],
        ],
        body,
        method: false,
        module: "nn_functional",
    };
    __bindings::__entry!(functional);
}
mod function_nn_functional_loss {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "loss",
        &[
            rt::resolve::Signature {
                text: "loss(Tensor input, Tensor target, bool|None size_average=None, float by=1.0, bool|None reduce=None, str reduction='mean')",
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
                        name: "target",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "size_average",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "by",
                        kind: rt::op::Type::Float.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "reduce",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "reduction",
                        kind: rt::op::Type::Str.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                ],
                positional: 6,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    static FUNCTIONAL: __bindings::functional::Functional = __bindings::functional::Functional {
        target: &TARGET,
        plain: &super::function_nn_lose::TARGET,
        in_place: ::core::option::Option::None,
        params: &[
            __bindings::functional::Forwards::Passed {
                name: "input",
                place: ::core::option::Option::Some(0),
                default: ::core::option::Option::None,
                range: ::core::option::Option::None,
            },
            __bindings::functional::Forwards::Passed {
                name: "target",
                place: ::core::option::Option::Some(1),
                default: ::core::option::Option::None,
                range: ::core::option::Option::None,
            },
            __bindings::functional::Forwards::SizeAverage,
            __bindings::functional::Forwards::Passed {
                name: "by",
                place: ::core::option::Option::None,
                default: ::core::option::Option::None,
                range: ::core::option::Option::None,
            },
            __bindings::functional::Forwards::Reduce,
            __bindings::functional::Forwards::Reduction {
                place: ::core::option::Option::Some(2),
                default: ::core::option::Option::None,
            },
        ],
        direct: 2,
        same_names: true,
    };
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        __bindings::functional::body(&FUNCTIONAL, call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::lose::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: false,
        module: "nn_functional",
    };
    __bindings::__entry!(functional);
}
mod function_nn_functional_mask {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "mask",
        &[
            rt::resolve::Signature {
                text: "mask(Tensor input, float p=0.5, bool training=True)",
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
                        name: "p",
                        kind: rt::op::Type::Float.kind(),
                        nullable: false,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "training",
                        kind: rt::op::Type::Bool.kind(),
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
    static FUNCTIONAL: __bindings::functional::Functional = __bindings::functional::Functional {
        target: &TARGET,
        plain: &super::function_mask::TARGET,
        in_place: ::core::option::Option::None,
        params: &[
            __bindings::functional::Forwards::Passed {
                name: "input",
                place: ::core::option::Option::Some(0),
                default: ::core::option::Option::None,
                range: ::core::option::Option::None,
            },
            __bindings::functional::Forwards::Passed {
                name: "p",
                place: ::core::option::Option::Some(1),
                default: ::core::option::Option::Some({
                    use rt::op::Constant;
                    Constant::Float(0.5)
                }),
                range: ::core::option::Option::Some([0.0, 1.0]),
            },
            __bindings::functional::Forwards::Passed {
                name: "train",
                place: ::core::option::Option::Some(2),
                default: ::core::option::Option::Some({
                    use rt::op::Constant;
                    Constant::Bool(true)
                }),
                range: ::core::option::Option::None,
            },
        ],
        direct: 0,
        same_names: false,
    };
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        __bindings::functional::body(&FUNCTIONAL, call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::mask::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: false,
        module: "nn_functional",
    };
    __bindings::__entry!(functional);
}
#[allow(
    clippy::type_complexity,
    unused_imports,
    reason = "as many arguments as schemas say, and not each uses every path"
)]
mod __steps {
    use super::{__bindings, rt};
    /// For `mask` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::primitive::f64,
            ::core::primitive::bool,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.required::<::core::primitive::f64>(1)?;
        let __arg2 = call.required::<::core::primitive::bool>(2)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `curve` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, rt::Scalar, rt::Scalar) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.or::<rt::Scalar>(1, rt::Scalar::Int(1))?;
        let __arg2 = call.or::<rt::Scalar>(2, rt::Scalar::Int(1))?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `curve.out` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            rt::Scalar,
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.or::<rt::Scalar>(1, rt::Scalar::Int(1))?;
        let __arg2 = call.or::<rt::Scalar>(2, rt::Scalar::Int(1))?;
        let mut __arg3: __bindings::args::TensorMut = call.required(3)?;
        call.run(|| __overload(__arg0, __arg1, __arg2, &mut __arg3.tensor))?;
        ::core::result::Result::Ok(__arg3.finish(call.py()))
    }
    /// For `curve_` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&mut rt::Tensor, rt::Scalar, rt::Scalar) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let mut __arg0: __bindings::args::TensorMut = call.required(0)?;
        let __arg1 = call.or::<rt::Scalar>(1, rt::Scalar::Int(1))?;
        let __arg2 = call.or::<rt::Scalar>(2, rt::Scalar::Int(1))?;
        call.run(|| __overload(&mut __arg0.tensor, __arg1, __arg2))?;
        ::core::result::Result::Ok(__arg0.finish(call.py()))
    }
    /// For `lose` and those like it.
    pub(super) fn steps4(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            &rt::Tensor,
            rt::Reduction,
            ::core::primitive::f64,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let __arg2 = call.or::<rt::Reduction>(2, rt::Reduction::Mean)?;
        let __arg3 = call.or::<::core::primitive::f64>(3, 1.0)?;
        let __result = call.run(|| __overload(__arg0, __arg1, __arg2, __arg3))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"mask",
        function_mask::entry,
        c"mask(input, p, train)\n--\n\nmask(Tensor input, float p, bool train)\n\nUnless `train` is true, the input.\n\nParameters\n----------\ninput : Tensor\np : float\ntrain : bool\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<1> = __bindings::Methods([
    __bindings::Methods::<1>::END,
]);
static FUNCTIONS_NN: __bindings::Methods<4> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"curve",
        function_nn_curve::entry,
        c"curve(input, alpha=1, scale=1, *, out=None)\n--\n\ncurve(Tensor input, Number alpha=1, Number scale=1, *, Tensor out=None)\n\nParameters\n----------\ninput : Tensor\nalpha : Number, default 1\nscale : Number, default 1\nout : Tensor, optional\n",
    ),
    __bindings::method::with_arguments(
        c"curve_",
        function_nn_curve_::entry,
        c"curve_(input, alpha=1, scale=1)\n--\n\ncurve_(Tensor input, Number alpha=1, Number scale=1)\n\nParameters\n----------\ninput : Tensor\nalpha : Number, default 1\nscale : Number, default 1\n",
    ),
    __bindings::method::with_arguments(
        c"lose",
        function_nn_lose::entry,
        c"lose(input, target, reduction='mean', *, by=1.0)\n--\n\nlose(Tensor input, Tensor target, reduction reduction=mean, *, float by=1.0)\n\nParameters\n----------\ninput : Tensor\ntarget : Tensor\nreduction : reduction, default mean\nby : float, default 1.0\n",
    ),
    __bindings::Methods::<1>::END,
]);
static FUNCTIONS_NN_FUNCTIONAL: __bindings::Methods<4> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"curve",
        function_nn_functional_curve::entry,
        c"curve(input, alpha=1, inplace=False, *, out=None)\n--\n\ncurve(Tensor input, Number alpha=1, bool inplace=False, *, Tensor out=None)\n\nParameters\n----------\ninput : Tensor\nalpha : Number, default 1\ninplace : bool, default False\nout : Tensor, optional\n",
    ),
    __bindings::method::with_arguments(
        c"loss",
        function_nn_functional_loss::entry,
        c"loss(input, target, size_average=None, by=1.0, reduce=None, reduction='mean')\n--\n\nloss(Tensor input, Tensor target, bool|None size_average=None, float by=1.0, bool|None reduce=None, str reduction='mean')\n\nParameters\n----------\ninput : Tensor\ntarget : Tensor\nsize_average : bool|None, optional\nby : float, default 1.0\nreduce : bool|None, optional\nreduction : str, default 'mean'\n",
    ),
    __bindings::method::with_arguments(
        c"mask",
        function_nn_functional_mask::entry,
        c"mask(input, p=0.5, training=True)\n--\n\nmask(Tensor input, float p=0.5, bool training=True)\n\nUnless `training` is true, the input.\n\nParameters\n----------\ninput : Tensor\np : float, default 0.5\ntraining : bool, default True\n",
    ),
    __bindings::Methods::<1>::END,
]);
/// Everything that the module binds.
pub(crate) static TABLES: __bindings::Tables = __bindings::Tables {
    functions: FUNCTIONS.first(),
    submodules: &[
        (c"_nn", FUNCTIONS_NN.first()),
        (c"_nn_functional", FUNCTIONS_NN_FUNCTIONAL.first()),
    ],
    methods: METHODS.first(),
    slots: &[],
    protocols: &[],
    named_tuples: &[],
    targets: &[
        __bindings::PythonName {
            name: "mask",
            target: &function_mask::TARGET,
        },
        __bindings::PythonName {
            name: "_nn.curve",
            target: &function_nn_curve::TARGET,
        },
        __bindings::PythonName {
            name: "_nn.curve_",
            target: &function_nn_curve_::TARGET,
        },
        __bindings::PythonName {
            name: "_nn.lose",
            target: &function_nn_lose::TARGET,
        },
        __bindings::PythonName {
            name: "_nn_functional.curve",
            target: &function_nn_functional_curve::TARGET,
        },
        __bindings::PythonName {
            name: "_nn_functional.loss",
            target: &function_nn_functional_loss::TARGET,
        },
        __bindings::PythonName {
            name: "_nn_functional.mask",
            target: &function_nn_functional_mask::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
