//! Where gradients come to, and what passes refuse.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::thread;

use opwright_runtime::autograd::{
    Call, Creation, Edges, Gradients, Header, Node, Trial, check_all_in_place, check_in_place,
    one_of_many, recording,
};
use opwright_runtime::{Result, Tensor, view};

use crate::product::{backward, grad, leaf, mul, pass};

#[test]
fn gradients_come_to_the_leaves() {
    let (x, y) = (leaf(&[2.0, 3.0]), leaf(&[5.0, 7.0]));
    let z = mul(&mul(&x, &y), &x);
    assert!(z.requires_grad() && !z.is_leaf());
    backward(&z).unwrap();
    assert_eq!(grad(&x), [20.0, 42.0]);
    assert_eq!(grad(&y), [4.0, 9.0]);
    backward(&mul(&x, &y)).unwrap();
    assert_eq!(grad(&x), [25.0, 49.0]);
}

#[test]
fn what_requires_nothing_gets_nothing() {
    let (x, k) = (leaf(&[2.0]), Tensor::from_slice(&[1], &[3.0]).unwrap());
    backward(&mul(&x, &k)).unwrap();
    assert_eq!(grad(&x), [3.0]);
    assert!(k.grad().is_none() && mul(&k, &k).is_leaf());
}

#[test]
fn nothing_is_recorded_without_recording() {
    let x = leaf(&[2.0]);
    let y = recording(false, || mul(&x, &x));
    assert!(y.is_leaf() && !y.requires_grad());
}

#[test]
fn a_stretched_input_gets_the_sum() {
    let (x, scale) = (leaf(&[1.0, 2.0, 3.0]), leaf(&[10.0]));
    backward(&mul(&x, &scale)).unwrap();
    assert_eq!((grad(&x), grad(&scale)), (vec![10.0; 3], vec![6.0]));
}

#[test]
fn a_second_pass_needs_what_the_first_released() {
    let x = leaf(&[3.0]);
    let y = mul(&x, &x);
    let mut kept = pass(&y, None);
    kept.keeps_graph = true;
    kept.run().unwrap();
    backward(&y).unwrap();
    assert_eq!(grad(&x), [12.0]);
    let error = backward(&y).unwrap_err();
    assert!(error.message().contains("second time"), "{error}");
    assert_eq!(grad(&x), [12.0]);
}

#[test]
fn what_was_saved_must_not_change() {
    let x = leaf(&[3.0]);
    let y = mul(&x, &x);
    x.bump_version();
    let error = backward(&y).unwrap_err();
    assert!(error.message().contains("modified in place"), "{error}");
    assert!(error.message().contains("version 1"), "{error}");
}

#[test]
fn some_inputs_alone() {
    let (x, y) = (leaf(&[2.0]), leaf(&[5.0]));
    let inner = mul(&x, &x);
    let z = mul(&inner, &y);
    let inputs = [inner.gradient_edge().unwrap(), y.gradient_edge().unwrap()];
    let found = pass(&z, Some(&inputs)).run().unwrap();
    let found: Vec<_> =
        found.iter().map(|it| it.as_ref().unwrap().to_vec::<f64>().unwrap()).collect();
    assert_eq!(found, [[5.0], [4.0]]);
    assert!(x.grad().is_none() && y.grad().is_none());
    let other = [leaf(&[1.0]).gradient_edge().unwrap()];
    assert!(pass(&mul(&x, &y), Some(&other)).run().unwrap()[0].is_none());
}

#[test]
fn a_leaf_is_a_root() {
    let x = leaf(&[2.0]);
    backward(&x).unwrap();
    assert_eq!(grad(&x), [1.0]);
}

#[test]
fn only_leaves_of_numbers_can_be_told_to() {
    let counts = Tensor::from_slice(&[1], &[1_i64]).unwrap();
    assert!(counts.set_requires_grad(true).unwrap_err().message().contains("floating"));
    let x = leaf(&[1.0]);
    let y = mul(&x, &x);
    assert!(y.set_requires_grad(false).unwrap_err().message().contains("a leaf"));
    y.set_requires_grad(true).unwrap();
    x.set_requires_grad(false).unwrap();
    assert!(!x.requires_grad() && mul(&x, &x).is_leaf());
}

struct Wrong(Header);

impl Node for Wrong {
    fn header(&self) -> &Header {
        &self.0
    }

    fn name(&self) -> Cow<'static, str> {
        "WrongBackward0".into()
    }

    fn backward(&self, _: Call<'_>) -> Result<Gradients> {
        Ok(Gradients::from_iter([Some(Tensor::from_slice(&[3], &[1.0; 3])?)]))
    }
}

#[test]
fn a_gradient_that_does_not_fit_is_named() {
    let x = leaf(&[1.0, 2.0]);
    let out = x.copy().unwrap();
    let header = Header::new(Edges::new().to(&x)).with_outputs([&out]);
    out.set_history(Arc::new(Wrong(header)), 0).unwrap();
    let error = backward(&out).unwrap_err();
    for part in ["WrongBackward0", "input 0", "[3]", "[2]"] {
        assert!(error.message().contains(part), "{error}");
    }
}

#[test]
fn a_million_calls_need_no_deep_stack() {
    let small = thread::Builder::new().stack_size(256 << 10);
    let run = || {
        let (x, one) = (leaf(&[1.0]), Tensor::from_slice(&[1], &[1.0]).unwrap());
        let mut y = mul(&x, &one);
        for _ in 0..1_000_000 {
            y = mul(&y, &one);
        }
        backward(&y).unwrap();
        assert_eq!(grad(&x), [1.0]);
        // The graph is dropped here.
    };
    small.spawn(run).unwrap().join().unwrap();
}

#[test]
fn another_thread_drops_a_million_calls() {
    let (x, one) = (leaf(&[1.0]), Tensor::from_slice(&[1], &[1.0]).unwrap());
    let mut y = mul(&x, &one);
    for _ in 0..1_000_000 {
        y = mul(&y, &one);
    }
    let small = thread::Builder::new().stack_size(256 << 10);
    small.spawn(move || drop(y)).unwrap().join().unwrap();
    backward(&mul(&x, &one)).unwrap();
    assert_eq!(grad(&x), [1.0]);
}

/// A hundred thousand passes, over graphs of their own that end in a leaf of all and one of each.
#[test]
fn threads_add_up_in_a_shared_leaf() {
    let shared = leaf(&[1.0]);
    let learn = |number: usize| {
        let (own, factor) = (leaf(&[1.0]), Tensor::from_slice(&[1], &[number as f64]).unwrap());
        for _ in 0..12_500 {
            backward(&mul(&mul(&shared, &factor), &mul(&own, &own))).unwrap();
        }
        assert_eq!(grad(&own), [2.0 * 12_500.0 * number as f64]);
    };
    thread::scope(|it| {
        for number in 1..=8 {
            it.spawn(move || learn(number));
        }
    });
    assert_eq!(grad(&shared), [36.0 * 12_500.0]);
}

#[test]
fn threads_pass_through_the_same_calls() {
    let x = leaf(&[2.0]);
    let y = mul(&x, &x);
    thread::scope(|it| {
        for _ in 0..8 {
            it.spawn(|| {
                for _ in 0..500 {
                    let mut kept = pass(&y, None);
                    kept.keeps_graph = true;
                    kept.run().unwrap();
                }
            });
        }
    });
    assert_eq!(grad(&x), [16_000.0]);
}

#[test]
fn a_gradient_belongs_to_nobody_else() {
    let x = leaf(&[1.0, 2.0]);
    let seed = Tensor::from_slice(&[2], &[1.0, 1.0]).unwrap();
    let mut run = pass(&x, None);
    run.roots[0].1 = seed.clone();
    run.run().unwrap();
    assert!(!x.grad().unwrap().storage().unwrap().is_same(seed.storage().unwrap()));
    let column = view::expand(&Tensor::from_slice(&[1], &[1.0]).unwrap(), &[2]).unwrap();
    let other = leaf(&[1.0, 2.0]);
    let mut run = pass(&other, None);
    run.roots[0].1 = column;
    run.run().unwrap();
    assert_eq!(other.grad().unwrap().strides(), [1]);
}

#[test]
fn later_calls_go_first() {
    struct Noted(Header, &'static Mutex<Vec<u64>>);
    impl Node for Noted {
        fn header(&self) -> &Header {
            &self.0
        }

        fn name(&self) -> Cow<'static, str> {
            "Noted".into()
        }

        fn backward(&self, call: Call<'_>) -> Result<Gradients> {
            self.1.lock().unwrap().push(self.0.sequence());
            let gradient = call.gradients[0].clone();
            Ok(self.0.next().iter().map(|_| gradient.clone()).collect())
        }
    }
    let order: &'static Mutex<Vec<u64>> = Box::leak(Box::default());
    let record = |inputs: &[&Tensor]| {
        let out = inputs[0].copy().unwrap();
        let header = Header::new(Edges::new().to_all(inputs)).with_outputs([&out]);
        out.set_history(Arc::new(Noted(header, order)), 0).unwrap();
        out
    };
    let x = leaf(&[1.0]);
    let (a, b) = (record(&[&x]), record(&[&x]));
    backward(&record(&[&b, &a])).unwrap();
    let order = order.lock().unwrap();
    assert!(order.windows(2).all(|it| it[0] > it[1]), "{order:?}");
    assert_eq!(grad(&x), [2.0]);
}

#[test]
fn a_trial_says_whether_a_node_would_go() {
    let x = leaf(&[1.0]);
    let y = mul(&x, &x);
    let node = y.grad_fn().unwrap().node;
    let would_go = |tensors: &[&Tensor]| {
        let mut trial = Trial::of(&node);
        tensors.iter().for_each(|it| trial.without(it));
        trial.would_go(1)
    };
    assert!(would_go(&[&y]) && !would_go(&[]) && !would_go(&[&x]));
    // Two edges of a later call lead there, and one of the result.
    let z = mul(&y, &y);
    assert!(!would_go(&[&y]) && !would_go(&[&z]));
    let both = [&y, &z];
    assert!(would_go(&both));
    let other_handle = z.clone();
    assert!(!would_go(&both));
    drop(other_handle);
}

#[test]
fn views_know_that_one_call_made_them() {
    let base = Tensor::from_slice(&[2, 1], &[1.0, 2.0]).unwrap();
    let rows = [view::select(&base, 0, 0).unwrap(), base.clone()];
    one_of_many(&rows);
    assert_eq!(rows.map(|it| it.creation()), [Creation::OneOfMany, Creation::Plain]);
    let mut row = view::select(&base, 0, 1).unwrap();
    one_of_many(std::slice::from_ref(&row));
    assert!(check_in_place(&row, false, "add_").is_ok());
    assert!(check_in_place(&row, true, "add_").is_err());
    assert_eq!(view::narrow(&base, 0, 0, 1).unwrap().keys(), row.keys());
    row.replace(Tensor::from_slice(&[1], &[5.0]).unwrap()).unwrap();
    let leaves = [&mut row, &mut leaf(&[1.0])];
    let error = check_all_in_place(&leaves, false, "step_", "self").unwrap_err();
    assert!(error.message().starts_with("`self[1]`: `step_` writes to a leaf"), "{error}");
}
