// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `pick`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod pick {
    use crate::ops::__runtime as rt;
    /// `pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)`
    ///
    /// order.yaml:3
    pub enum dim {}
    impl rt::Op for dim {
        type Kernel = fn(
            &rt::Tensor,
            ::core::primitive::i64,
            ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>;
        const NAME: &'static ::core::primitive::str = "pick.dim";
        const SCHEMA: &'static ::core::primitive::str = "pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<dim as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<dim as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl dim {
        /// Calls `pick.dim`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            dim: ::core::primitive::i64,
            keepdim: ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
            crate::ops::__calls::call0(self_, dim, keepdim, <dim as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for dim {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::pick::dim as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("dim", Type::Int)),
                    Param::new(Slot::new("keepdim", Type::Bool))
                        .or(Constant::Bool(false)),
                ],
                results: &[
                    Slot::new("values", Type::Tensor),
                    Slot::new("indices", Type::Tensor),
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
    /// `pick.Scalar(Tensor self, Scalar other) -> Tensor`
    ///
    /// order.yaml:6
    pub enum Scalar {}
    impl rt::Op for Scalar {
        type Kernel = fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "pick.Scalar";
        const SCHEMA: &'static ::core::primitive::str = "pick.Scalar(Tensor self, Scalar other) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Scalar as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Scalar as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Scalar {
        /// Calls `pick.Scalar`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor, other: rt::Scalar) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call1(self_, other, <Scalar as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Scalar {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::pick::Scalar as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Scalar)),
                ],
                results: &[Slot::new("", Type::Tensor)],
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
    /// `pick.other(Tensor self, Tensor other) -> Tensor`
    ///
    /// order.yaml:9
    pub enum other {}
    impl rt::Op for other {
        type Kernel = fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "pick.other";
        const SCHEMA: &'static ::core::primitive::str = "pick.other(Tensor self, Tensor other) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<other as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<other as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl other {
        /// Calls `pick.other`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor, other: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call2(self_, other, <other as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for other {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call2(
                    __values,
                    <crate::ops::pick::other as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Tensor)),
                ],
                results: &[Slot::new("", Type::Tensor)],
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
    /// `pick(Tensor self) -> Tensor`
    ///
    /// order.yaml:12
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "pick";
        const SCHEMA: &'static ::core::primitive::str = "pick(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `pick`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call3(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::pick::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[Param::new(Slot::new("self", Type::Tensor))],
                results: &[Slot::new("", Type::Tensor)],
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
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
mod __methods {
    use crate::ops::__runtime as rt;
    /// The operators as methods of a tensor, with every default taken.
    pub trait TensorOps {
        /// `pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)`
        ///
        /// order.yaml:3
        ///
        /// # Errors
        ///
        /// Those of `pick.dim`.
        fn pick(
            &self,
            dim: ::core::primitive::i64,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>;
        /// `pick.Scalar(Tensor self, Scalar other) -> Tensor`
        ///
        /// order.yaml:6
        ///
        /// # Errors
        ///
        /// Those of `pick.Scalar`.
        fn pick_scalar(&self, other: rt::Scalar) -> rt::Result<rt::Tensor>;
        /// `pick.other(Tensor self, Tensor other) -> Tensor`
        ///
        /// order.yaml:9
        ///
        /// # Errors
        ///
        /// Those of `pick.other`.
        fn pick_other(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor>;
        /// `pick(Tensor self) -> Tensor`
        ///
        /// order.yaml:12
        ///
        /// # Errors
        ///
        /// Those of `pick`.
        fn pick_default_(&self) -> rt::Result<rt::Tensor>;
    }
    impl TensorOps for rt::Tensor {
        fn pick(
            &self,
            dim: ::core::primitive::i64,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
            crate::ops::pick::dim::call(self, dim, false)
        }
        fn pick_scalar(&self, other: rt::Scalar) -> rt::Result<rt::Tensor> {
            crate::ops::pick::Scalar::call(self, other)
        }
        fn pick_other(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::pick::other::call(self, other)
        }
        fn pick_default_(&self) -> rt::Result<rt::Tensor> {
            crate::ops::pick::Default_::call(self)
        }
    }
}
#[allow(unused_imports, reason = "a crate may call no method")]
pub use self::__methods::TensorOps;
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
    /// For `pick.dim` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: ::core::primitive::i64,
        arg2: ::core::primitive::bool,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::primitive::i64,
                ::core::primitive::bool,
            ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
        >,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `pick.Scalar` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: rt::Scalar,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `pick.other` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg1)),
        );
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `pick` and those like it.
    #[inline(never)]
    pub(super) fn call3(
        self_: &rt::Tensor,
        __kernels: &rt::KernelTable<fn(&rt::Tensor) -> rt::Result<rt::Tensor>>,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_) {
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
    /// For `pick.dim` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::primitive::i64,
                ::core::primitive::bool,
            ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::primitive::i64>(__value1));
        let __arg2 = rt::ok!(read::<::core::primitive::bool>(__value2));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `pick.Scalar` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Scalar>(__value1));
        returned(crate::ops::__calls::call1(__arg0, __arg1, __kernels))
    }
    /// For `pick.other` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        returned(crate::ops::__calls::call2(__arg0, __arg1, __kernels))
    }
    /// For `pick` and those like it.
    pub(super) fn call3(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<fn(&rt::Tensor) -> rt::Result<rt::Tensor>>,
    ) -> rt::Result<Results> {
        let [__value0] = rt::ok!(values::<1>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        returned(crate::ops::__calls::call3(__arg0, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 4] = [
        <pick::dim as __runtime::op::Described>::ROW,
        <pick::Scalar as __runtime::op::Described>::ROW,
        <pick::other as __runtime::op::Described>::ROW,
        <pick::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
