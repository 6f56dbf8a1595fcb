unsafe fn body0(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&rt::Tensor>,
        &[&rt::Tensor],
        ::core::primitive::i64,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: *const *const c::Tensor,
    __p3: ::core::primitive::usize,
    __p4: ::core::primitive::i64,
    __p5: *mut *mut c::Tensor,
    __p6: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.optional(__p1, 2)?;
            let __a2 = __c.objects(__p2, __p3, 3)?;
            let __a3 = __c.value::<::core::primitive::i64>(__p4, 4)?;
            let (__r0, __r1) = __call(__a0, __a1, __a2, __a3)?;
            let __r0 = c::ready(__p5, __r0)?;
            let __r1 = c::ready(__p6, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : * const * const
    c::Tensor, __p3 : ::core::primitive::usize, __p4 : ::core::primitive::i64, __p5 : *
    mut * mut c::Tensor, __p6 : * mut * mut c::Tensor) ow_spread : crate
    ::ops::spread::Default_ = "spread self mask parts dim";
}
unsafe fn body1(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&rt::Tensor>,
        &[&rt::Tensor],
        ::core::primitive::i64,
        &mut rt::Tensor,
        &mut rt::Tensor,
    ) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: *const *const c::Tensor,
    __p3: ::core::primitive::usize,
    __p4: ::core::primitive::i64,
    __p5: *mut c::Tensor,
    __p6: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a4 = __apart.written(__p5, 5)?;
            let __a5 = __apart.written(__p6, 6)?;
            let __a0 = __apart.tensor(__p0, 1)?;
            let __a1 = __apart.optional(__p1, 2)?;
            let __a2 = __apart.tensors(__p2, __p3, 3)?;
            let __a3 = __c.value::<::core::primitive::i64>(__p4, 4)?;
            __call(&__a0, __a1.as_deref(), __a2.refs(), __a3, __a4, __a5)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : * const * const
    c::Tensor, __p3 : ::core::primitive::usize, __p4 : ::core::primitive::i64, __p5 : *
    mut c::Tensor, __p6 : * mut c::Tensor) ow_spread_out : crate ::ops::spread::out =
    "spread self mask parts dim low high";
}
c::__operators! {
    ow_spread : crate ::ops::spread::Default_; ow_spread_out : crate ::ops::spread::out;
}
