// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_clip {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "clip",
        &[
            rt::resolve::Signature {
                text: "clip(Tensor input, Number|None min=None)",
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
                        name: "min",
                        kind: rt::op::Type::Scalar.kind(),
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
        super::__steps::steps0(call, crate::ops::clip::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::clip::Default_ as rt::Op>::SCHEMA,
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
mod function_clip_ {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "clip_",
        &[
            rt::resolve::Signature {
                text: "clip_(Tensor input, Number|None min=None)",
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
                        name: "min",
                        kind: rt::op::Type::Scalar.kind(),
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
        super::__steps::steps1(call, crate::ops::clip_::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::clip_::Default_ as rt::Op>::SCHEMA,
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
mod function_consume {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "consume",
        &[
            rt::resolve::Signature {
                text: "consume(Tensor input, Tensor other)",
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
        super::__steps::steps2(call, crate::ops::consume::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::consume::Default_ as rt::Op>::SCHEMA,
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
mod function_scale_all_ {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "scale_all_",
        &[
            rt::resolve::Signature {
                text: "scale_all_(tuple[Tensor] self, Number factor)",
                params: &[
                    rt::resolve::Parameter {
                        name: "self",
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
                        name: "factor",
                        kind: rt::op::Type::Scalar.kind(),
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
        super::__steps::steps3(call, crate::ops::scale_all_::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::scale_all_::Default_ as rt::Op>::SCHEMA,
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
mod method_clip_ {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "clip_",
        &[
            rt::resolve::Signature {
                text: "clip_(Number|None min=None)",
                params: &[
                    rt::resolve::Parameter {
                        name: "min",
                        kind: rt::op::Type::Scalar.kind(),
                        nullable: true,
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
        super::__steps::steps4(call, crate::ops::clip_::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::clip_::Default_ as rt::Op>::SCHEMA,
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
    /// For `clip` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<rt::Scalar>,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional::<rt::Scalar>(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `clip_` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &mut rt::Tensor,
            ::core::option::Option<rt::Scalar>,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let mut __arg0: __bindings::args::TensorMut = call.required(0)?;
        let __arg1 = call.optional::<rt::Scalar>(1)?;
        call.run(|| __overload(&mut __arg0.tensor, __arg1))?;
        ::core::result::Result::Ok(__arg0.finish(call.py()))
    }
    /// For `consume` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let mut __arg1: __bindings::args::TensorMut = call.required(1)?;
        call.run(|| __overload(__arg0, &mut __arg1.tensor))?;
        __arg1.commit(call.py());
        __bindings::Convert::wrap((), call.py())
    }
    /// For `scale_all_` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&mut [&mut rt::Tensor], rt::Scalar) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let mut __arg0: __bindings::args::TensorsMut = call.required(0)?;
        let __arg1 = call.required::<rt::Scalar>(1)?;
        call.run(|| __overload(&mut __arg0.refs()?, __arg1))?;
        ::core::result::Result::Ok(__arg0.finish(call.py()))
    }
    /// For `clip_` and those like it.
    pub(super) fn steps4(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &mut rt::Tensor,
            ::core::option::Option<rt::Scalar>,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let mut __arg0: __bindings::args::TensorMut = call.receiver_mut()?;
        let __arg1 = call.optional::<rt::Scalar>(0)?;
        call.run(|| __overload(&mut __arg0.tensor, __arg1))?;
        ::core::result::Result::Ok(__arg0.finish(call.py()))
    }
}
static FUNCTIONS: __bindings::Methods<5> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"clip",
        function_clip::entry,
        c"clip(input, min=None)\n--\n\nclip(Tensor input, Number|None min=None)\n\nParameters\n----------\ninput : Tensor\nmin : Number|None, optional\n",
    ),
    __bindings::method::with_arguments(
        c"clip_",
        function_clip_::entry,
        c"clip_(input, min=None)\n--\n\nclip_(Tensor input, Number|None min=None)\n\nParameters\n----------\ninput : Tensor\nmin : Number|None, optional\n",
    ),
    __bindings::method::with_arguments(
        c"consume",
        function_consume::entry,
        c"consume(input, other)\n--\n\nconsume(Tensor input, Tensor other)\n\nParameters\n----------\ninput : Tensor\nother : Tensor\n",
    ),
    __bindings::method::with_arguments(
        c"scale_all_",
        function_scale_all_::entry,
        c"scale_all_(self, factor)\n--\n\nscale_all_(tuple[Tensor] self, Number factor)\n\nParameters\n----------\nself : tuple[Tensor]\nfactor : Number\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"clip_",
        method_clip_::entry,
        c"clip_($self, /, min=None)\n--\n\nclip_(Number|None min=None)\n\nParameters\n----------\nmin : Number|None, optional\n",
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
            name: "clip",
            target: &function_clip::TARGET,
        },
        __bindings::PythonName {
            name: "clip_",
            target: &function_clip_::TARGET,
        },
        __bindings::PythonName {
            name: "consume",
            target: &function_consume::TARGET,
        },
        __bindings::PythonName {
            name: "scale_all_",
            target: &function_scale_all_::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.clip_",
            target: &method_clip_::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
