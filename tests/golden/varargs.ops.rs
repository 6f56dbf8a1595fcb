// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `arranged`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod arranged {
    /// `arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)`
    ///
    /// varargs.yaml:2
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &[::core::primitive::i64],
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "arranged";
        const SCHEMA: &'static ::core::primitive::str = "arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("arranged");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `arranged`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            size: &[::core::primitive::i64],
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, size).map_err(|__error| __error.in_op("arranged"))
        }
    }
}
/// Overloads of `turned`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod turned {
    /// `turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor`
    ///
    /// varargs.yaml:5
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "turned";
        const SCHEMA: &'static ::core::primitive::str = "turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("turned");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `turned`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            dims: ::core::option::Option<&[::core::primitive::i64]>,
            keepdim: ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, dims, keepdim).map_err(|__error| __error.in_op("turned"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub trait TensorOps {
    /// `arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)`
    ///
    /// varargs.yaml:2
    ///
    /// # Errors
    ///
    /// Those of `arranged`.
    fn arranged(
        &self,
        size: &[::core::primitive::i64],
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
    /// `turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor`
    ///
    /// varargs.yaml:5
    ///
    /// # Errors
    ///
    /// Those of `turned`.
    fn turned(&self) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn arranged(
        &self,
        size: &[::core::primitive::i64],
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::arranged::Default_::call(self, size)
    }
    fn turned(&self) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::turned::Default_::call(self, ::core::option::Option::None, false)
    }
}
