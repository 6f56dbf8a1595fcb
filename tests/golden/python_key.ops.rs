// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `hidden`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod hidden {
    use crate::ops::__runtime as rt;
    /// `hidden(Tensor self) -> Tensor`
    ///
    /// python_key.yaml:12
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "hidden";
        const SCHEMA: &'static ::core::primitive::str = "hidden(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `hidden`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call1(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::hidden::Default_ as rt::Op>::kernels(),
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
/// Overloads of `internal_name`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod internal_name {
    use crate::ops::__runtime as rt;
    /// `internal_name(Tensor self) -> Tensor`
    ///
    /// python_key.yaml:15
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "internal_name";
        const SCHEMA: &'static ::core::primitive::str = "internal_name(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `internal_name`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call1(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::internal_name::Default_ as rt::Op>::kernels(),
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
/// Overloads of `plus`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod plus {
    use crate::ops::__runtime as rt;
    /// `plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
    ///
    /// python_key.yaml:2
    pub enum Tensor {}
    impl rt::Op for Tensor {
        type Kernel = fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "plus.Tensor";
        const SCHEMA: &'static ::core::primitive::str = "plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Tensor as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Tensor as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Tensor {
        /// Calls `plus.Tensor`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            other: &rt::Tensor,
            alpha: rt::Scalar,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(
                self_,
                other,
                alpha,
                <Tensor as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Tensor {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::plus::Tensor as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Tensor)),
                    Param::new(Slot::new("alpha", Type::Scalar))
                        .or(Constant::Int(1))
                        .keyword(),
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
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
mod __methods {
    use crate::ops::__runtime as rt;
    /// The operators as methods of a tensor, with every default taken.
    pub trait TensorOps {
        /// `plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
        ///
        /// python_key.yaml:2
        ///
        /// # Errors
        ///
        /// Those of `plus.Tensor`.
        fn plus(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor>;
    }
    impl TensorOps for rt::Tensor {
        fn plus(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::plus::Tensor::call(self, other, rt::Scalar::Int(1))
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
    /// For `plus.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg1)),
        );
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `hidden` and those like it.
    #[inline(never)]
    pub(super) fn call1(
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
    /// For `plus.Tensor` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        let __arg2 = rt::ok!(read::<rt::Scalar>(__value2));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `hidden` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<fn(&rt::Tensor) -> rt::Result<rt::Tensor>>,
    ) -> rt::Result<Results> {
        let [__value0] = rt::ok!(values::<1>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        returned(crate::ops::__calls::call1(__arg0, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 3] = [
        <hidden::Default_ as __runtime::op::Described>::ROW,
        <internal_name::Default_ as __runtime::op::Described>::ROW,
        <plus::Tensor as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
