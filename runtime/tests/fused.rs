//! Chains of loops, beside the same loops one after the other.

use opwright_runtime::geometry::DimSet;
use opwright_runtime::iterate::fused::{self, Link, Operand};
use opwright_runtime::iterate::inner_loop;
use opwright_runtime::op::{Calculates, ElementLoop};
use opwright_runtime::promote::result_type;
use opwright_runtime::reduce::{Fold, Source, dims_of, reduce_indexed};
use opwright_runtime::{DType, Device, Result, Spec, Tensor, dispatch, view};

static PLUS: ElementLoop = ElementLoop {
    calculates: Calculates::InResult,
    make: |dtype, _, then| {
        dispatch!(dtype, "plus", number, |T| {
            inner_loop::binary(|a: T, b: T| opwright_runtime::dtype::Number::plus(a, b), then)
        })
    },
};

static TWICE: ElementLoop = ElementLoop {
    calculates: Calculates::InResult,
    make: |dtype, _, then| {
        dispatch!(dtype, "twice", number, |T| {
            inner_loop::unary(|a: T| opwright_runtime::dtype::Number::plus(a, a), then)
        })
    },
};

static LESS: ElementLoop = ElementLoop {
    calculates: Calculates::InCommon(&[0, 1]),
    make: |_, _, then| inner_loop::binary(|a: f64, b: f64| a < b, then),
};

static SINE: ElementLoop = ElementLoop {
    calculates: Calculates::InFloating(&[0]),
    make: |_, _, then| inner_loop::unary(f64::sin, then),
};

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }
}

/// The loop of a link over whole tensors.
fn apart(link: &Link<'_>, operands: &[&Tensor]) -> Result<Tensor> {
    let mut out = Spec::elementwise(operands)?.with_dtype(link.result).allocate()?;
    (link.of.make)(link.dtype, &mut [], &mut |it| match operands {
        [a] => it.over_tensors([*a], [&mut out]),
        [a, b] => it.over_tensors([*a, *b], [&mut out]),
        _ => unreachable!("loops of one or two operands"),
    })?;
    Ok(out)
}

fn bits(tensor: &Tensor) -> Vec<u64> {
    let wide = tensor.to_dtype(DType::Float64).unwrap();
    wide.to_vec::<f64>().unwrap().into_iter().map(f64::to_bits).collect()
}

/// A tensor of this shape, or one that stretches to it, which lies somehow.
fn tensor(dice: &mut Dice, shape: &[i64]) -> Tensor {
    let dtypes = [DType::Float64, DType::Float32, DType::Int32, DType::Int64, DType::UInt8];
    let dtype = dtypes[dice.roll(dtypes.len())];
    let mut shape = shape.to_vec();
    match dice.roll(5) {
        0 => shape.iter_mut().for_each(|it| *it = if dice.roll(2) == 0 { 1 } else { *it }),
        1 => drop(shape.drain(..dice.roll(shape.len() + 1))),
        _ => {}
    }
    let lies = dice.roll(3);
    if lies == 1 {
        shape.reverse();
    } else if let Some(last) = shape.last_mut().filter(|_| lies == 2) {
        *last *= 2;
    }
    let count = shape.iter().product::<i64>();
    let numbers = (0..count).map(|_| dice.roll(200) as f64 / 7.0).collect();
    let all = Tensor::from_vec(&shape, numbers).unwrap().to_dtype(dtype).unwrap();
    match (lies, shape.len()) {
        (1, ndim) => view::permute(&all, &(0..ndim).rev().collect::<Vec<_>>()).unwrap(),
        (2, ndim @ 1..) => view::slice(&all, ndim - 1, 1, shape[ndim - 1], 2).unwrap(),
        _ => all,
    }
}

/// A reduction that tells in which order it gets what.
fn fold(of: Source<'_>, dims: DimSet, out: &mut Tensor) -> Result<()> {
    let fold = Fold {
        start: 0.5_f64,
        fold: |all, it: f64, index| all * 0.9 + it * (index % 7) as f64,
        combine: |a, b| a * 0.8 + b,
        finish: |it| it,
    };
    reduce_indexed(of, dims, out, fold)
}

/// Folds over the last dimensions of a link, in the chain and behind it.
fn check_reductions(
    links: &[Link<'_>],
    inputs: &[&Tensor],
    results: &[Tensor],
    reduced: usize,
) -> usize {
    let read = &results[reduced];
    let mut run = 0;
    for (first, keeps) in (0..=read.ndim()).flat_map(|it| [(it, false), (it, true)]) {
        let dims = (first..read.ndim()).fold(DimSet::EMPTY, DimSet::with);
        let out = || {
            let shape = dims.reduced_shape(read.shape(), keeps);
            Tensor::allocate(&shape, DType::Float64, Device::Cpu).unwrap()
        };
        let (mut expected, mut found) = (out(), out());
        fold(read.into(), dims, &mut expected).unwrap();
        let both = [0, reduced];
        let wanted = [&both[..0], &both[1..], &both[..1], &both][run % 4];
        let mut then = |source: Source<'_>| fold(source, dims, &mut found);
        let Some(made) = fused::reduce(links, inputs, wanted, reduced, &mut then).unwrap() else {
            continue;
        };
        run += 1;
        assert_eq!(bits(&found), bits(&expected), "{:?} from {first}", read.shape());
        for (made, at) in made.iter().zip(wanted) {
            assert_eq!(bits(made), bits(&results[*at]));
        }
    }
    run
}

#[test]
fn reductions_over_outer_dimensions_are_left_alone() {
    let x = Tensor::from_vec(&[30, 50], vec![1.5; 1500]).unwrap();
    let operands = [Operand::Input(0)];
    let (dtype, result) = (DType::Float64, DType::Float64);
    let links = [Link { of: &TWICE, dtype, others: &[], operands: &operands, result }];
    let mut out = Tensor::allocate(&[50], DType::Float64, Device::Cpu).unwrap();
    let mut then = |source: Source<'_>| fold(source, DimSet::single(0), &mut out);
    assert!(fused::reduce(&links, &[&x], &[], 0, &mut then).unwrap().is_none());
    let mut nothing = |_: Source<'_>| Ok(());
    assert!(fused::reduce(&links, &[&x], &[], 0, &mut nothing).unwrap().is_none());
    let dims = dims_of(2, DType::Float64, |source| fold(source, DimSet::single(0), &mut out));
    assert_eq!(dims, Some(DimSet::single(0)));
}

#[test]
fn chains_give_the_same_bits_in_the_same_order() {
    let shapes: [&[i64]; 10] = [
        &[],
        &[1],
        &[0],
        &[3000],
        &[40, 50],
        &[7, 3, 200],
        &[5, 0, 2],
        &[3, 40, 6],
        &[3, 1700],
        &[67_000],
    ];
    let (mut run, mut folded) = (0, 0);
    for seed in 1..400_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // The last of them takes long.
        let shape = shapes[dice.roll(shapes.len() - usize::from(seed % 16 > 0))];
        let inputs: Vec<Tensor> = (0..3).map(|_| tensor(&mut dice, shape)).collect();
        let mut operands: Vec<Vec<Operand>> = Vec::new();
        let mut kinds = Vec::new();
        for at in 0..2 + dice.roll(6) {
            let (of, count) = [(&PLUS, 2), (&TWICE, 1), (&LESS, 2), (&SINE, 1)][dice.roll(4)];
            let mut operand = || match dice.roll(at + 3) {
                it if it < 3 => Operand::Input(it),
                it => Operand::Link(it - 3),
            };
            let mut all = vec![if at > 0 { Operand::Link(at - 1) } else { operand() }];
            all.extend((1..count).map(|_| operand()));
            operands.push(all);
            kinds.push(of);
        }
        let mut results: Vec<Tensor> = Vec::new();
        let mut links: Vec<Link<'_>> = Vec::new();
        for (of, operands) in kinds.into_iter().zip(&operands) {
            let tensors: Vec<&Tensor> = operands
                .iter()
                .map(|it| match it {
                    Operand::Input(at) => &inputs[*at],
                    Operand::Link(at) => &results[*at],
                })
                .collect();
            let common = result_type(&tensors).unwrap();
            let common = if common.is_boolean() { DType::Int64 } else { common };
            let (dtype, result) = match of.calculates {
                Calculates::InResult => (common, common),
                Calculates::InCommon(_) | Calculates::Compared(_) => (DType::Float64, DType::Bool),
                Calculates::InFloating(_) => (DType::Float64, common.to_floating()),
            };
            let link = Link { of, dtype, others: &[], operands, result };
            results.push(apart(&link, &tensors).unwrap());
            links.push(link);
        }
        let last = links.len() - 1;
        let wanted = if seed % 2 == 0 { vec![last] } else { vec![last, dice.roll(last)] };
        let tensors: Vec<&Tensor> = inputs.iter().collect();
        assert!(fused::run(&links, &tensors, &[last, last]).unwrap().is_none());
        folded += check_reductions(&links, &tensors, &results, last);
        let Some(found) = fused::run(&links, &tensors, &wanted).unwrap() else { continue };
        run += 1;
        for (found, at) in found.iter().zip(&wanted) {
            let expected = &results[*at];
            assert_eq!(found.dtype(), expected.dtype(), "seed {seed}");
            assert_eq!(found.shape(), expected.shape(), "seed {seed}");
            assert_eq!(found.strides(), expected.strides(), "seed {seed}");
            assert_eq!(bits(found), bits(expected), "seed {seed}");
        }
    }
    assert!(run > 100, "{run} chains were run");
    assert!(folded > 200, "{folded} reductions were run");
}
