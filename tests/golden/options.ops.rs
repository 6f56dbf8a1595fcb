// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `constant`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod constant {
    /// `constant(SymInt[] size, Scalar value, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor`
    ///
    /// options.yaml:2
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &[::core::primitive::i64],
            crate::ops::__runtime::Scalar,
            ::core::option::Option<crate::ops::__runtime::DType>,
            ::core::option::Option<crate::ops::__runtime::Layout>,
            ::core::option::Option<crate::ops::__runtime::Device>,
            ::core::option::Option<::core::primitive::bool>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "constant";
        const SCHEMA: &'static ::core::primitive::str = "constant(SymInt[] size, Scalar value, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("constant")
                .explicit(crate::kernels::constant::KERNEL);
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `constant`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            size: &[::core::primitive::i64],
            value: crate::ops::__runtime::Scalar,
            dtype: ::core::option::Option<crate::ops::__runtime::DType>,
            layout: ::core::option::Option<crate::ops::__runtime::Layout>,
            device: ::core::option::Option<crate::ops::__runtime::Device>,
            pin_memory: ::core::option::Option<::core::primitive::bool>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_optional_device(device))?;
            __kernel(size, value, dtype, layout, device, pin_memory)
                .map_err(|__error| __error.in_op("constant"))
        }
    }
    /// `constant.out(SymInt[] size, Scalar value, *, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// options.yaml:6
    pub enum out {}
    impl crate::ops::__runtime::Op for out {
        type Kernel = fn(
            &[::core::primitive::i64],
            crate::ops::__runtime::Scalar,
            &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "constant.out";
        const SCHEMA: &'static ::core::primitive::str = "constant.out(SymInt[] size, Scalar value, *, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <out as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("constant.out")
                .explicit(crate::kernels::constant_out::KERNEL);
            &TABLE
        }
    }
    impl out {
        /// Calls `constant.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            size: &[::core::primitive::i64],
            value: crate::ops::__runtime::Scalar,
            out: &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <out as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(out))?;
            __kernel(size, value, out).map_err(|__error| __error.in_op("constant"))
        }
    }
}
/// Overloads of `constant_like`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod constant_like {
    /// `constant_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor`
    ///
    /// options.yaml:10
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<crate::ops::__runtime::DType>,
            ::core::option::Option<crate::ops::__runtime::Layout>,
            ::core::option::Option<crate::ops::__runtime::Device>,
            ::core::option::Option<::core::primitive::bool>,
            ::core::option::Option<crate::ops::__runtime::MemoryFormat>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "constant_like";
        const SCHEMA: &'static ::core::primitive::str = "constant_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("constant_like")
                .explicit(crate::kernels::constant_like::KERNEL);
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `constant_like`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            dtype: ::core::option::Option<crate::ops::__runtime::DType>,
            layout: ::core::option::Option<crate::ops::__runtime::Layout>,
            device: ::core::option::Option<crate::ops::__runtime::Device>,
            pin_memory: ::core::option::Option<::core::primitive::bool>,
            memory_format: ::core::option::Option<crate::ops::__runtime::MemoryFormat>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, dtype, layout, device, pin_memory, memory_format)
                .map_err(|__error| __error.in_op("constant_like"))
        }
    }
}
/// Overloads of `new_constant`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod new_constant {
    /// `new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor`
    ///
    /// options.yaml:14
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &[::core::primitive::i64],
            ::core::option::Option<crate::ops::__runtime::DType>,
            ::core::option::Option<crate::ops::__runtime::Layout>,
            ::core::option::Option<crate::ops::__runtime::Device>,
            ::core::option::Option<::core::primitive::bool>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "new_constant";
        const SCHEMA: &'static ::core::primitive::str = "new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("new_constant")
                .explicit(crate::kernels::new_constant::KERNEL);
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `new_constant`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            size: &[::core::primitive::i64],
            dtype: ::core::option::Option<crate::ops::__runtime::DType>,
            layout: ::core::option::Option<crate::ops::__runtime::Layout>,
            device: ::core::option::Option<crate::ops::__runtime::Device>,
            pin_memory: ::core::option::Option<::core::primitive::bool>,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, size, dtype, layout, device, pin_memory)
                .map_err(|__error| __error.in_op("new_constant"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub trait TensorOps {
    /// `new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor`
    ///
    /// options.yaml:14
    ///
    /// # Errors
    ///
    /// Those of `new_constant`.
    fn new_constant(
        &self,
        size: &[::core::primitive::i64],
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn new_constant(
        &self,
        size: &[::core::primitive::i64],
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::new_constant::Default_::call(
            self,
            size,
            ::core::option::Option::None,
            ::core::option::Option::None,
            ::core::option::Option::None,
            ::core::option::Option::None,
        )
    }
}
