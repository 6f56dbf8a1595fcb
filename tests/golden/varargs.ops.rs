// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `arranged`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod arranged {
    use crate::ops::__runtime as rt;
    /// `arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)`
    ///
    /// varargs.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            &[::core::primitive::i64],
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "arranged";
        const SCHEMA: &'static ::core::primitive::str = "arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `arranged`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            size: &[::core::primitive::i64],
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(self_, size, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::arranged::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor).sharing("a")),
                    Param::new(
                        Slot::new(
                            "size",
                            Type::List(&Type::SymInt, ::core::option::Option::None),
                        ),
                    ),
                ],
                results: &[Slot::new("", Type::Tensor).sharing("a")],
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
/// Overloads of `turned`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod turned {
    use crate::ops::__runtime as rt;
    /// `turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor`
    ///
    /// varargs.yaml:5
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "turned";
        const SCHEMA: &'static ::core::primitive::str = "turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `turned`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            dims: ::core::option::Option<&[::core::primitive::i64]>,
            keepdim: ::core::primitive::bool,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call1(
                self_,
                dims,
                keepdim,
                <Default_ as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::turned::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(
                            Slot::new(
                                "dims",
                                Type::Optional(
                                    &Type::List(&Type::Int, ::core::option::Option::Some(1)),
                                ),
                            ),
                        )
                        .or(Constant::None),
                    Param::new(Slot::new("keepdim", Type::Bool))
                        .or(Constant::Bool(false))
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
        /// `arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)`
        ///
        /// varargs.yaml:2
        ///
        /// # Errors
        ///
        /// Those of `arranged`.
        fn arranged(&self, size: &[::core::primitive::i64]) -> rt::Result<rt::Tensor>;
        /// `turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor`
        ///
        /// varargs.yaml:5
        ///
        /// # Errors
        ///
        /// Those of `turned`.
        fn turned(&self) -> rt::Result<rt::Tensor>;
    }
    impl TensorOps for rt::Tensor {
        fn arranged(&self, size: &[::core::primitive::i64]) -> rt::Result<rt::Tensor> {
            crate::ops::arranged::Default_::call(self, size)
        }
        fn turned(&self) -> rt::Result<rt::Tensor> {
            crate::ops::turned::Default_::call(self, ::core::option::Option::None, false)
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
    /// For `arranged` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: &[::core::primitive::i64],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &[::core::primitive::i64]) -> rt::Result<rt::Tensor>,
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
    /// For `turned` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&[::core::primitive::i64]>,
        arg2: ::core::primitive::bool,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::primitive::bool,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2) {
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
    /// For `arranged` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &[::core::primitive::i64]) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<List<::core::primitive::i64, 1>>(__value1));
        returned(crate::ops::__calls::call0(__arg0, &__arg1, __kernels))
    }
    /// For `turned` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::primitive::bool,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(
            read::<::core::option::Option<List<::core::primitive::i64, 1>>>(__value1),
        );
        let __arg2 = rt::ok!(read::<::core::primitive::bool>(__value2));
        returned(
            crate::ops::__calls::call1(__arg0, __arg1.as_deref(), __arg2, __kernels),
        )
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 2] = [
        <arranged::Default_ as __runtime::op::Described>::ROW,
        <turned::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
