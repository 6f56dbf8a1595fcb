//! Passes that begin within passes, and passes that fail.

use std::sync::{Arc, Mutex};

use opwright_runtime::autograd::{GradientHooks, HookContext, Pass, TOO_DEEP, recording};
use opwright_runtime::{Result, Tensor};

use crate::product::{backward, grad, leaf, mul, pass};

/// A pass whose hook begins another one, and so on.
fn nested(levels: usize) -> Result<f64> {
    let x = leaf(&[1.0]);
    // Passes that record nothing call their hooks so.
    let y = recording(true, || mul(&x, &x));
    let GradientHooks::Leaf(hooks) = x.gradient_hooks()? else { unreachable!("it is a leaf") };
    let hook = move |gradient: Option<&Tensor>, _: &HookContext<'_>| {
        let gradient = gradient.expect("it came");
        let deeper = if levels == 0 { 0.0 } else { nested(levels - 1)? };
        Tensor::from_slice(&[1], &[gradient.to_vec::<f64>()?[0] + deeper]).map(Some)
    };
    hooks.gradient.add(0, Arc::new(hook), std::ptr::null_mut())?;
    backward(&y)?;
    Ok(grad(&x)[0])
}

#[test]
fn passes_within_passes_need_no_deep_stack() {
    assert_eq!(nested(60).unwrap(), 122.0);
    assert_eq!(nested(10_000).unwrap(), 20_002.0);
}

#[test]
fn passes_within_passes_come_to_an_end() {
    assert_eq!(nested(20_000).unwrap_err().message(), TOO_DEEP);
}

#[test]
fn passes_within_passes_go_through_the_same_calls() {
    let x = leaf(&[2.0]);
    let middle = mul(&x, &x);
    let y = mul(&middle, &x);
    let keep = |root: &Tensor| Pass { keeps_graph: true, ..pass(root, None) };
    let (inner, left) = (y.clone(), Mutex::new(2));
    let hook = move |_: Option<&Tensor>, _: &HookContext<'_>| {
        let is_left = {
            let mut left = left.lock().unwrap();
            *left -= 1;
            *left >= 0
        };
        if is_left {
            keep(&inner).run()?;
        }
        Ok(None)
    };
    let hooks = middle.gradient_hooks().unwrap();
    hooks.registry().add(0, Arc::new(hook), std::ptr::null_mut()).unwrap();
    keep(&y).run().unwrap();
    // Three passes, each of which gives 3x².
    assert_eq!(grad(&x), [36.0]);
    hooks.registry().remove(0);
    keep(&y).run().unwrap();
    assert_eq!(grad(&x), [48.0]);
}

#[test]
fn a_pass_that_fails_leaves_no_trace() {
    let x = leaf(&[3.0]);
    let y = mul(&x, &x);
    let fail =
        |_: Option<&Tensor>, _: &HookContext<'_>| Err(opwright_runtime::Error::runtime("seen"));
    let z = mul(&y, &x);
    let hooks = y.gradient_hooks().unwrap();
    hooks.registry().add(0, Arc::new(fail), std::ptr::null_mut()).unwrap();
    let keep = |root: &Tensor| Pass { keeps_graph: true, ..pass(root, None) };
    for _ in 0..2 {
        assert!(keep(&z).run().unwrap_err().message().contains("seen"));
    }
    hooks.registry().remove(0);
    assert!(x.grad().is_none());
    keep(&z).run().unwrap();
    assert_eq!(grad(&x), [27.0]);
}
