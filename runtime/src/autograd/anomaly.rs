//! Anomaly detection: each node keeps the call site that recorded it, and reports it when its
//! gradient fails.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use super::edge;
use super::edge::Edge;
use super::node::Node;
use crate::Result;

const ENABLED: u8 = 1;
const CHECKS_NAN: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(0);

/// Where a call was made.
pub type CallSite = Box<dyn Any + Send + Sync>;

/// Knows where calls are made, in the language that makes them.
pub trait CallSiteRecorder: Sync {
    /// Where this thread is.
    fn call_site(&self) -> Option<CallSite>;

    /// Says that the gradient of a node failed, and where its call was made, if that is known.
    /// `made_by` is the node whose gradient made it, in a pass that was recorded.
    fn report(&self, node: &dyn Node, call_site: Option<&CallSite>, made_by: Option<&dyn Node>);
}

static RECORDER: OnceLock<&'static dyn CallSiteRecorder> = OnceLock::new();

/// Says who knows where calls are made; the first one stays.
pub fn set_call_site_recorder(recorder: &'static dyn CallSiteRecorder) {
    let _ = RECORDER.set(recorder);
}

/// Says whether anomalies are looked for from now on, by all threads, and whether a gradient with
/// not-a-number is one. Returns what held before.
pub fn set_anomaly_detection(is_enabled: bool, checks_nan: bool) -> (bool, bool) {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let state = flag(is_enabled, ENABLED) | flag(checks_nan, CHECKS_NAN);
    let before = STATE.swap(state, Ordering::Relaxed);
    (before & ENABLED != 0, before & CHECKS_NAN != 0)
}

/// Whether anomalies are looked for, and whether not-a-number is one.
pub fn anomaly_detection() -> (bool, bool) {
    let state = STATE.load(Ordering::Relaxed);
    (state & ENABLED != 0, state & CHECKS_NAN != 0)
}

/// Whether anomalies are looked for.
pub(super) fn is_enabled() -> bool {
    anomaly_detection().0
}

thread_local! {
    /// The nodes that run, each within the one before.
    static RUNNING: RefCell<Vec<Arc<dyn Node>>> = const { RefCell::new(Vec::new()) };
}

/// Where a node comes from.
#[derive(Default)]
pub(super) struct NodeOrigin {
    call_site: Option<CallSite>,
    made_by: Option<Arc<dyn Node>>,
}

impl NodeOrigin {
    /// That of a node which is being made now.
    pub(super) fn now() -> NodeOrigin {
        let call_site = RECORDER.get().and_then(|it| it.call_site());
        NodeOrigin { call_site, made_by: RUNNING.with_borrow(|it| it.last().cloned()) }
    }
}

impl Drop for NodeOrigin {
    fn drop(&mut self) {
        edge::release(self.made_by.take().map(|it| Edge::new(it, 0)));
    }
}

/// Runs the gradient of a node; if it fails, says where its call was made, and where those were that
/// made it.
pub(super) fn watched(node: &Arc<dyn Node>, run: impl FnOnce() -> Result<()>) -> Result<()> {
    let result = {
        let _running = RunningNode::new(node);
        catch_unwind(AssertUnwindSafe(run))
    };
    match result {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(_)) | Err(_) => report(node),
    }
    result.unwrap_or_else(|payload| resume_unwind(payload))
}

fn report(node: &Arc<dyn Node>) {
    let Some(recorder) = RECORDER.get() else { return };
    let mut node = node.clone();
    loop {
        let origin = node.header().origin();
        let made_by = origin.and_then(|it| it.made_by.clone());
        let call_site = origin.and_then(|it| it.call_site.as_ref());
        recorder.report(&*node, call_site, made_by.as_deref());
        let Some(parent) = made_by else { return };
        node = parent;
    }
}

/// While it lives, a node runs.
struct RunningNode;

impl RunningNode {
    fn new(node: &Arc<dyn Node>) -> RunningNode {
        RUNNING.with_borrow_mut(|it| it.push(node.clone()));
        RunningNode
    }
}

impl Drop for RunningNode {
    fn drop(&mut self) {
        let node = RUNNING.with_borrow_mut(Vec::pop);
        drop(node);
    }
}
