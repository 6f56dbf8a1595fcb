//! What is refused before an operator sees it.

use std::ffi::{CStr, c_void};
use std::ptr;

use opwright_c_bindings::{Error, Status, Tensor, fixed};

use crate::printed;

/// The kind, the operator and the message of an error, which is freed.
#[track_caller]
fn refused(status: Status) -> (i32, String, String) {
    assert!(!status.is_null(), "no error");
    // SAFETY: it is not NULL and not freed yet.
    unsafe {
        let parts = (*status).parts();
        fixed::error_free(status);
        parts
    }
}

/// A tensor of numbers.
fn tensor(sizes: &[i64]) -> *mut Tensor {
    let count: i64 = sizes.iter().product();
    let numbers = vec![1.0_f32; count as usize];
    let mut result = ptr::null_mut();
    // SAFETY: there are as many numbers as the sizes say.
    let status = unsafe {
        let data = numbers.as_ptr().cast::<c_void>();
        fixed::tensor_from_data(data, sizes.as_ptr(), sizes.len(), 8, &mut result)
    };
    assert!(status.is_null());
    result
}

const TYPE: i32 = 1;
const VALUE: i32 = 2;

#[test]
fn null_is_no_tensor() {
    let _turn = crate::beside_others();
    let x = tensor(&[2, 2]);
    let mut result = ptr::null_mut();
    // SAFETY: handles are not freed, or NULL.
    let (kind, op, message) = refused(unsafe { printed::ow_mm(x, ptr::null(), &mut result) });
    assert_eq!((kind, &*op), (TYPE, "mm"));
    assert_eq!(message, "mm(): argument 'mat2' is NULL, expected a Tensor");
    assert!(result.is_null());
    // SAFETY: nobody uses it any more.
    unsafe { fixed::tensor_free(x) };
}

#[test]
fn constants_are_looked_at() {
    let _turn = crate::beside_others();
    let (sizes, mut result) = ([2_i64], ptr::null_mut());
    // SAFETY: the sizes can be read.
    let (kind, op, message) = refused(unsafe {
        printed::ow_zeros(sizes.as_ptr(), 1, 99, -1, -1, ptr::null(), &mut result)
    });
    assert_eq!((kind, &*op), (VALUE, "zeros"));
    assert_eq!(message, "zeros(): argument 'dtype' is 99, which is no dtype");
}

#[test]
fn a_list_of_null_is_none() {
    let _turn = crate::beside_others();
    let mut result = ptr::null_mut();
    // SAFETY: nothing is read from NULL.
    let (kind, _, message) = refused(unsafe { printed::ow_stack(ptr::null(), 2, 0, &mut result) });
    assert_eq!((kind, &*message), (TYPE, "stack(): argument 'tensors' is NULL, expected a list"));
    let x = tensor(&[2]);
    let given = [x.cast_const(), ptr::null()];
    // SAFETY: there are two handles, one of them NULL.
    let (kind, _, message) =
        refused(unsafe { printed::ow_stack(given.as_ptr(), 2, 0, &mut result) });
    let expected =
        "stack(): element 1 of argument 'tensors' is NULL or was freed, expected a Tensor";
    assert_eq!((kind, &*message), (TYPE, expected));
    // SAFETY: nobody uses it any more.
    unsafe { fixed::tensor_free(x) };
}

#[test]
fn operators_refuse_in_their_own_words() {
    let _turn = crate::beside_others();
    let (x, mut result) = (tensor(&[2, 3]), ptr::null_mut());
    // SAFETY: handles are not freed.
    let (kind, op, message) = refused(unsafe { printed::ow_mm(x, x, &mut result) });
    assert_eq!((kind, &*op), (4, "mm"));
    assert!(message.starts_with("mm(): "), "{message}");
    // SAFETY: nobody uses it any more.
    unsafe { fixed::tensor_free(x) };
}

#[test]
#[cfg(debug_assertions)]
fn a_freed_handle_is_refused() {
    let _turn = crate::beside_others();
    let (x, mut result) = (tensor(&[2, 2]), ptr::null_mut());
    // SAFETY: whether a handle is freed is looked up first.
    let (kind, _, message) = refused(unsafe {
        fixed::tensor_free(x);
        // Twice is once.
        fixed::tensor_free(x);
        printed::ow_mm(x, x, &mut result)
    });
    assert_eq!((kind, &*message), (TYPE, "mm(): argument 'self' was freed"));
}

#[test]
fn one_handle_may_be_read_and_written() {
    let _turn = crate::beside_others();
    let x = tensor(&[2]);
    // SAFETY: handles are not freed, and the scalar is one of the library's.
    unsafe {
        let mut one = std::mem::zeroed();
        let mut three = ptr::null_mut();
        let item = |tensor, to| assert!(fixed::tensor_item(tensor, to).is_null());
        let small = tensor(&[]);
        item(small, &mut one);
        assert!(printed::ow_add_tensor_(x, x, one).is_null());
        assert!(printed::ow_add_out(x, x, one, x).is_null());
        assert!(printed::ow_select_int(x, 0, 1, &mut three).is_null());
        let mut found = [0.0_f32];
        assert!(fixed::tensor_copy_to(three, found.as_mut_ptr().cast(), 4).is_null());
        assert_eq!(found, [4.0]);
        [x, small, three].into_iter().for_each(|it| fixed::tensor_free(it));
    }
}

#[test]
fn a_handle_cannot_be_written_to_twice() {
    let _turn = crate::beside_others();
    let x = tensor(&[2]);
    // SAFETY: handles are not freed.
    let (kind, _, message) =
        refused(unsafe { printed::ow_topk_values(x, 1, -1, true.into(), true.into(), x, x) });
    assert_eq!(kind, VALUE);
    assert!(message.contains("'indices' is written to"), "{message}");
    // SAFETY: nobody uses it any more.
    unsafe { fixed::tensor_free(x) };
}

#[test]
fn memory_of_others_is_given_back() {
    let _turn = crate::beside_others();
    unsafe extern "C" fn count(context: *mut c_void) {
        // SAFETY: it is the number below.
        unsafe { *context.cast::<i32>() += 1 };
    }
    let (mut numbers, mut called, sizes) = ([1.0_f64, 2.0], 0_i32, [2_i64]);
    let mut result = ptr::null_mut();
    let context = (&raw mut called).cast();
    let data = numbers.as_mut_ptr().cast();
    // SAFETY: the numbers live longer than the tensor.
    unsafe {
        let wrong = fixed::tensor_from_blob(
            data,
            sizes.as_ptr(),
            1,
            ptr::null(),
            99,
            Some(count),
            context,
            &mut result,
        );
        assert_eq!(refused(wrong).0, VALUE);
        assert_eq!(called, 0);
        let status = fixed::tensor_from_blob(
            data,
            sizes.as_ptr(),
            1,
            ptr::null(),
            9,
            Some(count),
            context,
            &mut result,
        );
        assert!(status.is_null());
        assert_eq!(fixed::tensor_data(result), data);
        fixed::tensor_free(result);
    }
    assert_eq!(called, 1);
}

#[test]
fn errors_have_names() {
    let _turn = crate::beside_others();
    // SAFETY: names are never freed.
    let name = |kind| unsafe { CStr::from_ptr(fixed::error_kind_name(kind)) };
    assert_eq!((name(4), name(9), name(99)), (c"RuntimeError", c"Panic", c"?"));
    // SAFETY: NULL is fine.
    unsafe { fixed::error_free(ptr::null_mut::<Error>()) };
}

/// Names in files may contain what texts of C end at: such a file is refused, and no name is cut.
#[test]
fn names_are_not_cut() {
    let _turn = crate::beside_others();
    let header = br#"{"a\u0000b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.push(7);
    let folder = std::env::temp_dir().join(format!("opwright-nul-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("cut.safetensors");
    std::fs::write(&path, bytes).expect("a file");
    let path = std::ffi::CString::new(path.to_str().expect("UTF-8")).expect("no NUL");
    let mut list = opwright_c_bindings::NamedTensorList::EMPTY;
    // SAFETY: the path is a text, and the list is empty.
    let status = unsafe { fixed::tensors_load(path.as_ptr(), &mut list) };
    let (kind, op, message) = refused(status);
    assert_eq!((kind, &*op), (VALUE, "tensors_load"));
    assert!(message.contains(r"'a\0b' contains a NUL"), "{message}");
    std::fs::remove_dir_all(folder).expect("it is there");
}

/// An optimizer without parameters does nothing: somebody forgot to add them.
#[test]
fn optimizers_need_parameters() {
    let _turn = crate::beside_others();
    let mut adam = ptr::null_mut();
    // SAFETY: the optimizer is not freed before the last call.
    unsafe {
        let made = fixed::adam_new(0.1, 0.9, 0.999, 1e-8, 0.0, false.into(), &mut adam);
        assert!(made.is_null());
        let calls = [
            fixed::optimizer_add(adam, ptr::null(), 0),
            fixed::optimizer_step(adam),
            fixed::optimizer_zero_grad(adam),
        ];
        for status in calls {
            assert_eq!(refused(status).0, VALUE);
        }
        fixed::optimizer_free(adam);
    }
}
