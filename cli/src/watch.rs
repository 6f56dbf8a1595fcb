//! `opwright check --watch`: checks again whenever a file that was read, or
//! one that could be read now, is saved.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use opwright_codegen::library::LibrarySource;

use crate::ExitStatus;
use crate::args::CheckArgs;
use crate::check;
use crate::output::OutputFile;

/// Editors write a file in several steps: how long nothing must happen.
const QUIET: Duration = Duration::from_millis(50);

/// Files whose changes count.
const EXTENSIONS: [&str; 2] = ["yaml", "rs"];

/// Checks until nobody reads the output any more, or something else ends the process.
pub(crate) fn run(check: &CheckArgs, output: &mut OutputFile) -> ExitStatus {
    let (sender, events) = mpsc::channel();
    // Only a watcher that is still alive reports.
    let watcher = notify::recommended_watcher(sender).and_then(|mut watcher| {
        watch(&mut watcher, check)?;
        Ok(watcher)
    });
    let _watcher = match watcher {
        Ok(watcher) => watcher,
        Err(error) => {
            output.error(&format!("error: cannot watch the files: {error}"));
            return ExitStatus::Wrong;
        }
    };
    loop {
        let outcome = check::run(check, output);
        match changed(&events) {
            Some(path) if output.is_open() => {
                output.line(&format!("\n`{}` has changed", path.display()));
            }
            Some(_) | None => return outcome,
        }
    }
}

/// Watches folders, since editors replace files by new ones.
fn watch(watcher: &mut RecommendedWatcher, check: &CheckArgs) -> notify::Result<()> {
    let mut files = check.files.clone();
    if let Some(directory) = &check.directory {
        files.push(directory.join("build.rs"));
        files.extend(LibrarySource::of_crate(directory, &|it: &Path| fs::read_to_string(it)).yaml);
        watcher.watch(&directory.join("src"), RecursiveMode::Recursive)?;
    }
    let folders: BTreeSet<PathBuf> = files.iter().map(|it| folder(it)).collect();
    folders.iter().try_for_each(|it| watcher.watch(it, RecursiveMode::NonRecursive))
}

fn folder(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        Some(_) | None => PathBuf::from("."),
    }
}

/// Waits for a change, and for its end. Nothing if there will be none.
fn changed(events: &Receiver<notify::Result<Event>>) -> Option<PathBuf> {
    let path = loop {
        if let Some(path) = events.recv().ok()?.ok().and_then(relevant) {
            break path;
        }
    };
    while events.recv_timeout(QUIET).is_ok() {}
    Some(path)
}

/// The changed file, if its change can change what a check says.
fn relevant(event: Event) -> Option<PathBuf> {
    if matches!(event.kind, EventKind::Access(_)) {
        return None;
    }
    let counts =
        |it: &PathBuf| it.extension().is_some_and(|it| EXTENSIONS.iter().any(|known| it == *known));
    event.paths.into_iter().find(counts)
}
