unsafe fn body0(
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
    body0(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : c::Scalar, __p3 : *
    mut * mut c::Tensor) ow_blend_tensor : crate ::ops::blend::Tensor =
    "blend self other weight";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, &rt::Tensor, rt::Scalar, &mut rt::Tensor) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: c::Scalar,
    __p3: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a3 = __apart.written(__p3, 4)?;
            let __a0 = __apart.tensor(__p0, 1)?;
            let __a1 = __apart.tensor(__p1, 2)?;
            let __a2 = __c.value::<rt::Scalar>(__p2, 3)?;
            __call(&__a0, &__a1, __a2, __a3)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : c::Scalar, __p3 : *
    mut c::Tensor) ow_blend_out : crate ::ops::blend::out =
    "blend self other weight out";
}
unsafe fn body2(
    __call: fn(&mut rt::Tensor, &rt::Tensor, rt::Scalar) -> rt::Result<()>,
    __words: &'static str,
    __p0: *mut c::Tensor,
    __p1: *const c::Tensor,
    __p2: c::Scalar,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a0 = __apart.written(__p0, 1)?;
            let __a1 = __apart.tensor(__p1, 2)?;
            let __a2 = __c.value::<rt::Scalar>(__p2, 3)?;
            __call(__a0, &__a1, __a2)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * mut c::Tensor, __p1 : * const c::Tensor, __p2 : c::Scalar)
    ow_blend_tensor_ : crate ::ops::blend_::Tensor = "blend_ self other weight";
}
c::__operators! {
    ow_blend_tensor : crate ::ops::blend::Tensor; ow_blend_out : crate ::ops::blend::out;
    ow_blend_tensor_ : crate ::ops::blend_::Tensor;
}
