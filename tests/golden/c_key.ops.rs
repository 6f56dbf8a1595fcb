// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `_hidden_`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod _hidden_ {
    use crate::ops::__runtime as rt;
    /// `_hidden_(Tensor(a!) self, Tensor? self_weight, Tensor?[] indices, bool[3] mask, int[2]? size=None) -> Tensor(a!)`
    ///
    /// c_key.yaml:8
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &mut rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
            &[::core::option::Option<&rt::Tensor>],
            &[::core::primitive::bool],
            ::core::option::Option<&[::core::primitive::i64]>,
        ) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "_hidden_";
        const SCHEMA: &'static ::core::primitive::str = "_hidden_(Tensor(a!) self, Tensor? self_weight, Tensor?[] indices, bool[3] mask, int[2]? size=None) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `_hidden_`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &mut rt::Tensor,
            self_weight: ::core::option::Option<&rt::Tensor>,
            indices: &[::core::option::Option<&rt::Tensor>],
            mask: &[::core::primitive::bool],
            size: ::core::option::Option<&[::core::primitive::i64]>,
        ) -> rt::Result<()> {
            crate::ops::__calls::call2(
                self_,
                self_weight,
                indices,
                mask,
                size,
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
                    <crate::ops::_hidden_::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor).written("a")),
                    Param::new(Slot::new("self_weight", Type::Optional(&Type::Tensor))),
                    Param::new(
                        Slot::new(
                            "indices",
                            Type::List(
                                &Type::Optional(&Type::Tensor),
                                ::core::option::Option::None,
                            ),
                        ),
                    ),
                    Param::new(
                        Slot::new(
                            "mask",
                            Type::List(&Type::Bool, ::core::option::Option::Some(3)),
                        ),
                    ),
                    Param::new(
                            Slot::new(
                                "size",
                                Type::Optional(
                                    &Type::List(&Type::Int, ::core::option::Option::Some(2)),
                                ),
                            ),
                        )
                        .or(Constant::None),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
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
/// Overloads of `parts`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod parts {
    use crate::ops::__runtime as rt;
    /// `parts(Tensor self, Device? device=None, Generator? generator=None, float? p=None) -> (Tensor[], int[], str, Tensor?)`
    ///
    /// c_key.yaml:10
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<rt::Device>,
            ::core::option::Option<&rt::Generator>,
            ::core::option::Option<::core::primitive::f64>,
        ) -> rt::Result<
            (
                ::std::vec::Vec<rt::Tensor>,
                ::std::vec::Vec<::core::primitive::i64>,
                ::std::string::String,
                ::core::option::Option<rt::Tensor>,
            ),
        >;
        const NAME: &'static ::core::primitive::str = "parts";
        const SCHEMA: &'static ::core::primitive::str = "parts(Tensor self, Device? device=None, Generator? generator=None, float? p=None) -> (Tensor[], int[], str, Tensor?)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `parts`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            device: ::core::option::Option<rt::Device>,
            generator: ::core::option::Option<&rt::Generator>,
            p: ::core::option::Option<::core::primitive::f64>,
        ) -> rt::Result<
            (
                ::std::vec::Vec<rt::Tensor>,
                ::std::vec::Vec<::core::primitive::i64>,
                ::std::string::String,
                ::core::option::Option<rt::Tensor>,
            ),
        > {
            crate::ops::__calls::call3(
                self_,
                device,
                generator,
                p,
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
                    <crate::ops::parts::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("device", Type::Optional(&Type::Device)))
                        .or(Constant::None),
                    Param::new(Slot::new("generator", Type::Optional(&Type::Generator)))
                        .or(Constant::None),
                    Param::new(Slot::new("p", Type::Optional(&Type::Float)))
                        .or(Constant::None),
                ],
                results: &[
                    Slot::new(
                        "",
                        Type::List(&Type::Tensor, ::core::option::Option::None),
                    ),
                    Slot::new("", Type::List(&Type::Int, ::core::option::Option::None)),
                    Slot::new("", Type::Str),
                    Slot::new("", Type::Optional(&Type::Tensor)),
                ],
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
/// Overloads of `renamed`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod renamed {
    use crate::ops::__runtime as rt;
    /// `renamed.Tensor(Tensor self, Scalar default, str[] words) -> (Tensor result, int count)`
    ///
    /// c_key.yaml:5
    pub enum Tensor {}
    impl rt::Op for Tensor {
        type Kernel = fn(
            &rt::Tensor,
            rt::Scalar,
            &[&::core::primitive::str],
        ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)>;
        const NAME: &'static ::core::primitive::str = "renamed.Tensor";
        const SCHEMA: &'static ::core::primitive::str = "renamed.Tensor(Tensor self, Scalar default, str[] words) -> (Tensor result, int count)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Tensor as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Tensor as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Tensor {
        /// Calls `renamed.Tensor`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            default: rt::Scalar,
            words: &[&::core::primitive::str],
        ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)> {
            crate::ops::__calls::call1(
                self_,
                default,
                words,
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
                    <crate::ops::renamed::Tensor as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("default", Type::Scalar)),
                    Param::new(
                        Slot::new(
                            "words",
                            Type::List(&Type::Str, ::core::option::Option::None),
                        ),
                    ),
                ],
                results: &[
                    Slot::new("result", Type::Tensor),
                    Slot::new("count", Type::Int),
                ],
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
/// Overloads of `skipped`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod skipped {
    use crate::ops::__runtime as rt;
    /// `skipped(Tensor self) -> Tensor`
    ///
    /// c_key.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "skipped";
        const SCHEMA: &'static ::core::primitive::str = "skipped(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `skipped`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::skipped::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[Param::new(Slot::new("self", Type::Tensor))],
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
    /// For `skipped` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        __kernels: &rt::KernelTable<fn(&rt::Tensor) -> rt::Result<rt::Tensor>>,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `renamed.Tensor` and those like it.
    #[inline(never)]
    pub(super) fn call1(
        self_: &rt::Tensor,
        arg1: rt::Scalar,
        arg2: &[&::core::primitive::str],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                rt::Scalar,
                &[&::core::primitive::str],
            ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)>,
        >,
    ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `_hidden_` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        self_: &mut rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        arg2: &[::core::option::Option<&rt::Tensor>],
        arg3: &[::core::primitive::bool],
        arg4: ::core::option::Option<&[::core::primitive::i64]>,
        __kernels: &rt::KernelTable<
            fn(
                &mut rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
                &[::core::option::Option<&rt::Tensor>],
                &[::core::primitive::bool],
                ::core::option::Option<&[::core::primitive::i64]>,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY
            .with_tensor(self_)
            .with_optional(arg1)
            .with_optional_tensors(arg2);
        rt::ok!(rt::autograd::check_writable(__keys, self_));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2, arg3, arg4) {
            ::core::result::Result::Ok(__made) => {
                self_.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `parts` and those like it.
    #[inline(never)]
    pub(super) fn call3(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<rt::Device>,
        arg2: ::core::option::Option<&rt::Generator>,
        arg3: ::core::option::Option<::core::primitive::f64>,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<&rt::Generator>,
                ::core::option::Option<::core::primitive::f64>,
            ) -> rt::Result<
                (
                    ::std::vec::Vec<rt::Tensor>,
                    ::std::vec::Vec<::core::primitive::i64>,
                    ::std::string::String,
                    ::core::option::Option<rt::Tensor>,
                ),
            >,
        >,
    ) -> rt::Result<
        (
            ::std::vec::Vec<rt::Tensor>,
            ::std::vec::Vec<::core::primitive::i64>,
            ::std::string::String,
            ::core::option::Option<rt::Tensor>,
        ),
    > {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2, arg3) {
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
    /// For `skipped` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<fn(&rt::Tensor) -> rt::Result<rt::Tensor>>,
    ) -> rt::Result<Results> {
        let [__value0] = rt::ok!(values::<1>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        returned(crate::ops::__calls::call0(__arg0, __kernels))
    }
    /// For `renamed.Tensor` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                rt::Scalar,
                &[&::core::primitive::str],
            ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Scalar>(__value1));
        let __arg2 = rt::ok!(read::<List<::std::string::String, 1>>(__value2));
        returned(crate::ops::__calls::call1(__arg0, __arg1, &__arg2, __kernels))
    }
    /// For `_hidden_` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &mut rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
                &[::core::option::Option<&rt::Tensor>],
                &[::core::primitive::bool],
                ::core::option::Option<&[::core::primitive::i64]>,
            ) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4] = rt::ok!(
            values::<5>(__values),
        );
        let __arg0 = rt::ok!(read::<Mut>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::Tensor>>(__value1));
        let __arg2 = rt::ok!(
            read::<List<::core::option::Option<rt::Tensor>, 1>>(__value2),
        );
        let __arg3 = rt::ok!(read::<List<::core::primitive::bool, 3>>(__value3));
        let __arg4 = rt::ok!(
            read::<::core::option::Option<List<::core::primitive::i64, 2>>>(__value4),
        );
        returned(
            crate::ops::__calls::call2(
                __arg0,
                __arg1,
                &__arg2,
                &__arg3,
                __arg4.as_deref(),
                __kernels,
            ),
        )
    }
    /// For `parts` and those like it.
    pub(super) fn call3(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<rt::Device>,
                ::core::option::Option<&rt::Generator>,
                ::core::option::Option<::core::primitive::f64>,
            ) -> rt::Result<
                (
                    ::std::vec::Vec<rt::Tensor>,
                    ::std::vec::Vec<::core::primitive::i64>,
                    ::std::string::String,
                    ::core::option::Option<rt::Tensor>,
                ),
            >,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3] = rt::ok!(values::<4>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::Device>>(__value1));
        let __arg2 = rt::ok!(read::<::core::option::Option<rt::Generator>>(__value2));
        let __arg3 = rt::ok!(
            read::<::core::option::Option<::core::primitive::f64>>(__value3),
        );
        returned(crate::ops::__calls::call3(__arg0, __arg1, __arg2, __arg3, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 4] = [
        <_hidden_::Default_ as __runtime::op::Described>::ROW,
        <parts::Default_ as __runtime::op::Described>::ROW,
        <renamed::Tensor as __runtime::op::Described>::ROW,
        <skipped::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
