// @generated from native_functions.yaml by opwright-codegen. Do not edit.

use ::opwright_python_bindings as __bindings;
use crate::ops::__runtime as rt;
mod method_arranged {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "arranged",
        &[
            rt::resolve::Signature {
                text: "arranged(tuple[int] size)",
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
        super::__steps::steps0(call, crate::ops::arranged::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::arranged::Default_ as rt::Op>::SCHEMA,
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
mod method_turned {
    #[allow(unused_imports, reason = "not every body uses every path")]
    use super::{__bindings, rt};
    static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
        "turned",
        &[
            rt::resolve::Signature {
                text: "turned(int|tuple[int]|None dims=None, *, bool keepdim=False)",
                params: &[
                    rt::resolve::Parameter {
                        name: "dims",
                        kind: rt::op::Type::List(
                                &rt::op::Type::Int,
                                ::core::option::Option::Some(1),
                            )
                            .kind(),
                        nullable: true,
                        required: false,
                        size: 1,
                        aliases: &["axis", "axes"],
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
        super::__steps::steps1(call, crate::ops::turned::Default_::call)
    }
    pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
        function: &FUNCTION,
        schemas: &[
            [
                ::core::option::Option::Some(
                    <crate::ops::turned::Default_ as rt::Op>::SCHEMA,
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
    /// For `arranged` and those like it.
    pub(super) fn steps0(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(&rt::Tensor, &[::core::primitive::i64]) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.ints(0)?;
        let __result = call.run(|| __overload(__arg0, &__arg1))?;
        __bindings::Convert::wrap(__result, call.py())
    }
    /// For `turned` and those like it.
    pub(super) fn steps1(
        call: &mut __bindings::args::Call<'_, '_>,
        __overload: fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
        ) -> rt::Result<rt::Tensor>,
    ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
        call.gil(__bindings::args::Gil::Auto);
        let __arg0 = call.receiver();
        let __arg1 = call.optional_ints(0)?;
        let __arg2 = call.or::<::core::primitive::bool>(1, false)?;
        let __result = call.run(|| __overload(__arg0, __arg1.as_deref(), __arg2))?;
        __bindings::Convert::wrap(__result, call.py())
    }
}
static FUNCTIONS: __bindings::Methods<1> = __bindings::Methods([
    __bindings::Methods::<1>::END,
]);
static METHODS: __bindings::Methods<3> = __bindings::Methods([
    __bindings::method::with_arguments(
        c"arranged",
        method_arranged::entry,
        c"arranged($self, /, *size)\n--\n\narranged(tuple[int] size)\n\nParameters\n----------\nsize : tuple[int]\n",
    ),
    __bindings::method::with_arguments(
        c"turned",
        method_turned::entry,
        c"turned($self, /, *dims, keepdim=False)\n--\n\nturned(int|tuple[int]|None dims=None, *, bool keepdim=False)\n\nParameters\n----------\ndims : int|tuple[int]|None, optional\nkeepdim : bool, default False\n",
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
            name: "Tensor.arranged",
            target: &method_arranged::TARGET,
        },
        __bindings::PythonName {
            name: "Tensor.turned",
            target: &method_turned::TARGET,
        },
    ],
    natives: &[],
    operators: __bindings::Operators::new(
        &[crate::ops::OPERATORS, &[]],
        crate::ops::REWRITES,
    ),
};
