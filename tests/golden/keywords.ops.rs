// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `draw_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod draw_ {
    use crate::ops::__runtime as rt;
    /// `draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)`
    ///
    /// keywords.yaml:5
    pub enum from {}
    impl rt::Op for from {
        type Kernel = fn(
            &mut rt::Tensor,
            ::core::primitive::i64,
            ::core::option::Option<::core::primitive::i64>,
            ::core::option::Option<&rt::Generator>,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "draw_.from";
        const SCHEMA: &'static ::core::primitive::str = "draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<from as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<from as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl from {
        /// Calls `draw_.from`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &mut rt::Tensor,
            r#ref: ::core::primitive::i64,
            r#loop: ::core::option::Option<::core::primitive::i64>,
            generator: ::core::option::Option<&rt::Generator>,
        ) -> rt::Result<()> {
            crate::ops::__calls::call1(
                self_,
                r#ref,
                r#loop,
                generator,
                <from as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for from {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::draw_::from as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor).written("a")),
                    Param::new(Slot::new("ref", Type::Int)),
                    Param::new(Slot::new("loop", Type::Optional(&Type::Int))),
                    Param::new(Slot::new("generator", Type::Optional(&Type::Generator)))
                        .or(Constant::None)
                        .keyword(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &["nondeterministic_seeded"],
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
/// Overloads of `match`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod r#match {
    use crate::ops::__runtime as rt;
    /// `match.self(Tensor where, Tensor self, Tensor type) -> Tensor`
    ///
    /// keywords.yaml:2
    pub enum self_ {}
    impl rt::Op for self_ {
        type Kernel = fn(
            &rt::Tensor,
            &rt::Tensor,
            &rt::Tensor,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "match.self";
        const SCHEMA: &'static ::core::primitive::str = "match.self(Tensor where, Tensor self, Tensor type) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<self_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<self_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl self_ {
        /// Calls `match.self`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            r#where: &rt::Tensor,
            self_: &rt::Tensor,
            r#type: &rt::Tensor,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(
                r#where,
                self_,
                r#type,
                <self_ as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for self_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::r#match::self_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("where", Type::Tensor)),
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("type", Type::Tensor)),
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
        ) -> rt::Result<()>;
        /// `match.self(Tensor where, Tensor self, Tensor type) -> Tensor`
        ///
        /// keywords.yaml:2
        ///
        /// # Errors
        ///
        /// Those of `match.self`.
        fn r#match(
            &self,
            r#where: &rt::Tensor,
            r#type: &rt::Tensor,
        ) -> rt::Result<rt::Tensor>;
    }
    impl TensorOps for rt::Tensor {
        fn draw_(
            &mut self,
            r#ref: ::core::primitive::i64,
            r#loop: ::core::option::Option<::core::primitive::i64>,
        ) -> rt::Result<()> {
            crate::ops::draw_::from::call(
                self,
                r#ref,
                r#loop,
                ::core::option::Option::None,
            )
        }
        fn r#match(
            &self,
            r#where: &rt::Tensor,
            r#type: &rt::Tensor,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::r#match::self_::call(r#where, self, r#type)
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
    /// For `match.self` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        arg0: &rt::Tensor,
        self_: &rt::Tensor,
        arg2: &rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels
                .get(
                    rt::KeySet::EMPTY
                        .with_tensor(arg0)
                        .with_tensor(self_)
                        .with_tensor(arg2),
                ),
        );
        match __kernel(arg0, self_, arg2) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `draw_.from` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &mut rt::Tensor,
        arg1: ::core::primitive::i64,
        arg2: ::core::option::Option<::core::primitive::i64>,
        arg3: ::core::option::Option<&rt::Generator>,
        __kernels: &rt::KernelTable<
            fn(
                &mut rt::Tensor,
                ::core::primitive::i64,
                ::core::option::Option<::core::primitive::i64>,
                ::core::option::Option<&rt::Generator>,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_tensor(self_);
        rt::ok!(rt::autograd::check_writable(__keys, self_));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2, arg3) {
            ::core::result::Result::Ok(__made) => {
                self_.bump_version();
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
    /// For `match.self` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        let __arg2 = rt::ok!(read::<rt::Tensor>(__value2));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `draw_.from` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &mut rt::Tensor,
                ::core::primitive::i64,
                ::core::option::Option<::core::primitive::i64>,
                ::core::option::Option<&rt::Generator>,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3] = rt::ok!(values::<4>(__values));
        let __arg0 = rt::ok!(read::<Mut>(__value0));
        let __arg1 = rt::ok!(read::<::core::primitive::i64>(__value1));
        let __arg2 = rt::ok!(
            read::<::core::option::Option<::core::primitive::i64>>(__value2),
        );
        let __arg3 = rt::ok!(read::<::core::option::Option<rt::Generator>>(__value3));
        returned(crate::ops::__calls::call1(__arg0, __arg1, __arg2, __arg3, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 2] = [
        <draw_::from as __runtime::op::Described>::ROW,
        <r#match::self_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
