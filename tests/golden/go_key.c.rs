unsafe fn body0(
    __call: fn(
        &rt::Tensor,
    ) -> rt::Result<::core::option::Option<::core::primitive::i64>>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *mut ::core::primitive::i64,
    __p2: *mut c::Bool,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __r0 = __call(__a0)?;
            let __r0 = c::ready((__p1, __p2), __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body0(__p0 : * const c::Tensor, __p1 : * mut ::core::primitive::i64, __p2 : * mut
    c::Bool) ow_ending : crate ::ops::ending::Default_ = "ending self";
}
unsafe fn body1(
    __call: fn(&rt::Tensor, &rt::Tensor) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.object(__p1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__p2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body1(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : * mut * mut
    c::Tensor) ow_mixed : crate ::ops::mixed::Default_ = "mixed self other";
}
unsafe fn body2(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&[::core::primitive::i64]>,
        ::core::primitive::bool,
    ) -> rt::Result<(rt::Tensor, rt::Tensor)>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const ::core::primitive::i64,
    __p2: ::core::primitive::usize,
    __p3: c::Bool,
    __p4: *mut *mut c::Tensor,
    __p5: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.optional_list::<::core::primitive::i64, 1>(__p1, __p2, 2)?;
            let __a2 = __c.value::<::core::primitive::bool>(__p3, 3)?;
            let (__r0, __r1) = __call(__a0, __a1.as_deref(), __a2)?;
            let __r0 = c::ready(__p4, __r0)?;
            let __r1 = c::ready(__p5, __r1)?;
            __r0.write();
            __r1.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body2(__p0 : * const c::Tensor, __p1 : * const ::core::primitive::i64, __p2 :
    ::core::primitive::usize, __p3 : c::Bool, __p4 : * mut * mut c::Tensor, __p5 : * mut
    * mut c::Tensor) ow_mixed_dim_intlist : crate ::ops::mixed::dim_IntList =
    "mixed self dim keepdim";
}
unsafe fn body3(
    __call: fn(&rt::Tensor, &rt::Tensor, &mut rt::Tensor) -> rt::Result<()>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let mut __apart = __c.apart();
            let __a2 = __apart.written(__p2, 3)?;
            let __a0 = __apart.tensor(__p0, 1)?;
            let __a1 = __apart.tensor(__p1, 2)?;
            __call(&__a0, &__a1, __a2)?;
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body3(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : * mut c::Tensor)
    ow_mixed_out : crate ::ops::mixed::out = "mixed self other out";
}
unsafe fn body4(
    __call: fn(&rt::Tensor) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __r0 = __call(__a0)?;
            let __r0 = c::ready(__p1, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body4(__p0 : * const c::Tensor, __p1 : * mut * mut c::Tensor) ow_pressed : crate
    ::ops::pressed::Default_ = "pressed self"; ow_scope : crate ::ops::scope::Default_ =
    "scope self"; ow_shape : crate ::ops::shape::Default_ = "shape self"; ow_skipped :
    crate ::ops::skipped::Default_ = "skipped self";
}
unsafe fn body5(
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
    body5(__p0 : * const c::Tensor, __p1 : * const ::core::primitive::i64, __p2 :
    ::core::primitive::usize, __p3 : * mut * mut c::Tensor) ow_pressed_dims : crate
    ::ops::pressed::dims = "pressed self dim";
}
unsafe fn body6(
    __call: fn(
        &rt::Tensor,
        ::core::option::Option<&rt::Tensor>,
    ) -> rt::Result<rt::Tensor>,
    __words: &'static str,
    __p0: *const c::Tensor,
    __p1: *const c::Tensor,
    __p2: *mut *mut c::Tensor,
) -> c::Status {
    c::run(
        __words,
        &mut |__c| unsafe {
            let __a0 = __c.object(__p0, 1)?;
            let __a1 = __c.optional(__p1, 2)?;
            let __r0 = __call(__a0, __a1)?;
            let __r0 = c::ready(__p2, __r0)?;
            __r0.write();
            ::core::result::Result::Ok(())
        },
    )
}
c::__entries! {
    body6(__p0 : * const c::Tensor, __p1 : * const c::Tensor, __p2 : * mut * mut
    c::Tensor) ow_nn_bent : crate ::ops::nn_bent::Default_ = "nn_bent self weight";
}
c::__operators! {
    ow_ending : crate ::ops::ending::Default_; ow_mixed : crate ::ops::mixed::Default_;
    ow_mixed_dim_intlist : crate ::ops::mixed::dim_IntList; ow_mixed_out : crate
    ::ops::mixed::out; ow_pressed : crate ::ops::pressed::Default_; ow_pressed_dims :
    crate ::ops::pressed::dims; ow_scope : crate ::ops::scope::Default_; ow_shape : crate
    ::ops::shape::Default_; ow_skipped : crate ::ops::skipped::Default_; ow_nn_bent :
    crate ::ops::nn_bent::Default_;
}
