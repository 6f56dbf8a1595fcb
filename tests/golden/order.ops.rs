// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `pick`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod pick {
    /// `pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)`
    ///
    /// order.yaml:3
    pub enum dim {}
    impl crate::ops::__runtime::Op for dim {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::primitive::i64,
            ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<
            (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
        >;
        const NAME: &'static ::core::primitive::str = "pick.dim";
        const SCHEMA: &'static ::core::primitive::str = "pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <dim as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("pick.dim");
            &TABLE
        }
    }
    impl dim {
        /// Calls `pick.dim`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            dim: ::core::primitive::i64,
            keepdim: ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<
            (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
        > {
            let __kernel = <dim as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, dim, keepdim).map_err(|__error| __error.in_op("pick"))
        }
    }
    /// `pick.Scalar(Tensor self, Scalar other) -> Tensor`
    ///
    /// order.yaml:6
    pub enum Scalar {}
    impl crate::ops::__runtime::Op for Scalar {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "pick.Scalar";
        const SCHEMA: &'static ::core::primitive::str = "pick.Scalar(Tensor self, Scalar other) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Scalar as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("pick.Scalar");
            &TABLE
        }
    }
    impl Scalar {
        /// Calls `pick.Scalar`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            other: crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Scalar as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, other).map_err(|__error| __error.in_op("pick"))
        }
    }
    /// `pick.other(Tensor self, Tensor other) -> Tensor`
    ///
    /// order.yaml:9
    pub enum other {}
    impl crate::ops::__runtime::Op for other {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "pick.other";
        const SCHEMA: &'static ::core::primitive::str = "pick.other(Tensor self, Tensor other) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <other as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("pick.other");
            &TABLE
        }
    }
    impl other {
        /// Calls `pick.other`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            other: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <other as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(other),
                )?;
            __kernel(self_, other).map_err(|__error| __error.in_op("pick"))
        }
    }
    /// `pick(Tensor self) -> Tensor`
    ///
    /// order.yaml:12
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "pick";
        const SCHEMA: &'static ::core::primitive::str = "pick(Tensor self) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("pick");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `pick`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_).map_err(|__error| __error.in_op("pick"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub trait TensorOps {
    /// `pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)`
    ///
    /// order.yaml:3
    ///
    /// # Errors
    ///
    /// Those of `pick.dim`.
    fn pick(
        &self,
        dim: ::core::primitive::i64,
    ) -> crate::ops::__runtime::Result<
        (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
    >;
    /// `pick.Scalar(Tensor self, Scalar other) -> Tensor`
    ///
    /// order.yaml:6
    ///
    /// # Errors
    ///
    /// Those of `pick.Scalar`.
    fn pick_scalar(
        &self,
        other: crate::ops::__runtime::Scalar,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
    /// `pick.other(Tensor self, Tensor other) -> Tensor`
    ///
    /// order.yaml:9
    ///
    /// # Errors
    ///
    /// Those of `pick.other`.
    fn pick_other(
        &self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
    /// `pick(Tensor self) -> Tensor`
    ///
    /// order.yaml:12
    ///
    /// # Errors
    ///
    /// Those of `pick`.
    fn pick_default_(
        &self,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn pick(
        &self,
        dim: ::core::primitive::i64,
    ) -> crate::ops::__runtime::Result<
        (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
    > {
        crate::ops::pick::dim::call(self, dim, false)
    }
    fn pick_scalar(
        &self,
        other: crate::ops::__runtime::Scalar,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::pick::Scalar::call(self, other)
    }
    fn pick_other(
        &self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::pick::other::call(self, other)
    }
    fn pick_default_(
        &self,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::pick::Default_::call(self)
    }
}
