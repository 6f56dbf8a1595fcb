// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `bucket`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod bucket {
    use crate::ops::__runtime as rt;
    /// `bucket.width(Tensor x, float width) -> Tensor`
    ///
    /// The bucket of each element, where all are equally wide.
    ///
    /// ```python
    /// >>> my_ops.bucket(my_ops.tensor([0.5, 1.5]), 1.0)
    /// tensor([0, 1], dtype=int64, shape=(2,))
    /// ```
    ///
    /// described.yaml:2
    pub enum width {}
    impl rt::Op for width {
        type Kernel = fn(&rt::Tensor, ::core::primitive::f64) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "bucket.width";
        const SCHEMA: &'static ::core::primitive::str = "bucket.width(Tensor x, float width) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<width as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<width as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl width {
        /// Calls `bucket.width`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            x: &rt::Tensor,
            width: ::core::primitive::f64,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(x, width, <width as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for width {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::bucket::width as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("x", Type::Tensor)),
                    Param::new(Slot::new("width", Type::Float)),
                ],
                results: &[Slot::new("", Type::Tensor)],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("bucket.width_out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `bucket.width_out(Tensor x, float width, *, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// described.yaml:12
    pub enum width_out {}
    impl rt::Op for width_out {
        type Kernel = fn(
            &rt::Tensor,
            ::core::primitive::f64,
            &mut rt::Tensor,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "bucket.width_out";
        const SCHEMA: &'static ::core::primitive::str = "bucket.width_out(Tensor x, float width, *, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<width_out as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<width_out as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl width_out {
        /// Calls `bucket.width_out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            x: &rt::Tensor,
            width: ::core::primitive::f64,
            out: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call1(x, width, out, <width_out as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for width_out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::bucket::width_out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("x", Type::Tensor)),
                    Param::new(Slot::new("width", Type::Float)),
                    Param::new(Slot::new("out", Type::Tensor).written("a")).out(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &[],
                functional: ::core::option::Option::Some("bucket.width"),
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
    /// `bucket.edges(Tensor x, Tensor edges, *, bool right=False) -> Tensor`
    ///
    /// The bucket of each element between edges that are given.
    ///
    /// described.yaml:15
    pub enum edges {}
    impl rt::Op for edges {
        type Kernel = fn(
            &rt::Tensor,
            &rt::Tensor,
            ::core::primitive::bool,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "bucket.edges";
        const SCHEMA: &'static ::core::primitive::str = "bucket.edges(Tensor x, Tensor edges, *, bool right=False) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<edges as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<edges as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl edges {
        /// Calls `bucket.edges`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            x: &rt::Tensor,
            edges: &rt::Tensor,
            right: ::core::primitive::bool,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call2(x, edges, right, <edges as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for edges {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call2(
                    __values,
                    <crate::ops::bucket::edges as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("x", Type::Tensor)),
                    Param::new(Slot::new("edges", Type::Tensor)),
                    Param::new(Slot::new("right", Type::Bool))
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
    /// `bucket.count(Tensor x, str rule, int count) -> Tensor`
    ///
    /// described.yaml:19
    pub enum count {}
    impl rt::Op for count {
        type Kernel = fn(
            &rt::Tensor,
            &::core::primitive::str,
            ::core::primitive::i64,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "bucket.count";
        const SCHEMA: &'static ::core::primitive::str = "bucket.count(Tensor x, str rule, int count) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<count as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<count as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl count {
        /// Calls `bucket.count`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            x: &rt::Tensor,
            rule: &::core::primitive::str,
            count: ::core::primitive::i64,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call3(x, rule, count, <count as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for count {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::bucket::count as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("x", Type::Tensor)),
                    Param::new(Slot::new("rule", Type::Str)),
                    Param::new(Slot::new("count", Type::Int)),
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
    /// For `bucket.width` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        arg0: &rt::Tensor,
        arg1: ::core::primitive::f64,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::f64) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(arg0)));
        match __kernel(arg0, arg1) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `bucket.width_out` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        arg0: &rt::Tensor,
        arg1: ::core::primitive::f64,
        arg2: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::f64, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY.with_tensor(arg0).with_tensor(arg2);
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
    /// For `bucket.edges` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        arg0: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: ::core::primitive::bool,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &rt::Tensor,
                ::core::primitive::bool,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_tensor(arg0).with_tensor(arg1)),
        );
        match __kernel(arg0, arg1, arg2) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `bucket.count` and those like it.
    #[inline(never)]
    pub(super) fn call3(
        arg0: &rt::Tensor,
        arg1: &::core::primitive::str,
        arg2: ::core::primitive::i64,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &::core::primitive::str,
                ::core::primitive::i64,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(arg0)));
        match __kernel(arg0, arg1, arg2) {
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
    /// For `bucket.width` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::f64) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::primitive::f64>(__value1));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __kernels))
    }
    /// For `bucket.width_out` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, ::core::primitive::f64, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::primitive::f64>(__value1));
        let __arg2 = rt::ok!(read::<Mut>(__value2));
        returned(crate::ops::__calls::call1(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `bucket.edges` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &rt::Tensor,
                ::core::primitive::bool,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        let __arg2 = rt::ok!(read::<::core::primitive::bool>(__value2));
        returned(crate::ops::__calls::call2(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `bucket.count` and those like it.
    pub(super) fn call3(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &::core::primitive::str,
                ::core::primitive::i64,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::std::string::String>(__value1));
        let __arg2 = rt::ok!(read::<::core::primitive::i64>(__value2));
        returned(crate::ops::__calls::call3(__arg0, __arg1, __arg2, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 4] = [
        <bucket::width as __runtime::op::Described>::ROW,
        <bucket::width_out as __runtime::op::Described>::ROW,
        <bucket::edges as __runtime::op::Described>::ROW,
        <bucket::count as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
