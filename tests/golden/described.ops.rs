// @generated from native_functions.yaml by opwright-codegen. Do not edit.

#[doc(hidden)]
pub use ::opwright_runtime as __runtime;
/// Overloads of `bucket`.
#[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
pub mod bucket {
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
    impl crate::ops::__runtime::Op for width {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::primitive::f64,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "bucket.width";
        const SCHEMA: &'static ::core::primitive::str = "bucket.width(Tensor x, float width) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <width as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("bucket.width");
            &TABLE
        }
    }
    impl width {
        /// Calls `bucket.width`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            x: &crate::ops::__runtime::Tensor,
            width: ::core::primitive::f64,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <width as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(x))?;
            __kernel(x, width).map_err(|__error| __error.in_op("bucket"))
        }
    }
    /// `bucket.width_out(Tensor x, float width, *, Tensor(a!) out) -> Tensor(a!)`
    ///
    /// described.yaml:12
    pub enum width_out {}
    impl crate::ops::__runtime::Op for width_out {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            ::core::primitive::f64,
            &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()>;
        const NAME: &'static ::core::primitive::str = "bucket.width_out";
        const SCHEMA: &'static ::core::primitive::str = "bucket.width_out(Tensor x, float width, *, Tensor(a!) out) -> Tensor(a!)";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <width_out as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("bucket.width_out");
            &TABLE
        }
    }
    impl width_out {
        /// Calls `bucket.width_out`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            x: &crate::ops::__runtime::Tensor,
            width: ::core::primitive::f64,
            out: &mut crate::ops::__runtime::Tensor,
        ) -> crate::ops::__runtime::Result<()> {
            let __kernel = <width_out as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY.with_tensor(x).with_tensor(out),
                )?;
            __kernel(x, width, out).map_err(|__error| __error.in_op("bucket"))
        }
    }
    /// `bucket.edges(Tensor x, Tensor edges, *, bool right=False) -> Tensor`
    ///
    /// The bucket of each element between edges that are given.
    ///
    /// described.yaml:15
    pub enum edges {}
    impl crate::ops::__runtime::Op for edges {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &crate::ops::__runtime::Tensor,
            ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "bucket.edges";
        const SCHEMA: &'static ::core::primitive::str = "bucket.edges(Tensor x, Tensor edges, *, bool right=False) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <edges as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("bucket.edges");
            &TABLE
        }
    }
    impl edges {
        /// Calls `bucket.edges`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            x: &crate::ops::__runtime::Tensor,
            edges: &crate::ops::__runtime::Tensor,
            right: ::core::primitive::bool,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <edges as crate::ops::__runtime::Op>::kernels()
                .get(
                    crate::ops::__runtime::KeySet::EMPTY
                        .with_tensor(x)
                        .with_tensor(edges),
                )?;
            __kernel(x, edges, right).map_err(|__error| __error.in_op("bucket"))
        }
    }
    /// `bucket.count(Tensor x, str rule, int count) -> Tensor`
    ///
    /// described.yaml:19
    pub enum count {}
    impl crate::ops::__runtime::Op for count {
        type Kernel = fn(
            &crate::ops::__runtime::Tensor,
            &::core::primitive::str,
            ::core::primitive::i64,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor>;
        const NAME: &'static ::core::primitive::str = "bucket.count";
        const SCHEMA: &'static ::core::primitive::str = "bucket.count(Tensor x, str rule, int count) -> Tensor";
        fn kernels() -> &'static crate::ops::__runtime::KernelTable<Self::Kernel> {
            type __Table = crate::ops::__runtime::KernelTable<
                <count as crate::ops::__runtime::Op>::Kernel,
            >;
            static TABLE: __Table = __Table::new("bucket.count");
            &TABLE
        }
    }
    impl count {
        /// Calls `bucket.count`.
        ///
        /// # Errors
        ///
        /// What its kernel reports, or that there is none for these arguments.
        pub fn call(
            x: &crate::ops::__runtime::Tensor,
            rule: &::core::primitive::str,
            count: ::core::primitive::i64,
        ) -> crate::ops::__runtime::Result<crate::ops::__runtime::Tensor> {
            let __kernel = <count as crate::ops::__runtime::Op>::kernels()
                .get(crate::ops::__runtime::KeySet::EMPTY.with_tensor(x))?;
            __kernel(x, rule, count).map_err(|__error| __error.in_op("bucket"))
        }
    }
}
