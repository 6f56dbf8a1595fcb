// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `ending`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod ending {
    use crate::ops::__runtime as rt;
    /// `ending(Tensor self) -> int?`
    ///
    /// go_key.yaml:38
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
        ) -> rt::Result<::core::option::Option<::core::primitive::i64>>;
        const NAME: &'static ::core::primitive::str = "ending";
        const SCHEMA: &'static ::core::primitive::str = "ending(Tensor self) -> int?";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `ending`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
        ) -> rt::Result<::core::option::Option<::core::primitive::i64>> {
            crate::ops::__calls::call6(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call6(
                    __values,
                    <crate::ops::ending::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[Param::new(Slot::new("self", Type::Tensor))],
                results: &[Slot::new("", Type::Optional(&Type::Int))],
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
/// Overloads of `mixed`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod mixed {
    use crate::ops::__runtime as rt;
    /// `mixed(Tensor self, Tensor other) -> Tensor`
    ///
    /// go_key.yaml:2
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "mixed";
        const SCHEMA: &'static ::core::primitive::str = "mixed(Tensor self, Tensor other) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `mixed`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor, other: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call0(self_, other, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call0(
                    __values,
                    <crate::ops::mixed::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Tensor)),
                ],
                results: &[Slot::new("", Type::Tensor)],
                tags: &[],
                functional: ::core::option::Option::None,
                in_place: ::core::option::Option::None,
                out: ::core::option::Option::Some("mixed.out"),
                call,
                types: ::core::option::Option::None,
                inner_loop: ::core::option::Option::None,
                reduction: ::core::option::Option::None,
                gradient: Gradient::None,
                formulas: ::core::option::Option::None,
            }
        };
    }
    /// `mixed.dim_IntList(Tensor self, int[1]? dim, *, bool keepdim=False) -> (Tensor values, Tensor indices)`
    ///
    /// go_key.yaml:6
    pub enum dim_IntList {}
    impl rt::Op for dim_IntList {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<&[::core::primitive::i64]>,
            ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>;
        const NAME: &'static ::core::primitive::str = "mixed.dim_IntList";
        const SCHEMA: &'static ::core::primitive::str = "mixed.dim_IntList(Tensor self, int[1]? dim, *, bool keepdim=False) -> (Tensor values, Tensor indices)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<dim_IntList as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<dim_IntList as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl dim_IntList {
        /// Calls `mixed.dim_IntList`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            dim: ::core::option::Option<&[::core::primitive::i64]>,
            keepdim: ::core::primitive::bool,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
            crate::ops::__calls::call1(
                self_,
                dim,
                keepdim,
                <dim_IntList as rt::Op>::kernels(),
            )
        }
    }
    impl rt::op::Described for dim_IntList {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call1(
                    __values,
                    <crate::ops::mixed::dim_IntList as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(
                        Slot::new(
                            "dim",
                            Type::Optional(
                                &Type::List(&Type::Int, ::core::option::Option::Some(1)),
                            ),
                        ),
                    ),
                    Param::new(Slot::new("keepdim", Type::Bool))
                        .or(Constant::Bool(false))
                        .keyword(),
                ],
                results: &[
                    Slot::new("values", Type::Tensor),
                    Slot::new("indices", Type::Tensor),
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
    /// `mixed.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// go_key.yaml:10
    pub enum out {}
    impl rt::Op for out {
        type Kernel = fn(&rt::Tensor, &rt::Tensor, &mut rt::Tensor) -> rt::Result<()>;
        const NAME: &'static ::core::primitive::str = "mixed.out";
        const SCHEMA: &'static ::core::primitive::str = "mixed.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<out as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<out as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl out {
        /// Calls `mixed.out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            other: &rt::Tensor,
            out: &mut rt::Tensor,
        ) -> rt::Result<()> {
            crate::ops::__calls::call2(self_, other, out, <out as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for out {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call2(
                    __values,
                    <crate::ops::mixed::out as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("other", Type::Tensor)),
                    Param::new(Slot::new("out", Type::Tensor).written("a")).out(),
                ],
                results: &[Slot::new("", Type::Tensor).written("a")],
                tags: &[],
                functional: ::core::option::Option::Some("mixed"),
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
/// Overloads of `nn_bent`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod nn_bent {
    use crate::ops::__runtime as rt;
    /// `nn_bent(Tensor self, Tensor? weight=None) -> Tensor`
    ///
    /// go_key.yaml:35
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(
            &rt::Tensor,
            ::core::option::Option<&rt::Tensor>,
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "nn_bent";
        const SCHEMA: &'static ::core::primitive::str = "nn_bent(Tensor self, Tensor? weight=None) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `nn_bent`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            weight: ::core::option::Option<&rt::Tensor>,
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call5(self_, weight, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call5(
                    __values,
                    <crate::ops::nn_bent::Default_ as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(Slot::new("weight", Type::Optional(&Type::Tensor)))
                        .or(Constant::None),
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
/// Overloads of `pressed`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod pressed {
    use crate::ops::__runtime as rt;
    /// `pressed(Tensor self) -> Tensor`
    ///
    /// go_key.yaml:15
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "pressed";
        const SCHEMA: &'static ::core::primitive::str = "pressed(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `pressed`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call3(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::pressed::Default_ as rt::Op>::kernels(),
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
    /// `pressed.dims(Tensor self, int[] dim) -> Tensor`
    ///
    /// go_key.yaml:18
    pub enum dims {}
    impl rt::Op for dims {
        type Kernel = fn(
            &rt::Tensor,
            &[::core::primitive::i64],
        ) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "pressed.dims";
        const SCHEMA: &'static ::core::primitive::str = "pressed.dims(Tensor self, int[] dim) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<dims as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<dims as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl dims {
        /// Calls `pressed.dims`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(
            self_: &rt::Tensor,
            dim: &[::core::primitive::i64],
        ) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call4(self_, dim, <dims as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for dims {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call4(
                    __values,
                    <crate::ops::pressed::dims as rt::Op>::kernels(),
                )
            }
            Operator {
                name: <Self as rt::Op>::NAME,
                schema: <Self as rt::Op>::SCHEMA,
                params: &[
                    Param::new(Slot::new("self", Type::Tensor)),
                    Param::new(
                        Slot::new(
                            "dim",
                            Type::List(&Type::Int, ::core::option::Option::None),
                        ),
                    ),
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
/// Overloads of `scope`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod scope {
    use crate::ops::__runtime as rt;
    /// `scope(Tensor self) -> Tensor`
    ///
    /// Adds nothing to what people wrote.
    ///
    /// More of it.
    ///
    /// go_key.yaml:21
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "scope";
        const SCHEMA: &'static ::core::primitive::str = "scope(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `scope`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call3(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::scope::Default_ as rt::Op>::kernels(),
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
/// Overloads of `shape`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod shape {
    use crate::ops::__runtime as rt;
    /// `shape(Tensor self) -> Tensor`
    ///
    /// go_key.yaml:32
    pub enum Default_ {}
    impl rt::Op for Default_ {
        type Kernel = fn(&rt::Tensor) -> rt::Result<rt::Tensor>;
        const NAME: &'static ::core::primitive::str = "shape";
        const SCHEMA: &'static ::core::primitive::str = "shape(Tensor self) -> Tensor";
        fn kernels() -> &'static rt::KernelTable<Self::Kernel> {
            type __Table = rt::KernelTable<<Default_ as rt::Op>::Kernel>;
            static KERNELS: __Table = __Table::new(<Default_ as rt::Op>::NAME);
            &KERNELS
        }
    }
    impl Default_ {
        /// Calls `shape`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        #[inline]
        pub fn call(self_: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::__calls::call3(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
                    __values,
                    <crate::ops::shape::Default_ as rt::Op>::kernels(),
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
/// Overloads of `skipped`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod skipped {
    use crate::ops::__runtime as rt;
    /// `skipped(Tensor self) -> Tensor`
    ///
    /// go_key.yaml:12
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
            crate::ops::__calls::call3(self_, <Default_ as rt::Op>::kernels())
        }
    }
    impl rt::op::Described for Default_ {
        const ROW: rt::op::Operator = {
            use rt::op::*;
            fn call(__values: &mut [Value]) -> rt::Result<Results> {
                crate::ops::__boxed::call3(
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
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
mod __methods {
    use crate::ops::__runtime as rt;
    /// The operators as methods of a tensor, with every default taken.
    pub trait TensorOps {
        /// `mixed(Tensor self, Tensor other) -> Tensor`
        ///
        /// go_key.yaml:2
        ///
        /// # Errors
        ///
        /// Those of `mixed`.
        fn mixed(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor>;
        /// `mixed.dim_IntList(Tensor self, int[1]? dim, *, bool keepdim=False) -> (Tensor values, Tensor indices)`
        ///
        /// go_key.yaml:6
        ///
        /// # Errors
        ///
        /// Those of `mixed.dim_IntList`.
        fn mixed_dim_intlist(
            &self,
            dim: ::core::option::Option<&[::core::primitive::i64]>,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)>;
        /// `pressed(Tensor self) -> Tensor`
        ///
        /// go_key.yaml:15
        ///
        /// # Errors
        ///
        /// Those of `pressed`.
        fn pressed(&self) -> rt::Result<rt::Tensor>;
        /// `pressed.dims(Tensor self, int[] dim) -> Tensor`
        ///
        /// go_key.yaml:18
        ///
        /// # Errors
        ///
        /// Those of `pressed.dims`.
        fn pressed_dims(&self, dim: &[::core::primitive::i64]) -> rt::Result<rt::Tensor>;
        /// `shape(Tensor self) -> Tensor`
        ///
        /// go_key.yaml:32
        ///
        /// # Errors
        ///
        /// Those of `shape`.
        fn shape(&self) -> rt::Result<rt::Tensor>;
    }
    impl TensorOps for rt::Tensor {
        fn mixed(&self, other: &rt::Tensor) -> rt::Result<rt::Tensor> {
            crate::ops::mixed::Default_::call(self, other)
        }
        fn mixed_dim_intlist(
            &self,
            dim: ::core::option::Option<&[::core::primitive::i64]>,
        ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
            crate::ops::mixed::dim_IntList::call(self, dim, false)
        }
        fn pressed(&self) -> rt::Result<rt::Tensor> {
            crate::ops::pressed::Default_::call(self)
        }
        fn pressed_dims(
            &self,
            dim: &[::core::primitive::i64],
        ) -> rt::Result<rt::Tensor> {
            crate::ops::pressed::dims::call(self, dim)
        }
        fn shape(&self) -> rt::Result<rt::Tensor> {
            crate::ops::shape::Default_::call(self)
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
    /// For `mixed` and those like it.
    #[inline(never)]
    pub(super) fn call0(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_tensor(self_).with_tensor(arg1)),
        );
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `mixed.dim_IntList` and those like it.
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
            ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
        >,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `mixed.out` and those like it.
    #[inline(never)]
    pub(super) fn call2(
        self_: &rt::Tensor,
        arg1: &rt::Tensor,
        arg2: &mut rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<()> {
        let __keys = rt::KeySet::EMPTY
            .with_tensor(self_)
            .with_tensor(arg1)
            .with_tensor(arg2);
        rt::ok!(rt::autograd::check_writable(__keys, arg2));
        let __kernel = rt::ok!(__kernels.get(__keys));
        match __kernel(self_, arg1, arg2) {
            ::core::result::Result::Ok(__made) => {
                arg2.bump_version();
                ::core::result::Result::Ok(__made)
            }
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `skipped` and those like it.
    #[inline(never)]
    pub(super) fn call3(
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
    /// For `pressed.dims` and those like it.
    #[inline(never)]
    pub(super) fn call4(
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
    /// For `nn_bent` and those like it.
    #[inline(never)]
    pub(super) fn call5(
        self_: &rt::Tensor,
        arg1: ::core::option::Option<&rt::Tensor>,
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<rt::Tensor> {
        let __kernel = rt::ok!(
            __kernels.get(rt::KeySet::EMPTY.with_tensor(self_).with_optional(arg1)),
        );
        match __kernel(self_, arg1) {
            ::core::result::Result::Ok(__made) => ::core::result::Result::Ok(__made),
            ::core::result::Result::Err(__error) => {
                ::core::result::Result::Err(__error.in_overload(__kernels.name()))
            }
        }
    }
    /// For `ending` and those like it.
    #[inline(never)]
    pub(super) fn call6(
        self_: &rt::Tensor,
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor) -> rt::Result<::core::option::Option<::core::primitive::i64>>,
        >,
    ) -> rt::Result<::core::option::Option<::core::primitive::i64>> {
        let __kernel = rt::ok!(__kernels.get(rt::KeySet::EMPTY.with_tensor(self_)));
        match __kernel(self_) {
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
    /// For `mixed` and those like it.
    pub(super) fn call0(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        returned(crate::ops::__calls::call0(__arg0, __arg1, __kernels))
    }
    /// For `mixed.dim_IntList` and those like it.
    pub(super) fn call1(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&[::core::primitive::i64]>,
                ::core::primitive::bool,
            ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
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
    /// For `mixed.out` and those like it.
    pub(super) fn call2(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1, __value2] = rt::ok!(values::<3>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<rt::Tensor>(__value1));
        let __arg2 = rt::ok!(read::<Mut>(__value2));
        returned(crate::ops::__calls::call2(__arg0, __arg1, __arg2, __kernels))
    }
    /// For `skipped` and those like it.
    pub(super) fn call3(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<fn(&rt::Tensor) -> rt::Result<rt::Tensor>>,
    ) -> rt::Result<Results> {
        let [__value0] = rt::ok!(values::<1>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        returned(crate::ops::__calls::call3(__arg0, __kernels))
    }
    /// For `pressed.dims` and those like it.
    pub(super) fn call4(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor, &[::core::primitive::i64]) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<List<::core::primitive::i64, 1>>(__value1));
        returned(crate::ops::__calls::call4(__arg0, &__arg1, __kernels))
    }
    /// For `nn_bent` and those like it.
    pub(super) fn call5(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(
                &rt::Tensor,
                ::core::option::Option<&rt::Tensor>,
            ) -> rt::Result<rt::Tensor>,
        >,
    ) -> rt::Result<Results> {
        let [__value0, __value1] = rt::ok!(values::<2>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        let __arg1 = rt::ok!(read::<::core::option::Option<rt::Tensor>>(__value1));
        returned(crate::ops::__calls::call5(__arg0, __arg1, __kernels))
    }
    /// For `ending` and those like it.
    pub(super) fn call6(
        __values: &mut [Value],
        __kernels: &rt::KernelTable<
            fn(&rt::Tensor) -> rt::Result<::core::option::Option<::core::primitive::i64>>,
        >,
    ) -> rt::Result<Results> {
        let [__value0] = rt::ok!(values::<1>(__values));
        let __arg0 = rt::ok!(read::<rt::Tensor>(__value0));
        returned(crate::ops::__calls::call6(__arg0, __kernels))
    }
}
/// Every overload of every operator of this crate, by base names.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[__runtime::op::Operator] = {
    static ROWS: [__runtime::op::Operator; 10] = [
        <ending::Default_ as __runtime::op::Described>::ROW,
        <mixed::Default_ as __runtime::op::Described>::ROW,
        <mixed::dim_IntList as __runtime::op::Described>::ROW,
        <mixed::out as __runtime::op::Described>::ROW,
        <nn_bent::Default_ as __runtime::op::Described>::ROW,
        <pressed::Default_ as __runtime::op::Described>::ROW,
        <pressed::dims as __runtime::op::Described>::ROW,
        <scope::Default_ as __runtime::op::Described>::ROW,
        <shape::Default_ as __runtime::op::Described>::ROW,
        <skipped::Default_ as __runtime::op::Described>::ROW,
    ];
    &ROWS
};
/// What graphs of these operators can be replaced by.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static REWRITES: &[__runtime::op::Rewrite] = &[];
