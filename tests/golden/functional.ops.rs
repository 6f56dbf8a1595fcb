// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `squash`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod squash {
    use crate::ops::__runtime as rt;
    /// `squash(Tensor self) -> Tensor`
    ///
    /// Maps each element to the interval from 0 to 1.
    ///
    /// Integers are converted to the default dtype first.
    ///
    /// ```python
    /// >>> opwright.squash(opwright.tensor([0.0]))
    /// tensor([0.5000], dtype=float32, shape=(1,))
    /// ```
    ///
    /// functional.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "squash";
        const SCHEMA: &'static ::core::primitive::str = "squash(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME)
                .with(
                    rt::DispatchKey::Cpu,
                    |self_| {
                        crate::kernels::squash_cpu::KERNEL(self_)
                            .and_then(rt::structured::materialized)
                    },
                )
                .with(
                    rt::DispatchKey::Meta,
                    |self_| {
                        crate::kernels::squash_meta::KERNEL(self_)
                            .and_then(rt::structured::materialized)
                    },
                );
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `squash`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::squash::Default_ as rt::Op>::kernels(),
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
        /// `squash(Tensor self) -> Tensor`
        ///
        /// Maps each element to the interval from 0 to 1.
        ///
        /// Integers are converted to the default dtype first.
        ///
        /// ```python
        /// >>> opwright.squash(opwright.tensor([0.0]))
        /// tensor([0.5000], dtype=float32, shape=(1,))
        /// ```
        ///
        /// functional.yaml:2
        ///
        /// # Errors
        ///
        /// Those of `squash`.
        fn squash(&self) -> rt::Result<rt::Tensor>;
    }
    impl TensorOps for rt::Tensor {
        fn squash(&self) -> rt::Result<rt::Tensor> {
            crate::ops::squash::Default_::call(self)
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
    /// For `squash` and those like it.
    #[inline(never)]
    pub(super) fn call0(
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
    /// For `squash` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<fn(&rt::Tensor) -> rt::Result<rt::Tensor>>,
    ) -> rt::Result<Results> {
        let [__value0] = rt::ok!(values::<1>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        returned(crate::ops::__calls::call0(__arg0, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 1] = [
        <squash::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
