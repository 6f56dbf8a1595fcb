//! Functions that bring their own gradient.

use std::borrow::Cow;

use opwright_runtime::autograd::{BackwardCtx, CustomFunction, ForwardCtx, recording};
use opwright_runtime::{Result, Tensor};

use crate::product::{backward, grad, leaf, product};

/// `a * b * factor`, and `a` itself.
struct Product {
    factor: f64,
    materializes: bool,
    given: usize,
}

impl CustomFunction for Product {
    fn forward(&mut self, ctx: &mut ForwardCtx, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        assert!(ctx.needs_input_grad(0) && !ctx.needs_input_grad(2));
        let out = product(&product(inputs[0], inputs[1])?, &number(self.factor))?;
        ctx.save_for_backward(&[inputs[0], inputs[1], &out]);
        ctx.set_materialize_grads(self.materializes);
        Ok(vec![out, inputs[0].clone()])
    }

    fn backward(
        &self,
        ctx: &BackwardCtx<'_>,
        gradients: &[Option<Tensor>],
    ) -> Result<Vec<Option<Tensor>>> {
        let [a, b, out] = &ctx.saved_tensors()?[..] else { unreachable!("three were saved") };
        assert_eq!(out.grad_fn().map(|it| it.output), Some(0));
        assert_eq!(gradients[1].is_some(), self.materializes);
        let gradient = gradients[0].as_ref().expect("one came to the first output");
        let of = |other: &Tensor| product(&product(gradient, other)?, &number(self.factor));
        let given = vec![Some(of(b)?), ctx.needs_input_grad(1).then(|| of(a)).transpose()?];
        Ok(given.into_iter().take(self.given).collect())
    }
}

fn number(value: f64) -> Tensor {
    Tensor::from_slice(&[1], &[value]).unwrap()
}

#[test]
fn functions_bring_their_own_gradient() {
    for materializes in [true, false] {
        let (x, y) = (leaf(&[2.0, 3.0]), number(5.0));
        let function = Product { factor: 10.0, materializes, given: 2 };
        let mut outputs = function.apply(&[&x, &y]).unwrap();
        let same = outputs.pop().expect("two outputs");
        let z = outputs.pop().expect("two outputs");
        let edge = z.grad_fn().expect("a recorded call");
        assert_eq!(edge.node.name(), "ProductBackward");
        assert!(!same.is_same(&x) && same.grad_fn().is_some_and(|it| it.output == 1));
        backward(&z).unwrap();
        assert_eq!(grad(&x), [50.0, 50.0]);
        let error = backward(&z).unwrap_err().to_string();
        assert!(error.contains("a second time"), "{error}");
    }
}

#[test]
fn functions_that_give_too_few_gradients_are_refused() {
    let function = Product { factor: 1.0, materializes: true, given: 1 };
    let z = function.apply(&[&leaf(&[2.0]), &number(5.0)]).unwrap().remove(0);
    let error = backward(&z).unwrap_err().to_string();
    assert!(error.contains("ProductBackward gives 1 gradients for 2 inputs"), "{error}");
}

#[test]
fn functions_are_recorded_only_while_something_is() {
    struct Same;

    impl CustomFunction for Same {
        fn forward(&mut self, ctx: &mut ForwardCtx, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
            ctx.mark_dirty(&[&number(1.0)][..usize::from(inputs.len() > 1)]);
            Ok(inputs.iter().copied().cloned().collect())
        }

        fn backward(
            &self,
            _: &BackwardCtx<'_>,
            gradients: &[Option<Tensor>],
        ) -> Result<Vec<Option<Tensor>>> {
            Ok(gradients.to_vec())
        }

        fn name(&self) -> Cow<'static, str> {
            "Identity".into()
        }
    }

    let x = leaf(&[2.0]);
    let same = recording(false, || Same.apply(&[&x])).unwrap().remove(0);
    assert!(!same.requires_grad() && !same.is_same(&x));
    let error = Same.apply(&[&x, &x]).unwrap_err().to_string();
    assert!(error.contains("Identity") && error.contains("not among its inputs"), "{error}");

    let mut y = leaf(&[1.0]);
    for _ in 0..100_000 {
        y = Same.apply(&[&y]).unwrap().remove(0);
    }
    drop(y);
}
