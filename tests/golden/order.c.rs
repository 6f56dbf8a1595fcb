unsafe fn body0(
    __call: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __r0 = __call(__a0)?;
            let __r0 = c::ready(__p1, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * mut * mut c::Tensor) ow_pick : crate
    ::ops::pick::Default_ = "pick self";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: c::Scalar,
    __p2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.value::<rt::Scalar>(__p1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__p2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : c::Scalar, __p2 : * mut * mut c::Tensor)
    ow_pick_scalar : crate ::ops::pick::Scalar = "pick self other";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        ::core::primitive::i64,
        ::core::primitive::bool,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: ::core::primitive::i64,
    __p2: c::Bool,
    __p3: *mut *mut c::Tensor,
    __p4: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.value::<::core::primitive::i64>(__p1, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__p2, 3)?;
            let (__r0, __r1) = __call(__a0, __a1, __a2)?;
            let __r0 = c::ready(__p3, __r0)?;
            let __r1 = c::ready(__p4, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * const c::Tensor, __p1 : ::core::primitive::i64, __p2 : c::Bool, __p3 :
    * mut * mut c::Tensor, __p4 : * mut * mut c::Tensor) ow_pick_dim : crate
    ::ops::pick::dim = "pick self dim keepdim";
}
unsafe fn body3(
    __call: fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.object(__p1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__p2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : * mut * mut
    c::Tensor) ow_pick_other : crate ::ops::pick::other = "pick self other";
}
c::__operators! {
    ow_pick : crate ::ops::pick::Default_; ow_pick_scalar : crate ::ops::pick::Scalar;
    ow_pick_dim : crate ::ops::pick::dim; ow_pick_other : crate ::ops::pick::other;
}
