// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `draw_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod draw_ {
    /// `draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)`
    ///
    /// keywords.yaml:5
    pub enum from {}
    impl crate::ops::__runtime::Op for from {
        type Kernel = fn(
            &mut crate::ops::__runtime::Tensor,
            ::core::primitive::i64,
            ::core::option::Option<::core::primitive::i64>,
            ::core::option::Option<&crate::ops::__runtime::Generator>,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "draw_.from";
        const SCHEMA: &'static ::core::primitive::str = "draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <from as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("draw_.from");
            &TABLE
        }
    }
    impl from {
        /// Calls `draw_.from`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &mut crate::ops::__runtime::Tensor,
            r#ref: ::core::primitive::i64,
            r#loop: ::core::option::Option<::core::primitive::i64>,
            generator: ::core::option::Option<&crate::ops::__runtime::Generator>,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <from as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(self_))?;
            __kernel(self_, r#ref, r#loop, generator)
                .map_err(|__error| __error.in_op("draw_"))
        }
    }
}
/// Overloads of `match`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod r#match {
    /// `match.self(Tensor where, Tensor self, Tensor type) -> Tensor`
    ///
    /// keywords.yaml:2
    pub enum self_ {}
    impl crate::ops::__runtime::Op for self_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "match.self";
        const SCHEMA: &'static ::core::primitive::str = "match.self(Tensor where, Tensor self, Tensor type) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <self_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("match.self");
            &TABLE
        }
    }
    impl self_ {
        /// Calls `match.self`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            r#where: &crate::ops::__runtime::Tensor,
            self_: &crate::ops::__runtime::Tensor,
            r#type: &crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <self_ as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(r#where)
                        .with_tensor(self_)
                        .with_tensor(r#type),
                )?;
            __kernel(r#where, self_, r#type).map_err(|__error| __error.in_op("match"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub trait TensorOps {
    /// `draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)`
    ///
    /// keywords.yaml:5
    ///
    /// # Errors
    ///
    /// Those of `draw_.from`.
    fn draw_(
        &mut self,
        r#ref: ::core::primitive::i64,
        r#loop: ::core::option::Option<::core::primitive::i64>,
    ) -> crate::ops::__runtime::Result<()>;
    /// `match.self(Tensor where, Tensor self, Tensor type) -> Tensor`
    ///
    /// keywords.yaml:2
    ///
    /// # Errors
    ///
    /// Those of `match.self`.
    fn r#match(
        &self,
        r#where: &crate::ops::__runtime::Tensor,
        r#type: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn draw_(
        &mut self,
        r#ref: ::core::primitive::i64,
        r#loop: ::core::option::Option<::core::primitive::i64>,
    ) -> crate::ops::__runtime::Result<()> {
        crate::ops::draw_::from::call(self, r#ref, r#loop, ::core::option::Option::None)
    }
    fn r#match(
        &self,
        r#where: &crate::ops::__runtime::Tensor,
        r#type: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::r#match::self_::call(r#where, self, r#type)
    }
}
