// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `gathered`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod gathered {
    use crate::ops::__runtime as rt;
    /// `gathered(Tensor[] tensors, Tensor?[] masks, int[2] padding=0, int[]? order=None, float[]? weights=None) -> Tensor[]`
    ///
    /// lists.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &[&rt::Tensor],
            &[::core::option::Option<&rt::Tensor>],
            &[::core::primitive::i64],
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::option::Option<&[::core::primitive::f64]>,
        ) -> rt::Result<::std::vec::Vec<rt::Tensor>>;
        const NAME: &'static ::core::primitive::str = "gathered";
        const SCHEMA: &'static ::core::primitive::str = "gathered(Tensor[] tensors, Tensor?[] masks, int[2] padding=0, int[]? order=None, float[]? weights=None) -> Tensor[]";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `gathered`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            tensors: &[&rt::Tensor],
            masks: &[::core::option::Option<&rt::Tensor>],
            padding: &[::core::primitive::i64],
            order: ::core::option::Option<&[::core::primitive::i64]>,
            weights: ::core::option::Option<&[::core::primitive::f64]>,
        ) -> rt::Result<::std::vec::Vec<rt::Tensor>> {
            crate::ops::__calls::call0(
                tensors,
                masks,
                padding,
                order,
                weights,
                <Default_ as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::gathered::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(
                        Slot::new(
                            "tensors",
                            Type::List(&Type::Tensor, ::core::option::Option::None),
                        ),
                    ),
                    Param::new(
                        Slot::new(
                            "masks",
                            Type::List(
                                &Type::Optional(&Type::Tensor),
                                ::core::option::Option::None,
                            ),
                        ),
                    ),
                    Param::new(
                            Slot::new(
                                "padding",
                                Type::List(&Type::Int, ::core::option::Option::Some(2)),
                            ),
                        )
                        .or(Constant::Int(0)),
                    Param::new(
                            Slot::new(
                                "order",
                                Type::Optional(
                                    &Type::List(&Type::Int, ::core::option::Option::None),
                                ),
                            ),
                        )
                        .or(Constant::None),
                    Param::new(
                            Slot::new(
                                "weights",
                                Type::Optional(
                                    &Type::List(&Type::Float, ::core::option::Option::None),
                                ),
                            ),
                        )
                        .or(Constant::None),
                ],
                results: &[
                    Slot::new(
                        "",
                        Type::List(&Type::Tensor, ::core::option::Option::None),
                    ),
                ],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::None,
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
}
/// Overloads of `settings`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod settings {
    use crate::ops::__runtime as rt;
    /// `settings(Tensor self, str mode='line\'s', str? other=None, float eps=1e-05, int reduction=Mean, int[2] dims=[-2,-1], Scalar? limit=None, MemoryFormat memory_format=contiguous_format) -> (int, float, bool, str)`
    ///
    /// lists.yaml:4
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            &::core::primitive::str,
            ::core::option::Option<&::core::primitive::str>,
            ::core::primitive::f64,
            ::core::primitive::i64,
            &[::core::primitive::i64],
            ::core::option::Option<rt::Scalar>,
            rt::MemoryFormat,
        ) -> rt::Result<
            (
                ::core::primitive::i64,
                ::core::primitive::f64,
                ::core::primitive::bool,
                ::std::string::String,
            ),
        >;
        const NAME: &'static ::core::primitive::str = "settings";
        const SCHEMA: &'static ::core::primitive::str = "settings(Tensor self, str mode='line\\'s', str? other=None, float eps=1e-05, int reduction=Mean, int[2] dims=[-2,-1], Scalar? limit=None, MemoryFormat memory_format=contiguous_format) -> (int, float, bool, str)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `settings`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            mode: &::core::primitive::str,
            other: ::core::option::Option<&::core::primitive::str>,
            eps: ::core::primitive::f64,
            reduction: ::core::primitive::i64,
            dims: &[::core::primitive::i64],
            limit: ::core::option::Option<rt::Scalar>,
            memory_format: rt::MemoryFormat,
        ) -> rt::Result<
            (
                ::core::primitive::i64,
                ::core::primitive::f64,
                ::core::primitive::bool,
                ::std::string::String,
            ),
        > {
            crate::ops::__calls::call1(
                self_,
                mode,
                other,
                eps,
                reduction,
                dims,
                limit,
                memory_format,
                <Default_ as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::settings::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("mode", Type::Str)).or(Constant::Str("line's")),
                    Param::new(Slot::new("other", Type::Optional(&Type::Str)))
                        .or(Constant::None),
                    Param::new(Slot::new("eps", Type::Float))
                        .or(Constant::Float(0.00001)),
                    Param::new(Slot::new("reduction", Type::Int)).or(Constant::Int(1)),
                    Param::new(
                            Slot::new(
                                "dims",
                                Type::List(&Type::Int, ::core::option::Option::Some(2)),
                            ),
                        )
                        .or(Constant::Ints(&[-2, -1])),
                    Param::new(Slot::new("limit", Type::Optional(&Type::Scalar)))
                        .or(Constant::None),
                    Param::new(Slot::new("memory_format", Type::MemoryFormat))
                        .or(Constant::MemoryFormat(rt::MemoryFormat::Contiguous)),
                ],
                results: &[
                    Slot::new("", Type::Int),
                    Slot::new("", Type::Float),
                    Slot::new("", Type::Bool),
                    Slot::new("", Type::Str),
                ],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::None,
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
}
#[allow(
    unused_imports,
    unused_parens,
    clippy::approx_constant,
    clippy::double_parens,
    clippy::explicit_auto_deref,
    clippy::needless_borrow,
    clippy::unnecessary_cast,
    reason = "printed as the formulas are written"
)]
#[allow(
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "as many arguments, and such kernels, as schemas say"
)]
mod __calls {
    use crate::ops::__runtime as rt;
    /// For `gathered` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        arg0: &[&rt::Tensor],
        arg1: &[::core::option::Option<&rt::Tensor>],
        arg2: &[::core::primitive::i64],
        arg3: ::core::option::Option<&[::core::primitive::i64]>,
        arg4: ::core::option::Option<&[::core::primitive::f64]>,
        __kernels: &rt::KernelTable<
            fn(
                &[&rt::Tensor],
                &[::core::option::Option<&rt::Tensor>],
                &[::core::primitive::i64],
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::option::Option<&[::core::primitive::f64]>,
            ) -> rt::Result<::std::vec::Vec<rt::Tensor>>,
        >,
    ) -> rt::Result<::std::vec::Vec<rt::Tensor>> {
        let __kernel = rt::ok!(
            __kernels
                .get(rt::KeySet::EMPTY.with_tensors(arg0).with_optional_tensors(arg1)),
        );
        match __kernel(arg0, arg1, arg2, arg3, arg4) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `settings` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: &::core::primitive::str,
        arg2: ::core::option::Option<&::core::primitive::str>,
        arg3: ::core::primitive::f64,
        arg4: ::core::primitive::i64,
        arg5: &[::core::primitive::i64],
        arg6: ::core::option::Option<rt::Scalar>,
        arg7: rt::MemoryFormat,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &::core::primitive::str,
                ::core::option::Option<&::core::primitive::str>,
                ::core::primitive::f64,
                ::core::primitive::i64,
                &[::core::primitive::i64],
                ::core::option::Option<rt::Scalar>,
                rt::MemoryFormat,
            ) -> rt::Result<
                (
                    ::core::primitive::i64,
                    ::core::primitive::f64,
                    ::core::primitive::bool,
                    ::std::string::String,
                ),
            >,
        >,
    ) -> rt::Result<
        (
            ::core::primitive::i64,
            ::core::primitive::f64,
            ::core::primitive::bool,
            ::std::string::String,
        ),
    > {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2, arg3, arg4, arg5, arg6, arg7) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
}
#[allow(clippy::type_complexity, reason = "kernels are as schemas say")]
mod __boxed {
    use crate::ops::__runtime as rt;
    use rt::op::*;
    /// For `gathered` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &[&rt::Tensor],
                &[::core::option::Option<&rt::Tensor>],
                &[::core::primitive::i64],
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::option::Option<&[::core::primitive::f64]>,
            ) -> rt::Result<::std::vec::Vec<rt::Tensor>>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4] = rt::ok!(
            values::<5>(__values),
        );
        let __arg0 = rt::ok!(read::<List<rt::Tensor, 1>>(__value0));
        let __arg1 = rt::ok!(
            read::<List<::core::option::Option<rt::Tensor>, 1>>(__value1),
        );
        let __arg2 = rt::ok!(read::<List<::core::primitive::i64, 2>>(__value2));
        let __arg3 = rt::ok!(
            read::<::core::option::Option<List<::core::primitive::i64, 1>>>(__value3),
        );
        let __arg4 = rt::ok!(
            read::<::core::option::Option<List<::core::primitive::f64, 1>>>(__value4),
        );
        returned(
            crate::ops::__calls::call0(
                &__arg0,
                &__arg1,
                &__arg2,
                __arg3.as_deref(),
                __arg4.as_deref(),
                __kernels,
            ),
        )
    }
    /// For `settings` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &::core::primitive::str,
                ::core::option::Option<&::core::primitive::str>,
                ::core::primitive::f64,
                ::core::primitive::i64,
                &[::core::primitive::i64],
                ::core::option::Option<rt::Scalar>,
                rt::MemoryFormat,
            ) -> rt::Result<
                (
                    ::core::primitive::i64,
                    ::core::primitive::f64,
                    ::core::primitive::bool,
                    ::std::string::String,
                ),
            >,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4, __value5, __value6,
        __value7] = rt::ok!(values::<8>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::std::string::String>(__value1));
        let __arg2 = rt::ok!(
            read::<::core::option::Option<::std::string::String>>(__value2),
        );
        let __arg3 = rt::ok!(read::<::core::primitive::f64>(__value3));
        let __arg4 = rt::ok!(read::<::core::primitive::i64>(__value4));
        let __arg5 = rt::ok!(read::<List<::core::primitive::i64, 2>>(__value5));
        let __arg6 = rt::ok!(read::<::core::option::Option<rt::Scalar>>(__value6));
        let __arg7 = rt::ok!(read::<rt::MemoryFormat>(__value7));
        returned(
            crate::ops::__calls::call1(
                __arg0,
                __arg1,
                __arg2,
                __arg3,
                __arg4,
                &__arg5,
                __arg6,
                __arg7,
                __kernels,
            ),
        )
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 2] = [
        <gathered::Default_ as __runtime::op::Described>::ROW,
        <settings::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
