// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `rounded`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod rounded {
    use crate::ops::__runtime as rt;
    /// `rounded(Tensor self, QrMode[] modes, RoundingMode? rounding_mode=None, *, PaddingMode mode='reflect', SearchSide? side='left', Reduction reduction=mean) -> (Tensor, PaddingMode)`
    ///
    /// enumerations.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            &[rt::QrMode],
            ::core::option::Option<rt::RoundingMode>,
            rt::PaddingMode,
            ::core::option::Option<rt::SearchSide>,
            rt::Reduction,
        ) -> rt::Result<(rt::Tensor, rt::PaddingMode)>;
        const NAME: &'static ::core::primitive::str = "rounded";
        const SCHEMA: &'static ::core::primitive::str = "rounded(Tensor self, QrMode[] modes, RoundingMode? rounding_mode=None, *, PaddingMode mode='reflect', SearchSide? side='left', Reduction reduction=mean) -> (Tensor, PaddingMode)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `rounded`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            modes: &[rt::QrMode],
            rounding_mode: ::core::option::Option<rt::RoundingMode>,
            mode: rt::PaddingMode,
            side: ::core::option::Option<rt::SearchSide>,
            reduction: rt::Reduction,
        ) -> rt::Result<(rt::Tensor, rt::PaddingMode)> {
            crate::ops::__calls::call0(
                self_,
                modes,
                rounding_mode,
                mode,
                side,
                reduction,
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
                    <crate::ops::rounded::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(
                        Slot::new(
                            "modes",
                            Type::List(
                                &Type::StrEnum(rt::QrMode::ROW),
                                ::core::option::Option::None,
                            ),
                        ),
                    ),
                    Param::new(
                            Slot::new(
                                "rounding_mode",
                                Type::Optional(&Type::StrEnum(rt::RoundingMode::ROW)),
                            ),
                        )
                        .or(Constant::None),
                    Param::new(Slot::new("mode", Type::StrEnum(rt::PaddingMode::ROW)))
                        .or(Constant::Str("reflect"))
                        .keyword(),
                    Param::new(
                            Slot::new(
                                "side",
                                Type::Optional(&Type::StrEnum(rt::SearchSide::ROW)),
                            ),
                        )
                        .or(Constant::Str("left"))
                        .keyword(),
                    Param::new(Slot::new("reduction", Type::Reduction))
                        .or(Constant::Reduction(rt::Reduction::Mean))
                        .keyword(),
                ],
                results: &[
                    Slot::new("", Type::Tensor),
                    Slot::new("", Type::StrEnum(rt::PaddingMode::ROW)),
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
    /// For `rounded` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: &[rt::QrMode],
        arg2: ::core::option::Option<rt::RoundingMode>,
        arg3: rt::PaddingMode,
        arg4: ::core::option::Option<rt::SearchSide>,
        arg5: rt::Reduction,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &[rt::QrMode],
                ::core::option::Option<rt::RoundingMode>,
                rt::PaddingMode,
                ::core::option::Option<rt::SearchSide>,
                rt::Reduction,
            ) -> rt::Result<(rt::Tensor, rt::PaddingMode)>,
        >,
    ) -> rt::Result<(rt::Tensor, rt::PaddingMode)> {
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
    /// For `rounded` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                &[rt::QrMode],
                ::core::option::Option<rt::RoundingMode>,
                rt::PaddingMode,
                ::core::option::Option<rt::SearchSide>,
                rt::Reduction,
            ) -> rt::Result<(rt::Tensor, rt::PaddingMode)>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2, __value3, __value4, __value5] = rt::ok!(
            values::<6>(__values),
        );
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<List<rt::QrMode, 1>>(__value1));
        let __arg2 = rt::ok!(read::<::core::option::Option<rt::RoundingMode>>(__value2));
        let __arg3 = rt::ok!(read::<rt::PaddingMode>(__value3));
        let __arg4 = rt::ok!(read::<::core::option::Option<rt::SearchSide>>(__value4));
        let __arg5 = rt::ok!(read::<rt::Reduction>(__value5));
        returned(
            crate::ops::__calls::call0(
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
    static ROWS: [__runtime::op::Operator; 1] = [
        <rounded::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
