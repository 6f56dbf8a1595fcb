unsafe fn body0(
    __call: fn(&rt::Tensor) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *mut *mut c::Tensor,
    __p2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let (__r0, __r1) = __call(__a0)?;
            let __r0 = c::ready(__p1, __r0)?;
            let __r1 = c::ready(__p2, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * mut * mut c::Tensor, __p2 : * mut * mut
    c::Tensor) ow_bounds : crate ::ops::bounds::Default_ = "bounds self";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, &mut rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *mut c::Tensor,
    __p2: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a1 = __apart.written(__p1, 2)?;
            let __a2 = __apart.written(__p2, 3)?;
            let __a0 = __apart.tensor(__p0, 1)?;
            __call(&__a0, __a1, __a2)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * mut c::Tensor, __p2 : * mut c::Tensor)
    ow_bounds_out : crate ::ops::bounds::out = "bounds self low high";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&[::core::primitive::i64]>,
        ::core::primitive::bool,
        ::core::option::Option<rt::DType>,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::primitive::i64,
    __p2: ::core::primitive::usize,
    __p3: c::Bool,
    __p4: c::Dtype,
    __p5: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.optional_list::<::core::primitive::i64, 1>(__p1, __p2, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__p3, 3)?;
            let __a3 = __c.named::<rt::DType>(__p4, 4)?;
            let __r0 = __call(__a0, __a1.as_deref(), __a2, __a3)?;
            let __r0 = c::ready(__p5, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * const c::Tensor, __p1 : * const ::core::primitive::i64, __p2 :
    ::core::primitive::usize, __p3 : c::Bool, __p4 : c::Dtype, __p5 : * mut * mut
    c::Tensor) ow_fold : crate ::ops::fold::Default_ = "fold self dim keepdim dtype";
}
unsafe fn body3(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&[::core::primitive::i64]>,
        ::core::primitive::bool,
        ::core::option::Option<rt::DType>,
        &mut rt::Tensor,
    ) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::primitive::i64,
    __p2: ::core::primitive::usize,
    __p3: c::Bool,
    __p4: c::Dtype,
    __p5: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a4 = __apart.written(__p5, 5)?;
            let __a0 = __apart.tensor(__p0, 1)?;
            let __a1 = __c.optional_list::<::core::primitive::i64, 1>(__p1, __p2, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__p3, 3)?;
            let __a3 = __c.named::<rt::DType>(__p4, 4)?;
            __call(&__a0, __a1.as_deref(), __a2, __a3, __a4)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__p0 : * const c::Tensor, __p1 : * const ::core::primitive::i64, __p2 :
    ::core::primitive::usize, __p3 : c::Bool, __p4 : c::Dtype, __p5 : * mut c::Tensor)
    ow_fold_out : crate ::ops::fold::out = "fold self dim keepdim dtype out";
}
c::__operators! {
    ow_bounds : crate ::ops::bounds::Default_; ow_bounds_out : crate ::ops::bounds::out;
    ow_fold : crate ::ops::fold::Default_; ow_fold_out : crate ::ops::fold::out;
}
