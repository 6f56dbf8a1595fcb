// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `nn_bend`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod nn_bend {
    /// `nn_bend(Tensor self, float slope=0.5, bool inplace=False) -> Tensor`
    ///
    /// submodule.yaml:2
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::primitive::f64,
            ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "nn_bend";
        const SCHEMA: &'static ::core::primitive::str = "nn_bend(Tensor self, float slope=0.5, bool inplace=False) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("nn_bend");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `nn_bend`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            slope: ::core::primitive::f64,
            inplace: ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, slope, inplace).map_err(|__error| __error.in_op("nn_bend"))
        }
    }
}
