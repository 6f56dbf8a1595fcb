unsafe fn body0(
    __call: fn(
        &rt::Tensor,
        &[rt::QrMode],
        ::core::option::Option<rt::RoundingMode>,
        rt::PaddingMode,
        ::core::option::Option<rt::SearchSide>,
        rt::Reduction,
    ) -> rt::Result<(rt::Tensor, rt::PaddingMode)>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const *const ::core::ffi::c_char,
    __p2: ::core::primitive::usize,
    __p3: *const ::core::ffi::c_char,
    __p4: *const ::core::ffi::c_char,
    __p5: *const ::core::ffi::c_char,
    __p6: ::core::primitive::i64,
    __p7: *mut *mut c::Tensor,
    __p8: *mut *mut ::core::ffi::c_char,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.variants(__p1, __p2, 2)?;
            let __a2 = __c.optional_variant(__p3, 3)?;
            let __a3 = __c.variant(__p4, 4)?;
            let __a4 = __c.optional_variant(__p5, 5)?;
            let __a5 = __c.value::<rt::Reduction>(__p6, 6)?;
            let (__r0, __r1) = __call(__a0, &__a1, __a2, __a3, __a4, __a5)?;
            let __r0 = c::ready(__p7, __r0)?;
            let __r1 = c::ready(__p8, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * const * const ::core::ffi::c_char, __p2 :
    ::core::primitive::usize, __p3 : * const ::core::ffi::c_char, __p4 : * const
    ::core::ffi::c_char, __p5 : * const ::core::ffi::c_char, __p6 :
    ::core::primitive::i64, __p7 : * mut * mut c::Tensor, __p8 : * mut * mut
    ::core::ffi::c_char) ow_rounded : crate ::ops::rounded::Default_ =
    "rounded self modes rounding_mode mode side reduction";
}
c::__operators! {
    ow_rounded : crate ::ops::rounded::Default_;
}
