unsafe fn body0(
    __call: fn(&rt::Tensor) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: *mut *mut c::Tensor,
    __2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let (__r0, __r1) = __call(__a0)?;
            let __r0 = c::ready(__1, __r0)?;
            let __r1 = c::ready(__2, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__0 : * const c::Tensor, __1 : * mut * mut c::Tensor, __2 : * mut * mut
    c::Tensor) ow_bounds : crate ::ops::bounds::Default_ = "bounds self";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, &mut rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: *mut c::Tensor,
    __2: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a1 = __apart.written(__1, 2)?;
            let __a2 = __apart.written(__2, 3)?;
            let __a0 = __apart.tensor(__0, 1)?;
            __call(&__a0, __a1, __a2)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__0 : * const c::Tensor, __1 : * mut c::Tensor, __2 : * mut c::Tensor)
    ow_bounds_out : crate ::ops::bounds::out = "bounds self low high";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&[::core::primitive::i64]>,
        ::core::primitive::bool,
        ::core::option::Option<rt::DType>,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: *const ::core::primitive::i64,
    __2: ::core::primitive::usize,
    __3: c::Bool,
    __4: c::Dtype,
    __5: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__0, 1)?;
            let __a1 = __c.optional_list::<::core::primitive::i64, 1>(__1, __2, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__3, 3)?;
            let __a3 = __c.named::<rt::DType>(__4, 4)?;
            let __r0 = __call(__a0, __a1.as_deref(), __a2, __a3)?;
            let __r0 = c::ready(__5, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__0 : * const c::Tensor, __1 : * const ::core::primitive::i64, __2 :
    ::core::primitive::usize, __3 : c::Bool, __4 : c::Dtype, __5 : * mut * mut c::Tensor)
    ow_fold : crate ::ops::fold::Default_ = "fold self dim keepdim dtype";
}
unsafe fn body3(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&[::core::primitive::i64]>,
        ::core::primitive::bool,
        ::core::option::Option<rt::DType>,
        &mut rt::Tensor,
    ) -> rt::Result<()>,
    __words: &'static str,
    __0: *const c::Tensor,
    __1: *const ::core::primitive::i64,
    __2: ::core::primitive::usize,
    __3: c::Bool,
    __4: c::Dtype,
    __5: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a4 = __apart.written(__5, 5)?;
            let __a0 = __apart.tensor(__0, 1)?;
            let __a1 = __c.optional_list::<::core::primitive::i64, 1>(__1, __2, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__3, 3)?;
            let __a3 = __c.named::<rt::DType>(__4, 4)?;
            __call(&__a0, __a1.as_deref(), __a2, __a3, __a4)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__0 : * const c::Tensor, __1 : * const ::core::primitive::i64, __2 :
    ::core::primitive::usize, __3 : c::Bool, __4 : c::Dtype, __5 : * mut c::Tensor)
    ow_fold_out : crate ::ops::fold::out = "fold self dim keepdim dtype out";
}
c::__operators! {
    ow_bounds : crate ::ops::bounds::Default_; ow_bounds_out : crate ::ops::bounds::out;
    ow_fold : crate ::ops::fold::Default_; ow_fold_out : crate ::ops::fold::out;
}
