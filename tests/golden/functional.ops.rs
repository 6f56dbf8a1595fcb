// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `squash`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod squash {
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
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "squash";
        const SCHEMA: &'static ::core::primitive::str = "squash(Tensor self) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("squash")
                .with(
                    crate::ops::__runtime::DispatchKey::Cpu,
                    crate::kernels::squash_cpu::KERNEL,
                )
                .with(
                    crate::ops::__runtime::DispatchKey::Meta,
                    crate::kernels::squash_meta::KERNEL,
                );
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `squash`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_).map_err(|__error| __error.in_op("squash"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
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
    fn squash(&self) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn squash(&self) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::squash::Default_::call(self)
    }
}
