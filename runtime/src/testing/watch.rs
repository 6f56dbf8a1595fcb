//! Limits of time and memory for the calls that a test makes.
//!
//! A thread beside the test looks at the call that is being made. One that
//! takes too much is interrupted, as by Ctrl-C. One that does not hear that can
//! only be ended together with the process, which says on stderr what it was.

use std::any::Any;
use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::sample::shown_values;
use crate::interrupt::{self, Payload};
use crate::op::Operator;
use crate::op::Value;

/// What one call may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    /// In bytes, beyond what the process has before.
    pub(super) memory: usize,
    /// Whether each call is written to stderr before it is made.
    pub(super) shows_calls: bool,
}

impl Limits {
    pub(super) const USUAL: Limits =
        Limits { time: Duration::from_secs(10), memory: 2 << 30, shows_calls: false };
}

/// How often somebody looks at the call.
const INTERVAL: Duration = Duration::from_millis(20);

/// How long a call that was interrupted may take to hear it.
const GRACE: Duration = Duration::from_secs(2);

/// What is being watched; opchecks take turns, so that it is one call at a time.
static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

struct Watched {
    limits: Limits,
    call: Option<WatchedCall>,
}

struct WatchedCall {
    shown: String,
    start: Instant,
    /// The memory of the process when the call was first looked at.
    resident: Option<usize>,
    /// What it took too much of, and since when.
    excess: Option<(String, Instant)>,
}

/// What a call that takes too much unwinds with.
struct Excess(String);

fn watched() -> MutexGuard<'static, Option<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that looks at calls, until this is dropped.
pub(super) struct Watch {
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(super) fn start(limits: Limits) -> Watch {
        *watched() = Some(Watched { limits, call: None });
        let (end, ended) = mpsc::channel();
        let look_on = move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                look();
            }
        };
        Watch { end: Some(end), thread: thread::Builder::new().spawn(look_on).ok() }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // It has nothing to say.
            let _ = thread.join();
        }
        *watched() = None;
    }
}

/// Makes a call, which is interrupted if it takes too much.
pub(super) fn call<R>(
    operator: &Operator,
    values: &mut [Value],
    make: impl FnOnce(&mut [Value]) -> R,
) -> R {
    begin(|| shown_values(operator, values));
    let result = interrupt::watched(excess, || make(values));
    if let Some(watched) = watched().as_mut() {
        watched.call = None;
    }
    result
}

fn begin(shown: impl FnOnce() -> String) {
    let mut watched = watched();
    let Some(watched) = watched.as_mut() else { return };
    let shown = shown();
    if watched.limits.shows_calls {
        tell(&format!("opcheck: {shown}\n"));
    }
    watched.call = Some(WatchedCall { shown, start: Instant::now(), resident: None, excess: None });
}

/// Why a call ended early, if it was for its limits.
pub(super) fn why(payload: &(dyn Any + Send)) -> Option<&str> {
    payload.downcast_ref::<Excess>().map(|it| &*it.0)
}

/// What the call unwinds with, if it is to.
fn excess() -> Option<Payload> {
    let watched = watched();
    let (why, _) = watched.as_ref()?.call.as_ref()?.excess.as_ref()?;
    Some(Box::new(Excess(why.clone())))
}

/// Notes what the call takes too much of; ends the process if nobody hears it.
fn look() {
    let mut watched = watched();
    let Some(Watched { limits, call: Some(call) }) = watched.as_mut() else { return };
    let resident = resident_bytes();
    let before = *call.resident.get_or_insert(resident);
    let taken = resident.saturating_sub(before);
    if call.excess.is_none() {
        let why = if call.start.elapsed() > limits.time {
            format!("takes longer than {:?}", limits.time)
        } else if taken > limits.memory {
            format!("takes more than {} MiB of memory", limits.memory >> 20)
        } else {
            return;
        };
        call.excess = Some((why, Instant::now()));
    }
    if let Some((why, since)) = &call.excess
        && (since.elapsed() > GRACE || taken / 2 > limits.memory)
    {
        tell(&format!(
            "opcheck: {}\n    {why}, and goes on when it is interrupted.\n    A loop whose length \
             an argument decides has to call `interrupt::check()`, or the\n    kernel has to refuse \
             what is too much. The limits are those of `Opcheck::time_limit`\n    and \
             `Opcheck::memory_limit`.\n",
            call.shown
        ));
        // There is no way to end a thread that does not want to.
        std::process::abort();
    }
}

/// To stderr itself: what is printed otherwise waits until the test ends.
fn tell(text: &str) {
    // There is nobody to tell that this did not work.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The memory of the process; zero where the system does not say.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|it| it.trim().strip_suffix("kB"));
    kibibytes.and_then(|it| it.trim().parse::<usize>().ok()).unwrap_or(0) << 10
}
