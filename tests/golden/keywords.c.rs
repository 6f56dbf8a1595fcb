unsafe fn body0(
    __call: fn(
        &mut rt::Tensor,
        ::core::primitive::i64,
        ::core::option::Option<::core::primitive::i64>,
        ::core::option::Option<&rt::Generator>,
    ) -> rt::Result<()>,
    __words: &'static str,
    __p0: *mut c::Tensor,
    __p1: ::core::primitive::i64,
    __p2: *const ::core::primitive::i64,
    __p3: *mut c::Generator,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a0 = __apart.written(__p0, 1)?;
            let __a1 = __c.value::<::core::primitive::i64>(__p1, 2)?;
            let __a2 = __c.given::<::core::primitive::i64>(__p2, 3)?;
            let __a3 = __c.optional(__p3, 4)?;
            __call(__a0, __a1, __a2, __a3)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * mut c::Tensor, __p1 : ::core::primitive::i64, __p2 : * const
    ::core::primitive::i64, __p3 : * mut c::Generator) ow_draw_from_ : crate
    ::ops::draw_::from = "draw_ self ref loop generator";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, &rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: *const c::Tensor,
    __p3: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.object(__p1, 2)?;
            let __a2 = __c.object(__p2, 3)?;
            let __r0 = __call(__a0, __a1, __a2)?;
            let __r0 = c::ready(__p3, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : * const c::Tensor,
    __p3 : * mut * mut c::Tensor) ow_match_self : crate ::ops::r#match::self_ =
    "match where self type";
}
c::__operators! {
    ow_draw_from_ : crate ::ops::draw_::from; ow_match_self : crate
    ::ops::r#match::self_;
}
