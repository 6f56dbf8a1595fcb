unsafe fn body0(
    __call: fn(
        &[&rt::Tensor],
        &[::core::option::Option<&rt::Tensor>],
        &[::core::primitive::i64],
        ::core::option::Option<&[::core::primitive::i64]>,
        ::core::option::Option<&[::core::primitive::f64]>,
    ) -> rt::Result<::std::vec::Vec<rt::Tensor>>,
    __words: &'static str,
    __p0: *const *const c::Tensor,
    __p1: ::core::primitive::usize,
    __p2: *const *const c::Tensor,
    __p3: ::core::primitive::usize,
    __p4: *const ::core::primitive::i64,
    __p5: ::core::primitive::usize,
    __p6: *const ::core::primitive::i64,
    __p7: ::core::primitive::usize,
    __p8: *const ::core::primitive::f64,
    __p9: ::core::primitive::usize,
    __p10: *mut c::TensorList,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.objects(__p0, __p1, 1)?;
            let __a1 = __c.elements(__p2, __p3, 2)?;
            let __a2 = __c.list::<::core::primitive::i64, 2>(__p4, __p5, 3)?;
            let __a3 = __c.optional_list::<::core::primitive::i64, 1>(__p6, __p7, 4)?;
            let __a4 = __c.optional_list::<::core::primitive::f64, 1>(__p8, __p9, 5)?;
            let __r0 = __call(__a0, __a1, &__a2, __a3.as_deref(), __a4.as_deref())?;
            let __r0 = c::ready(__p10, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const * const c::Tensor, __p1 : ::core::primitive::usize, __p2 : *
    const * const c::Tensor, __p3 : ::core::primitive::usize, __p4 : * const
    ::core::primitive::i64, __p5 : ::core::primitive::usize, __p6 : * const
    ::core::primitive::i64, __p7 : ::core::primitive::usize, __p8 : * const
    ::core::primitive::f64, __p9 : ::core::primitive::usize, __p10 : * mut c::TensorList)
    ow_gathered : crate ::ops::gathered::Default_ =
    "gathered tensors masks padding order weights";
}
unsafe fn body1(
    __call: fn(
        &rt::Tensor,
        &::core::primitive::str,
        ::core::option::Option<&::core::primitive::str>,
        ::core::primitive::f64,
        ::core::primitive::i64,
        &[::core::primitive::i64],
        ::core::option::Option<rt::Scalar>,
        rt::MemoryFormat,
    ) -> rt::Result<
        (
            ::core::primitive::i64,
            ::core::primitive::f64,
            ::core::primitive::bool,
            ::std::string::String,
        ),
    >,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::ffi::c_char,
    __p2: *const ::core::ffi::c_char,
    __p3: ::core::primitive::f64,
    __p4: ::core::primitive::i64,
    __p5: *const ::core::primitive::i64,
    __p6: ::core::primitive::usize,
    __p7: *const c::Scalar,
    __p8: c::MemoryFormat,
    __p9: *mut ::core::primitive::i64,
    __p10: *mut ::core::primitive::f64,
    __p11: *mut c::Bool,
    __p12: *mut *mut ::core::ffi::c_char,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.text(__p1, 2)?;
            let __a2 = __c.optional_text(__p2, 3)?;
            let __a3 = __c.value::<::core::primitive::f64>(__p3, 4)?;
            let __a4 = __c.value::<::core::primitive::i64>(__p4, 5)?;
            let __a5 = __c.list::<::core::primitive::i64, 2>(__p5, __p6, 6)?;
            let __a6 = __c.given::<rt::Scalar>(__p7, 7)?;
            let __a7 = __c.value::<rt::MemoryFormat>(__p8, 8)?;
            let (__r0, __r1, __r2, __r3) = __call(
                __a0,
                __a1,
                __a2,
                __a3,
                __a4,
                &__a5,
                __a6,
                __a7,
            )?;
            let __r0 = c::ready(__p9, __r0)?;
            let __r1 = c::ready(__p10, __r1)?;
            let __r2 = c::ready(__p11, __r2)?;
            let __r3 = c::ready(__p12, __r3)?;
            __r0.write();
            __r1.write();
            __r2.write();
            __r3.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const ::core::ffi::c_char, __p2 : * const
    ::core::ffi::c_char, __p3 : ::core::primitive::f64, __p4 : ::core::primitive::i64,
    __p5 : * const ::core::primitive::i64, __p6 : ::core::primitive::usize, __p7 : *
    const c::Scalar, __p8 : c::MemoryFormat, __p9 : * mut ::core::primitive::i64, __p10 :
    * mut ::core::primitive::f64, __p11 : * mut c::Bool, __p12 : * mut * mut
    ::core::ffi::c_char) ow_settings : crate ::ops::settings::Default_ =
    "settings self mode other eps reduction dims limit memory_format";
}
c::__operators! {
    ow_gathered : crate ::ops::gathered::Default_; ow_settings : crate
    ::ops::settings::Default_;
}
