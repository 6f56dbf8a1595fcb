//! How the loops around element-wise kernels compare with the best loops that
//! one would write by hand for them, on one thread and on all.
//!
//! `cargo run --release --example elementwise -p opwright-runtime`

use std::hint::black_box;
use std::time::Instant;

use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::{Tensor, iterate, view};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

fn main() {
    let all = iterate::get_num_threads();
    for threads in [1, all] {
        iterate::set_num_threads(threads).unwrap();
        println!("threads: {threads}; nanoseconds per 1000 elements, best of several rounds\n");
        println!(
            "{:>9} {:>11} {:>9} {:>6} {:>9} {:>9} {:>6}",
            "elements", "layout", "function", "dtype", "by hand", "here", "ratio"
        );
        let mut worst = 0.0_f64;
        for count in [1_000, 1_000_000, 10_000_000] {
            for layout in [Layout::Contiguous, Layout::Strided, Layout::Broadcast] {
                worst = worst.max(Data::<f32>::new(count, layout, threads).compare("f32"));
                worst = worst.max(Data::<f64>::new(count, layout, threads).compare("f64"));
            }
        }
        println!("\nthe worst ratio: {worst:.2}\n");
    }
}

fn hypot<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

fn relu<T: Float>(x: T) -> T {
    if x > T::ZERO { x } else { T::ZERO }
}

fn multiply_add<T: Float>(a: T, b: T, c: T) -> T {
    a * b + c
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// All elements are neighbours.
    Contiguous,
    /// Every second element of the inputs.
    Strided,
    /// Rows of 1000: the second input is one row, the third one column.
    Broadcast,
}

/// Elements in a row of broadcast operands.
const WIDTH: usize = 1000;

/// Where element `column` of row `row` of an input is: what a hand-written
/// loop over any layout knows.
#[derive(Clone, Copy)]
struct Steps {
    row: usize,
    column: usize,
}

struct Data<T> {
    layout: Layout,
    threads: usize,
    count: usize,
    inputs: [Vec<T>; 3],
    steps: [Steps; 3],
    out: Vec<T>,
    tensors: [Tensor; 3],
    out_tensor: Tensor,
}

impl<T: Element + Float> Data<T> {
    fn new(count: usize, layout: Layout, threads: usize) -> Data<T> {
        let (rows, width) = (count / WIDTH, WIDTH);
        let step = if layout == Layout::Strided { 2 } else { 1 };
        let broadcast = layout == Layout::Broadcast;
        let whole = Steps { row: width * step, column: step };
        let steps = match broadcast {
            false => [whole; 3],
            true => [whole, Steps { row: 0, column: 1 }, Steps { row: 1, column: 0 }],
        };
        let sizes = if broadcast { [count, width, rows] } else { [count * step; 3] };
        let inputs = sizes.map(|size| values(size));
        let shapes = [[rows, width], [1, width], [rows, 1]].map(|it| it.map(|size| size as i64));
        let tensors = [0, 1, 2].map(|idx| {
            let values = inputs[idx].as_slice();
            if broadcast {
                return Tensor::from_slice(&shapes[idx], values).unwrap();
            }
            let flat = Tensor::from_slice(&[values.len() as i64], values).unwrap();
            view::slice(&flat, 0, 0, values.len() as i64, step as i64).unwrap()
        });
        let shape: &[i64] = if broadcast { &shapes[0] } else { &[count as i64] };
        let out_tensor = Tensor::from_slice(shape, &values::<T>(count)).unwrap();
        let out = values(count);
        Data { layout, threads, count, inputs, steps, out, tensors, out_tensor }
    }

    /// Prints a row for each function, and gives the worst ratio.
    fn compare(&mut self, dtype: &str) -> f64 {
        let rows = [
            ("relu", self.measure(|it| it.by_hand_1(relu), |it| it.here_1(relu))),
            ("hypot", self.measure(|it| it.by_hand_2(hypot), |it| it.here_2(hypot))),
            (
                "a * b + c",
                self.measure(|it| it.by_hand_3(multiply_add), |it| it.here_3(multiply_add)),
            ),
        ];
        let layout = match self.layout {
            Layout::Contiguous => "contiguous",
            Layout::Strided => "strided",
            Layout::Broadcast => "broadcast",
        };
        let per = |nanos: f64| nanos * 1000.0 / self.count as f64;
        for (name, (by_hand, here)) in rows {
            println!(
                "{:>9} {layout:>11} {name:>9} {dtype:>6} {:>9.1} {:>9.1} {:>6.2}",
                self.count,
                per(by_hand),
                per(here),
                here / by_hand
            );
        }
        rows.iter().map(|(_, (by_hand, here))| here / by_hand).fold(0.0, f64::max)
    }

    /// Both in alternation, the best of several rounds.
    fn measure(&mut self, by_hand: impl Fn(&mut Self), here: impl Fn(&mut Self)) -> (f64, f64) {
        let mut best = (f64::INFINITY, f64::INFINITY);
        for _ in 0..15 {
            best.0 = best.0.min(nanos(|| by_hand(self)));
            best.1 = best.1.min(nanos(|| here(self)));
        }
        best
    }

    fn by_hand_1(&mut self, f: impl Fn(T) -> T + Sync) {
        let (a, step) = (&self.inputs[0][..], black_box(self.steps[0]));
        rows(&mut self.out, self.threads, |row, out| match step.column {
            1 => {
                let a = &a[row * step.row..][..out.len()];
                out.iter_mut().zip(a).for_each(|(out, a)| *out = f(*a));
            }
            column => {
                let a = a[row * step.row..].iter().step_by(column);
                out.iter_mut().zip(a).for_each(|(out, a)| *out = f(*a));
            }
        });
    }

    fn by_hand_2(&mut self, f: impl Fn(T, T) -> T + Sync) {
        let [a, b, _] = [0, 1, 2].map(|idx| &self.inputs[idx][..]);
        let [steps_a, steps_b, _] = black_box(self.steps);
        rows(&mut self.out, self.threads, |row, out| {
            let (a, b) = (&a[row * steps_a.row..], &b[row * steps_b.row..]);
            match steps_a.column {
                1 => {
                    let inputs = a[..out.len()].iter().zip(&b[..out.len()]);
                    out.iter_mut().zip(inputs).for_each(|(out, (a, b))| *out = f(*a, *b));
                }
                column => {
                    let inputs = a.iter().step_by(column).zip(b.iter().step_by(steps_b.column));
                    out.iter_mut().zip(inputs).for_each(|(out, (a, b))| *out = f(*a, *b));
                }
            }
        });
    }

    fn by_hand_3(&mut self, f: impl Fn(T, T, T) -> T + Sync) {
        let [a, b, c] = [0, 1, 2].map(|idx| &self.inputs[idx][..]);
        let [steps_a, steps_b, steps_c] = black_box(self.steps);
        rows(&mut self.out, self.threads, |row, out| {
            let (a, b) = (&a[row * steps_a.row..], &b[row * steps_b.row..]);
            let c = &c[row * steps_c.row..];
            match (steps_a.column, steps_c.column) {
                (1, 1) => {
                    let inputs = a[..out.len()].iter().zip(&b[..out.len()]).zip(&c[..out.len()]);
                    out.iter_mut().zip(inputs).for_each(|(out, ((a, b), c))| *out = f(*a, *b, *c));
                }
                (1, _) => {
                    let (inputs, c) = (a[..out.len()].iter().zip(&b[..out.len()]), c[0]);
                    out.iter_mut().zip(inputs).for_each(|(out, (a, b))| *out = f(*a, *b, c));
                }
                (column, _) => {
                    let inputs = a.iter().step_by(column).zip(b.iter().step_by(steps_b.column));
                    let inputs = inputs.zip(c.iter().step_by(steps_c.column));
                    out.iter_mut().zip(inputs).for_each(|(out, ((a, b), c))| *out = f(*a, *b, *c));
                }
            }
        });
    }

    fn here_1(&mut self, f: impl Fn(T) -> T + Sync) {
        iterate::unary(&self.tensors[0], &mut self.out_tensor, f).unwrap();
    }

    fn here_2(&mut self, f: impl Fn(T, T) -> T + Sync) {
        let [a, b, _] = &self.tensors;
        iterate::binary(a, b, &mut self.out_tensor, f).unwrap();
    }

    fn here_3(&mut self, f: impl Fn(T, T, T) -> T + Sync) {
        let [a, b, c] = &self.tensors;
        iterate::ternary(a, b, c, &mut self.out_tensor, f).unwrap();
    }
}

/// Small positive numbers, so that no function is slow for a special value.
fn values<T: Element + Float>(count: usize) -> Vec<T> {
    (0..count).map(|it| T::cast_from((it % 97) as f64 * 0.25)).collect()
}

/// Calls a function for each row of a result, on so many threads.
fn rows<T: Send>(out: &mut [T], threads: usize, body: impl Fn(usize, &mut [T]) + Sync) {
    let run = |first: usize, part: &mut [T]| {
        part.chunks_mut(WIDTH).enumerate().for_each(|(row, out)| body(first + row, out));
    };
    if threads == 1 || out.len() < 100_000 {
        return run(0, out);
    }
    let share = (out.len() / WIDTH).div_ceil(threads * 4);
    let parts: Vec<(usize, &mut [T])> = out.chunks_mut(share * WIDTH).enumerate().collect();
    parts.into_par_iter().for_each(|(idx, part)| run(idx * share, part));
}

/// Per call.
fn nanos(mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    f();
    let once = start.elapsed().as_nanos().max(20);
    let times = (1_000_000 / once).clamp(1, 10_000) as u32;
    let start = Instant::now();
    (0..times).for_each(|_| f());
    start.elapsed().as_nanos() as f64 / f64::from(times)
}
