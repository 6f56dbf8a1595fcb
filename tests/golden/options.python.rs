// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod function_constant {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "constant",
        &[
            rt::resolve::Signature {
                text: "constant(tuple[int] size, Number value, *, Tensor out=None, dtype dtype=None, layout layout=None, device device=None, bool pin_memory=False, bool requires_grad=False)",
                params: &[
                    rt::resolve::Parameter {
                        name: "size",
                        kind: rt::op::Type::List(
                                &rt::op::Type::SymInt,
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["shape"],
                    },
                    rt::resolve::Parameter {
                        name: "value",
                        kind: rt::op::Type::Scalar.kind(),
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
                    rt::resolve::Parameter {
                        name: "dtype",
                        kind: rt::op::Type::ScalarType.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "layout",
                        kind: rt::op::Type::Layout.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "device",
                        kind: rt::op::Type::Device.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "pin_memory",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "requires_grad",
                        kind: rt::op::Type::Bool.kind(),
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
        call.with_leaf(
            7,
            |call| {
                if call.has(2) {
                    call.check_out(2, 3, 4, 5)?;
                    call.with_out(
                        2,
                        |call| {
                            super::__steps::steps1(call, crate::ops::constant::out::call)
                        },
                    )
                } else {
                    super::__steps::steps0(call, crate::ops::constant::Default_::call)
                }
            },
        )
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::constant::Default_ as rt::Op>::SCHEMA,
                ),
                ::core::option::Option::Some(
                    <crate::ops::constant::out as rt::Op>::SCHEMA,
                ),
            ],
        ],
        body,
        method: false,
        module: "",
    };
    __bindings::__entry!(arguments);
}
mod function_constant_like {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "constant_like",
        &[
            rt::resolve::Signature {
                text: "constant_like(Tensor input, *, memory_format memory_format=None, dtype dtype=None, layout layout=None, device device=None, bool pin_memory=False, bool requires_grad=False)",
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
                        name: "memory_format",
                        kind: rt::op::Type::MemoryFormat.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
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
                        name: "layout",
                        kind: rt::op::Type::Layout.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "device",
                        kind: rt::op::Type::Device.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "pin_memory",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "requires_grad",
                        kind: rt::op::Type::Bool.kind(),
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
        call.with_leaf(
            6,
            |call| {
                super::__steps::steps2(call, crate::ops::constant_like::Default_::call)
            },
        )
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::constant_like::Default_ as rt::Op>::SCHEMA,
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
mod method_new_constant {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "new_constant",
        &[
            rt::resolve::Signature {
                text: "new_constant(tuple[int] size, *, dtype dtype=None, layout layout=None, device device=None, bool pin_memory=False, bool requires_grad=False)",
                params: &[
                    rt::resolve::Parameter {
                        name: "size",
                        kind: rt::op::Type::List(
                                &rt::op::Type::SymInt,
                                ::core::option::Option::None,
                            )
                            .kind(),
                        nullable: false,
                        required: true,
                        size: 0,
                        aliases: &["shape"],
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
                        name: "layout",
                        kind: rt::op::Type::Layout.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "device",
                        kind: rt::op::Type::Device.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "pin_memory",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
                    },
                    rt::resolve::Parameter {
                        name: "requires_grad",
                        kind: rt::op::Type::Bool.kind(),
                        nullable: true,
                        required: false,
                        size: 0,
                        aliases: &[],
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
        call.with_leaf(
            5,
            |call| {
                super::__steps::steps3(call, crate::ops::new_constant::Default_::call)
            },
        )
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::new_constant::Default_ as rt::Op>::SCHEMA,
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
    /// For `constant` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &[::core::primitive::i64],
            rt::Scalar,
            ::core::option::Option<rt::DType>,
            ::core::option::Option<rt::Layout>,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<::core::primitive::bool>,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Sizes);
        let __arg0 = call.ints(0)?;
        let __arg1 = call.required::<rt::Scalar>(1)?;
        let __arg2 = call
            .optional::<rt::DType>(3)?
            .or(::core::option::Option::Some(rt::DType::Int64));
        let __arg3 = call.optional::<rt::Layout>(4)?;
        let __arg4 = call.optional::<rt::Device>(5)?;
        let __arg5 = call
            .optional::<::core::primitive::bool>(6)?
            .or(::core::option::Option::Some(false));
        let __result = call
            .run(|| __overload(&__arg0, __arg1, __arg2, __arg3, __arg4, __arg5))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `constant.out` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &[::core::primitive::i64],
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Sizes);
        let __arg0 = call.ints(0)?;
        let __arg1 = call.required::<rt::Scalar>(1)?;
        let mut __arg2: __bindings::args::TensorMut = call.required(2)?;
        call.run(|| __overload(&__arg0, __arg1, &mut __arg2.tensor))?;
        ::core::result::Result::Ok(__arg2.finish(call.py()))
    }
    /// For `constant_like` and those like it.
    pub(super) fn steps2(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<rt::DType>,
            ::core::option::Option<rt::Layout>,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<::core::primitive::bool>,
            ::core::option::Option<rt::MemoryFormat>,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.tensor(0)?;
        let __arg1 = call.optional::<rt::DType>(2)?;
        let __arg2 = call.optional::<rt::Layout>(3)?;
        let __arg3 = call.optional::<rt::Device>(4)?;
        let __arg4 = call
            .optional::<::core::primitive::bool>(5)?
            .or(::core::option::Option::Some(false));
        let __arg5 = call.optional::<rt::MemoryFormat>(1)?;
        let __result = call
            .run(|| __overload(__arg0, __arg1, __arg2, __arg3, __arg4, __arg5))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `new_constant` and those like it.
    pub(super) fn steps3(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            &[::core::primitive::i64],
            ::core::option::Option<rt::DType>,
            ::core::option::Option<rt::Layout>,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<::core::primitive::bool>,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Sizes);
        let __arg0 = call.receiver();
        let __arg1 = call.ints(0)?;
        let __arg2 = call.optional::<rt::DType>(1)?;
        let __arg3 = call.optional::<rt::Layout>(2)?;
        let __arg4 = call.optional::<rt::Device>(3)?;
        let __arg5 = call
            .optional::<::core::primitive::bool>(4)?
            .or(::core::option::Option::Some(false));
        let __result = call
            .run(|| __overload(__arg0, &__arg1, __arg2, __arg3, __arg4, __arg5))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<3> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"constant",
        function_constant::entry,
        c"constant(size, value, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False)\n--\n\nconstant(tuple[int] size, Number value, *, Tensor out=None, dtype dtype=None, layout layout=None, device device=None, bool pin_memory=False, bool requires_grad=False)\n\nParameters\n----------\nsize : tuple[int]\nvalue : Number\nout : Tensor, optional\ndtype : dtype, optional\nlayout : layout, optional\ndevice : device, optional\npin_memory : bool, default False\nrequires_grad : bool, default False\n",
    ),
    __bindings::method::with_arguments(
        c"constant_like",
        function_constant_like::entry,
        c"constant_like(input, *, memory_format=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False)\n--\n\nconstant_like(Tensor input, *, memory_format memory_format=None, dtype dtype=None, layout layout=None, device device=None, bool pin_memory=False, bool requires_grad=False)\n\nParameters\n----------\ninput : Tensor\nmemory_format : memory_format, optional\ndtype : dtype, optional\nlayout : layout, optional\ndevice : device, optional\npin_memory : bool, default False\nrequires_grad : bool, default False\n",
    ),
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<2> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"new_constant",
        method_new_constant::entry,
        c"new_constant($self, /, *size, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False)\n--\n\nnew_constant(tuple[int] size, *, dtype dtype=None, layout layout=None, device device=None, bool pin_memory=False, bool requires_grad=False)\n\nParameters\n----------\nsize : tuple[int]\ndtype : dtype, optional\nlayout : layout, optional\ndevice : device, optional\npin_memory : bool, default False\nrequires_grad : bool, default False\n",
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
            name: "constant",
            target: &function_constant::TARGET,
        },
        __bindings::PythonName {
            name: "constant_like",
            target: &function_constant_like::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.new_constant",
            target: &method_new_constant::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
