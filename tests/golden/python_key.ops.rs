// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `hidden`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod hidden {
    /// `hidden(Tensor self) -> Tensor`
    ///
    /// python_key.yaml:12
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "hidden";
        const SCHEMA: &'static ::core::primitive::str = "hidden(Tensor self) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("hidden");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `hidden`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_).map_err(|__error| __error.in_op("hidden"))
        }
    }
}
/// Overloads of `internal_name`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod internal_name {
    /// `internal_name(Tensor self) -> Tensor`
    ///
    /// python_key.yaml:15
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "internal_name";
        const SCHEMA: &'static ::core::primitive::str = "internal_name(Tensor self) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("internal_name");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `internal_name`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_).map_err(|__error| __error.in_op("internal_name"))
        }
    }
}
/// Overloads of `plus`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod plus {
    /// `plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
    ///
    /// python_key.yaml:2
    pub enum Tensor {}
    impl crate::ops::__runtime::Op for Tensor {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
            crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "plus.Tensor";
        const SCHEMA: &'static ::core::primitive::str = "plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Tensor as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("plus.Tensor");
            &TABLE
        }
    }
    impl Tensor {
        /// Calls `plus.Tensor`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            other: &crate::ops::__runtime::Tensor,
            alpha: crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Tensor as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(other),
                )?;
            __kernel(self_, other, alpha).map_err(|__error| __error.in_op("plus"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub trait TensorOps {
    /// `plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
    ///
    /// python_key.yaml:2
    ///
    /// # Errors
    ///
    /// Those of `plus.Tensor`.
    fn plus(
        &self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn plus(
        &self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::plus::Tensor::call(
            self,
            other,
            crate::ops::__runtime::Scalar::Int(1),
        )
    }
}
