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
            const { &rt::KernelTable::<Self::Kernel>::new(Self::NAME) }
        }
    }
    impl from {
        /// Calls `draw_.from`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline(never)]
        pub fn call(
            self_: &mut rt::Tensor,
            r#ref: ::core::primitive::i64,
            r#loop: ::core::option::Option<::core::primitive::i64>,
            generator: ::core::option::Option<&rt::Generator>,
        ) -> rt::Result<()> {
            let __keys = rt::KeySet::EMPTY.with_tensor(self_);
            rt::autograd::check_writable(__keys, self_)?;
            let __kernel = <from as rt::Op>::kernels().get(__keys)?;
            __kernel(self_, r#ref, r#loop, generator)
                .map_err(|__error| __error.in_op("draw_"))
                .inspect(|_| {
                    self_.bump_version();
                })
        }
    }
    impl rt::op::Described for from {
        const ROW: rt::op::Operator = {
            use rt::op::*;
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
                call: |__values| {
                    crate::ops::__boxed::call1(
                        __values,
                        <Self as rt::Op>::kernels(),
                        "draw_",
                    )
                },
                inner_loop: ::core::option::Option::None,
                gradient: Gradient::None,
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
            const { &rt::KernelTable::<Self::Kernel>::new(Self::NAME) }
        }
    }
    impl self_ {
        /// Calls `match.self`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline(never)]
        pub fn call(
            r#where: &rt::Tensor,
            self_: &rt::Tensor,
            r#type: &rt::Tensor,
        ) -> rt::Result<rt::Tensor> {
            let __kernel = <self_ as rt::Op>::kernels()
                .get(
                    rt::KeySet::EMPTY
                        .with_tensor(r#where)
                        .with_tensor(self_)
                        .with_tensor(r#type),
                )?;
            __kernel(r#where, self_, r#type).map_err(|__error| __error.in_op("match"))
        }
    }
    impl rt::op::Described for self_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
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
                call: |__values| {
                    crate::ops::__boxed::call0(
                        __values,
                        <Self as rt::Op>::kernels(),
                        "match",
                    )
                },
                inner_loop: ::core::option::Option::None,
                gradient: Gradient::None,
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
        __op: &'static ::core::primitive::str,
    ) -> rt::Result<::std::vec::Vec<Value>> {
        let __keys = rt::KeySet::of_tensors(__values);
        let (__arg0, (__arg1, (__arg2, ()))) = read::<
            (rt::Tensor, (rt::Tensor, (rt::Tensor, ()))),
        >(__values)?;
        let __kernel = __kernels.get(__keys)?;
        let __called = __kernel(__arg0, __arg1, __arg2);
        __called.map_err(|__error| __error.in_op(__op))?.values()
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
        __op: &'static ::core::primitive::str,
    ) -> rt::Result<::std::vec::Vec<Value>> {
        let __keys = rt::KeySet::of_tensors(__values);
        let (__arg0, (__arg1, (__arg2, (__arg3, ())))) = read::<
            (
                Mut,
                (
                    ::core::primitive::i64,
                    (
                        ::core::option::Option<::core::primitive::i64>,
                        (::core::option::Option<rt::Generator>, ()),
                    ),
                ),
            ),
        >(__values)?;
        let __kernel = __kernels.get(__keys)?;
        let __called = __kernel(__arg0, __arg1, __arg2, __arg3);
        __called
            .map_err(|__error| __error.in_op(__op))
            .inspect(|_| {
                __arg0.bump_version();
            })?
            .values()
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
