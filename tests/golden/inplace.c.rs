unsafe fn body0(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<rt::Scalar>,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Scalar,
    __p2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.given::<rt::Scalar>(__p1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__p2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * const c::Scalar, __p2 : * mut * mut
    c::Tensor) ow_clip : crate ::ops::clip::Default_ = "clip self min";
}
unsafe fn body1(
    __call: fn(&mut rt::Tensor, ::core::option::Option<rt::Scalar>) -> rt::Result<()>,
    __words: &'static str,
    __p0: *mut c::Tensor,
    __p1: *const c::Scalar,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a0 = __apart.written(__p0, 1)?;
            let __a1 = __c.given::<rt::Scalar>(__p1, 2)?;
            __call(__a0, __a1)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * mut c::Tensor, __p1 : * const c::Scalar) ow_clip_ : crate
    ::ops::clip_::Default_ = "clip_ self min";
}
unsafe fn body2(
    __call: fn(&rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a1 = __apart.written(__p1, 2)?;
            let __a0 = __apart.tensor(__p0, 1)?;
            __call(&__a0, __a1)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * const c::Tensor, __p1 : * mut c::Tensor) ow_consume : crate
    ::ops::consume::Default_ = "consume self other";
}
unsafe fn body3(
    __call: fn(&mut [&mut rt::Tensor], rt::Scalar) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const *mut c::Tensor,
    __p1: ::core::primitive::usize,
    __p2: c::Scalar,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let mut __a0 = __apart.all_written(__p0, __p1, 1)?;
            let __a1 = __c.value::<rt::Scalar>(__p2, 2)?;
            __call(&mut __a0, __a1)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__p0 : * const * mut c::Tensor, __p1 : ::core::primitive::usize, __p2 :
    c::Scalar) ow_scale_all_ : crate ::ops::scale_all_::Default_ =
    "scale_all_ self factor";
}
c::__operators! {
    ow_clip : crate ::ops::clip::Default_; ow_clip_ : crate ::ops::clip_::Default_;
    ow_consume : crate ::ops::consume::Default_; ow_scale_all_ : crate
    ::ops::scale_all_::Default_;
}
