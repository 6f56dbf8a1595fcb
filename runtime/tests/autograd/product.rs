//! A node that is written by hand, and passes that begin at one.

use std::borrow::Cow;
use std::sync::Arc;

use opwright_runtime::autograd::{
    Arithmetic, Call, Edge, Edges, Geometry, Gradients, Header, Node, Pass, SavedTensor,
};
use opwright_runtime::{DType, Result, Tensor, iterate};

/// Gradients are added in 64 bits and not recorded.
pub(crate) struct Plain;

impl Arithmetic for Plain {
    fn sum(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        let mut out = a.copy()?;
        iterate::binary(a, b, &mut out, |a: f64, b: f64| a + b)?;
        Ok(out)
    }

    fn add(&self, a: &mut Tensor, b: &Tensor) -> Result<()> {
        let before = a.clone();
        iterate::binary(&before, b, a, |a: f64, b: f64| a + b)
    }

    fn summed_to(&self, tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
        let total = tensor.to_vec::<f64>()?.iter().sum::<f64>();
        assert_eq!(shape.iter().product::<i64>(), 1);
        Tensor::from_slice(shape, &[total])
    }

    fn cast(&self, tensor: &Tensor, dtype: DType) -> Result<Tensor> {
        tensor.to_dtype(dtype)
    }

    fn sliced(&self, _: &Tensor, _: &Geometry, _: &Geometry) -> Result<Tensor> {
        unreachable!("nobody writes to views here")
    }

    fn with_slice(&self, _: &Tensor, _: &Geometry, _: &Geometry, _: &Tensor) -> Result<Tensor> {
        unreachable!("nobody writes to views here")
    }

    fn unsliced(&self, _: &Tensor, _: &Geometry, _: &Geometry) -> Result<Tensor> {
        unreachable!("nobody writes to views here")
    }

    fn parts(&self, _: &Tensor) -> Result<Tensor> {
        unreachable!("nobody has complex numbers here")
    }

    fn joined(&self, _: &Tensor) -> Result<Tensor> {
        unreachable!("nobody has complex numbers here")
    }

    fn zeros_like(&self, tensor: &Tensor) -> Result<Tensor> {
        Tensor::zeroed(tensor.shape(), tensor.dtype(), tensor.device())
    }

    fn has_nan(&self, tensor: &Tensor) -> Result<bool> {
        Ok(tensor.to_vec::<f64>()?.iter().any(|it| it.is_nan()))
    }

    fn copied_like(&self, tensor: &Tensor, _: &Tensor) -> Result<Tensor> {
        tensor.copy()
    }
}

pub(crate) fn product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let mut out = Tensor::allocate(
        &opwright_runtime::geometry::broadcast_shapes(&[a.shape(), b.shape()])?,
        DType::Float64,
        a.device(),
    )?;
    iterate::binary(a, b, &mut out, |a: f64, b: f64| a * b)?;
    Ok(out)
}

struct Mul {
    header: Header,
    left: SavedTensor,
    right: SavedTensor,
}

impl Node for Mul {
    fn header(&self) -> &Header {
        &self.header
    }

    fn name(&self) -> Cow<'static, str> {
        "MulBackward0".into()
    }

    fn backward(&self, call: Call<'_>) -> Result<Gradients> {
        let gradient = call.gradients[0].as_ref().expect("it is there");
        let of = |input: usize, other: &SavedTensor| {
            let other = other.unpack(call.node)?.expect("it was saved");
            (call.wanted)(input).then(|| product(gradient, &other)).transpose()
        };
        Ok(Gradients::from_iter([of(0, &self.right)?, of(1, &self.left)?]))
    }

    fn release(&self) {
        self.left.release();
        self.right.release();
    }

    fn kept_nodes(&self, see: &mut dyn FnMut(&Arc<dyn Node>)) {
        self.header.next().iter().flatten().for_each(|it| see(&it.node));
        self.left.kept_node(see);
        self.right.kept_node(see);
    }
}

/// `a * b`, recorded if one of them requires gradients.
pub(crate) fn mul(a: &Tensor, b: &Tensor) -> Tensor {
    let out = product(a, b).unwrap();
    let edges = Edges::new().to(a).to(b);
    if edges.is_any() {
        let (left, right) = (SavedTensor::input(a).unwrap(), SavedTensor::input(b).unwrap());
        let header = Header::new(edges).with_outputs([&out]);
        out.set_history(Arc::new(Mul { header, left, right }), 0).unwrap();
    }
    out
}

pub(crate) fn leaf(values: &[f64]) -> Tensor {
    let leaf = Tensor::from_slice(&[values.len() as i64], values).unwrap();
    leaf.set_requires_grad(true).unwrap();
    leaf
}

pub(crate) fn pass<'a>(root: &Tensor, inputs: Option<&'a [Edge]>) -> Pass<'a> {
    let ones = Tensor::from_slice(root.shape(), &vec![1.0; root.numel()]).unwrap();
    Pass {
        roots: vec![(root.gradient_edge().expect("it requires gradients"), ones)],
        keeps_graph: false,
        is_recorded: false,
        inputs,
        accumulates: false,
        arithmetic: &Plain,
    }
}

pub(crate) fn backward(root: &Tensor) -> Result<()> {
    pass(root, None).run().map(|_| ())
}

pub(crate) fn grad(tensor: &Tensor) -> Vec<f64> {
    tensor.grad().expect("a gradient").to_vec().unwrap()
}
