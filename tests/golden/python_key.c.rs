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
    body0(__p0 : * const c::Tensor, __p1 : * mut * mut c::Tensor) ow_hidden : crate
    ::ops::hidden::Default_ = "hidden self"; ow_internal_name : crate
    ::ops::internal_name::Default_ = "internal_name self";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: c::Scalar,
    __p3: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.object(__p1, 2)?;
            let __a2 = __c.value::<rt::Scalar>(__p2, 3)?;
            let __r0 = __call(__a0, __a1, __a2)?;
            let __r0 = c::ready(__p3, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : c::Scalar, __p3 : *
    mut * mut c::Tensor) ow_plus_tensor : crate ::ops::plus::Tensor =
    "plus self other alpha";
}
c::__operators! {
    ow_hidden : crate ::ops::hidden::Default_; ow_internal_name : crate
    ::ops::internal_name::Default_; ow_plus_tensor : crate ::ops::plus::Tensor;
}
