// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `clip`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod clip {
    use crate::ops::__runtime as rt;
    /// `clip(Tensor self, Scalar? min=None) -> Tensor`
    ///
    /// inplace.yaml:5
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<rt::Scalar>,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "clip";
        const SCHEMA: &'static ::core::primitive::str = "clip(Tensor self, Scalar? min=None) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `clip`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            min: ::core::option::Option<rt::Scalar>,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call1(self_, min, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::clip::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("min", Type::Optional(&Type::Scalar)))
                        .or(Constant::None),
                ],
                results: &[Slot::new("", Type::Tensor)],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::Some("clip_"),
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
/// Overloads of `clip_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod clip_ {
    use crate::ops::__runtime as rt;
    /// `clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)`
    ///
    /// inplace.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &mut rt::Tensor,
            ::core::option::Option<rt::Scalar>,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "clip_";
        const SCHEMA: &'static ::core::primitive::str = "clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `clip_`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &mut rt::Tensor,
            min: ::core::option::Option<rt::Scalar>,
        ) -> rt::Result<()> {
            crate::ops::__calls::call0(self_, min, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::clip_::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor).written("a")),
                    Param::new(Slot::new("min", Type::Optional(&Type::Scalar)))
                        .or(Constant::None),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &[],
                functional: ::core::option::Option::Some("clip"),
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
/// Overloads of `consume`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod consume {
    use crate::ops::__runtime as rt;
    /// `consume(Tensor self, Tensor(a!) other) -> ()`
    ///
    /// inplace.yaml:11
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor, &mut rt::Tensor) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "consume";
        const SCHEMA: &'static ::core::primitive::str = "consume(Tensor self, Tensor(a!) other) -> ()";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `consume`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor, other: &mut rt::Tensor) -> rt::Result<()> {
            crate::ops::__calls::call3(self_, other, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::consume::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Tensor).written("a")),
                ],
                results: &[],
                tags: &[],
                functional: ::core::option::Option::None,
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
/// Overloads of `scale_all_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod scale_all_ {
    use crate::ops::__runtime as rt;
    /// `scale_all_(Tensor(a!)[] self, Scalar factor) -> ()`
    ///
    /// inplace.yaml:7
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&mut [&mut rt::Tensor], rt::Scalar) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "scale_all_";
        const SCHEMA: &'static ::core::primitive::str = "scale_all_(Tensor(a!)[] self, Scalar factor) -> ()";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn autograd(
                self_: &mut [&mut rt::Tensor],
                factor: rt::Scalar,
            ) -> rt::Result<()> {
                rt::ok!(
                    rt::autograd::check_all_in_place(self_, false, "scale_all_", "self"),
                );
                rt::ok!(
                    rt::autograd::check_unrecorded(
                        "scale_all_",
                        &(rt::autograd::Edges::new().to_all_mut(self_)),
                    ),
                );
                let __exclude = rt::dispatch::ExcludeKeys::new(
                    rt::DispatchKey::Autograd,
                );
                rt::ok!(
                    <Default_ as rt::Op>::kernels()
                        .get(
                            rt::KeySet::EMPTY
                                .with_mut_tensors(self_)
                                .below(rt::DispatchKey::Autograd),
                        ),
                )(self_, factor)
            }
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME)
                .explicit(crate::kernels::scale_all::KERNEL)
                .with(rt::DispatchKey::Autograd, autograd);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `scale_all_`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &mut [&mut rt::Tensor],
            factor: rt::Scalar,
        ) -> rt::Result<()> {
            crate::ops::__calls::call2(self_, factor, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call2(
                    __values,
                    <crate::ops::scale_all_::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(
                        Slot::new(
                                "self",
                                Type::List(&Type::Tensor, ::core::option::Option::None),
                            )
                            .written("a"),
                    ),
                    Param::new(Slot::new("factor", Type::Scalar)),
                ],
                results: &[],
                tags: &[],
                functional: ::core::option::Option::None,
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
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
mod __methods {
    use crate::ops::__runtime as rt;
    /// The operators as methods of a tensor, with every default taken.
    pub trait TensorOps {
        /// `clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)`
        ///
        /// inplace.yaml:2
        ///
        /// # Errors
        ///
        /// Those of `clip_`.
        fn clip_(&mut self) -> rt::Result<()>;
    }
    impl TensorOps for rt::Tensor {
        fn clip_(&mut self) -> rt::Result<()> {
            crate::ops::clip_::Default_::call(self, ::core::option::Option::None)
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
    /// For `clip_` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &mut rt::Tensor,
        arg1: ::core::option::Option<rt::Scalar>,
        __kernels: &rt::KernelTable<
            fn(&mut rt::Tensor, ::core::option::Option<rt::Scalar>) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_tensor(self_);
        rt::ok!(rt::autograd::check_writable(__keys, self_));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => {
                self_.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `clip` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<rt::Scalar>,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::option::Option<rt::Scalar>) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `scale_all_` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        self_: &mut [&mut rt::Tensor],
        arg1: rt::Scalar,
        __kernels: &rt::KernelTable<
            fn(&mut [&mut rt::Tensor], rt::Scalar) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_mut_tensors(self_);
        for __it in self_.iter() {
            rt::ok!(rt::autograd::check_writable(__keys, __it));
        }
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => {
                self_.iter().for_each(|it| it.bump_version());
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `consume` and those like it.
    #[inline(never)]
    pub(super) fn call3(
        self_: &rt::Tensor,
        arg1: &mut rt::Tensor,
        __kernels: &rt::KernelTable<fn(&rt::Tensor, &mut rt::Tensor) -> rt::Result<()>>,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg1);
        rt::ok!(rt::autograd::check_writable(__keys, arg1));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => {
                arg1.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
}
#[allow(clippy::type_complexity, reason = "kernels are as schemas say")]
mod __boxed {
    use crate::ops::__runtime as rt;
    use rt::op::*;
    /// For `clip_` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&mut rt::Tensor, ::core::option::Option<rt::Scalar>) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<Mut>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::Scalar>>(__value1));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __kernels))
    }
    /// For `clip` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::option::Option<rt::Scalar>) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::Scalar>>(__value1));
        returned(crate::ops::__calls::call1(__arg0, __arg1, __kernels))
    }
    /// For `scale_all_` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&mut [&mut rt::Tensor], rt::Scalar) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let mut __arg0 = rt::ok!(read::<MutList>(__value0));
        let __arg1 = rt::ok!(read::<rt::Scalar>(__value1));
        returned(crate::ops::__calls::call2(&mut __arg0, __arg1, __kernels))
    }
    /// For `consume` and those like it.
    pub(super) fn call3(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<fn(&rt::Tensor, &mut rt::Tensor) -> rt::Result<()>>,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<Mut>(__value1));
        returned(crate::ops::__calls::call3(__arg0, __arg1, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 4] = [
        <clip::Default_ as __runtime::op::Described>::ROW,
        <clip_::Default_ as __runtime::op::Described>::ROW,
        <consume::Default_ as __runtime::op::Described>::ROW,
        <scale_all_::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
