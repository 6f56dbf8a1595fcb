// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `gathered`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod gathered {
    use crate::ops::__runtime as rt;
    /// `gathered(Tensor[] tensors, Tensor?[] masks, int[2] padding=0, int[]? order=None, float[]? weights=None) -> Tensor[]`
    ///
    /// lists.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &[&rt::Tensor],
            &[::core::option::Option<&rt::Tensor>],
            &[::core::primitive::i64],
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::option::Option<&[::core::primitive::f64]>,
        ) -> rt::Result<::std::vec::Vec<rt::Tensor>>;
        const NAME: &'static ::core::primitive::str = "gathered";
        const SCHEMA: &'static ::core::primitive::str = "gathered(Tensor[] tensors, Tensor?[] masks, int[2] padding=0, int[]? order=None, float[]? weights=None) -> Tensor[]";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            const { &rt::KernelTable::<Self::Kernel>::new(Self::NAME) }
        }
    }
    impl Default_ {
        /// Calls `gathered`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            tensors: &[&rt::Tensor],
            masks: &[::core::option::Option<&rt::Tensor>],
            padding: &[::core::primitive::i64],
            order: ::core::option::Option<&[::core::primitive::i64]>,
            weights: ::core::option::Option<&[::core::primitive::f64]>,
        ) -> rt::Result<::std::vec::Vec<rt::Tensor>> {
            let __kernel = <Default_ as rt::Op>::kernels()
                .get(
                    rt::KeySet::EMPTY.with_tensors(tensors).with_optional_tensors(masks),
                )?;
            __kernel(tensors, masks, padding, order, weights)
                .map_err(|__error| __error.in_op("gathered"))
        }
    }
}
/// Overloads of `settings`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod settings {
    use crate::ops::__runtime as rt;
    /// `settings(Tensor self, str mode='line\'s', str? other=None, float eps=1e-05, int reduction=Mean, int[2] dims=[-2,-1], Scalar? limit=None, MemoryFormat memory_format=contiguous_format) -> (int, float, bool, str)`
    ///
    /// lists.yaml:4
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            &::core::primitive::str,
            ::core::option::Option<&::core::primitive::str>,
            ::core::primitive::f64,
            ::core::primitive::i64,
            &[::core::primitive::i64],
            ::core::option::Option<rt::Scalar>,
            rt::MemoryFormat,
        ) -> rt::Result<
            (
                ::core::primitive::i64,
                ::core::primitive::f64,
                ::core::primitive::bool,
                ::std::string::String,
            ),
        >;
        const NAME: &'static ::core::primitive::str = "settings";
        const SCHEMA: &'static ::core::primitive::str = "settings(Tensor self, str mode='line\\'s', str? other=None, float eps=1e-05, int reduction=Mean, int[2] dims=[-2,-1], Scalar? limit=None, MemoryFormat memory_format=contiguous_format) -> (int, float, bool, str)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            const { &rt::KernelTable::<Self::Kernel>::new(Self::NAME) }
        }
    }
    impl Default_ {
        /// Calls `settings`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
        pub fn call(
            self_: &rt::Tensor,
            mode: &::core::primitive::str,
            other: ::core::option::Option<&::core::primitive::str>,
            eps: ::core::primitive::f64,
            reduction: ::core::primitive::i64,
            dims: &[::core::primitive::i64],
            limit: ::core::option::Option<rt::Scalar>,
            memory_format: rt::MemoryFormat,
        ) -> rt::Result<
            (
                ::core::primitive::i64,
                ::core::primitive::f64,
                ::core::primitive::bool,
                ::std::string::String,
            ),
        > {
            let __kernel = <Default_ as rt::Op>::kernels()
                .get(rt::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, mode, other, eps, reduction, dims, limit, memory_format)
                .map_err(|__error| __error.in_op("settings"))
        }
    }
}
