unsafe fn body0(
    __call: fn(
        &rt::Tensor,
        &::core::primitive::str,
        ::core::primitive::i64,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::ffi::c_char,
    __p2: ::core::primitive::i64,
    __p3: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.text(__p1, 2)?;
            let __a2 = __c.value::<::core::primitive::i64>(__p2, 3)?;
            let __r0 = __call(__a0, __a1, __a2)?;
            let __r0 = c::ready(__p3, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * const ::core::ffi::c_char, __p2 :
    ::core::primitive::i64, __p3 : * mut * mut c::Tensor) ow_bucket_count : crate
    ::ops::bucket::count = "bucket x rule count";
}
unsafe fn body1(
    __call: fn(
        &rt::Tensor,
        &rt::Tensor,
        ::core::primitive::bool,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: c::Bool,
    __p3: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.object(__p1, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__p2, 3)?;
            let __r0 = __call(__a0, __a1, __a2)?;
            let __r0 = c::ready(__p3, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : c::Bool, __p3 : *
    mut * mut c::Tensor) ow_bucket_edges : crate ::ops::bucket::edges =
    "bucket x edges right";
}
unsafe fn body2(
    __call: fn(&rt::Tensor, ::core::primitive::f64) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: ::core::primitive::f64,
    __p2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.value::<::core::primitive::f64>(__p1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__p2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * const c::Tensor, __p1 : ::core::primitive::f64, __p2 : * mut * mut
    c::Tensor) ow_bucket_width : crate ::ops::bucket::width = "bucket x width";
}
unsafe fn body3(
    __call: fn(&rt::Tensor, ::core::primitive::f64, &mut rt::Tensor) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: ::core::primitive::f64,
    __p2: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a2 = __apart.written(__p2, 3)?;
            let __a0 = __apart.tensor(__p0, 1)?;
            let __a1 = __c.value::<::core::primitive::f64>(__p1, 2)?;
            __call(&__a0, __a1, __a2)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__p0 : * const c::Tensor, __p1 : ::core::primitive::f64, __p2 : * mut
    c::Tensor) ow_bucket_width_out : crate ::ops::bucket::width_out =
    "bucket x width out";
}
c::__operators! {
    ow_bucket_count : crate ::ops::bucket::count; ow_bucket_edges : crate
    ::ops::bucket::edges; ow_bucket_width : crate ::ops::bucket::width;
    ow_bucket_width_out : crate ::ops::bucket::width_out;
}
