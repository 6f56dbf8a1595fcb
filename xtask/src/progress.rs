//! That something goes on: on a terminal what the programs show themselves,
//! elsewhere a line now and then, and how long each took.

use std::io::{IsTerminal, stderr};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::step_output;

/// How often a program that says nothing is said to be running.
const INTERVAL: Duration = Duration::from_secs(30);

/// What is quicker needs no time behind it.
const WORTH_SAYING: Duration = Duration::from_secs(1);

/// Whether somebody watches, to whom bars are shown.
pub(crate) fn is_watched() -> bool {
    stderr().is_terminal()
}

/// Makes a program say only what went wrong, unless somebody watches.
pub(crate) fn quiet(command: &mut Command) -> &mut Command {
    if !is_watched() {
        command.arg("--quiet");
    }
    command
}

/// What cargo says that it builds, with how many of how many: `57/145: opwright_ops`.
#[derive(Clone, Default)]
pub(crate) struct Built(Arc<Mutex<String>>);

impl Built {
    /// Keeps a piece of what cargo prints, if it is of this kind.
    pub(crate) fn keep(&self, piece: &str) -> bool {
        let Some((_, text)) = piece.split_once("] ") else { return false };
        let is_of_cargo = piece.trim_start().starts_with("Building [");
        if is_of_cargo {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text.trim_end().to_owned();
        }
        is_of_cargo
    }

    /// `, 57 of 145: opwright_ops`; nothing before cargo has said anything.
    fn shown(&self) -> String {
        let said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((counts, names)) = said.split_once(": ") else { return String::new() };
        format!(", {}: {names}", counts.replace('/', " of "))
    }
}

/// A program that runs; says how long it took when it is dropped.
pub(crate) struct RunningProgram {
    start: Instant,
    /// Closed at the end, which ends the thread.
    end: Option<Sender<()>>,
    teller: Option<JoinHandle<()>>,
}

impl RunningProgram {
    /// From now on.
    pub(crate) fn begin() -> Self {
        RunningProgram::build(&Built::default())
    }

    /// The same of one that builds.
    pub(crate) fn build(built: &Built) -> Self {
        let (start, built) = (Instant::now(), built.clone());
        let (end, ended) = channel();
        let say = move || eprintln!("  ... {}{}", seconds(start.elapsed()), built.shown());
        let is_told = !is_watched() && !step_output::is_kept();
        let teller = is_told.then(|| thread::spawn(move || tell(&ended, INTERVAL, say)));
        RunningProgram { start, end: Some(end), teller }
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        self.end = None;
        if let Some(teller) = self.teller.take() {
            // A line that could not be printed is no reason to fail.
            let _ = teller.join();
        }
        let time = self.start.elapsed();
        if time >= WORTH_SAYING {
            step_output::say(format_args!("  {}", seconds(time)));
        }
    }
}

/// Says something at intervals, until the other end is closed.
fn tell(ended: &Receiver<()>, interval: Duration, mut say: impl FnMut()) {
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(interval) {
        say();
    }
}

/// `75 s`, `3 min 5 s`.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(seconds(Duration::from_millis(7_300)), "7 s");
        assert_eq!(seconds(Duration::from_secs(185)), "3 min 5 s");
    }

    #[test]
    fn what_cargo_builds_is_counted() {
        let built = Built::default();
        assert!(!built.keep("   Compiling opwright-ops v0.1.0") && built.shown().is_empty());
        assert!(built.keep("    Building [====>   ] 57/145: opwright_ops, syn(build)"));
        assert_eq!(built.shown(), ", 57 of 145: opwright_ops, syn(build)");
        assert!(
            built.keep("    Building [=======>] 145/145: opwright") && !built.keep("error: no")
        );
    }

    #[test]
    fn what_takes_long_is_said_to_go_on_until_it_ends() {
        let (end, ended) = channel();
        let (mut end, mut said) = (Some(end), 0);
        tell(&ended, Duration::from_millis(1), || {
            said += 1;
            if said == 3 {
                end = None;
            }
        });
        assert_eq!(said, 3);
    }

    #[test]
    fn programs_are_quiet_only_where_nobody_watches() {
        let mut command = Command::new("maturin");
        let is_quiet = quiet(&mut command).get_args().any(|it| it == "--quiet");
        assert_eq!(is_quiet, !is_watched());
    }
}
