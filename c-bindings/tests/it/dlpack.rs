//! Tensors of other libraries, and ours for them.

use std::ptr;

use opwright_c_bindings::{
    DLManagedTensor, DLManagedTensorVersioned, Error, Status, Tensor, fixed,
};

/// Two numbers.
fn tensor() -> *mut Tensor {
    let (data, sizes, mut result) = ([1.0_f32, 2.0], [2_i64], ptr::null_mut());
    // SAFETY: there are two numbers and one size.
    let status =
        unsafe { fixed::tensor_from_data(data.as_ptr().cast(), sizes.as_ptr(), 1, 8, &mut result) };
    assert!(status.is_null());
    result
}

/// The message of an error, which is freed.
#[track_caller]
fn refused(status: Status) -> String {
    assert!(!status.is_null(), "no error");
    // SAFETY: it is not NULL and not freed yet.
    unsafe {
        let parts = Error::parts(&*status);
        fixed::error_free(status);
        parts.2
    }
}

#[test]
fn memory_goes_out_and_comes_back() {
    let _turn = crate::alone();
    // SAFETY: handles and structures are not used after they are given away.
    unsafe {
        let before = (fixed::live_handles(), fixed::live_bytes());
        let (x, mut out, mut back) = (tensor(), ptr::null_mut(), ptr::null_mut());
        assert!(fixed::tensor_to_dlpack(x, &mut out).is_null());
        let data = fixed::tensor_data(x);
        fixed::tensor_free(x);
        assert!(fixed::tensor_from_dlpack(out, &mut back).is_null());
        assert_eq!(fixed::tensor_data(back), data);
        let mut out: *mut DLManagedTensor = ptr::null_mut();
        assert!(fixed::tensor_to_dlpack_unversioned(back, &mut out).is_null());
        fixed::tensor_free(back);
        assert!(fixed::tensor_from_dlpack_unversioned(out, &mut back).is_null());
        assert_eq!(fixed::tensor_data(back), data);
        fixed::tensor_free(back);
        assert_eq!((fixed::live_handles(), fixed::live_bytes()), before);
    }
}

#[test]
fn what_is_read_only_is_copied() {
    let _turn = crate::alone();
    // SAFETY: handles and structures are not used after they are given away.
    unsafe {
        let (x, mut out, mut back) = (tensor(), ptr::null_mut(), ptr::null_mut());
        assert!(fixed::tensor_to_dlpack(x, &mut out).is_null());
        (*out).flags = 1;
        assert!(fixed::tensor_from_dlpack(out, &mut back).is_null());
        assert!(!bool::from(fixed::tensor_shares_memory(x, back)));
        assert_ne!(fixed::tensor_data(x), fixed::tensor_data(back));
        fixed::tensor_free(x);
        fixed::tensor_free(back);
    }
}

#[test]
fn what_is_refused_stays_with_the_caller() {
    let _turn = crate::alone();
    // SAFETY: handles and structures are not used after they are given away.
    unsafe {
        let (x, mut out, mut back) = (tensor(), ptr::null_mut(), ptr::null_mut());
        assert!(fixed::tensor_to_dlpack(x, &mut out).is_null());
        let break_it: [fn(&mut DLManagedTensorVersioned); 4] = [
            |it| it.version[0] = 9,
            |it| it.view.device[0] = 2,
            |it| it.view.dtype.bits = 7,
            |it| it.view.ndim = -1,
        ];
        for act in break_it {
            let version = (*out).version;
            let view = ((*out).view.device, (*out).view.dtype, (*out).view.ndim);
            act(&mut *out);
            let message = refused(fixed::tensor_from_dlpack(out, &mut back));
            assert!(message.starts_with("tensor_from_dlpack(): "), "{message}");
            (*out).version = version;
            ((*out).view.device, (*out).view.dtype, (*out).view.ndim) = view;
        }
        let message = refused(fixed::tensor_from_dlpack(ptr::null_mut(), &mut back));
        assert!(message.contains("'managed' is NULL"), "{message}");
        let delete = (*out).deleter.expect("ours has one");
        delete(out);
        fixed::tensor_free(x);
    }
}
