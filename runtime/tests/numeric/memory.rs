//! Sizes that are too large, memory of others, memory before it is written.

use std::sync::Arc;

use opwright_runtime::{DType, Device, ErrorKind, Scalar, Tensor, iterate, view};

#[test]
fn too_large_a_tensor_is_an_error() {
    let kind =
        |shape: &[i64], dtype| Tensor::allocate(shape, dtype, Device::Cpu).unwrap_err().kind();
    assert_eq!(kind(&[1 << 62], DType::Float32), ErrorKind::Overflow);
    assert_eq!(kind(&[1 << 60, 1 << 60], DType::UInt8), ErrorKind::Overflow);
    assert_eq!(kind(&[i64::MAX], DType::UInt8), ErrorKind::Overflow);
    assert_eq!(kind(&[1 << 50], DType::Float64), ErrorKind::Memory);
    assert_eq!(kind(&[-1], DType::Bool), ErrorKind::Runtime);
    let zeros = Tensor::zeroed(&[1 << 50], DType::Float64, Device::Cpu);
    assert_eq!(zeros.unwrap_err().kind(), ErrorKind::Memory);
    // Stretched over one element there is no limit but that of the count.
    let one = Tensor::from_slice(&[1], &[1.0_f32]).unwrap();
    let wide = view::expand(&one, &[1 << 55]).unwrap();
    assert_eq!(wide.to_contiguous().unwrap_err().kind(), ErrorKind::Memory);
    assert_eq!(view::expand(&one, &[1 << 40, 1 << 40]).unwrap_err().kind(), ErrorKind::Overflow);
}

#[test]
fn memory_reads_as_zero_before_it_is_written() {
    for count in [1, 100, 100_000] {
        let spoil = Tensor::filled(&[count], Scalar::Int(-1), DType::Int64, Device::Cpu).unwrap();
        drop(spoil);
        let fresh = || Tensor::allocate(&[count], DType::Int64, Device::Cpu).unwrap();
        assert_eq!(fresh().to_vec::<i64>().unwrap(), vec![0; count as usize]);
        // Written in part, and through a view.
        let x = fresh();
        view::narrow(&x, 0, 0, 1).unwrap().fill(Scalar::Int(7)).unwrap();
        let values = x.to_vec::<i64>().unwrap();
        assert_eq!((values[0], values[1..].iter().sum::<i64>()), (7, 0));
        // Read and written by one loop.
        let mut x = fresh();
        let alias = x.clone();
        iterate::unary(&alias, &mut x, |it: i64| it + 1).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap(), vec![1; count as usize]);
    }
}

#[test]
fn a_loop_that_panics_leaves_no_unwritten_memory() {
    let mut x = Tensor::allocate(&[1000], DType::Int64, Device::Cpu).unwrap();
    let alias = x.clone();
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        iterate::nullary_indexed(&mut x, |i| if i == 500 { panic!("as it should") } else { 1_i64 })
    }));
    assert!(outcome.is_err());
    let values = alias.to_vec::<i64>().unwrap();
    assert!(values.iter().all(|&it| it == 0 || it == 1));
}

#[test]
fn a_tensor_over_foreign_memory_shares_it() {
    let owner = Arc::new(());
    let mut values = vec![1_i32, 2, 3, 4, 5, 6];
    let data = values.as_mut_ptr();
    // SAFETY: the vector outlives the tensor, and `middle` is inside it.
    let tensor = unsafe {
        let middle = data.add(5).cast();
        let keep = Box::new(Arc::clone(&owner));
        Tensor::from_foreign(middle, &[3, 2], &[-2, -1], DType::Int32, keep)
    }
    .unwrap();
    assert_eq!(tensor.to_vec::<i32>().unwrap(), [6, 5, 4, 3, 2, 1]);
    assert_eq!(tensor.data_ptr(), data.wrapping_add(5).cast());
    view::select(&tensor, 0, 0).unwrap().fill(Scalar::Int(0)).unwrap();
    let part = view::select(&tensor, 0, 2).unwrap();
    drop(tensor);
    assert_eq!(Arc::strong_count(&owner), 2);
    drop(part);
    assert_eq!(Arc::strong_count(&owner), 1);
    assert_eq!(values, [1, 2, 3, 4, 0, 0]);
}

#[test]
fn foreign_truth_values_are_shared_whatever_their_bytes() {
    let make = |mut bytes: Vec<u8>| {
        let (data, count) = (bytes.as_mut_ptr(), bytes.len() as i64);
        // SAFETY: the vector keeps its bytes where they are, and is the owner.
        let tensor =
            unsafe { Tensor::from_foreign(data, &[count], &[1], DType::Bool, Box::new(bytes)) };
        (tensor.unwrap(), data)
    };
    let (valid, data) = make(vec![0, 1, 1]);
    assert_eq!(valid.data_ptr(), data);
    let (strange, data) = make(vec![0, 2, 255]);
    assert_eq!(strange.data_ptr(), data);
    assert_eq!(strange.to_vec::<bool>().unwrap(), [false, true, true]);
    let values = strange.to_values::<bool>().unwrap();
    assert_ne!(values.data_ptr(), data);
    assert_eq!(values.to_vec::<bool>().unwrap(), [false, true, true]);
}

#[test]
fn bytes_that_others_write_are_truth_values() {
    let x = Tensor::from_slice(&[40], &[2_u8; 40]).unwrap();
    let truths = view::reinterpret(&x, DType::Bool).unwrap();
    assert_eq!(view::select(&truths, 0, 0).unwrap().to_scalar().unwrap(), Scalar::Bool(true));
    let mut out = Tensor::allocate(&[40], DType::Int64, Device::Cpu).unwrap();
    iterate::unary(&truths, &mut out, |it: bool| i64::from(it)).unwrap();
    assert_eq!(out.to_vec::<i64>().unwrap(), [1; 40]);
    let reversed = view::flip(&truths, 0).unwrap();
    iterate::unary(&reversed, &mut out, |it: bool| i64::from(!it)).unwrap();
    assert_eq!(out.to_vec::<i64>().unwrap(), [0; 40]);
    assert_eq!(truths.to_dtype(DType::Float32).unwrap().to_vec::<f32>().unwrap(), [1.0; 40]);
    assert_eq!(truths.to_vec::<bool>().unwrap(), [true; 40]);
    assert!(reversed.array::<bool>().unwrap().iter().all(|&it| it));
    assert_eq!(truths.first::<bool>().unwrap(), Some(true));
    // References to them would be to other bytes than `bool` has.
    // SAFETY: nobody else has the tensor.
    unsafe {
        assert!(truths.array_view::<bool>().is_err());
        assert!(reversed.array_view::<bool>().is_err());
        assert!(truths.as_slice::<bool>().is_err());
    }
    drop((x, reversed));
    let mut alone = truths;
    assert!(alone.as_mut_slice::<bool>().is_err());
}

#[test]
fn references_are_to_elements_that_nobody_shares() {
    let mut x = Tensor::from_slice(&[4], &[1.0, 2.0, 3.0, 4.0]).unwrap();
    x.as_mut_slice::<f64>().unwrap()[0] = 5.0;
    let others: [fn(&Tensor) -> Tensor; 3] = [
        Tensor::clone,
        |x| view::narrow(x, 0, 3, 1).unwrap(),
        |x| view::reinterpret(x, DType::Int64).unwrap(),
    ];
    for other in others {
        let other = other(&x);
        assert_eq!(x.as_mut_slice::<f64>().unwrap_err().kind(), ErrorKind::Runtime);
        assert_eq!(x.array_mut::<f64>().unwrap_err().kind(), ErrorKind::Runtime);
        drop(other);
        assert!(x.array_mut::<f64>().is_ok());
    }
    // What is handed out while there are others is a copy.
    let (copy, mut other) = (x.array::<f64>().unwrap(), x.clone());
    other.fill(Scalar::Int(0)).unwrap();
    assert_eq!(copy.as_slice().unwrap(), [5.0, 2.0, 3.0, 4.0]);
}

#[test]
fn memory_of_others_is_not_referred_to() {
    let mut values = vec![1_i64, 2, 3];
    let data = values.as_mut_ptr().cast();
    // SAFETY: the vector outlives the tensor.
    let tensor = unsafe { Tensor::from_foreign(data, &[3], &[1], DType::Int64, Box::new(())) };
    assert!(tensor.unwrap().as_mut_slice::<i64>().is_err());
    // A list that was given away is nobody else's.
    let mut own = Tensor::from_vec(&[1000], vec![1_i64; 1000]).unwrap();
    own.as_mut_slice::<i64>().unwrap().fill(2);
    assert_eq!(own.to_vec::<i64>().unwrap(), [2; 1000]);
}

#[test]
fn a_read_never_erases_what_is_being_written() {
    for count in [8, 1000, 1 << 16] {
        let mut out = Tensor::allocate(&[count], DType::Int64, Device::Cpu).unwrap();
        let other = out.clone();
        // The loop itself reads by the other handle, as another thread would.
        iterate::nullary_blocks(&mut out, |_, block| {
            view::select(&other, 0, 0).unwrap().to_scalar().unwrap();
            *block = [1_i64; 4];
        })
        .unwrap();
        assert_eq!(out.to_vec::<i64>().unwrap(), vec![1; count as usize], "{count}");
    }
}

#[test]
fn settled_memory_is_zero_and_stays_where_it_is() {
    for count in [0, 3, 1000, 1 << 18, 5 << 20] {
        let mut x = Tensor::allocate(&[count], DType::Int64, Device::Cpu).unwrap();
        x.settle();
        let place = x.storage().unwrap().address();
        assert_eq!(x.to_vec::<i64>().unwrap(), vec![0; count as usize]);
        iterate::nullary(&mut x, || 1_i64).unwrap();
        x.settle();
        assert_eq!(x.storage().unwrap().address(), place);
        assert_eq!(x.to_vec::<i64>().unwrap(), vec![1; count as usize]);
    }
    // What others have a handle to stays one memory.
    let x = Tensor::allocate(&[1 << 18], DType::Int64, Device::Cpu).unwrap();
    let mut part = view::narrow(&x, 0, 0, 2).unwrap();
    x.settle();
    part.fill(Scalar::Int(7)).unwrap();
    assert_eq!(x.to_vec::<i64>().unwrap()[..3], [7, 7, 0]);
}

#[test]
fn foreign_memory_must_be_aligned_and_described() {
    let mut bytes = vec![0_u64; 4];
    let data = bytes.as_mut_ptr().cast::<u8>();
    let make = |data: *mut u8, shape: &[i64], strides: &[i64]| {
        // SAFETY: `bytes` outlives what is made here.
        unsafe { Tensor::from_foreign(data, shape, strides, DType::Int32, Box::new(())) }
    };
    assert_eq!(make(data.wrapping_add(1), &[1], &[1]).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(make(data, &[1], &[]).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(make(data, &[3], &[i64::MAX]).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(make(data, &[1 << 40, 1 << 40], &[0, 0]).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(make(std::ptr::null_mut(), &[1], &[1]).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(make(std::ptr::null_mut(), &[0], &[1]).unwrap().numel(), 0);
    assert_eq!(make(std::ptr::null_mut(), &[4], &[-1]).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(make(data, &[2], &[i64::MIN / 8]).unwrap_err().kind(), ErrorKind::Value);
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let filled = |value: Scalar, dtype| Tensor::filled(&[2], value, dtype, Device::Cpu);
    assert!(filled(Scalar::Int(300), DType::UInt8).is_err());
    assert!(filled(Scalar::Float(1e10), DType::Int32).is_err());
    assert!(filled(Scalar::Float(2.9), DType::Int8).is_err());
    assert_eq!(filled(Scalar::Float(2.0), DType::Int8).unwrap().to_vec::<i8>().unwrap(), [2, 2]);
    assert!(Tensor::from_slice(&[3], &[1, 2]).is_err());
    assert!(Tensor::from_scalar(Scalar::Int(1 << 40), DType::Int32).is_err());
}

#[test]
fn a_handle_is_one_pointer() {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<Tensor>();
    assert_eq!(size_of::<Option<Tensor>>(), size_of::<usize>());
}

#[test]
fn handles_travel_between_threads() {
    let x = Tensor::from_vec(&[1000], (0..1000_i64).collect()).unwrap();
    let totals: Vec<i64> = std::thread::scope(|scope| {
        let total = |x: Tensor| x.array::<i64>().unwrap().sum();
        let handles: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn({
                    let x = x.clone();
                    move || total(x)
                })
            })
            .collect();
        handles.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(totals, [499_500; 4]);
    assert_eq!(x.storage().unwrap().use_count(), 1);
}
