//! What nodes save, in other forms and at other times.

use std::sync::Arc;

use opwright_runtime::autograd::{
    Packed, Packing, SavedTensor, inference, pop_packing, push_packing, refuse_packing,
};
use opwright_runtime::{Result, Tensor};

use crate::product::{backward, grad, leaf, mul};

/// Keeps tensors as numbers, ten times as large.
struct Tenfold;

struct Numbers(Vec<f64>);

impl Packing for Tenfold {
    fn pack(&self, tensor: &Tensor) -> Result<Arc<dyn Packed>> {
        assert!(!tensor.requires_grad());
        let numbers = tensor.to_vec::<f64>()?.iter().map(|it| 10.0 * it).collect();
        Ok(Arc::new(Numbers(numbers)))
    }
}

impl Packed for Numbers {
    fn unpack(&self) -> Result<Tensor> {
        Tensor::from_slice(&[self.0.len() as i64], &self.0)
    }
}

#[test]
fn what_is_saved_can_be_packed() {
    let (x, y) = (leaf(&[1.0, 2.0]), leaf(&[3.0, 4.0]));
    push_packing(Arc::new(Tenfold)).unwrap();
    let z = mul(&x, &y);
    pop_packing();
    backward(&z).unwrap();
    assert_eq!((grad(&x), grad(&y)), (vec![30.0, 40.0], vec![10.0, 20.0]));
    assert!(backward(&z).unwrap_err().to_string().contains("second time"));

    let before = refuse_packing(Some("not here".into())).unwrap();
    assert!(before.is_none());
    assert_eq!(push_packing(Arc::new(Tenfold)).unwrap_err().to_string(), "not here");
    assert_eq!(refuse_packing(before).unwrap().as_deref(), Some("not here"));
}

#[test]
fn a_saved_tensor_can_be_packed_later_and_once() {
    let x = leaf(&[1.0]);
    let saved = SavedTensor::input(&x).unwrap();
    let node = x.gradient_edge().unwrap().node;
    saved.pack(&Tenfold, &node).unwrap();
    assert_eq!(saved.unpack(&node).unwrap().unwrap().to_vec::<f64>().unwrap(), [10.0]);
    assert!(saved.pack(&Tenfold, &node).unwrap_err().to_string().contains("already"));
    assert!(SavedTensor::absent().pack(&Tenfold, &node).is_err());
    saved.release();
    assert!(saved.pack(&Tenfold, &node).unwrap_err().to_string().contains("second time"));
}

#[test]
fn tensors_of_inference_mode_are_not_saved() {
    let (x, y) = (leaf(&[1.0]), inference(true, || Tensor::from_slice(&[1], &[2.0]).unwrap()));
    assert!(SavedTensor::input(&y).err().unwrap().to_string().contains("inference"));
    assert!(y.set_requires_grad(true).unwrap_err().to_string().contains("inference"));
    assert!(!inference(true, || mul(&x, &x)).requires_grad());
    inference(true, || y.set_requires_grad(true)).unwrap();
}
