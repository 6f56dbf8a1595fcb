// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `spread`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod spread {
    /// `spread(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1) -> (Tensor low, Tensor high)`
    ///
    /// structured_function.yaml:2
    pub enum Default_ {}
    impl crate::ops::__runtime::Op for Default_ {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<&crate::ops::__runtime::Tensor>,
            &[&crate::ops::__runtime::Tensor],
            ::core::primitive::i64,
        ) -> crate::ops::__runtime::Result<
            (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
        >;
        const NAME: &'static ::core::primitive::str = "spread";
        const SCHEMA: &'static ::core::primitive::str = "spread(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1) -> (Tensor low, Tensor high)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &crate::ops::__runtime::Tensor,
                mask: ::core::option::Option<&crate::ops::__runtime::Tensor>,
                parts: &[&crate::ops::__runtime::Tensor],
                dim: ::core::primitive::i64,
            ) -> crate::ops::__runtime::Result<
                (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
            > {
                let (__spec0, __spec1) = crate::kernels::spread_out_rule::RULE(
                    self_,
                    mask,
                    parts,
                    dim,
                )?;
                let mut __result0 = __spec0.allocate()?;
                let mut __result1 = __spec1.allocate()?;
                crate::kernels::spread_out::KERNEL(
                    self_,
                    mask,
                    parts,
                    dim,
                    &mut __result0,
                    &mut __result1,
                )?;
                ::core::result::Result::Ok((__result0, __result1))
            }
            fn meta(
                self_: &crate::ops::__runtime::Tensor,
                mask: ::core::option::Option<&crate::ops::__runtime::Tensor>,
                parts: &[&crate::ops::__runtime::Tensor],
                dim: ::core::primitive::i64,
            ) -> crate::ops::__runtime::Result<
                (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
            > {
                let (__spec0, __spec1) = crate::kernels::spread_out_rule::RULE(
                    self_,
                    mask,
                    parts,
                    dim,
                )?;
                ::core::result::Result::Ok((
                    __spec0.allocate_meta()?,
                    __spec1.allocate_meta()?,
                ))
            }
            type __Table = crate::ops::__runtime::KernelTable<
                <Default_ as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("spread")
                .with(crate::ops::__runtime::DispatchKey::Cpu, cpu)
                .with(crate::ops::__runtime::DispatchKey::Meta, meta);
            &TABLE
        }
    }
    impl Default_ {
        /// Calls `spread`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            mask: ::core::option::Option<&crate::ops::__runtime::Tensor>,
            parts: &[&crate::ops::__runtime::Tensor],
            dim: ::core::primitive::i64,
        ) -> crate::ops::__runtime::Result<
            (crate::ops::__runtime::Tensor, crate::ops::__runtime::Tensor),
        > {
            let __kernel = <Default_ as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_optional(mask)
                        .with_tensors(parts),
                )?;
            __kernel(self_, mask, parts, dim).map_err(|__error| __error.in_op("spread"))
        }
    }
    /// `spread.out(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)`
    ///
    /// structured_function.yaml:5
    pub enum out {}
    impl crate::ops::__runtime::Op for out {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<&crate::ops::__runtime::Tensor>,
            &[&crate::ops::__runtime::Tensor],
            ::core::primitive::i64,
            &mut crate::ops::__runtime::Tensor,
            &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "spread.out";
        const SCHEMA: &'static ::core::primitive::str = "spread.out(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &crate::ops::__runtime::Tensor,
                mask: ::core::option::Option<&crate::ops::__runtime::Tensor>,
                parts: &[&crate::ops::__runtime::Tensor],
                dim: ::core::primitive::i64,
                low: &mut crate::ops::__runtime::Tensor,
                high: &mut crate::ops::__runtime::Tensor,
            ) -> crate::ops::__runtime::Result<()> {
                let (__spec0, __spec1) = crate::kernels::spread_out_rule::RULE(
                    self_,
                    mask,
                    parts,
                    dim,
                )?;
                let mut __target0 = __spec0
                    .target(low, &[&[self_][..], mask.as_slice(), parts].concat())?;
                let mut __target1 = __spec1
                    .target(
                        high,
                        &[&[self_, &*low][..], mask.as_slice(), parts].concat(),
                    )?;
                crate::kernels::spread_out::KERNEL(
                    self_,
                    mask,
                    parts,
                    dim,
                    __target0.tensor(),
                    __target1.tensor(),
                )?;
                __target0.finish(low)?;
                __target1.finish(high)?;
                ::core::result::Result::Ok(())
            }
            fn meta(
                self_: &crate::ops::__runtime::Tensor,
                mask: ::core::option::Option<&crate::ops::__runtime::Tensor>,
                parts: &[&crate::ops::__runtime::Tensor],
                dim: ::core::primitive::i64,
                low: &mut crate::ops::__runtime::Tensor,
                high: &mut crate::ops::__runtime::Tensor,
            ) -> crate::ops::__runtime::Result<()> {
                let (__spec0, __spec1) = crate::kernels::spread_out_rule::RULE(
                    self_,
                    mask,
                    parts,
                    dim,
                )?;
                __spec0
                    .target_meta(low, &[&[self_][..], mask.as_slice(), parts].concat())?;
                __spec1
                    .target_meta(
                        high,
                        &[&[self_, &*low][..], mask.as_slice(), parts].concat(),
                    )?;
                ::core::result::Result::Ok(())
            }
            type __Table = crate::ops::__runtime::KernelTable<
                <out as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("spread.out")
                .with(crate::ops::__runtime::DispatchKey::Cpu, cpu)
                .with(crate::ops::__runtime::DispatchKey::Meta, meta);
            &TABLE
        }
    }
    impl crate::ops::__runtime::StructuredOp for out {
        type Rule = fn(
            &crate::ops::__runtime::Tensor,
            ::core::option::Option<&crate::ops::__runtime::Tensor>,
            &[&crate::ops::__runtime::Tensor],
            ::core::primitive::i64,
        ) -> crate::ops::__runtime::Result<
            (crate::ops::__runtime::Spec, crate::ops::__runtime::Spec),
        >;
    }
    impl out {
        /// Calls `spread.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            self_: &crate::ops::__runtime::Tensor,
            mask: ::core::option::Option<&crate::ops::__runtime::Tensor>,
            parts: &[&crate::ops::__runtime::Tensor],
            dim: ::core::primitive::i64,
            low: &mut crate::ops::__runtime::Tensor,
            high: &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <out as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_optional(mask)
                        .with_tensors(parts)
                        .with_tensor(low)
                        .with_tensor(high),
                )?;
            __kernel(self_, mask, parts, dim, low, high)
                .map_err(|__error| __error.in_op("spread"))
        }
    }
}
