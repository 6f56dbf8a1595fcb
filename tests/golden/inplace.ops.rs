// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `clip`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod clip {
    /// `clip(Tensor self, Scalar? min=None) -> Tensor`
    ///
    /// inplace.yaml:5
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<crate::ops::__runtime::Scalar>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "clip";
        const SCHEMA: &'static ::core::primitive::str = "clip(Tensor self, Scalar? min=None) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("clip");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `clip`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            min: ::core::option::Option<crate::ops::__runtime::Scalar>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, min).map_err(|__error| __error.in_op("clip"))
        }
    }
}
/// Overloads of `clip_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod clip_ {
    /// `clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)`
    ///
    /// inplace.yaml:2
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &mut crate::ops::__runtime::Tensor,
            ::core::option::Option<crate::ops::__runtime::Scalar>,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "clip_";
        const SCHEMA: &'static ::core::primitive::str = "clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("clip_");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `clip_`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &mut crate::ops::__runtime::Tensor,
            min: ::core::option::Option<crate::ops::__runtime::Scalar>,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, min).map_err(|__error| __error.in_op("clip_"))
        }
    }
}
/// Overloads of `consume`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod consume {
    /// `consume(Tensor self, Tensor(a!) other) -> ()`
    ///
    /// inplace.yaml:11
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "consume";
        const SCHEMA: &'static ::core::primitive::str = "consume(Tensor self, Tensor(a!) other) -> ()";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("consume");
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `consume`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            other: &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(other),
                )?;
            __kernel(self_, other).map_err(|__error| __error.in_op("consume"))
        }
    }
}
/// Overloads of `scale_all_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod scale_all_ {
    /// `scale_all_(Tensor(a!)[] self, Scalar factor) -> ()`
    ///
    /// inplace.yaml:7
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &mut [&mut crate::ops::__runtime::Tensor],
            crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "scale_all_";
        const SCHEMA: &'static ::core::primitive::str = "scale_all_(Tensor(a!)[] self, Scalar factor) -> ()";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("scale_all_")
                .explicit(crate::kernels::scale_all::KERNEL);
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `scale_all_`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &mut [&mut crate::ops::__runtime::Tensor],
            factor: crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_mut_tensors(self_))?;
            __kernel(self_, factor).map_err(|__error| __error.in_op("scale_all_"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub trait TensorOps {
    /// `clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)`
    ///
    /// inplace.yaml:2
    ///
    /// # Errors
    ///
    /// Those of `clip_`.
    fn clip_(&mut self) -> crate::ops::__runtime::Result<()>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn clip_(&mut self) -> crate::ops::__runtime::Result<()> {
        crate::ops::clip_::Default_::call(self, ::core::option::Option::None)
    }
}
