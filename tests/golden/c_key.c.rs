unsafe fn body0(
    __call: fn(
        &mut rt::Tensor,
        ::core::option::Option<&rt::Tensor>,
        &[::core::option::Option<&rt::Tensor>],
        &[::core::primitive::bool],
        ::core::option::Option<&[::core::primitive::i64]>,
    ) -> rt::Result<()>,
    __words: &'static str,
    __p0: *mut c::Tensor,
    __p1: *const c::Tensor,
    __p2: *const *const c::Tensor,
    __p3: ::core::primitive::usize,
    __p4: *const c::Bool,
    __p5: ::core::primitive::usize,
    __p6: *const ::core::primitive::i64,
    __p7: ::core::primitive::usize,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a0 = __apart.written(__p0, 1)?;
            let __a1 = __apart.optional(__p1, 2)?;
            let __a2 = __apart.elements(__p2, __p3, 3)?;
            let __a3 = __c.list::<::core::primitive::bool, 3>(__p4, __p5, 4)?;
            let __a4 = __c.optional_list::<::core::primitive::i64, 2>(__p6, __p7, 5)?;
            __call(__a0, __a1.as_deref(), __a2.refs(), &__a3, __a4.as_deref())?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * mut c::Tensor, __p1 : * const c::Tensor, __p2 : * const * const
    c::Tensor, __p3 : ::core::primitive::usize, __p4 : * const c::Bool, __p5 :
    ::core::primitive::usize, __p6 : * const ::core::primitive::i64, __p7 :
    ::core::primitive::usize) ow_internal_hidden_ : crate ::ops::_hidden_::Default_ =
    "_hidden_ self self_weight indices mask size";
}
unsafe fn body1(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<rt::Device>,
        ::core::option::Option<&rt::Generator>,
        ::core::option::Option<::core::primitive::f64>,
    ) -> rt::Result<
        (
            ::std::vec::Vec<rt::Tensor>,
            ::std::vec::Vec<::core::primitive::i64>,
            ::std::string::String,
            ::core::option::Option<rt::Tensor>,
        ),
    >,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: c::Device,
    __p2: *mut c::Generator,
    __p3: *const ::core::primitive::f64,
    __p4: *mut c::TensorList,
    __p5: *mut c::IntList,
    __p6: *mut *mut ::core::ffi::c_char,
    __p7: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.named::<rt::Device>(__p1, 2)?;
            let __a2 = __c.optional(__p2, 3)?;
            let __a3 = __c.given::<::core::primitive::f64>(__p3, 4)?;
            let (__r0, __r1, __r2, __r3) = __call(__a0, __a1, __a2, __a3)?;
            let __r0 = c::ready(__p4, __r0)?;
            let __r1 = c::ready(__p5, __r1)?;
            let __r2 = c::ready(__p6, __r2)?;
            let __r3 = c::ready(__p7, __r3)?;
            __r0.write();
            __r1.write();
            __r2.write();
            __r3.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : c::Device, __p2 : * mut c::Generator, __p3 : *
    const ::core::primitive::f64, __p4 : * mut c::TensorList, __p5 : * mut c::IntList,
    __p6 : * mut * mut ::core::ffi::c_char, __p7 : * mut * mut c::Tensor) ow_parts :
    crate ::ops::parts::Default_ = "parts self device generator p";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        rt::Scalar,
        &[&::core::primitive::str],
    ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: c::Scalar,
    __p2: *const *const ::core::ffi::c_char,
    __p3: ::core::primitive::usize,
    __p4: *mut *mut c::Tensor,
    __p5: *mut ::core::primitive::i64,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.value::<rt::Scalar>(__p1, 2)?;
            let __a2 = __c.texts(__p2, __p3, 3)?;
            let (__r0, __r1) = __call(__a0, __a1, &__a2)?;
            let __r0 = c::ready(__p4, __r0)?;
            let __r1 = c::ready(__p5, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * const c::Tensor, __p1 : c::Scalar, __p2 : * const * const
    ::core::ffi::c_char, __p3 : ::core::primitive::usize, __p4 : * mut * mut c::Tensor,
    __p5 : * mut ::core::primitive::i64) ow_other_tensor : crate ::ops::renamed::Tensor =
    "renamed self default words";
}
c::__operators! {
    ow_internal_hidden_ : crate ::ops::_hidden_::Default_; ow_parts : crate
    ::ops::parts::Default_; ow_other_tensor : crate ::ops::renamed::Tensor;
}
