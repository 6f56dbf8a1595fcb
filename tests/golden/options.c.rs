unsafe fn body0(
    __call: fn(
        &[::core::primitive::i64],
        rt::Scalar,
        ::core::option::Option<rt::DType>,
        ::core::option::Option<rt::Layout>,
        ::core::option::Option<rt::Device>,
        ::core::option::Option<::core::primitive::bool>,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const ::core::primitive::i64,
    __p1: ::core::primitive::usize,
    __p2: c::Scalar,
    __p3: c::Dtype,
    __p4: c::Layout,
    __p5: c::Device,
    __p6: *const c::Bool,
    __p7: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.list::<::core::primitive::i64, 1>(__p0, __p1, 1)?;
            let __a1 = __c.value::<rt::Scalar>(__p2, 2)?;
            let __a2 = __c.named::<rt::DType>(__p3, 3)?;
            let __a3 = __c.named::<rt::Layout>(__p4, 4)?;
            let __a4 = __c.named::<rt::Device>(__p5, 5)?;
            let __a5 = __c.given::<::core::primitive::bool>(__p6, 6)?;
            let __r0 = __call(&__a0, __a1, __a2, __a3, __a4, __a5)?;
            let __r0 = c::ready(__p7, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const ::core::primitive::i64, __p1 : ::core::primitive::usize, __p2 :
    c::Scalar, __p3 : c::Dtype, __p4 : c::Layout, __p5 : c::Device, __p6 : * const
    c::Bool, __p7 : * mut * mut c::Tensor) ow_constant : crate ::ops::constant::Default_
    = "constant size value dtype layout device pin_memory";
}
unsafe fn body1(
    __call: fn(&[::core::primitive::i64], rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const ::core::primitive::i64,
    __p1: ::core::primitive::usize,
    __p2: c::Scalar,
    __p3: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a2 = __apart.written(__p3, 3)?;
            let __a0 = __c.list::<::core::primitive::i64, 1>(__p0, __p1, 1)?;
            let __a1 = __c.value::<rt::Scalar>(__p2, 2)?;
            __call(&__a0, __a1, __a2)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const ::core::primitive::i64, __p1 : ::core::primitive::usize, __p2 :
    c::Scalar, __p3 : * mut c::Tensor) ow_constant_out : crate ::ops::constant::out =
    "constant size value out";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<rt::DType>,
        ::core::option::Option<rt::Layout>,
        ::core::option::Option<rt::Device>,
        ::core::option::Option<::core::primitive::bool>,
        ::core::option::Option<rt::MemoryFormat>,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: c::Dtype,
    __p2: c::Layout,
    __p3: c::Device,
    __p4: *const c::Bool,
    __p5: c::MemoryFormat,
    __p6: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.named::<rt::DType>(__p1, 2)?;
            let __a2 = __c.named::<rt::Layout>(__p2, 3)?;
            let __a3 = __c.named::<rt::Device>(__p3, 4)?;
            let __a4 = __c.given::<::core::primitive::bool>(__p4, 5)?;
            let __a5 = __c.named::<rt::MemoryFormat>(__p5, 6)?;
            let __r0 = __call(__a0, __a1, __a2, __a3, __a4, __a5)?;
            let __r0 = c::ready(__p6, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * const c::Tensor, __p1 : c::Dtype, __p2 : c::Layout, __p3 : c::Device,
    __p4 : * const c::Bool, __p5 : c::MemoryFormat, __p6 : * mut * mut c::Tensor)
    ow_constant_like : crate ::ops::constant_like::Default_ =
    "constant_like self dtype layout device pin_memory memory_format";
}
unsafe fn body3(
    __call: fn(
        &rt::Tensor,
        &[::core::primitive::i64],
        ::core::option::Option<rt::DType>,
        ::core::option::Option<rt::Layout>,
        ::core::option::Option<rt::Device>,
        ::core::option::Option<::core::primitive::bool>,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::primitive::i64,
    __p2: ::core::primitive::usize,
    __p3: c::Dtype,
    __p4: c::Layout,
    __p5: c::Device,
    __p6: *const c::Bool,
    __p7: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.list::<::core::primitive::i64, 1>(__p1, __p2, 2)?;
            let __a2 = __c.named::<rt::DType>(__p3, 3)?;
            let __a3 = __c.named::<rt::Layout>(__p4, 4)?;
            let __a4 = __c.named::<rt::Device>(__p5, 5)?;
            let __a5 = __c.given::<::core::primitive::bool>(__p6, 6)?;
            let __r0 = __call(__a0, &__a1, __a2, __a3, __a4, __a5)?;
            let __r0 = c::ready(__p7, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__p0 : * const c::Tensor, __p1 : * const ::core::primitive::i64, __p2 :
    ::core::primitive::usize, __p3 : c::Dtype, __p4 : c::Layout, __p5 : c::Device, __p6 :
    * const c::Bool, __p7 : * mut * mut c::Tensor) ow_new_constant : crate
    ::ops::new_constant::Default_ =
    "new_constant self size dtype layout device pin_memory";
}
c::__operators! {
    ow_constant : crate ::ops::constant::Default_; ow_constant_out : crate
    ::ops::constant::out; ow_constant_like : crate ::ops::constant_like::Default_;
    ow_new_constant : crate ::ops::new_constant::Default_;
}
