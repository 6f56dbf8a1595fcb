//! Fast paths of the runtime beside their general ways, on inputs around the edges of their conditions.
//!
//! Those of other crates are tested through the Python module, as are these:
//! `tests/python/test_fast_paths.py`.

use opwright_runtime::fast_path::FastPath;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::iterate::inner_loop;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::resolve::{Accepts, Binding, Keywords, Kind, Parameter, Signature};
use opwright_runtime::structured::SameLayout;
use opwright_runtime::{DType, Device, Spec, Tensor, iterate, view};

/// An input: whether it takes the path, and what runs over it, which says what is seen of the result.
type Case = (bool, Box<dyn Fn(&mut Watch) -> String>);

fn case(is_taken: bool, run: impl Fn(&mut Watch) -> String + 'static) -> Case {
    (is_taken, Box::new(run))
}

/// Whether what is watched took a path; to make inputs may take it, too.
struct Watch {
    path: FastPath,
    is_taken: bool,
}

impl Watch {
    fn over<T>(&mut self, run: impl FnOnce() -> T) -> T {
        self.path.was_taken();
        let result = run();
        self.is_taken = self.path.was_taken();
        result
    }
}

// One test, as paths are turned off for all threads.
#[test]
fn both_ways_give_the_same() {
    for &path in FastPath::ALL {
        let Some(cases) = cases(path) else { continue };
        let [taken, left] = [true, false].map(|it| cases.iter().any(|case| case.0 == it));
        assert!(taken && left, "{path:?} needs inputs on both sides of its condition");
        for (at, (is_taken, run)) in cases.iter().enumerate() {
            let mut watch = Watch { path, is_taken: false };
            let fast = run(&mut watch);
            assert_eq!(watch.is_taken, *is_taken, "{path:?}, input {at}");
            path.switch(false);
            let general = run(&mut watch);
            path.switch(true);
            assert!(!watch.is_taken, "{path:?}, input {at}");
            assert_eq!(fast, general, "{path:?}, input {at}");
        }
    }
}

fn cases(path: FastPath) -> Option<Vec<Case>> {
    Some(match path {
        FastPath::BindInOrder => bindings(),
        FastPath::SameLayout => same_layouts(),
        FastPath::FlatLoop => flat_loops(),
        FastPath::OneRun => runs(),
        FastPath::SmallReduction => reductions(),
        _ => return None,
    })
}

struct Names(&'static [&'static str]);

impl Keywords for Names {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn find(&self, param: &Parameter) -> Option<usize> {
        self.0.iter().position(|it| *it == param.name)
    }
}

fn bindings() -> Vec<Case> {
    const fn param(name: &'static str, kind: Kind, required: bool) -> Parameter {
        Parameter { name, kind, nullable: !required, required, size: 0, aliases: &[] }
    }
    static PARAMS: [Parameter; 2] =
        [param("input", Kind::Tensor, true), param("dim", Kind::Int, false)];
    static SIZES: [Parameter; 1] = [param("size", Kind::SymInt.list(), true)];
    static IN_ORDER: [Signature; 1] = [Signature {
        text: "f(Tensor input, int? dim=None)",
        params: &PARAMS,
        positional: 2,
        variadic: false,
        deprecated: false,
    }];
    static SPREAD: [Signature; 1] = [Signature {
        text: "f(tuple[int] size)",
        params: &SIZES,
        positional: 1,
        variadic: true,
        deprecated: false,
    }];
    let bind = |watch: &mut Watch, signatures: &'static [Signature], accepts: &[Accepts], names| {
        let mut binding = Binding::EMPTY;
        let positional = accepts.len() - Names::len(&names);
        let fits = watch.over(|| binding.resolve(signatures, positional, accepts, &names));
        // Of what does not fit, nobody reads the slots.
        if fits { format!("{binding:?}") } else { "nothing fits".to_owned() }
    };
    let tensor = Accepts::of(&[Kind::Tensor]);
    let int = Accepts::of(&[Kind::Int, Kind::SymInt]);
    vec![
        case(true, move |watch| bind(watch, &IN_ORDER, &[tensor], Names(&[]))),
        case(true, move |watch| bind(watch, &IN_ORDER, &[tensor, int], Names(&[]))),
        case(true, move |watch| bind(watch, &IN_ORDER, &[tensor, Accepts::NONE], Names(&[]))),
        case(true, move |watch| bind(watch, &IN_ORDER, &[int, int], Names(&[]))),
        case(true, move |watch| bind(watch, &IN_ORDER, &[tensor, int, int], Names(&[]))),
        case(true, move |watch| bind(watch, &IN_ORDER, &[], Names(&[]))),
        case(false, move |watch| bind(watch, &IN_ORDER, &[tensor, int], Names(&["dim"]))),
        case(false, move |watch| bind(watch, &SPREAD, &[int, int], Names(&[]))),
    ]
}

/// Numbers whose sums are rounded.
fn tensor(shape: &[i64]) -> Tensor {
    let count = shape.iter().product::<i64>();
    let numbers: Vec<f64> = (0..count).map(|it| f64::from(it as i32 - 3) / 7.0).collect();
    Tensor::from_slice(shape, &numbers).unwrap()
}

fn number(value: f64) -> Tensor {
    Tensor::from_slice(&[], &[value]).unwrap().with_wrapped_number(true).unwrap()
}

fn stepped(shape: &[i64]) -> Tensor {
    view::select(&tensor(&[shape, &[2]].concat()), shape.len(), 0).unwrap()
}

/// All that can be seen of a tensor.
fn seen(tensor: &Tensor) -> String {
    let bits: Vec<u64> = tensor.to_vec::<f64>().unwrap().into_iter().map(f64::to_bits).collect();
    format!("{:?} {:?} {:?} {bits:?}", tensor.dtype(), tensor.shape(), tensor.strides())
}

/// A sum in a new tensor, as operators are printed.
fn same_layout(is_taken: bool, a: Tensor, b: Tensor) -> Case {
    case(is_taken, move |watch| {
        let plus = |a: f64, b: f64| a + b;
        let made = watch.over(|| {
            let operands = SameLayout::of([&a, &b])?;
            operands.run(operands.dtype(), |then| inner_loop::binary(plus, then)).unwrap()
        });
        let made = made.unwrap_or_else(|| {
            let mut out = Spec::elementwise(&[&a, &b]).unwrap().allocate().unwrap();
            iterate::binary(&a, &b, &mut out, plus).unwrap();
            out
        });
        seen(&made)
    })
}

fn same_layouts() -> Vec<Case> {
    let matrix = tensor(&[2, 2]);
    vec![
        same_layout(true, tensor(&[5]), tensor(&[5])),
        same_layout(true, tensor(&[8191]), tensor(&[8191])),
        same_layout(true, tensor(&[3, 3]), number(-1.5)),
        same_layout(true, tensor(&[]), number(0.1)),
        same_layout(false, tensor(&[8192]), tensor(&[8192])),
        same_layout(false, tensor(&[0, 2]), tensor(&[0, 2])),
        same_layout(false, matrix.clone(), view::transpose(&matrix, 0, 1).unwrap()),
        same_layout(false, matrix, tensor(&[2])),
        same_layout(false, stepped(&[4]), tensor(&[4])),
        same_layout(false, tensor(&[3]).to_dtype(DType::Float32).unwrap(), tensor(&[3])),
    ]
}

/// A sum that is written to a tensor which is made for it.
fn sum_to(is_taken: bool, a: Tensor, b: Tensor, out: fn() -> Tensor) -> Case {
    case(is_taken, move |watch| {
        let mut out = out();
        watch.over(|| iterate::binary(&a, &b, &mut out, |a: f64, b: f64| a + b)).unwrap();
        seen(&out)
    })
}

/// The same in the place of its first operand.
fn sum_in_place(is_taken: bool, make: impl Fn() -> Tensor + 'static) -> Case {
    case(is_taken, move |watch| {
        let (a, b) = (make(), tensor(&[1]));
        watch.over(|| iterate::binary(&a, &b, &mut a.clone(), |a: f64, b: f64| a + b)).unwrap();
        seen(&a)
    })
}

fn flat_loops() -> Vec<Case> {
    let empty = || Tensor::allocate(&[0], DType::Float64, Device::Cpu).unwrap();
    vec![
        sum_to(true, tensor(&[4]), tensor(&[4]), || tensor(&[4])),
        sum_to(true, tensor(&[2, 3]), tensor(&[1]), || tensor(&[2, 3])),
        sum_to(true, tensor(&[8191]), tensor(&[]), || tensor(&[8191])),
        sum_to(true, tensor(&[2]), tensor(&[1]).to_dtype(DType::Float32).unwrap(), || tensor(&[2])),
        sum_in_place(true, || tensor(&[6])),
        sum_to(false, tensor(&[8192]), tensor(&[8192]), || tensor(&[8192])),
        sum_to(false, empty(), empty(), || tensor(&[0])),
        sum_to(false, tensor(&[2, 3]), tensor(&[3]), || tensor(&[2, 3])),
        sum_to(false, stepped(&[4]), tensor(&[4]), || tensor(&[4])),
        sum_to(false, tensor(&[4]), tensor(&[4]), || stepped(&[4])),
        sum_in_place(false, || stepped(&[6])),
    ]
}

fn runs() -> Vec<Case> {
    vec![
        sum_to(true, stepped(&[4]), tensor(&[4]), || tensor(&[4])),
        sum_to(true, stepped(&[8191]), tensor(&[8191]), || tensor(&[8191])),
        sum_to(true, tensor(&[2, 2]).to_dtype(DType::Float32).unwrap(), tensor(&[2, 2]), || {
            tensor(&[2, 2])
        }),
        sum_in_place(true, || stepped(&[6])),
        sum_to(false, stepped(&[8192]), tensor(&[8192]), || tensor(&[8192])),
        sum_to(false, stepped(&[2, 2]), tensor(&[2]), || tensor(&[2, 2])),
        sum_to(false, tensor(&[4]), tensor(&[4]), || tensor(&[4])),
    ]
}

fn reduction(is_taken: bool, input: Tensor, dims: &'static [i64]) -> Case {
    case(is_taken, move |watch| {
        let dims = DimSet::new(dims, input.ndim()).unwrap();
        let shape = dims.reduced_shape(input.shape(), false);
        let mut sum = Tensor::allocate(&shape, DType::Float64, Device::Cpu).unwrap();
        let plus = |a: f64, b: f64| a + b;
        let fold = Fold { start: 0.0, fold: plus, combine: plus, finish: |it| it };
        watch.over(|| reduce(&input, dims, &mut sum, fold)).unwrap();
        seen(&sum)
    })
}

fn reductions() -> Vec<Case> {
    let matrix = tensor(&[4, 4]);
    vec![
        reduction(true, matrix.clone(), &[0]),
        reduction(true, matrix.clone(), &[1]),
        reduction(true, tensor(&[4, 16]), &[0]),
        reduction(true, tensor(&[2, 3, 4]), &[1]),
        reduction(true, tensor(&[1]), &[0]),
        reduction(false, tensor(&[5, 13]), &[0]),
        reduction(false, tensor(&[2, 3, 4]), &[0, 2]),
        reduction(false, tensor(&[0, 3]), &[0]),
        reduction(false, stepped(&[4]), &[0]),
        reduction(false, view::transpose(&matrix, 0, 1).unwrap(), &[0]),
    ]
}
