//! The compiler: where it is, how it is called, what its messages mean.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use opwright_runtime::lock::Lock;

use super::error::CompileError;

/// A compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The program.
    pub path: PathBuf,
    /// The first line of what it says of its version.
    pub version: String,
    /// What is always passed to it.
    arguments: Vec<String>,
    /// Whether it is asked for C, not for C++.
    pub is_c: bool,
}

/// A library that a source is linked with.
#[derive(Clone, Debug)]
pub struct Linked {
    /// What follows `-l`.
    pub name: String,
    /// Who asks for it, for the message if it is not found.
    pub asker: String,
}

impl Compiler {
    /// The one that is wanted, that the environment names (`CC`, `CXX`), or that is there. A name may
    /// be followed by arguments, which are passed always.
    ///
    /// # Errors
    ///
    /// [`CompileError::NoCompiler`] if there is none; it cannot be asked for its version.
    pub fn find(wanted: Option<&str>, is_c: bool) -> Result<Compiler, CompileError> {
        let (variable, known): (_, &[&str]) = match is_c {
            true => ("CC", &["cc", "gcc", "clang"]),
            false => ("CXX", &["c++", "g++", "clang++"]),
        };
        let named = wanted.map(str::to_owned).or_else(|| env::var(variable).ok());
        let named = named.filter(|it| !it.trim().is_empty());
        let found = match &named {
            Some(it) => located(it),
            None => known.iter().find_map(|it| located(it)),
        };
        let Some((path, arguments)) = found else {
            return Err(none(named.as_deref(), variable, known, is_c));
        };
        let version = version(&path)?;
        Ok(Compiler { path, version, arguments, is_c })
    }

    /// What makes an optimized shared object of its language: the flags of a [`LibrarySource`] begin with
    /// these, and those that follow win.
    ///
    /// [`LibrarySource`]: super::LibrarySource
    pub fn flags(&self) -> Vec<String> {
        let mut flags = self.arguments.clone();
        let standard =
            if self.is_c { ["-x", "c", "-std=gnu17"] } else { ["-x", "c++", "-std=c++17"] };
        flags.extend(standard.map(str::to_owned));
        flags.extend(["-O2", "-fPIC", "-shared", "-fvisibility=hidden"].map(str::to_owned));
        if cfg!(target_os = "macos") {
            flags.extend(["-undefined", "dynamic_lookup"].map(str::to_owned));
        }
        flags
    }

    /// What a source file of its language is called.
    pub(super) fn file_name(&self) -> &'static str {
        if self.is_c { "block.c" } else { "block.cpp" }
    }

    /// Makes `library` of `source`, and returns what was said.
    pub(super) fn run(
        &self,
        flags: &[String],
        source: &Path,
        library: &Path,
        libraries: &[Linked],
    ) -> Result<String, CompileError> {
        let mut arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
        arguments.extend([source.into(), "-o".into(), library.into()]);
        arguments.extend(["-x".into(), "none".into()]);
        arguments.extend(libraries.iter().map(|it| format!("-l{}", it.name).into()));
        let mut command = Command::new(&self.path);
        command.args(&arguments).env("LC_ALL", "C");
        let done = command.output().map_err(|error| {
            let path = self.path.display();
            CompileError::failed(format_args!("{path} cannot be run: {error}"), "")
        })?;
        let mut log = format!("{}", self.path.display());
        for it in &arguments {
            log.push(' ');
            log.push_str(&it.to_string_lossy());
        }
        log.push('\n');
        log.push_str(&String::from_utf8_lossy(&done.stdout));
        log.push_str(&String::from_utf8_lossy(&done.stderr));
        if done.status.success() && library.is_file() {
            return Ok(log);
        }
        let message = explained(&log, libraries);
        let message =
            message.unwrap_or_else(|| format!("{} failed: {}", self.path.display(), done.status));
        Err(CompileError::Failed { message, log })
    }
}

/// The first error of a log, in words of the one whose text is wrong.
fn explained(log: &str, libraries: &[Linked]) -> Option<String> {
    let linked = |line: &&str| {
        line.contains("cannot find -l")
            || line.contains("library not found for -l")
            || line.contains("unable to find library -l")
    };
    if let Some(line) = log.lines().find(linked) {
        let name = line.split("-l").nth(1).unwrap_or_default();
        let name = name.split(|it: char| it.is_whitespace() || it == ':').next().unwrap_or(name);
        let asker = libraries.iter().find(|it| it.name == name);
        let asker = asker.map_or_else(String::new, |it| format!(", which {} asks for", it.asker));
        return Some(format!("the linker finds no library {name}{asker}"));
    }
    let error = log.lines().find(|it| it.contains("error: "))?;
    let (place, text) = error.split_once("error: ")?;
    let place = place.trim_end().trim_end_matches("fatal").trim_end().trim_end_matches(':');
    let mut parts: Vec<&str> = place.split(':').collect();
    let mut numbers = Vec::new();
    while let Some(number) = parts.last().and_then(|it| it.trim().parse::<usize>().ok()) {
        numbers.push(number);
        parts.pop();
    }
    let whose = parts.join(":");
    Some(match numbers.last() {
        Some(line) => format!("{whose}, line {line}: {text}"),
        None if whose.is_empty() => text.to_owned(),
        None => format!("{whose}: {text}"),
    })
}

/// The program and its arguments, if the program is there.
fn located(command: &str) -> Option<(PathBuf, Vec<String>)> {
    let whole = Path::new(command);
    if whole.components().count() > 1 && whole.is_file() {
        return Some((whole.to_owned(), Vec::new()));
    }
    let mut words = command.split_whitespace().map(str::to_owned);
    let program = PathBuf::from(words.next()?);
    let arguments = words.collect();
    if program.components().count() > 1 {
        return program.is_file().then_some((program, arguments));
    }
    let path = env::var_os("PATH")?;
    let mut found = env::split_paths(&path).map(|it| it.join(&program));
    found.find(|it| it.is_file()).map(|it| (it, arguments))
}

#[cold]
fn none(named: Option<&str>, variable: &str, known: &[&str], is_c: bool) -> CompileError {
    let language = if is_c { "C" } else { "C++" };
    let looked = match named {
        Some(it) => format!("`{it}` is no program"),
        None => format!("none of {} is on the PATH", known.join(", ")),
    };
    CompileError::NoCompiler(format!(
        "there is no {language} compiler: {looked}; install one, or name it by the environment \
         variable {variable}"
    ))
}

/// The first line of what a compiler says of itself, asked once as long as the file is the same.
fn version(path: &Path) -> Result<String, CompileError> {
    type KnownVersions = HashMap<PathBuf, (Option<SystemTime>, String)>;
    static KNOWN: Lock<Option<KnownVersions>> = Lock::new(None);
    let changed = path.metadata().and_then(|it| it.modified()).ok();
    {
        let known = KNOWN.lock();
        let found = known.as_ref().and_then(|it| it.get(path));
        if let Some((at, version)) = found
            && *at == changed
        {
            return Ok(version.clone());
        }
    }
    let said =
        Command::new(path).arg("--version").env("LC_ALL", "C").output().map_err(|error| {
            CompileError::failed(format_args!("{} cannot be run: {error}", path.display()), "")
        })?;
    let text = String::from_utf8_lossy(&said.stdout);
    let line = text.lines().next().unwrap_or_default().to_owned();
    let mut known = KNOWN.lock();
    known.get_or_insert_default().insert(path.to_owned(), (changed, line.clone()));
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::{Linked, explained};

    #[test]
    fn errors_name_whose_text_it_is() {
        let log = "g++ …\nM.c_code of node_0: In function 'int f()':\n\
                   M.c_code of node_0:3:5: error: 'a' was not declared\n";
        let expected = "M.c_code of node_0, line 3: 'a' was not declared";
        assert_eq!(explained(log, &[]).as_deref(), Some(expected));
        let log = "c_headers of M:1:10: fatal error: no.h: No such file or directory\n";
        let expected = "c_headers of M, line 1: no.h: No such file or directory";
        assert_eq!(explained(log, &[]).as_deref(), Some(expected));
        assert_eq!(explained("nothing", &[]), None);
    }

    #[test]
    fn missing_libraries_name_who_wants_them() {
        let linked = [Linked { name: "nowhere".to_owned(), asker: "M".to_owned() }];
        let log =
            "/usr/bin/ld: cannot find -lnowhere: No such file or directory\ncollect2: error: ld\n";
        let expected = "the linker finds no library nowhere, which M asks for";
        assert_eq!(explained(log, &linked).as_deref(), Some(expected));
    }
}
