// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `halve`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod halve {
    use crate::ops::__runtime as rt;
    /// `halve(Tensor self) -> Tensor`
    ///
    /// composite.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "halve";
        const SCHEMA: &'static ::core::primitive::str = "halve(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            const { &rt::KernelTable::<Self::Kernel>::new(Self::NAME) }
        }
    }
    impl Default_ {
        /// Calls `halve`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            let __kernel = <Default_ as rt::Op>::kernels()
                .get(rt::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_).map_err(|__error| __error.in_op("halve"))
        }
    }
}
