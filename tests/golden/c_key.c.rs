unsafe fn body0(
    __call: fn(
        &mut rt::Tensor,
        ::core::option::Option<&rt::Tensor>,
        &[::core::option::Option<&rt::Tensor>],
        &[::core::primitive::bool],
        ::core::option::Option<&[::core::primitive::i64]>,
    ) -> rt::Result<()>,
    __words: &'static str,
    __0: *mut c::Tensor,
    __1: *const c::Tensor,
    __2: *const *const c::Tensor,
    __3: ::core::primitive::usize,
    __4: *const c::Bool,
    __5: ::core::primitive::usize,
    __6: *const ::core::primitive::i64,
    __7: ::core::primitive::usize,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a0 = __apart.written(__0, 1)?;
            let __a1 = __apart.optional(__1, 2)?;
            let __a2 = __apart.elements(__2, __3, 3)?;
            let __a3 = __c.list::<::core::primitive::bool, 3>(__4, __5, 4)?;
            let __a4 = __c.optional_list::<::core::primitive::i64, 2>(__6, __7, 5)?;
            __call(__a0, __a1.as_deref(), __a2.refs(), &__a3, __a4.as_deref())?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__0 : * mut c::Tensor, __1 : * const c::Tensor, __2 : * const * const
    c::Tensor, __3 : ::core::primitive::usize, __4 : * const c::Bool, __5 :
    ::core::primitive::usize, __6 : * const ::core::primitive::i64, __7 :
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
    __0: *const c::Tensor,
    __1: c::Device,
    __2: *mut c::Generator,
    __3: *const ::core::primitive::f64,
    __4: *mut c::TensorList,
    __5: *mut c::IntList,
    __6: *mut *mut ::core::ffi::c_char,
    __7: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let __a1 = __c.named::<rt::Device>(__1, 2)?;
            let __a2 = __c.optional(__2, 3)?;
            let __a3 = __c.given::<::core::primitive::f64>(__3, 4)?;
            let (__r0, __r1, __r2, __r3) = __call(__a0, __a1, __a2, __a3)?;
            let __r0 = c::ready(__4, __r0)?;
            let __r1 = c::ready(__5, __r1)?;
            let __r2 = c::ready(__6, __r2)?;
            let __r3 = c::ready(__7, __r3)?;
            __r0.write();
            __r1.write();
            __r2.write();
            __r3.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__0 : * const c::Tensor, __1 : c::Device, __2 : * mut c::Generator, __3 : *
    const ::core::primitive::f64, __4 : * mut c::TensorList, __5 : * mut c::IntList, __6
    : * mut * mut ::core::ffi::c_char, __7 : * mut * mut c::Tensor) ow_parts : crate
    ::ops::parts::Default_ = "parts self device generator p";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        rt::Scalar,
        &[&::core::primitive::str],
    ) -> rt::Result<(rt::Tensor, ::core::primitive::i64)>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: c::Scalar,
    __2: *const *const ::core::ffi::c_char,
    __3: ::core::primitive::usize,
    __4: *mut *mut c::Tensor,
    __5: *mut ::core::primitive::i64,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let __a1 = __c.value::<rt::Scalar>(__1, 2)?;
            let __a2 = __c.texts(__2, __3, 3)?;
            let (__r0, __r1) = __call(__a0, __a1, &__a2)?;
            let __r0 = c::ready(__4, __r0)?;
            let __r1 = c::ready(__5, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__0 : * const c::Tensor, __1 : c::Scalar, __2 : * const * const
    ::core::ffi::c_char, __3 : ::core::primitive::usize, __4 : * mut * mut c::Tensor, __5
    : * mut ::core::primitive::i64) ow_other_tensor : crate ::ops::renamed::Tensor =
    "renamed self default words";
}
c::__operators! {
    ow_internal_hidden_ : crate ::ops::_hidden_::Default_; ow_parts : crate
    ::ops::parts::Default_; ow_other_tensor : crate ::ops::renamed::Tensor;
}
