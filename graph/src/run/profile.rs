//! Profiler: calls, times and sizes of each node.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::run::error::ExecutionError;
use crate::run::frame::Frame;
use crate::run::observer::NodeObserver;
use crate::run::plan::ExecutionPlan;
use crate::run::step::NodeStep;

/// What was noted of the calls of a function.
pub struct FunctionProfile(Vec<Counters>);

#[derive(Default)]
struct Counters {
    calls: AtomicU64,
    nanoseconds: AtomicU64,
    /// How many bytes the results of a call had; more than any can have if that is not known.
    bytes: AtomicU64,
}

/// What was noted of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeProfile {
    /// How often it ran.
    pub calls: u64,
    /// How long that took.
    pub time: Duration,
    /// How many bytes its results had the last time, if their types say so.
    pub bytes: Option<u64>,
}

const UNKNOWN: u64 = u64::MAX;

impl FunctionProfile {
    pub(crate) fn new(nodes: usize) -> FunctionProfile {
        FunctionProfile((0..nodes).map(|_| Counters::default()).collect())
    }

    /// What was noted of each node.
    pub fn nodes(&self) -> Vec<NodeProfile> {
        let noted = |it: &Counters| {
            let bytes = it.bytes.load(Ordering::Relaxed);
            NodeProfile {
                calls: it.calls.load(Ordering::Relaxed),
                time: Duration::from_nanos(it.nanoseconds.load(Ordering::Relaxed)),
                bytes: (bytes != UNKNOWN).then_some(bytes),
            }
        };
        self.0.iter().map(noted).collect()
    }
}

impl NodeObserver for FunctionProfile {
    fn run(
        &self,
        at: usize,
        step: &NodeStep,
        plan: &ExecutionPlan,
        frame: &mut Frame,
    ) -> Result<(), Box<ExecutionError>> {
        let start = Instant::now();
        let done = step.run(frame);
        let took = start.elapsed();
        let counters = &self.0[at];
        counters.calls.fetch_add(1, Ordering::Relaxed);
        counters.nanoseconds.fetch_add(took.as_nanos() as u64, Ordering::Relaxed);
        let results = step.first..step.first + step.node.outputs().len();
        let bytes = results.map(|it| plan.slots[it].ty().bytes(frame.get(it)));
        let bytes: Option<usize> = bytes.sum();
        counters.bytes.store(bytes.map_or(UNKNOWN, |it| it as u64), Ordering::Relaxed);
        done
    }
}
