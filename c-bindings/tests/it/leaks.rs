//! What is handed out is freed, ten thousand times of each kind.

use std::ptr;

use opwright_c_bindings::{IntList, NamedTensorList, Tensor, TensorList, fixed};

use crate::printed;

const TIMES: usize = 10_000;

/// Frees as much as it makes.
#[track_caller]
fn check(act: impl Fn(*mut Tensor)) {
    let _turn = crate::alone();
    let (data, sizes, mut x) = ([1.0_f32, 2.0], [2_i64], ptr::null_mut());
    // SAFETY: there are two numbers and one size; nobody uses the tensor behind its end.
    unsafe {
        let made = fixed::tensor_from_data(data.as_ptr().cast(), sizes.as_ptr(), 1, 8, &mut x);
        assert!(made.is_null());
        let before = (fixed::live_handles(), fixed::live_bytes());
        (0..TIMES).for_each(|_| act(x));
        assert_eq!((fixed::live_handles(), fixed::live_bytes()), before);
        fixed::tensor_free(x);
    }
}

#[test]
fn tensors() {
    check(|x| {
        let mut result = ptr::null_mut();
        // SAFETY: handles are not used after they are freed.
        unsafe {
            assert!(printed::ow_neg(x, &mut result).is_null());
            fixed::tensor_free(result);
            assert!(printed::ow_neg(x, ptr::null_mut()).is_null());
        }
    });
}

#[test]
fn tensors_in_scopes() {
    check(|x| {
        let mut result = ptr::null_mut();
        // SAFETY: handles are not used after they are freed.
        unsafe {
            fixed::scope_begin();
            assert!(printed::ow_neg(x, &mut result).is_null());
            assert_eq!(fixed::scope_end(), 1);
        }
    });
}

#[test]
fn generators_and_storages() {
    check(|x| {
        let (mut generator, mut storage) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: handles are not used after they are freed.
        unsafe {
            assert!(fixed::generator_new(1, &mut generator).is_null());
            fixed::generator_free(generator);
            assert!(fixed::tensor_storage(x, &mut storage).is_null());
            fixed::storage_free(storage);
        }
    });
}

#[test]
fn optimizers() {
    check(|x| {
        let mut optimizer = ptr::null_mut();
        // SAFETY: handles are not used after they are freed.
        unsafe {
            let status = fixed::sgd_new(0.1, 0.9, 0.0, 0.0, false.into(), &mut optimizer);
            assert!(status.is_null());
            assert!(fixed::optimizer_add(optimizer, [x.cast_const()].as_ptr(), 1).is_null());
            fixed::optimizer_free(optimizer);
        }
    });
}

#[test]
fn lists_and_texts() {
    check(|x| {
        let mut list = TensorList::EMPTY;
        let (mut sizes, mut named) = (IntList::EMPTY, NamedTensorList::EMPTY);
        let mut text = ptr::null_mut();
        // SAFETY: lists and texts are not used after they are freed.
        unsafe {
            assert!(printed::ow_split_tensor(x, 1, 0, &mut list).is_null());
            fixed::tensor_list_free(&mut list);
            fixed::tensor_list_free(&mut list);
            fixed::int_list_free(&mut sizes);
            fixed::named_tensor_list_free(&mut named);
            assert!(fixed::tensor_to_string(x, &mut text).is_null());
            fixed::string_free(text);
        }
    });
}

#[test]
fn bytes() {
    check(|x| {
        let (mut bytes, mut len, mut back) = (ptr::null_mut(), 0, ptr::null_mut());
        // SAFETY: bytes and handles are not used after they are freed.
        unsafe {
            assert!(fixed::tensor_to_bytes(x, &mut bytes, &mut len).is_null());
            assert!(fixed::tensor_from_bytes(bytes, len, &mut back).is_null());
            fixed::bytes_free(bytes, len);
            fixed::tensor_free(back);
        }
    });
}

#[test]
fn errors() {
    check(|x| {
        // SAFETY: an error is not used after it is freed.
        unsafe {
            let status = printed::ow_mm(x, x, ptr::null_mut());
            assert!(!status.is_null());
            fixed::error_free(status);
        }
    });
}
