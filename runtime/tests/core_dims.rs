//! Kernels of core dimensions, compared with a loop over copies of their slices.

use opwright_runtime::core_dims::{self, CoreDim, CoreInput, CoreOutput, CoreSignature};
use opwright_runtime::ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut0, ArrayViewMut1};
use opwright_runtime::{
    DType, Device, Element, ErrorKind, Result, Tensor, ensure, f16, parallel, view,
};
use proptest::prelude::*;

const M: CoreDim = CoreDim::Named("m");
const N: CoreDim = CoreDim::Named("n");
const P: CoreDim = CoreDim::Named("p");

/// `(m,n),(n,p)->(m,p)`.
const PRODUCT: CoreSignature =
    CoreSignature { inputs: &[("a", &[M, N]), ("b", &[N, P])], outputs: &[&[M, P]] };

fn product(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    a.dot(&b)
}

fn products(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let [spec] = PRODUCT.specs([a, b], [DType::Float64])?;
    let mut out = spec.allocate()?;
    PRODUCT.run(
        [(a, f64::DTYPE), (b, f64::DTYPE)],
        [(&mut out, f64::DTYPE)],
        &|[a, b], outs| {
            core_dims::returned(product(core_dims::argument(a)?, core_dims::argument(b)?), outs)
        },
    )?;
    Ok(out)
}

/// `(n),()->(n),()`: the elements times a number, and their sum.
const SCALED: CoreSignature =
    CoreSignature { inputs: &[("x", &[N]), ("by", &[])], outputs: &[&[N], &[]] };

fn scaled(
    x: ArrayView1<'_, f32>,
    by: f32,
    mut out: ArrayViewMut1<'_, f32>,
    mut sum: ArrayViewMut0<'_, f32>,
) -> Result<()> {
    ensure!(by >= 0.0, Value, "a negative number");
    assert!(out.iter().all(|&it| it == 0.0) && sum[()] == 0.0, "they begin with zeros");
    out.zip_mut_with(&x, |out, &x| *out = x * by);
    sum[()] = out.sum();
    Ok(())
}

fn scale(x: &Tensor, by: &Tensor, out: &mut Tensor, sum: &mut Tensor) -> Result<()> {
    let (inputs, outputs) = ([x, by].map(|it| (it, f32::DTYPE)), [out, sum]);
    SCALED.run(inputs, outputs.map(|it| (it, f32::DTYPE)), &|[x, by], [out, sum]| {
        let (x, by) = (core_dims::argument(x)?, core_dims::argument(by)?);
        core_dims::returned(scaled(x, by, core_dims::filled(out)?, core_dims::filled(sum)?), [])
    })
}

fn counted(shape: &[i64]) -> Tensor {
    let count = shape.iter().product::<i64>();
    let elements: Vec<f64> = (0..count).map(|it| (it * 7 % 11) as f64 - 4.0).collect();
    Tensor::from_slice(shape, &elements).unwrap()
}

/// A tensor of this shape that lies otherwise in memory.
fn spread(shape: &[i64], way: u8) -> Tensor {
    let mut doubled = shape.to_vec();
    let Some(last) = doubled.last_mut() else { return counted(shape) };
    match way {
        0 => counted(shape),
        1 => {
            *last *= 2;
            let (mut strides, ndim) = (counted(&doubled).strides().to_vec(), shape.len());
            strides[ndim - 1] = 2;
            view::as_strided(&counted(&doubled), shape, &strides, 0).unwrap()
        }
        _ => {
            doubled.reverse();
            let dims: Vec<usize> = (0..shape.len()).rev().collect();
            view::permute(&counted(&doubled), &dims).unwrap()
        }
    }
}

fn stretched(of: &Tensor, looped: &[i64]) -> Tensor {
    let shape = [looped, &of.shape()[of.ndim() - 2..]].concat();
    view::expand(of, &shape).unwrap().copy().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn products_are_those_of_single_matrices(
        mut looped in prop::collection::vec(0_i64..4, 0..3),
        long in 0_usize..6,
        sizes in (0_i64..4, 0_i64..4, 0_i64..4),
        cuts in (0_usize..3, 0_usize..3, any::<bool>(), any::<bool>()),
        ways in (0_u8..3, 0_u8..3),
    ) {
        // Longer than the elements that are copied together.
        if let Some(size) = looped.get_mut(long) {
            *size = 523;
        }
        let own = |cut: usize, ones: bool, core: [i64; 2]| {
            let mut shape = looped[cut.min(looped.len())..].to_vec();
            if let (true, Some(first)) = (ones, shape.first_mut()) {
                *first = 1;
            }
            shape.extend(core);
            shape
        };
        let (m, n, p) = sizes;
        let a = spread(&own(cuts.0, cuts.2, [m, n]), ways.0);
        let b = spread(&own(cuts.1, cuts.3, [n, p]), ways.1);
        let found = products(&a, &b).unwrap();
        let loops = &found.shape()[..found.ndim() - 2];
        prop_assert_eq!(&found.shape()[loops.len()..], &[m, p]);
        let whole = [stretched(&a, loops), stretched(&b, loops)];
        let [a, b] = whole.map(|it| it.to_vec::<f64>().unwrap());
        let mut expected = Vec::new();
        for at in 0..loops.iter().product::<i64>() as usize {
            let (m, n, p) = (m as usize, n as usize, p as usize);
            let a = ArrayView2::from_shape((m, n), &a[at * m * n..][..m * n]).unwrap();
            let b = ArrayView2::from_shape((n, p), &b[at * n * p..][..n * p]).unwrap();
            expected.extend(product(a, b));
        }
        prop_assert_eq!(found.to_vec::<f64>().unwrap(), expected);
    }
}

#[test]
fn results_may_lie_anywhere_and_have_other_dtypes() {
    let x = Tensor::from_slice(&[2, 3], &[1, 2, 3, 4, 5, 6]).unwrap();
    let by = Tensor::from_slice(&[2], &[f16::from_f32(1.0), f16::from_f32(0.5)]).unwrap();
    let memory = Tensor::allocate(&[3, 2], DType::Float64, Device::Cpu).unwrap();
    let mut out = view::transpose(&memory, 0, 1).unwrap();
    let mut sum = Tensor::allocate(&[2], DType::Float16, Device::Cpu).unwrap();
    scale(&x, &by, &mut out, &mut sum).unwrap();
    assert_eq!(memory.to_vec::<f64>().unwrap(), [1.0, 2.0, 2.0, 2.5, 3.0, 3.0]);
    assert_eq!(sum.to_vec::<f32>().unwrap(), [6.0, 7.5]);
}

#[test]
fn threads_share_what_takes_long() {
    let (x, by) = (counted(&[5000, 3, 7]), counted(&[11, 1, 1]));
    let by = view::select(&by, 0, 1).unwrap();
    let run = || {
        let mut out = Tensor::allocate(x.shape(), DType::Float32, Device::Cpu).unwrap();
        let mut sum = Tensor::allocate(&[5000, 3], DType::Float32, Device::Cpu).unwrap();
        let by = view::expand(&by, &[5000, 3]);
        scale(&x, &by.unwrap(), &mut out, &mut sum).map(|()| (out, sum))
    };
    let all = run().unwrap();
    let alone = parallel::limited(1, run).unwrap();
    assert_eq!(all.0.to_vec::<f32>().unwrap(), alone.0.to_vec::<f32>().unwrap());
    assert_eq!(all.1.to_vec::<f32>().unwrap(), alone.1.to_vec::<f32>().unwrap());
}

#[track_caller]
fn refused(result: Result<impl std::fmt::Debug>, message: &str) {
    let error = result.expect_err(message);
    assert_eq!((error.kind(), error.message()), (ErrorKind::Runtime, message));
}

#[test]
fn shapes_that_do_not_go_together_are_told_by_name() {
    refused(
        products(&counted(&[2, 3]), &counted(&[4, 5])),
        "core dimension `n` has size 3 in `a`, but size 4 in `b`, whose core dimensions are (n,p) \
         and whose shape is [4, 5]",
    );
    refused(
        products(&counted(&[3]), &counted(&[3, 5])),
        "`a` must have at least 2 dimensions, its core dimensions (m,n), but has shape [3]",
    );
    refused(
        products(&counted(&[2, 4, 3]), &counted(&[3, 3, 5])),
        "loop dimensions do not broadcast: `a` has [2] before its core dimensions (m,n), `b` has \
         [3] before its core dimensions (n,p)",
    );
    // A core dimension of size 1 is not broadcast.
    assert!(products(&counted(&[2, 1]), &counted(&[3, 5])).is_err());
    const SQUARE: CoreSignature = CoreSignature { inputs: &[("x", &[N, N])], outputs: &[] };
    refused(
        SQUARE.bind(&[&counted(&[4, 2, 3])]),
        "core dimension `n` of `x` has size 2 and size 3: its core dimensions are (n,n), its shape \
         is [4, 2, 3]",
    );
    const TRIPLE: CoreSignature =
        CoreSignature { inputs: &[("x", &[CoreDim::Fixed(3)])], outputs: &[] };
    refused(
        TRIPLE.bind(&[&counted(&[2])]),
        "`x` must have size 3 in a core dimension that has size 2: its core dimensions are (3), \
         its shape is [2]",
    );
}

#[test]
fn a_kernel_that_does_not_fit_is_an_error() {
    let x = counted(&[2, 3]);
    const SAME: CoreSignature = CoreSignature { inputs: &[("x", &[N])], outputs: &[&[N]] };
    type Kernel = dyn Fn([CoreInput<'_>; 1], [CoreOutput<'_>; 1]) -> Result<()> + Sync;
    let run = |kernel: &Kernel| {
        let mut out = Tensor::allocate(&[2, 3], DType::Float64, Device::Cpu)?;
        SAME.run([(&x, f64::DTYPE)], [(&mut out, f64::DTYPE)], kernel)
    };
    refused(
        run(&|[x], _| core_dims::argument::<ArrayView2<'_, f64>>(x).map(|_| ())),
        "the kernel takes arrays of 2 dimensions where its core dimensions are 1",
    );
    refused(
        run(&|[x], _| core_dims::argument::<ArrayView1<'_, f32>>(x).map(|_| ())),
        "the kernel takes float32 where it is given float64",
    );
    refused(
        run(&|[x], out| {
            let x: ArrayView1<'_, f64> = core_dims::argument(x)?;
            core_dims::returned(
                x.iter().copied().skip(1).collect::<opwright_runtime::ndarray::Array1<_>>(),
                out,
            )
        }),
        "the kernel returned an array of shape [2] where its core dimensions are [3]",
    );
    let mut out = x.clone();
    let run = SAME.run([(&x, f64::DTYPE)], [(&mut out, f64::DTYPE)], &|_, _| Ok(()));
    assert!(run.unwrap_err().message().contains("refer to a single memory location"));
    let (mut out, mut sum) = (counted(&[2, 3]), counted(&[2]));
    let error = scale(&x, &counted(&[]), &mut out, &mut sum).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Value, "a negative number"));
}
