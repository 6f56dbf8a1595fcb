unsafe fn body0(
    __call: fn(
        &rt::Tensor,
        ::core::primitive::f64,
        ::core::primitive::bool,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: ::core::primitive::f64,
    __p2: c::Bool,
    __p3: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.value::<::core::primitive::f64>(__p1, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__p2, 3)?;
            let __r0 = __call(__a0, __a1, __a2)?;
            let __r0 = c::ready(__p3, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : ::core::primitive::f64, __p2 : c::Bool, __p3 :
    * mut * mut c::Tensor) ow_nn_bend : crate ::ops::nn_bend::Default_ =
    "nn_bend self slope inplace";
}
c::__operators! {
    ow_nn_bend : crate ::ops::nn_bend::Default_;
}
