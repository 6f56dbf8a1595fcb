// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `blend`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod blend {
    use crate::ops::__runtime as rt;
    /// `blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor`
    ///
    /// structured_rule.yaml:2
    pub enum Tensor {}
    impl rt::Op for Tensor {
        type Kernel = fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "blend.Tensor";
        const SCHEMA: &'static ::core::primitive::str = "blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
            ) -> rt::Result<rt::Tensor> {
                crate::ops::__calls::cpu0(
                    self_,
                    other,
                    weight,
                    crate::kernels::blend_out::KERNEL,
                )
            }
            fn meta(
                self_: &rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
            ) -> rt::Result<rt::Tensor> {
                crate::ops::__calls::meta0(self_, other, weight)
            }
            type __Table = rt::KernelTable<<Tensor as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Tensor as rt::Op>::NAME)
                .with(rt::DispatchKey::Cpu, cpu)
                .with(rt::DispatchKey::Meta, meta);
            &KERNELS
        }
    }
    impl Tensor {
        /// Calls `blend.Tensor`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            other: &rt::Tensor,
            weight: rt::Scalar,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(
                self_,
                other,
                weight,
                <Tensor as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Tensor {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::blend::Tensor as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Tensor)),
                    Param::new(Slot::new("weight", Type::Scalar))
                        .or(Constant::Int(1))
                        .keyword(),
                ],
                results: &[Slot::new("", Type::Tensor)],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::Some("blend_.Tensor"),
                out: ::core::option::Option::Some("blend.out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: <crate::ops::blend::out as Described>::ROW.inner_loop,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// structured_rule.yaml:10
    pub enum out {}
    impl rt::Op for out {
        type Kernel = fn(
            &rt::Tensor,
            &rt::Tensor,
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "blend.out";
        const SCHEMA: &'static ::core::primitive::str = "blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
                out: &mut rt::Tensor,
            ) -> rt::Result<()> {
                crate::ops::__calls::cpu2(
                    self_,
                    other,
                    weight,
                    out,
                    crate::kernels::blend_out::KERNEL,
                )
            }
            fn meta(
                self_: &rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
                out: &mut rt::Tensor,
            ) -> rt::Result<()> {
                crate::ops::__calls::meta2(self_, other, weight, out)
            }
            fn autograd(
                self_: &rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
                out: &mut rt::Tensor,
            ) -> rt::Result<()> {
                crate::ops::__calls::refused0(
                    self_,
                    other,
                    weight,
                    out,
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
    impl out {
        /// Calls `blend.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            other: &rt::Tensor,
            weight: rt::Scalar,
            out: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call2(
                self_,
                other,
                weight,
                out,
                <out as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call2(
                    __values,
                    <crate::ops::blend::out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Tensor)),
                    Param::new(Slot::new("weight", Type::Scalar))
                        .or(Constant::Int(1))
                        .keyword(),
                    Param::new(Slot::new("out", Type::Tensor).written("a")).out(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &[],
                functional: ::core::option::Option::Some("blend.Tensor"),
                in_place: ::core::option::Option::Some("blend_.Tensor"),
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
/// Overloads of `blend_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod blend_ {
    use crate::ops::__runtime as rt;
    /// `blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)`
    ///
    /// structured_rule.yaml:6
    pub enum Tensor {}
    impl rt::Op for Tensor {
        type Kernel = fn(&mut rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "blend_.Tensor";
        const SCHEMA: &'static ::core::primitive::str = "blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn cpu(
                self_: &mut rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
            ) -> rt::Result<()> {
                crate::ops::__calls::cpu1(
                    self_,
                    other,
                    weight,
                    crate::kernels::blend_out::KERNEL,
                )
            }
            fn meta(
                self_: &mut rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
            ) -> rt::Result<()> {
                crate::ops::__calls::meta1(self_, other, weight)
            }
            fn autograd(
                self_: &mut rt::Tensor,
                other: &rt::Tensor,
                weight: rt::Scalar,
            ) -> rt::Result<()> {
                rt::ok!(rt::autograd::check_in_place(self_, false, "blend_"));
                rt::ok!(
                    rt::autograd::check_unrecorded(
                        "blend_",
                        &(rt::autograd::Edges::new().to(self_).to(other)),
                    ),
                );
                let __exclude = rt::dispatch::ExcludeKeys::new(
                    rt::DispatchKey::Autograd,
                );
                rt::ok!(
                    <Tensor as rt::Op>::kernels()
                        .get(
                            rt::KeySet::EMPTY
                                .with_tensor(self_)
                                .with_tensor(other)
                                .below(rt::DispatchKey::Autograd),
                        ),
                )(self_, other, weight)
            }
            type __Table = rt::KernelTable<<Tensor as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Tensor as rt::Op>::NAME)
                .with(rt::DispatchKey::Cpu, cpu)
                .with(rt::DispatchKey::Meta, meta)
                .with(rt::DispatchKey::Autograd, autograd);
            &KERNELS
        }
    }
    impl Tensor {
        /// Calls `blend_.Tensor`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &mut rt::Tensor,
            other: &rt::Tensor,
            weight: rt::Scalar,
        ) -> rt::Result<()> {
            crate::ops::__calls::call1(
                self_,
                other,
                weight,
                <Tensor as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Tensor {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::blend_::Tensor as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor).written("a")),
                    Param::new(Slot::new("other", Type::Tensor)),
                    Param::new(Slot::new("weight", Type::Scalar))
                        .or(Constant::Int(1))
                        .keyword(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &[],
                functional: ::core::option::Option::Some("blend.Tensor"),
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("blend.out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: <crate::ops::blend::out as Described>::ROW.inner_loop,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
}
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
mod __methods {
    use crate::ops::__runtime as rt;
    /// The operators as methods of a tensor, with every default taken.
    pub trait TensorOps {
        /// `blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor`
        ///
        /// structured_rule.yaml:2
        ///
        /// # Errors
        ///
        /// Those of `blend.Tensor`.
        fn blend(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor>;
        /// `blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)`
        ///
        /// structured_rule.yaml:6
        ///
        /// # Errors
        ///
        /// Those of `blend_.Tensor`.
        fn blend_(&mut self, other: &rt::Tensor) -> rt::Result<()>;
    }
    impl TensorOps for rt::Tensor {
        fn blend(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::blend::Tensor::call(self, other, rt::Scalar::Int(1))
        }
        fn blend_(&mut self, other: &rt::Tensor) -> rt::Result<()> {
            crate::ops::blend_::Tensor::call(self, other, rt::Scalar::Int(1))
        }
    }
}
#[allow(unused_imports, reason = "a crate may call no method")]
pub use self::__methods::TensorOps;
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
    /// For `blend.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg1)),
        );
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `blend.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn cpu0(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        __kernel: fn(
            &rt::Tensor,
            &rt::Tensor,
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> rt::Result<rt::Tensor> {
        let __spec0 = rt::ok!(rt::structured::rule::elementwise(&[self_, arg1]));
        let mut __result0 = rt::ok!(__spec0.allocate());
        rt::ok!(__kernel(self_, arg1, arg2, &mut __result0));
        ::core::result::Result::Ok(__result0)
    }
    /// For `blend.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn meta0(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        _: rt::Scalar,
    ) -> rt::Result<rt::Tensor> {
        let __spec0 = rt::ok!(rt::structured::rule::elementwise(&[self_, arg1]));
        __spec0.allocate_meta()
    }
    /// For `blend_.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &mut rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        __kernels: &rt::KernelTable<
            fn(&mut rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg1);
        rt::ok!(rt::autograd::check_writable(__keys, self_));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => {
                self_.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `blend_.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn cpu1(
        self_: &mut rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        __kernel: fn(
            &rt::Tensor,
            &rt::Tensor,
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> rt::Result<()> {
        let __self = ::core::clone::Clone::clone(&*self_);
        let __spec0 = rt::ok!(rt::structured::rule::elementwise(&[&__self, arg1]));
        let mut __target0 = rt::ok!(__spec0.target_inplace(self_, &[arg1]));
        rt::ok!(__kernel(&__self, arg1, arg2, __target0.tensor()));
        rt::ok!(__target0.finish(self_));
        ::core::result::Result::Ok(())
    }
    /// For `blend_.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn meta1(
        self_: &mut rt::Tensor,
        arg1: &rt::Tensor,
        _: rt::Scalar,
    ) -> rt::Result<()> {
        let __self = ::core::clone::Clone::clone(&*self_);
        let __spec0 = rt::ok!(rt::structured::rule::elementwise(&[&__self, arg1]));
        rt::ok!(__spec0.target_inplace_meta(self_, &[arg1]));
        ::core::result::Result::Ok(())
    }
    /// For `blend.out` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        arg3: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY
            .with_tensor(self_)
            .with_tensor(arg1)
            .with_tensor(arg3);
        rt::ok!(rt::autograd::check_writable(__keys, arg3));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2, arg3) {
            ::core::result::Result::Ok(__made) => {
                arg3.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `blend.out` and those like it.
    #[inline(never)]
    pub(super) fn refused0(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        arg3: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        rt::ok!(
            rt::autograd::check_out(
                __kernels.name(),
                &rt::autograd::Edges::to_each(
                    &[
                        ::core::option::Option::Some(self_),
                        ::core::option::Option::Some(arg1),
                        ::core::option::Option::Some(&*arg3),
                    ],
                ),
            ),
        );
        let __exclude = rt::dispatch::ExcludeKeys::new(rt::DispatchKey::Autograd);
        rt::ok!(
            __kernels
                .get(
                    rt::KeySet::EMPTY
                        .with_tensor(self_)
                        .with_tensor(arg1)
                        .with_tensor(arg3)
                        .below(rt::DispatchKey::Autograd),
                ),
        )(self_, arg1, arg2, arg3)
    }
    /// For `blend.out` and those like it.
    #[inline(never)]
    pub(super) fn cpu2(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: rt::Scalar,
        arg3: &mut rt::Tensor,
        __kernel: fn(
            &rt::Tensor,
            &rt::Tensor,
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>,
    ) -> rt::Result<()> {
        let __spec0 = rt::ok!(rt::structured::rule::elementwise(&[self_, arg1]));
        let mut __target0 = rt::ok!(__spec0.target(arg3, &[self_, arg1]));
        rt::ok!(__kernel(self_, arg1, arg2, __target0.tensor()));
        rt::ok!(__target0.finish(arg3));
        ::core::result::Result::Ok(())
    }
    /// For `blend.out` and those like it.
    #[inline(never)]
    pub(super) fn meta2(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        _: rt::Scalar,
        arg3: &mut rt::Tensor,
    ) -> rt::Result<()> {
        let __spec0 = rt::ok!(rt::structured::rule::elementwise(&[self_, arg1]));
        rt::ok!(__spec0.target_meta(arg3, &[self_, arg1]));
        ::core::result::Result::Ok(())
    }
}
#[allow(clippy::type_complexity, reason = "kernels are as schemas say")]
mod __boxed {
    use crate::ops::__runtime as rt;
    use rt::op::*;
    /// For `blend.Tensor` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        let __arg2 = rt::ok!(read::<rt::Scalar>(__value2));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `blend_.Tensor` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&mut rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<Mut>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        let __arg2 = rt::ok!(read::<rt::Scalar>(__value2));
        returned(crate::ops::__calls::call1(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `blend.out` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3] = rt::ok!(values::<4>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        let __arg2 = rt::ok!(read::<rt::Scalar>(__value2));
        let __arg3 = rt::ok!(read::<Mut>(__value3));
        returned(crate::ops::__calls::call2(__arg0, __arg1, __arg2, __arg3, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 3] = [
        <blend::Tensor as __runtime::op::Described>::ROW,
        <blend::out as __runtime::op::Described>::ROW,
        <blend_::Tensor as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
