// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
static NAMED_MIXED: __bindings::NamedTuple = __bindings::NamedTuple::new(
    "mixed",
    &["values", "indices"],
);
mod function_ending {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "ending",
        &[
            rt::resolve::Signature {
                text: "ending(Tensor input)",
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
        super::__steps::steps0(call, crate::ops::ending::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::ending::Default_ as rt::Op>::SCHEMA,
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
mod function_mixed {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "mixed",
        &[
            rt::resolve::Signature {
                text: "mixed(Tensor input, Tensor other, *, Tensor out=None)",
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
            rt::resolve::Signature {
                text: "mixed(Tensor input, int|tuple[int]|None dim, *, bool keepdim=False)",
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
                        required: true,
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
            0 => {
                if call.has(2) {
                    call.with_out(
                        2,
                        |call| {
                            super::__steps::steps2(call, crate::ops::mixed::out::call)
                        },
                    )
                } else {
                    super::__steps::steps1(call, crate::ops::mixed::Default_::call)
                }
            }
            _ => super::__steps::steps3(call, crate::ops::mixed::dim_IntList::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::mixed::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(<crate::ops::mixed::out as rt::Op>::SCHEMA),
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::mixed::dim_IntList as rt::Op>::SCHEMA,
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
mod function_pressed {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "pressed",
        &[
            rt::resolve::Signature {
                text: "pressed(Tensor input)",
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
            rt::resolve::Signature {
                text: "pressed(Tensor input, tuple[int] dim)",
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
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["axis"],
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
            0 => super::__steps::steps4(call, crate::ops::pressed::Default_::call),
            _ => super::__steps::steps5(call, crate::ops::pressed::dims::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::pressed::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::pressed::dims as rt::Op>::SCHEMA,
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
mod function_scope {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "scope",
        &[
            rt::resolve::Signature {
                text: "scope(Tensor input)",
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
        super::__steps::steps4(call, crate::ops::scope::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::scope::Default_ as rt::Op>::SCHEMA,
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
mod function_shape {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "shape",
        &[
            rt::resolve::Signature {
                text: "shape(Tensor input)",
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
        super::__steps::steps4(call, crate::ops::shape::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::shape::Default_ as rt::Op>::SCHEMA,
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
mod function_skipped {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "skipped",
        &[
            rt::resolve::Signature {
                text: "skipped(Tensor input)",
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
        super::__steps::steps4(call, crate::ops::skipped::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::skipped::Default_ as rt::Op>::SCHEMA,
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
mod function_nn_nn_bent {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "nn_bent",
        &[
            rt::resolve::Signature {
                text: "nn_bent(Tensor input, Tensor|None weight=None)",
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
                        name: "weight",
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
        super::__steps::steps6(call, crate::ops::nn_bent::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::nn_bent::Default_ as rt::Op>::SCHEMA,
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
mod method_mixed {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "mixed",
        &[
            rt::resolve::Signature {
                text: "mixed(Tensor other)",
                params: &[
                    rt::resolve::Parameter {
                        name: "other",
                        kind: rt::op::Type::Tensor.kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["x2"],
                    },
                ],
                positional: 1,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "mixed(int|tuple[int]|None dim, *, bool keepdim=False)",
                params: &[
                    rt::resolve::Parameter {
                        name: "dim",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::Some(1),
                            )
                            .kind(),
                        nullable: true,
                        required: true,
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
                ],
                positional: 1,
                variadic: true,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        match call.overload() {
            0 => super::__steps::steps7(call, crate::ops::mixed::Default_::call),
            _ => super::__steps::steps8(call, crate::ops::mixed::dim_IntList::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::mixed::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::mixed::dim_IntList as rt::Op>::SCHEMA,
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
mod method_pressed {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "pressed",
        &[
            rt::resolve::Signature {
                text: "pressed()",
                params: &[],
                positional: 0,
                variadic: false,
                deprecated: false,
            },
            rt::resolve::Signature {
                text: "pressed(tuple[int] dim)",
                params: &[
                    rt::resolve::Parameter {
                        name: "dim",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["axis"],
                    },
                ],
                positional: 1,
                variadic: true,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        match call.overload() {
            0 => super::__steps::steps9(call, crate::ops::pressed::Default_::call),
            _ => super::__steps::steps10(call, crate::ops::pressed::dims::call),
        }
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::pressed::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
            [
                ::core::option::Option::Some(
                    <crate::ops::pressed::dims as rt::Op>::SCHEMA,
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
mod method_shape {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::Function = rt::resolve::Function::new(
        "shape",
        &[
            rt::resolve::Signature {
                text: "shape()",
                params: &[],
                positional: 0,
                variadic: false,
                deprecated: false,
            },
        ],
    );
    fn body(
        call: &mut __bindings::args::Call<'_, '_>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        super::__steps::steps9(call, crate::ops::shape::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::shape::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::None,
            ],
        ],
        body,
        method: true,
        module: "",
    };
    __bindings::__entry!(alone);
}
#[allow(
    clippy::type_complexity,
    unused_imports,
    reason = "as many arguments as schemas say, and not each uses every path"
)]
mod __steps {
    use super::{__bindings, rt};
    /// For `ending` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
        ) -> rt::Result<::core::option::Option<::core::primitive::i64>>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `mixed` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `mixed.out` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.tensor(1)?;
        let mut __arg2: __bindings::args::TensorMut = call.required(2)?;
        call.run(|| __overload(__arg0, __arg1, &mut __arg2.tensor))?;
        ::core::result::Result::Ok(__arg2.finish(call.py()))
    }
    /// For `mixed.dim_IntList` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional_ints(1)?;
        let __arg2 = call.or::<::core::primitive::bool>(2, false)?;
        let __result = call.run(|| __overload(__arg0, __arg1.as_deref(), __arg2))?;
        super::NAMED_MIXED.wrap(call.py(), __result)
    }
    /// For `pressed` and those like it.
    pub(super) fn steps4(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `pressed.dims` and those like it.
    pub(super) fn steps5(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &[::core::primitive::i64]) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.ints(1)?;
        let __result = call.run(|| __overload(__arg0, &__arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `nn_bent` and those like it.
    pub(super) fn steps6(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional_tensor(1)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `mixed` and those like it.
    pub(super) fn steps7(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.tensor(0)?;
        let __result = call.run(|| __overload(__arg0, __arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `mixed.dim_IntList` and those like it.
    pub(super) fn steps8(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.optional_ints(0)?;
        let __arg2 = call.or::<::core::primitive::bool>(1, false)?;
        let __result = call.run(|| __overload(__arg0, __arg1.as_deref(), __arg2))?;
        super::NAMED_MIXED.wrap(call.py(), __result)
    }
    /// For `pressed` and those like it.
    pub(super) fn steps9(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __result = call.run(|| __overload(__arg0))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `pressed.dims` and those like it.
    pub(super) fn steps10(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &[::core::primitive::i64]) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.ints(0)?;
        let __result = call.run(|| __overload(__arg0, &__arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<7> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"ending",
        function_ending::entry,
        c"ending(input)\n--\n\nending(Tensor input)\n",
    ),
    __bindings::method::with_arguments(
        c"mixed",
        function_mixed::entry,
        c"mixed(input, other=..., dim=None, *, out=None, keepdim=False)\n--\n\nmixed(Tensor input, Tensor other, *, Tensor out=None)\nmixed(Tensor input, int|tuple[int]|None dim, *, bool keepdim=False)\n",
    ),
    __bindings::method::with_arguments(
        c"pressed",
        function_pressed::entry,
        c"pressed(input, dim=...)\n--\n\npressed(Tensor input)\npressed(Tensor input, tuple[int] dim)\n",
    ),
    __bindings::method::with_arguments(
        c"scope",
        function_scope::entry,
        c"scope(input)\n--\n\nscope(Tensor input)\n\nAdds nothing to what people wrote.\n\nMore of it.\n",
    ),
    __bindings::method::with_arguments(
        c"shape",
        function_shape::entry,
        c"shape(input)\n--\n\nshape(Tensor input)\n",
    ),
    __bindings::method::with_arguments(
        c"skipped",
        function_skipped::entry,
        c"skipped(input)\n--\n\nskipped(Tensor input)\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<4> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"mixed",
        method_mixed::entry,
        c"mixed($self, /, other=..., *dim, keepdim=False)\n--\n\nmixed(Tensor other)\nmixed(int|tuple[int]|None dim, *, bool keepdim=False)\n",
    ),
    __bindings::method::with_arguments(
        c"pressed",
        method_pressed::entry,
        c"pressed($self, /, *dim)\n--\n\npressed()\npressed(tuple[int] dim)\n",
    ),
    __bindings::method::alone(
        c"shape",
        method_shape::entry,
        c"shape($self, /)\n--\n\nshape()\n",
    ),
    __bindings::Methods::<1>::END,
]);
static FUNCTIONS_NN: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"nn_bent",
        function_nn_nn_bent::entry,
        c"nn_bent(input, weight=None)\n--\n\nnn_bent(Tensor input, Tensor|None weight=None)\n",
    ),
    __bindings::Methods::<1>::END,
]);
/// Everything that the module binds.
pub(crate) static TABLES: __bindings::Tables = __bindings::Tables {
    functions: FUNCTIONS.first(),
    submodules: &[(c"_nn", FUNCTIONS_NN.first())],
    methods: METHODS.first(),
    slots: &[],
    protocols: &[],
    named_tuples: &[&NAMED_MIXED],
    targets: &[
        __bindings::Named {
            name: "ending",
            target: &function_ending::TARGET,
        },
        __bindings::Named {
            name: "mixed",
            target: &function_mixed::TARGET,
        },
        __bindings::Named {
            name: "pressed",
            target: &function_pressed::TARGET,
        },
        __bindings::Named {
            name: "scope",
            target: &function_scope::TARGET,
        },
        __bindings::Named {
            name: "shape",
            target: &function_shape::TARGET,
        },
        __bindings::Named {
            name: "skipped",
            target: &function_skipped::TARGET,
        },
        __bindings::Named {
            name: "_nn.nn_bent",
            target: &function_nn_nn_bent::TARGET,
        },
        __bindings::Named {
            name: "Tensor.mixed",
            target: &method_mixed::TARGET,
        },
        __bindings::Named {
            name: "Tensor.pressed",
            target: &method_pressed::TARGET,
        },
        __bindings::Named {
            name: "Tensor.shape",
            target: &method_shape::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
