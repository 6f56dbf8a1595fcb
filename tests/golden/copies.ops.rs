// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `row`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod row {
    use crate::ops::__runtime as rt;
    /// `row.int(Tensor(a) self, int at=0) -> Tensor(a)`
    ///
    /// One row of a matrix.
    ///
    /// ```python
    /// >>> row(matrix, 1)
    /// ```
    ///
    /// copies.yaml:2
    pub enum int {}
    impl rt::Op for int {
        type Kernel = fn(&rt::Tensor, ::core::primitive::i64) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "row.int";
        const SCHEMA: &'static ::core::primitive::str = "row.int(Tensor(a) self, int at=0) -> Tensor(a)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<int as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<int as rt::Op>::NAME)
                .with(rt::DispatchKey::Cpu, crate::kernels::row::KERNEL);
            &KERNELS
        }
    }
    impl int {
        /// Calls `row.int`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            at: ::core::primitive::i64,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(self_, at, <int as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for int {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::row::int as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor).sharing("a")),
                    Param::new(Slot::new("at", Type::Int)).or(Constant::Int(0)),
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
/// Overloads of `row_copy`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod row_copy {
    use crate::ops::__runtime as rt;
    /// `row_copy.int(Tensor self, int at=0) -> Tensor`
    ///
    /// What `row` returns, copied: it shares no memory with the input. See `row`.
    ///
    /// ```python
    /// >>> row_copy(matrix, 1)
    /// ```
    ///
    /// copies.yaml:2
    pub enum int {}
    impl rt::Op for int {
        type Kernel = fn(&rt::Tensor, ::core::primitive::i64) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "row_copy.int";
        const SCHEMA: &'static ::core::primitive::str = "row_copy.int(Tensor self, int at=0) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn explicit(
                self_: &rt::Tensor,
                at: ::core::primitive::i64,
            ) -> rt::Result<rt::Tensor> {
                let __result0 = crate::ops::row::int::call(self_, at)?;
                __result0.copy()
            }
            type __Table = rt::KernelTable<<int as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<int as rt::Op>::NAME)
                .explicit(explicit);
            &KERNELS
        }
    }
    impl int {
        /// Calls `row_copy.int`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            at: ::core::primitive::i64,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(self_, at, <int as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for int {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::row_copy::int as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("at", Type::Int)).or(Constant::Int(0)),
                ],
                results: &[Slot::new("", Type::Tensor)],
                tags: &["view_copy"],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("row_copy.int_out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: <crate::ops::row::int as Described>::ROW.inner_loop,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `row_copy.int_out(Tensor self, int at=0, *, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// copies.yaml:2
    pub enum int_out {}
    impl rt::Op for int_out {
        type Kernel = fn(
            &rt::Tensor,
            ::core::primitive::i64,
            &mut rt::Tensor,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "row_copy.int_out";
        const SCHEMA: &'static ::core::primitive::str = "row_copy.int_out(Tensor self, int at=0, *, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            fn implicit(
                self_: &rt::Tensor,
                at: ::core::primitive::i64,
                out: &mut rt::Tensor,
            ) -> rt::Result<()> {
                let __result0 = crate::ops::row::int::call(self_, at)?;
                rt::ok!(rt::structured::copy_to_out(&__result0, out));
                ::core::result::Result::Ok(())
            }
            type __Table = rt::KernelTable<<int_out as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<int_out as rt::Op>::NAME)
                .implicit(implicit);
            &KERNELS
        }
    }
    impl int_out {
        /// Calls `row_copy.int_out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            at: ::core::primitive::i64,
            out: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call1(self_, at, out, <int_out as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for int_out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::row_copy::int_out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("at", Type::Int)).or(Constant::Int(0)),
                    Param::new(Slot::new("out", Type::Tensor).written("a")).out(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &["view_copy"],
                functional: ::core::option::Option::Some("row_copy.int"),
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
    /// For `row.int` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: ::core::primitive::i64,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::i64) -> rt::Result<rt::Tensor>,
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
    /// For `row_copy.int_out` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: ::core::primitive::i64,
        arg2: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::i64, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg2)),
        );
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
    /// For `row.int` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::i64) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::primitive::i64>(__value1));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __kernels))
    }
    /// For `row_copy.int_out` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::i64, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::primitive::i64>(__value1));
        let __arg2 = rt::ok!(read::<Mut>(__value2));
        returned(crate::ops::__calls::call1(__arg0, __arg1, __arg2, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 3] = [
        <row::int as __runtime::op::Described>::ROW,
        <row_copy::int as __runtime::op::Described>::ROW,
        <row_copy::int_out as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
