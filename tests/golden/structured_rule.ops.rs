// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `blend`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod blend {
    /// `blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor`
    ///
    /// structured_rule.yaml:2
    pub enum Tensor {}
    impl crate::ops::__runtime::Op for Tensor {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
            crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "blend.Tensor";
        const SCHEMA: &'static ::core::primitive::str = "blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &crate::ops::__runtime::Tensor,
                other: &crate::ops::__runtime::Tensor,
                weight: crate::ops::__runtime::Scalar,
            ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
                let __spec0 = crate::ops::__runtime::structured::rule::elementwise(
                    &[self_, other],
                )?;
                let mut __result0 = __spec0.allocate()?;
                crate::kernels::blend_out::KERNEL(self_, other, weight, &mut __result0)?;
                ::core::result::Result::Ok(__result0)
            }
            fn meta(
                self_: &crate::ops::__runtime::Tensor,
                other: &crate::ops::__runtime::Tensor,
                _: crate::ops::__runtime::Scalar,
            ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
                let __spec0 = crate::ops::__runtime::structured::rule::elementwise(
                    &[self_, other],
                )?;
                __spec0.allocate_meta()
            }
            type __Table = crate::ops::__runtime::KernelTable<
                <Tensor as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("blend.Tensor")
                .with(crate::ops::__runtime::DispatchKey::Cpu, cpu)
                .with(crate::ops::__runtime::DispatchKey::Meta, meta);
            &TABLE
        }
    }
    impl Tensor {
        /// Calls `blend.Tensor`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            other: &crate::ops::__runtime::Tensor,
            weight: crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <Tensor as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(other),
                )?;
            __kernel(self_, other, weight).map_err(|__error| __error.in_op("blend"))
        }
    }
    /// `blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// structured_rule.yaml:10
    pub enum out {}
    impl crate::ops::__runtime::Op for out {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
            crate::ops::__runtime::Scalar,
            &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "blend.out";
        const SCHEMA: &'static ::core::primitive::str = "blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &crate::ops::__runtime::Tensor,
                other: &crate::ops::__runtime::Tensor,
                weight: crate::ops::__runtime::Scalar,
                out: &mut crate::ops::__runtime::Tensor,
            ) -> crate::ops::__runtime::Result<()> {
                let __spec0 = crate::ops::__runtime::structured::rule::elementwise(
                    &[self_, other],
                )?;
                let mut __target0 = __spec0.target(out, &[self_, other])?;
                crate::kernels::blend_out::KERNEL(
                    self_,
                    other,
                    weight,
                    __target0.tensor(),
                )?;
                __target0.finish(out)?;
                ::core::result::Result::Ok(())
            }
            fn meta(
                self_: &crate::ops::__runtime::Tensor,
                other: &crate::ops::__runtime::Tensor,
                _: crate::ops::__runtime::Scalar,
                out: &mut crate::ops::__runtime::Tensor,
            ) -> crate::ops::__runtime::Result<()> {
                let __spec0 = crate::ops::__runtime::structured::rule::elementwise(
                    &[self_, other],
                )?;
                __spec0.target_meta(out, &[self_, other])?;
                ::core::result::Result::Ok(())
            }
            type __Table = crate::ops::__runtime::KernelTable<
                <out as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("blend.out")
                .with(crate::ops::__runtime::DispatchKey::Cpu, cpu)
                .with(crate::ops::__runtime::DispatchKey::Meta, meta);
            &TABLE
        }
    }
    impl out {
        /// Calls `blend.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            other: &crate::ops::__runtime::Tensor,
            weight: crate::ops::__runtime::Scalar,
            out: &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <out as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(other)
                        .with_tensor(out),
                )?;
            __kernel(self_, other, weight, out).map_err(|__error| __error.in_op("blend"))
        }
    }
}
/// Overloads of `blend_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod blend_ {
    /// `blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)`
    ///
    /// structured_rule.yaml:6
    pub enum Tensor {}
    impl crate::ops::__runtime::Op for Tensor {
        type Kernel = fn(
            &mut crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
            crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "blend_.Tensor";
        const SCHEMA: &'static ::core::primitive::str = "blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &mut crate::ops::__runtime::Tensor,
                other: &crate::ops::__runtime::Tensor,
                weight: crate::ops::__runtime::Scalar,
            ) -> crate::ops::__runtime::Result<()> {
                let __self = ::core::clone::Clone::clone(&*self_);
                let __spec0 = crate::ops::__runtime::structured::rule::elementwise(
                    &[&__self, other],
                )?;
                let mut __target0 = __spec0.target_inplace(self_, &[other])?;
                crate::kernels::blend_out::KERNEL(
                    &__self,
                    other,
                    weight,
                    __target0.tensor(),
                )?;
                __target0.finish(self_)?;
                ::core::result::Result::Ok(())
            }
            fn meta(
                self_: &mut crate::ops::__runtime::Tensor,
                other: &crate::ops::__runtime::Tensor,
                _: crate::ops::__runtime::Scalar,
            ) -> crate::ops::__runtime::Result<()> {
                let __self = ::core::clone::Clone::clone(&*self_);
                let __spec0 = crate::ops::__runtime::structured::rule::elementwise(
                    &[&__self, other],
                )?;
                __spec0.target_inplace_meta(self_, &[other])?;
                ::core::result::Result::Ok(())
            }
            type __Table = crate::ops::__runtime::KernelTable<
                <Tensor as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("blend_.Tensor")
                .with(crate::ops::__runtime::DispatchKey::Cpu, cpu)
                .with(crate::ops::__runtime::DispatchKey::Meta, meta);
            &TABLE
        }
    }
    impl Tensor {
        /// Calls `blend_.Tensor`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &mut crate::ops::__runtime::Tensor,
            other: &crate::ops::__runtime::Tensor,
            weight: crate::ops::__runtime::Scalar,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <Tensor as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(other),
                )?;
            __kernel(self_, other, weight).map_err(|__error| __error.in_op("blend_"))
        }
    }
}
/// The operators as methods of a tensor, with every default taken.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub trait TensorOps {
    /// `blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor`
    ///
    /// structured_rule.yaml:2
    ///
    /// # Errors
    ///
    /// Those of `blend.Tensor`.
    fn blend(
        &self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
    /// `blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)`
    ///
    /// structured_rule.yaml:6
    ///
    /// # Errors
    ///
    /// Those of `blend_.Tensor`.
    fn blend_(
        &mut self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<()>;
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
impl TensorOps for crate::ops::__runtime::Tensor {
    fn blend(
        &self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
        crate::ops::blend::Tensor::call(
            self,
            other,
            crate::ops::__runtime::Scalar::Int(1),
        )
    }
    fn blend_(
        &mut self,
        other: &crate::ops::__runtime::Tensor,
    ) -> crate::ops::__runtime::Result<()> {
        crate::ops::blend_::Tensor::call(
            self,
            other,
            crate::ops::__runtime::Scalar::Int(1),
        )
    }
}
