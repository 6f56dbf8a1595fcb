unsafe fn body0(
    __call: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let __r0 = __call(__a0)?;
            let __r0 = c::ready(__1, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__0 : * const c::Tensor, __1 : * mut * mut c::Tensor) ow_pick : crate
    ::ops::pick::Default_ = "pick self";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: c::Scalar,
    __2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let __a1 = __c.value::<rt::Scalar>(__1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__0 : * const c::Tensor, __1 : c::Scalar, __2 : * mut * mut c::Tensor)
    ow_pick_scalar : crate ::ops::pick::Scalar = "pick self other";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        ::core::primitive::i64,
        ::core::primitive::bool,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: ::core::primitive::i64,
    __2: c::Bool,
    __3: *mut *mut c::Tensor,
    __4: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let __a1 = __c.value::<::core::primitive::i64>(__1, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__2, 3)?;
            let (__r0, __r1) = __call(__a0, __a1, __a2)?;
            let __r0 = c::ready(__3, __r0)?;
            let __r1 = c::ready(__4, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__0 : * const c::Tensor, __1 : ::core::primitive::i64, __2 : c::Bool, __3 : *
    mut * mut c::Tensor, __4 : * mut * mut c::Tensor) ow_pick_dim : crate
    ::ops::pick::dim = "pick self dim keepdim";
}
unsafe fn body3(
    __call: fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: *const c::Tensor,
    __2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let __a1 = __c.object(__1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__0 : * const c::Tensor, __1 : * const c::Tensor, __2 : * mut * mut c::Tensor)
    ow_pick_other : crate ::ops::pick::other = "pick self other";
}
c::__operators! {
    ow_pick : crate ::ops::pick::Default_; ow_pick_scalar : crate ::ops::pick::Scalar;
    ow_pick_dim : crate ::ops::pick::dim; ow_pick_other : crate ::ops::pick::other;
}
