unsafe fn body0(
    __call: fn(&rt::Tensor, &[::core::primitive::i64]) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::primitive::i64,
    __p2: ::core::primitive::usize,
    __p3: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.list::<::core::primitive::i64, 1>(__p1, __p2, 2)?;
            let __r0 = __call(__a0, &__a1)?;
            let __r0 = c::ready(__p3, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * const ::core::primitive::i64, __p2 :
    ::core::primitive::usize, __p3 : * mut * mut c::Tensor) ow_arranged : crate
    ::ops::arranged::Default_ = "arranged self size";
}
unsafe fn body1(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&[::core::primitive::i64]>,
        ::core::primitive::bool,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::primitive::i64,
    __p2: ::core::primitive::usize,
    __p3: c::Bool,
    __p4: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.optional_list::<::core::primitive::i64, 1>(__p1, __p2, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__p3, 3)?;
            let __r0 = __call(__a0, __a1.as_deref(), __a2)?;
            let __r0 = c::ready(__p4, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const ::core::primitive::i64, __p2 :
    ::core::primitive::usize, __p3 : c::Bool, __p4 : * mut * mut c::Tensor) ow_turned :
    crate ::ops::turned::Default_ = "turned self dims keepdim";
}
c::__operators! {
    ow_arranged : crate ::ops::arranged::Default_; ow_turned : crate
    ::ops::turned::Default_;
}
