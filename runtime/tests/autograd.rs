//! Graphs of nodes that are written by hand, and passes backward through them.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;

use opwright_runtime::autograd::{
    Arithmetic, BackwardCtx, Call, Creation, CustomFunction, Edge, Edges, ForwardCtx, Geometry,
    GradientHooks, Gradients, Header, Moment, Node, Packed, Packing, Pass, SavedTensor, Trial,
    check_all_in_place, check_in_place, inference, one_of_many, pop_packing, push_packing,
    recording, refuse_packing,
};
use opwright_runtime::{DType, Result, Tensor, iterate, view};

/// Gradients are added in 64 bits and not recorded.
struct Plain;

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

fn product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
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
fn mul(a: &Tensor, b: &Tensor) -> Tensor {
    let out = product(a, b).unwrap();
    let edges = Edges::new().to(a).to(b);
    if edges.is_any() {
        let (left, right) = (SavedTensor::input(a).unwrap(), SavedTensor::input(b).unwrap());
        let header = Header::new(edges).with_outputs([&out]);
        out.set_history(Arc::new(Mul { header, left, right }), 0).unwrap();
    }
    out
}

fn leaf(values: &[f64]) -> Tensor {
    let leaf = Tensor::from_slice(&[values.len() as i64], values).unwrap();
    leaf.set_requires_grad(true).unwrap();
    leaf
}

fn pass<'a>(root: &Tensor, inputs: Option<&'a [Edge]>) -> Pass<'a> {
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

fn backward(root: &Tensor) -> Result<()> {
    pass(root, None).run().map(|_| ())
}

fn grad(tensor: &Tensor) -> Vec<f64> {
    tensor.grad().expect("a gradient").to_vec().unwrap()
}

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

/// A pass whose hook begins another one, and so on.
fn nested(levels: usize) -> Result<f64> {
    let x = leaf(&[1.0]);
    // Passes that record nothing call their hooks so.
    let y = recording(true, || mul(&x, &x));
    let GradientHooks::Leaf(hooks) = x.gradient_hooks()? else { unreachable!("it is a leaf") };
    let hook = move |gradient: &Tensor, _: &Moment<'_>| {
        let deeper = if levels == 0 { 0.0 } else { nested(levels - 1)? };
        Tensor::from_slice(&[1], &[gradient.to_vec::<f64>()?[0] + deeper]).map(Some)
    };
    hooks.gradient.add(0, Arc::new(hook), std::ptr::null_mut());
    backward(&y)?;
    Ok(grad(&x)[0])
}

#[test]
fn passes_within_passes_need_no_deep_stack() {
    assert_eq!(nested(60).unwrap(), 122.0);
    assert_eq!(nested(10_000).unwrap(), 20_002.0);
}

#[test]
fn passes_within_passes_go_through_the_same_calls() {
    let x = leaf(&[2.0]);
    let middle = mul(&x, &x);
    let y = mul(&middle, &x);
    let keep = |root: &Tensor| Pass { keeps_graph: true, ..pass(root, None) };
    let (inner, left) = (y.clone(), Mutex::new(2));
    let hook = move |_: &Tensor, _: &Moment<'_>| {
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
    hooks.registry().add(0, Arc::new(hook), std::ptr::null_mut());
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
    let fail = |_: &Tensor, _: &Moment<'_>| Err(opwright_runtime::Error::runtime("seen"));
    let z = mul(&y, &x);
    let hooks = y.gradient_hooks().unwrap();
    hooks.registry().add(0, Arc::new(fail), std::ptr::null_mut());
    let keep = |root: &Tensor| Pass { keeps_graph: true, ..pass(root, None) };
    for _ in 0..2 {
        assert!(keep(&z).run().unwrap_err().message().contains("seen"));
    }
    hooks.registry().remove(0);
    assert!(x.grad().is_none());
    keep(&z).run().unwrap();
    assert_eq!(grad(&x), [27.0]);
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
