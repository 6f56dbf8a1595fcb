// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `bounds`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod bounds {
    /// `bounds(Tensor self) -> (Tensor low, Tensor high)`
    ///
    /// out.yaml:6
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<
            (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
        >;
        const NAME: &'static ::core::primitive::str = "bounds";
        const SCHEMA: &'static ::core::primitive::str = "bounds(Tensor self) -> (Tensor low, Tensor high)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("bounds");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `bounds`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<
            (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
        > {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_).map_err(|__error| __error.in_op("bounds"))
        }
    }
    /// `bounds.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)`
    ///
    /// out.yaml:8
    pub enum out {}
    impl crate::ops::__runtime::Op for out {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &mut crate::ops::__runtime::Tensor,
            &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "bounds.out";
        const SCHEMA: &'static ::core::primitive::str = "bounds.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <out as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("bounds.out");
            &TABLE
        }
    }
    impl out {
        /// Calls `bounds.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            low: &mut crate::ops::__runtime::Tensor,
            high: &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <out as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(low)
                        .with_tensor(high),
                )?;
            __kernel(self_, low, high).map_err(|__error| __error.in_op("bounds"))
        }
    }
}
/// Overloads of `fold`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod fold {
    /// `fold(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor`
    ///
    /// out.yaml:2
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
            ::core::option::Option<crate::ops::__runtime::DType>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "fold";
        const SCHEMA: &'static ::core::primitive::str = "fold(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("fold");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `fold`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            dim: ::core::option::Option<&[::core::primitive::i64]>,
            keepdim: ::core::primitive::bool,
            dtype: ::core::option::Option<crate::ops::__runtime::DType>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, dim, keepdim, dtype).map_err(|__error| __error.in_op("fold"))
        }
    }
    /// `fold.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// out.yaml:4
    pub enum out {}
    impl crate::ops::__runtime::Op for out {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
            ::core::option::Option<crate::ops::__runtime::DType>,
            &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "fold.out";
        const SCHEMA: &'static ::core::primitive::str = "fold.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <out as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("fold.out");
            &TABLE
        }
    }
    impl out {
        /// Calls `fold.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            dim: ::core::option::Option<&[::core::primitive::i64]>,
            keepdim: ::core::primitive::bool,
            dtype: ::core::option::Option<crate::ops::__runtime::DType>,
            out: &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <out as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(out),
                )?;
            __kernel(self_, dim, keepdim, dtype, out)
                .map_err(|__error| __error.in_op("fold"))
        }
    }
}
