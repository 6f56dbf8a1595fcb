//! Chains of loops, beside the same loops one after the other.

use opwright_runtime::iterate::fused::{self, Link, Operand};
use opwright_runtime::iterate::inner_loop;
use opwright_runtime::op::{Calculates, ElementLoop};
use opwright_runtime::promote::result_type;
use opwright_runtime::{DType, Level, Result, Spec, Tensor, dispatch, view};

static PLUS: ElementLoop = ElementLoop {
    calculates: Calculates::InResult,
    make: |dtype, _, _, then| {
        dispatch!(dtype, "plus", number, |T| {
            inner_loop::binary(|a: T, b: T| opwright_runtime::dtype::Number::plus(a, b), then)
        })
    },
};

static TWICE: ElementLoop = ElementLoop {
    calculates: Calculates::InResult,
    make: |dtype, _, _, then| {
        dispatch!(dtype, "twice", number, |T| {
            inner_loop::unary(|a: T| opwright_runtime::dtype::Number::plus(a, a), then)
        })
    },
};

static LESS: ElementLoop = ElementLoop {
    calculates: Calculates::InCommon(&[0, 1]),
    make: |_, _, _, then| inner_loop::binary(|a: f64, b: f64| a < b, then),
};

static SINE: ElementLoop = ElementLoop {
    calculates: Calculates::InFloating(&[0]),
    make: |_, _, _, then| inner_loop::unary(f64::sin, then),
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
    (link.of.make)(link.dtype, Level::detect(), &mut [], &mut |it| match operands {
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

#[test]
fn chains_give_the_same_bits_in_the_same_order() {
    let shapes: [&[i64]; 7] = [&[], &[1], &[0], &[3000], &[40, 50], &[7, 3, 200], &[5, 0, 2]];
    let mut run = 0;
    for seed in 1..400_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let shape = shapes[dice.roll(shapes.len())];
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
                Calculates::InCommon(_) => (DType::Float64, DType::Bool),
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
}
