// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `constant`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod constant {
    use crate::ops::__runtime as rt;
    /// `constant(SymInt[] size, Scalar value, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor`
    ///
    /// options.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &[::core::primitive::i64],
            rt::Scalar,
            ::core::option::Option<rt::DType>,
            ::core::option::Option<rt::Layout>,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<::core::primitive::bool>,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "constant";
        const SCHEMA: &'static ::core::primitive::str = "constant(SymInt[] size, Scalar value, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME)
                .explicit(|size, value, dtype, layout, device, pin_memory| {
                    crate::kernels::constant::KERNEL(
                            size,
                            value,
                            dtype,
                            layout,
                            device,
                            pin_memory,
                        )
                        .and_then(rt::structured::materialized)
                });
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `constant`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            size: &[::core::primitive::i64],
            value: rt::Scalar,
            dtype: ::core::option::Option<rt::DType>,
            layout: ::core::option::Option<rt::Layout>,
            device: ::core::option::Option<rt::Device>,
            pin_memory: ::core::option::Option<::core::primitive::bool>,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(
                size,
                value,
                dtype,
                layout,
                device,
                pin_memory,
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
                    <crate::ops::constant::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(
                        Slot::new(
                            "size",
                            Type::List(&Type::SymInt, ::core::option::Option::None),
                        ),
                    ),
                    Param::new(Slot::new("value", Type::Scalar)),
                    Param::new(Slot::new("dtype", Type::Optional(&Type::ScalarType)))
                        .or(Constant::DType(rt::DType::Int64))
                        .keyword(),
                    Param::new(Slot::new("layout", Type::Optional(&Type::Layout)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("device", Type::Optional(&Type::Device)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("pin_memory", Type::Optional(&Type::Bool)))
                        .or(Constant::None)
                        .keyword(),
                ],
                results: &[Slot::new("", Type::Tensor)],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("constant.out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `constant.out(SymInt[] size, Scalar value, *, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// options.yaml:6
    pub enum out {}
    impl rt::Op for out {
        type Kernel = fn(
            &[::core::primitive::i64],
            rt::Scalar,
            &mut rt::Tensor,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "constant.out";
        const SCHEMA: &'static ::core::primitive::str = "constant.out(SymInt[] size, Scalar value, *, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn autograd(
                size: &[::core::primitive::i64],
                value: rt::Scalar,
                out: &mut rt::Tensor,
            ) -> rt::Result<()> {
                crate::ops::__calls::refused0(
                    size,
                    value,
                    out,
                    <out as rt::Op>::kernels(),
                )
            }
            type __Table = rt::KernelTable<<out as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<out as rt::Op>::NAME)
                .explicit(crate::kernels::constant_out::KERNEL)
                .with(rt::DispatchKey::Autograd, autograd);
            &KERNELS
        }
    }
    impl out {
        /// Calls `constant.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            size: &[::core::primitive::i64],
            value: rt::Scalar,
            out: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call1(size, value, out, <out as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::constant::out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(
                        Slot::new(
                            "size",
                            Type::List(&Type::SymInt, ::core::option::Option::None),
                        ),
                    ),
                    Param::new(Slot::new("value", Type::Scalar)),
                    Param::new(Slot::new("out", Type::Tensor).written("a")).out(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &[],
                functional: ::core::option::Option::Some("constant"),
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
/// Overloads of `constant_like`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod constant_like {
    use crate::ops::__runtime as rt;
    /// `constant_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor`
    ///
    /// options.yaml:10
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<rt::DType>,
            ::core::option::Option<rt::Layout>,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<::core::primitive::bool>,
            ::core::option::Option<rt::MemoryFormat>,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "constant_like";
        const SCHEMA: &'static ::core::primitive::str = "constant_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME)
                .explicit(|self_, dtype, layout, device, pin_memory, memory_format| {
                    crate::kernels::constant_like::KERNEL(
                            self_,
                            dtype,
                            layout,
                            device,
                            pin_memory,
                            memory_format,
                        )
                        .and_then(rt::structured::materialized)
                });
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `constant_like`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            dtype: ::core::option::Option<rt::DType>,
            layout: ::core::option::Option<rt::Layout>,
            device: ::core::option::Option<rt::Device>,
            pin_memory: ::core::option::Option<::core::primitive::bool>,
            memory_format: ::core::option::Option<rt::MemoryFormat>,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call2(
                self_,
                dtype,
                layout,
                device,
                pin_memory,
                memory_format,
                <Default_ as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call2(
                    __values,
                    <crate::ops::constant_like::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("dtype", Type::Optional(&Type::ScalarType)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("layout", Type::Optional(&Type::Layout)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("device", Type::Optional(&Type::Device)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("pin_memory", Type::Optional(&Type::Bool)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(
                            Slot::new(
                                "memory_format",
                                Type::Optional(&Type::MemoryFormat),
                            ),
                        )
                        .or(Constant::None)
                        .keyword(),
                ],
                results: &[Slot::new("", Type::Tensor)],
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
/// Overloads of `new_constant`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod new_constant {
    use crate::ops::__runtime as rt;
    /// `new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor`
    ///
    /// options.yaml:14
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            &[::core::primitive::i64],
            ::core::option::Option<rt::DType>,
            ::core::option::Option<rt::Layout>,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<::core::primitive::bool>,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "new_constant";
        const SCHEMA: &'static ::core::primitive::str = "new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME)
                .explicit(|self_, size, dtype, layout, device, pin_memory| {
                    crate::kernels::new_constant::KERNEL(
                            self_,
                            size,
                            dtype,
                            layout,
                            device,
                            pin_memory,
                        )
                        .and_then(rt::structured::materialized)
                });
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `new_constant`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            size: &[::core::primitive::i64],
            dtype: ::core::option::Option<rt::DType>,
            layout: ::core::option::Option<rt::Layout>,
            device: ::core::option::Option<rt::Device>,
            pin_memory: ::core::option::Option<::core::primitive::bool>,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call3(
                self_,
                size,
                dtype,
                layout,
                device,
                pin_memory,
                <Default_ as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::new_constant::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(
                        Slot::new(
                            "size",
                            Type::List(&Type::SymInt, ::core::option::Option::None),
                        ),
                    ),
                    Param::new(Slot::new("dtype", Type::Optional(&Type::ScalarType)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("layout", Type::Optional(&Type::Layout)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("device", Type::Optional(&Type::Device)))
                        .or(Constant::None)
                        .keyword(),
                    Param::new(Slot::new("pin_memory", Type::Optional(&Type::Bool)))
                        .or(Constant::None)
                        .keyword(),
                ],
                results: &[Slot::new("", Type::Tensor)],
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
        ) -> rt::Result<rt::Tensor>;
    }
    impl TensorOps for rt::Tensor {
        fn new_constant(
            &self,
            size: &[::core::primitive::i64],
        ) -> rt::Result<rt::Tensor> {
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
    /// For `constant` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        arg0: &[::core::primitive::i64],
        arg1: rt::Scalar,
        arg2: ::core::option::Option<rt::DType>,
        arg3: ::core::option::Option<rt::Layout>,
        arg4: ::core::option::Option<rt::Device>,
        arg5: ::core::option::Option<::core::primitive::bool>,
        __kernels: &rt::KernelTable<
            fn(
                &[::core::primitive::i64],
                rt::Scalar,
                ::core::option::Option<rt::DType>,
                ::core::option::Option<rt::Layout>,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<::core::primitive::bool>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_optional_device(arg4)),
        );
        match __kernel(arg0, arg1, arg2, arg3, arg4, arg5) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `constant.out` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        arg0: &[::core::primitive::i64],
        arg1: rt::Scalar,
        arg2: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&[::core::primitive::i64], rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_tensor(arg2);
        rt::ok!(rt::autograd::check_writable(__keys, arg2));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(arg0, arg1, arg2) {
            ::core::result::Result::Ok(__made) => {
                arg2.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `constant.out` and those like it.
    #[inline(never)]
    pub(super) fn refused0(
        arg0: &[::core::primitive::i64],
        arg1: rt::Scalar,
        arg2: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&[::core::primitive::i64], rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        rt::ok!(
            rt::autograd::check_out(
                __kernels.name(),
                &rt::autograd::Edges::to_each(&[::core::option::Option::Some(&*arg2)]),
            ),
        );
        let __exclude = rt::dispatch::ExcludeKeys::new(rt::DispatchKey::Autograd);
        rt::ok!(
            __kernels
                .get(
                    rt::KeySet::EMPTY.with_tensor(arg2).below(rt::DispatchKey::Autograd),
                ),
        )(arg0, arg1, arg2)
    }
    /// For `constant_like` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<rt::DType>,
        arg2: ::core::option::Option<rt::Layout>,
        arg3: ::core::option::Option<rt::Device>,
        arg4: ::core::option::Option<::core::primitive::bool>,
        arg5: ::core::option::Option<rt::MemoryFormat>,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<rt::DType>,
                ::core::option::Option<rt::Layout>,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<::core::primitive::bool>,
                ::core::option::Option<rt::MemoryFormat>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2, arg3, arg4, arg5) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `new_constant` and those like it.
    #[inline(never)]
    pub(super) fn call3(
        self_: &rt::Tensor,
        arg1: &[::core::primitive::i64],
        arg2: ::core::option::Option<rt::DType>,
        arg3: ::core::option::Option<rt::Layout>,
        arg4: ::core::option::Option<rt::Device>,
        arg5: ::core::option::Option<::core::primitive::bool>,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &[::core::primitive::i64],
                ::core::option::Option<rt::DType>,
                ::core::option::Option<rt::Layout>,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<::core::primitive::bool>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2, arg3, arg4, arg5) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
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
    /// For `constant` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &[::core::primitive::i64],
                rt::Scalar,
                ::core::option::Option<rt::DType>,
                ::core::option::Option<rt::Layout>,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<::core::primitive::bool>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4, __value5] = rt::ok!(
            values::<6>(__values),
        );
        let __arg0 = rt::ok!(read::<List<::core::primitive::i64, 1>>(__value0));
        let __arg1 = rt::ok!(read::<rt::Scalar>(__value1));
        let __arg2 = rt::ok!(read::<::core::option::Option<rt::DType>>(__value2));
        let __arg3 = rt::ok!(read::<::core::option::Option<rt::Layout>>(__value3));
        let __arg4 = rt::ok!(read::<::core::option::Option<rt::Device>>(__value4));
        let __arg5 = rt::ok!(
            read::<::core::option::Option<::core::primitive::bool>>(__value5),
        );
        returned(
            crate::ops::__calls::call0(
                &__arg0,
                __arg1,
                __arg2,
                __arg3,
                __arg4,
                __arg5,
                __kernels,
            ),
        )
    }
    /// For `constant.out` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&[::core::primitive::i64], rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<List<::core::primitive::i64, 1>>(__value0));
        let __arg1 = rt::ok!(read::<rt::Scalar>(__value1));
        let __arg2 = rt::ok!(read::<Mut>(__value2));
        returned(crate::ops::__calls::call1(&__arg0, __arg1, __arg2, __kernels))
    }
    /// For `constant_like` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<rt::DType>,
                ::core::option::Option<rt::Layout>,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<::core::primitive::bool>,
                ::core::option::Option<rt::MemoryFormat>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4, __value5] = rt::ok!(
            values::<6>(__values),
        );
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::DType>>(__value1));
        let __arg2 = rt::ok!(read::<::core::option::Option<rt::Layout>>(__value2));
        let __arg3 = rt::ok!(read::<::core::option::Option<rt::Device>>(__value3));
        let __arg4 = rt::ok!(
            read::<::core::option::Option<::core::primitive::bool>>(__value4),
        );
        let __arg5 = rt::ok!(read::<::core::option::Option<rt::MemoryFormat>>(__value5));
        returned(
            crate::ops::__calls::call2(
                __arg0,
                __arg1,
                __arg2,
                __arg3,
                __arg4,
                __arg5,
                __kernels,
            ),
        )
    }
    /// For `new_constant` and those like it.
    pub(super) fn call3(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &[::core::primitive::i64],
                ::core::option::Option<rt::DType>,
                ::core::option::Option<rt::Layout>,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<::core::primitive::bool>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4, __value5] = rt::ok!(
            values::<6>(__values),
        );
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<List<::core::primitive::i64, 1>>(__value1));
        let __arg2 = rt::ok!(read::<::core::option::Option<rt::DType>>(__value2));
        let __arg3 = rt::ok!(read::<::core::option::Option<rt::Layout>>(__value3));
        let __arg4 = rt::ok!(read::<::core::option::Option<rt::Device>>(__value4));
        let __arg5 = rt::ok!(
            read::<::core::option::Option<::core::primitive::bool>>(__value5),
        );
        returned(
            crate::ops::__calls::call3(
                __arg0,
                &__arg1,
                __arg2,
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
    static ROWS: [__runtime::op::Operator; 4] = [
        <constant::Default_ as __runtime::op::Described>::ROW,
        <constant::out as __runtime::op::Described>::ROW,
        <constant_like::Default_ as __runtime::op::Described>::ROW,
        <new_constant::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
