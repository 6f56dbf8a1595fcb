// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `spread`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod spread {
    use crate::ops::__runtime as rt;
    /// `spread(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1) -> (Tensor low, Tensor high)`
    ///
    /// structured_function.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>;
        const NAME: &'static ::core::primitive::str = "spread";
        const SCHEMA: &'static ::core::primitive::str = "spread(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1) -> (Tensor low, Tensor high)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &rt::Tensor,
                mask: ::core::option::Option<&rt::Tensor>,
                parts: &[&rt::Tensor],
                dim: ::core::primitive::i64,
            ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
                crate::ops::__calls::cpu0(
                    self_,
                    mask,
                    parts,
                    dim,
                    crate::kernels::spread_out_rule::RULE,
                    crate::kernels::spread_out::KERNEL,
                )
            }
            fn meta(
                self_: &rt::Tensor,
                mask: ::core::option::Option<&rt::Tensor>,
                parts: &[&rt::Tensor],
                dim: ::core::primitive::i64,
            ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
                crate::ops::__calls::meta0(
                    self_,
                    mask,
                    parts,
                    dim,
                    crate::kernels::spread_out_rule::RULE,
                )
            }
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME)
                .with(rt::DispatchKey::Cpu, cpu)
                .with(rt::DispatchKey::Meta, meta);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `spread`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            mask: ::core::option::Option<&rt::Tensor>,
            parts: &[&rt::Tensor],
            dim: ::core::primitive::i64,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
            crate::ops::__calls::call0(
                self_,
                mask,
                parts,
                dim,
                <Default_ as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::spread::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("mask", Type::Optional(&Type::Tensor))),
                    Param::new(
                        Slot::new(
                            "parts",
                            Type::List(&Type::Tensor, ::core::option::Option::None),
                        ),
                    ),
                    Param::new(Slot::new("dim", Type::Int)).or(Constant::Int(-1)),
                ],
                results: &[
                    Slot::new("low", Type::Tensor),
                    Slot::new("high", Type::Tensor),
                ],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("spread.out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: <crate::ops::spread::out as Described>::ROW.inner_loop,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `spread.out(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)`
    ///
    /// structured_function.yaml:5
    pub enum out {}
    impl rt::Op for out {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
            &mut rt::Tensor,
            &mut rt::Tensor,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "spread.out";
        const SCHEMA: &'static ::core::primitive::str = "spread.out(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &rt::Tensor,
                mask: ::core::option::Option<&rt::Tensor>,
                parts: &[&rt::Tensor],
                dim: ::core::primitive::i64,
                low: &mut rt::Tensor,
                high: &mut rt::Tensor,
            ) -> rt::Result<()> {
                crate::ops::__calls::cpu1(
                    self_,
                    mask,
                    parts,
                    dim,
                    low,
                    high,
                    crate::kernels::spread_out_rule::RULE,
                    crate::kernels::spread_out::KERNEL,
                )
            }
            fn meta(
                self_: &rt::Tensor,
                mask: ::core::option::Option<&rt::Tensor>,
                parts: &[&rt::Tensor],
                dim: ::core::primitive::i64,
                low: &mut rt::Tensor,
                high: &mut rt::Tensor,
            ) -> rt::Result<()> {
                crate::ops::__calls::meta1(
                    self_,
                    mask,
                    parts,
                    dim,
                    low,
                    high,
                    crate::kernels::spread_out_rule::RULE,
                )
            }
            fn autograd(
                self_: &rt::Tensor,
                mask: ::core::option::Option<&rt::Tensor>,
                parts: &[&rt::Tensor],
                dim: ::core::primitive::i64,
                low: &mut rt::Tensor,
                high: &mut rt::Tensor,
            ) -> rt::Result<()> {
                crate::ops::__calls::refused0(
                    self_,
                    mask,
                    parts,
                    dim,
                    low,
                    high,
                    <out as rt::Op>::kernels(),
                )
            }
            type __Table = rt::KernelTable<<out as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<out as rt::Op>::NAME)
                .with(rt::DispatchKey::Cpu, cpu)
                .with(rt::DispatchKey::Meta, meta)
                .with(rt::DispatchKey::Autograd, autograd);
            &KERNELS
        }
    }
    impl rt::StructuredOp for out {
        type Rule = fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<(rt::Spec, rt::Spec)>;
        type Check = fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<()>;
    }
    impl out {
        /// Calls `spread.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            mask: ::core::option::Option<&rt::Tensor>,
            parts: &[&rt::Tensor],
            dim: ::core::primitive::i64,
            low: &mut rt::Tensor,
            high: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call1(
                self_,
                mask,
                parts,
                dim,
                low,
                high,
                <out as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::spread::out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("mask", Type::Optional(&Type::Tensor))),
                    Param::new(
                        Slot::new(
                            "parts",
                            Type::List(&Type::Tensor, ::core::option::Option::None),
                        ),
                    ),
                    Param::new(Slot::new("dim", Type::Int)).or(Constant::Int(-1)),
                    Param::new(Slot::new("low", Type::Tensor).written("a")).out(),
                    Param::new(Slot::new("high", Type::Tensor).written("b")).out(),
                ],
                results: &[
                    Slot::new("low", Type::Tensor).written("a"),
                    Slot::new("high", Type::Tensor).written("b"),
                ],
                tags: &[],
                functional: ::core::option::Option::Some("spread"),
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::None,
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
}
#[allow(
    unused_imports,
    unused_parens,
    clippy::approx_constant,
    clippy::double_parens,
    clippy::explicit_auto_deref,
    clippy::needless_borrow,
    clippy::unnecessary_cast,
    reason = "printed as the formulas are written"
)]
#[allow(
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "as many arguments, and such kernels, as schemas say"
)]
mod __calls {
    use crate::ops::__runtime as rt;
    /// For `spread` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[&rt::Tensor],
        arg3: ::core::primitive::i64,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
                &[&rt::Tensor],
                ::core::primitive::i64,
            ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
        >,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
        let __kernel = rt::ok!(
            __kernels
                .get(
                    rt::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_optional(arg1)
                        .with_tensors(arg2),
                ),
        );
        match __kernel(self_, arg1, arg2, arg3) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `spread` and those like it.
    #[inline(never)]
    pub(super) fn cpu0(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[&rt::Tensor],
        arg3: ::core::primitive::i64,
        __rule: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<(rt::Spec, rt::Spec)>,
        __kernel: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
            &mut rt::Tensor,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
        let (__spec0, __spec1) = rt::ok!(__rule(self_, arg1, arg2, arg3));
        let mut __result0 = rt::ok!(__spec0.allocate());
        let mut __result1 = rt::ok!(__spec1.allocate());
        rt::ok!(__kernel(self_, arg1, arg2, arg3, &mut __result0, &mut __result1));
        ::core::result::Result::Ok((__result0, __result1))
    }
    /// For `spread` and those like it.
    #[inline(never)]
    pub(super) fn meta0(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[&rt::Tensor],
        arg3: ::core::primitive::i64,
        __rule: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<(rt::Spec, rt::Spec)>,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
        let (__spec0, __spec1) = rt::ok!(__rule(self_, arg1, arg2, arg3));
        ::core::result::Result::Ok((
            rt::ok!(__spec0.allocate_meta()),
            rt::ok!(__spec1.allocate_meta()),
        ))
    }
    /// For `spread.out` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[&rt::Tensor],
        arg3: ::core::primitive::i64,
        arg4: &mut rt::Tensor,
        arg5: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
                &[&rt::Tensor],
                ::core::primitive::i64,
                &mut rt::Tensor,
                &mut rt::Tensor,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY
            .with_tensor(self_)
            .with_optional(arg1)
            .with_tensors(arg2)
            .with_tensor(arg4)
            .with_tensor(arg5);
        rt::ok!(rt::autograd::check_writable(__keys, arg4));
        rt::ok!(rt::autograd::check_writable(__keys, arg5));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2, arg3, arg4, arg5) {
            ::core::result::Result::Ok(__made) => {
                arg4.bump_version();
                arg5.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `spread.out` and those like it.
    #[inline(never)]
    pub(super) fn refused0(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[&rt::Tensor],
        arg3: ::core::primitive::i64,
        arg4: &mut rt::Tensor,
        arg5: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
                &[&rt::Tensor],
                ::core::primitive::i64,
                &mut rt::Tensor,
                &mut rt::Tensor,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        rt::ok!(
            rt::autograd::check_out(
                __kernels.name(),
                &rt::autograd::Edges::new()
                    .to(self_)
                    .to_optional(arg1)
                    .to_all(arg2)
                    .to(arg4)
                    .to(arg5),
            ),
        );
        let __exclude = rt::dispatch::ExcludeKeys::new(rt::DispatchKey::Autograd);
        rt::ok!(
            __kernels
                .get(
                    rt::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_optional(arg1)
                        .with_tensors(arg2)
                        .with_tensor(arg4)
                        .with_tensor(arg5)
                        .below(rt::DispatchKey::Autograd),
                ),
        )(self_, arg1, arg2, arg3, arg4, arg5)
    }
    /// For `spread.out` and those like it.
    #[inline(never)]
    pub(super) fn cpu1(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[&rt::Tensor],
        arg3: ::core::primitive::i64,
        arg4: &mut rt::Tensor,
        arg5: &mut rt::Tensor,
        __rule: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<(rt::Spec, rt::Spec)>,
        __kernel: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
            &mut rt::Tensor,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> rt::Result<()> {
        let (__spec0, __spec1) = rt::ok!(__rule(self_, arg1, arg2, arg3));
        let mut __target0 = rt::ok!(
            __spec0.target(arg4, &[&[self_][..], arg1.as_slice(), arg2].concat()),
        );
        let mut __target1 = rt::ok!(
            __spec1.target(arg5, &[&[self_, &*arg4][..], arg1.as_slice(), arg2].concat()),
        );
        rt::ok!(
            __kernel(self_, arg1, arg2, arg3, __target0.tensor(), __target1.tensor()),
        );
        rt::ok!(__target0.finish(arg4));
        rt::ok!(__target1.finish(arg5));
        ::core::result::Result::Ok(())
    }
    /// For `spread.out` and those like it.
    #[inline(never)]
    pub(super) fn meta1(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[&rt::Tensor],
        arg3: ::core::primitive::i64,
        arg4: &mut rt::Tensor,
        arg5: &mut rt::Tensor,
        __rule: fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[&rt::Tensor],
            ::core::primitive::i64,
        ) -> rt::Result<(rt::Spec, rt::Spec)>,
    ) -> rt::Result<()> {
        let (__spec0, __spec1) = rt::ok!(__rule(self_, arg1, arg2, arg3));
        rt::ok!(
            __spec0.target_meta(arg4, &[&[self_][..], arg1.as_slice(), arg2].concat()),
        );
        rt::ok!(
            __spec1
                .target_meta(
                    arg5,
                    &[&[self_, &*arg4][..], arg1.as_slice(), arg2].concat(),
                ),
        );
        ::core::result::Result::Ok(())
    }
}
#[allow(clippy::type_complexity, reason = "kernels are as schemas say")]
mod __boxed {
    use crate::ops::__runtime as rt;
    use rt::op::*;
    /// For `spread` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
                &[&rt::Tensor],
                ::core::primitive::i64,
            ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3] = rt::ok!(values::<4>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::Tensor>>(__value1));
        let __arg2 = rt::ok!(read::<List<rt::Tensor, 1>>(__value2));
        let __arg3 = rt::ok!(read::<::core::primitive::i64>(__value3));
        returned(crate::ops::__calls::call0(__arg0, __arg1, &__arg2, __arg3, __kernels))
    }
    /// For `spread.out` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
                &[&rt::Tensor],
                ::core::primitive::i64,
                &mut rt::Tensor,
                &mut rt::Tensor,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4, __value5] = rt::ok!(
            values::<6>(__values),
        );
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::Tensor>>(__value1));
        let __arg2 = rt::ok!(read::<List<rt::Tensor, 1>>(__value2));
        let __arg3 = rt::ok!(read::<::core::primitive::i64>(__value3));
        let __arg4 = rt::ok!(read::<Mut>(__value4));
        let __arg5 = rt::ok!(read::<Mut>(__value5));
        returned(
            crate::ops::__calls::call1(
                __arg0,
                __arg1,
                &__arg2,
                __arg3,
                __arg4,
                __arg5,
                __kernels,
            ),
        )
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 2] = [
        <spread::Default_ as __runtime::op::Described>::ROW,
        <spread::out as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
