// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `bounds`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod bounds {
    use crate::ops::__runtime as rt;
    /// `bounds(Tensor self) -> (Tensor low, Tensor high)`
    ///
    /// out.yaml:6
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<(rt::Tensor, rt::Tensor)>;
        const NAME: &'static ::core::primitive::str = "bounds";
        const SCHEMA: &'static ::core::primitive::str = "bounds(Tensor self) -> (Tensor low, Tensor high)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `bounds`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<(rt::Tensor, rt::Tensor)> {
            crate::ops::__calls::call2(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call2(
                    __values,
                    <crate::ops::bounds::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[Param::new(Slot::new("self", Type::Tensor))],
                results: &[
                    Slot::new("low", Type::Tensor),
                    Slot::new("high", Type::Tensor),
                ],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("bounds.out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `bounds.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)`
    ///
    /// out.yaml:8
    pub enum out {}
    impl rt::Op for out {
        type Kernel = fn(
            &rt::Tensor,
            &mut rt::Tensor,
            &mut rt::Tensor,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "bounds.out";
        const SCHEMA: &'static ::core::primitive::str = "bounds.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<out as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<out as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl out {
        /// Calls `bounds.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            low: &mut rt::Tensor,
            high: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call3(self_, low, high, <out as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::bounds::out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("low", Type::Tensor).written("a")).out(),
                    Param::new(Slot::new("high", Type::Tensor).written("b")).out(),
                ],
                results: &[
                    Slot::new("low", Type::Tensor).written("a"),
                    Slot::new("high", Type::Tensor).written("b"),
                ],
                tags: &[],
                functional: ::core::option::Option::Some("bounds"),
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
/// Overloads of `fold`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod fold {
    use crate::ops::__runtime as rt;
    /// `fold(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor`
    ///
    /// out.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
            ::core::option::Option<rt::DType>,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "fold";
        const SCHEMA: &'static ::core::primitive::str = "fold(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `fold`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            dim: ::core::option::Option<&[::core::primitive::i64]>,
            keepdim: ::core::primitive::bool,
            dtype: ::core::option::Option<rt::DType>,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(
                self_,
                dim,
                keepdim,
                dtype,
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
                    <crate::ops::fold::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(
                            Slot::new(
                                "dim",
                                Type::Optional(
                                    &Type::List(&Type::Int, ::core::option::Option::Some(1)),
                                ),
                            ),
                        )
                        .or(Constant::None),
                    Param::new(Slot::new("keepdim", Type::Bool))
                        .or(Constant::Bool(false)),
                    Param::new(Slot::new("dtype", Type::Optional(&Type::ScalarType)))
                        .or(Constant::None)
                        .keyword(),
                ],
                results: &[Slot::new("", Type::Tensor)],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("fold.out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `fold.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// out.yaml:4
    pub enum out {}
    impl rt::Op for out {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
            ::core::option::Option<rt::DType>,
            &mut rt::Tensor,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "fold.out";
        const SCHEMA: &'static ::core::primitive::str = "fold.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<out as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<out as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl out {
        /// Calls `fold.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            dim: ::core::option::Option<&[::core::primitive::i64]>,
            keepdim: ::core::primitive::bool,
            dtype: ::core::option::Option<rt::DType>,
            out: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call1(
                self_,
                dim,
                keepdim,
                dtype,
                out,
                <out as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::fold::out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(
                            Slot::new(
                                "dim",
                                Type::Optional(
                                    &Type::List(&Type::Int, ::core::option::Option::Some(1)),
                                ),
                            ),
                        )
                        .or(Constant::None),
                    Param::new(Slot::new("keepdim", Type::Bool))
                        .or(Constant::Bool(false)),
                    Param::new(Slot::new("dtype", Type::Optional(&Type::ScalarType)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("out", Type::Tensor).written("a")).out(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &[],
                functional: ::core::option::Option::Some("fold"),
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
    /// For `fold` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&[::core::primitive::i64]>,
        arg2: ::core::primitive::bool,
        arg3: ::core::option::Option<rt::DType>,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::primitive::bool,
                ::core::option::Option<rt::DType>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2, arg3) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `fold.out` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&[::core::primitive::i64]>,
        arg2: ::core::primitive::bool,
        arg3: ::core::option::Option<rt::DType>,
        arg4: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::primitive::bool,
                ::core::option::Option<rt::DType>,
                &mut rt::Tensor,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg4);
        rt::ok!(rt::autograd::check_writable(__keys, arg4));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2, arg3, arg4) {
            ::core::result::Result::Ok(__made) => {
                arg4.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `bounds` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        self_: &rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor) -> rt::Result<(rt::Tensor, rt::Tensor)>,
        >,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `bounds.out` and those like it.
    #[inline(never)]
    pub(super) fn call3(
        self_: &rt::Tensor,
        arg1: &mut rt::Tensor,
        arg2: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &mut rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY
            .with_tensor(self_)
            .with_tensor(arg1)
            .with_tensor(arg2);
        rt::ok!(rt::autograd::check_writable(__keys, arg1));
        rt::ok!(rt::autograd::check_writable(__keys, arg2));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => {
                arg1.bump_version();
                arg2.bump_version();
                ::core::result::Result::Ok(__made)
            }
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
    /// For `fold` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::primitive::bool,
                ::core::option::Option<rt::DType>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3] = rt::ok!(values::<4>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(
            read::<::core::option::Option<List<::core::primitive::i64, 1>>>(__value1),
        );
        let __arg2 = rt::ok!(read::<::core::primitive::bool>(__value2));
        let __arg3 = rt::ok!(read::<::core::option::Option<rt::DType>>(__value3));
        returned(
            crate::ops::__calls::call0(
                __arg0,
                __arg1.as_deref(),
                __arg2,
                __arg3,
                __kernels,
            ),
        )
    }
    /// For `fold.out` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::primitive::bool,
                ::core::option::Option<rt::DType>,
                &mut rt::Tensor,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4] = rt::ok!(
            values::<5>(__values),
        );
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(
            read::<::core::option::Option<List<::core::primitive::i64, 1>>>(__value1),
        );
        let __arg2 = rt::ok!(read::<::core::primitive::bool>(__value2));
        let __arg3 = rt::ok!(read::<::core::option::Option<rt::DType>>(__value3));
        let __arg4 = rt::ok!(read::<Mut>(__value4));
        returned(
            crate::ops::__calls::call1(
                __arg0,
                __arg1.as_deref(),
                __arg2,
                __arg3,
                __arg4,
                __kernels,
            ),
        )
    }
    /// For `bounds` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor) -> rt::Result<(rt::Tensor, rt::Tensor)>,
        >,
    ) -> rt::Result<Results> {
        let [__value0] = rt::ok!(values::<1>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        returned(crate::ops::__calls::call2(__arg0, __kernels))
    }
    /// For `bounds.out` and those like it.
    pub(super) fn call3(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &mut rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<Mut>(__value1));
        let __arg2 = rt::ok!(read::<Mut>(__value2));
        returned(crate::ops::__calls::call3(__arg0, __arg1, __arg2, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 4] = [
        <bounds::Default_ as __runtime::op::Described>::ROW,
        <bounds::out as __runtime::op::Described>::ROW,
        <fold::Default_ as __runtime::op::Described>::ROW,
        <fold::out as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
