// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `halve`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod halve {
    /// `halve(Tensor self) -> Tensor`
    ///
    /// composite.yaml:2
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "halve";
        const SCHEMA: &'static ::core::primitive::str = "halve(Tensor self) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("halve");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `halve`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_).map_err(|__error| __error.in_op("halve"))
        }
    }
}
