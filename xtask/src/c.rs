//! `cargo xtask c`: the library for C, built, installed or tested.

use std::path::{Path, PathBuf};

use crate::c_install;
use crate::c_library::{self, Profile};
use crate::c_programs;
use crate::process::ProcessResult;
use crate::project::Project;
use crate::tally::Tally;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Request<'a> {
    Test,
    Build { profile: Profile, prefix: Option<&'a str> },
}

/// Builds the library, and puts everything into `target/c` and below the prefix that is given, and what is printed for Go into its
/// package; or builds another one with checks, and runs programs against that.
///
/// # Errors
///
/// If it cannot be built or written, or a program fails.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    match Request::of(args)? {
        Request::Test => {
            let mut tally = Tally::default();
            c_programs::run(project, None, &mut tally)?;
            tally.skipped.iter().for_each(|it| println!("skipped: {it}"));
            println!("{} passed", tally.passed);
        }
        Request::Build { profile, prefix } => {
            let name = if profile == Profile::Quick { "c-quick" } else { "c" };
            let installed = c_library::install(project, profile, name)?;
            match prefix {
                Some(prefix) => installed_below(project, &installed.folder, prefix)?,
                None => println!("{}", installed.folder.display()),
            }
        }
    }
    Ok(())
}

/// Below a prefix, and what a user has to say to find it there.
fn installed_below(project: &Project, built: &Path, prefix: &str) -> ProcessResult<()> {
    let prefix = absolute(prefix)?;
    let stage = std::env::var_os("DESTDIR").filter(|it| !it.is_empty()).map(PathBuf::from);
    for file in c_install::copy(project, built, &c_install::staged(stage.as_deref(), &prefix))? {
        println!("installed {}", file.display());
    }
    print!("{}", c_install::advice(&prefix));
    Ok(())
}

fn absolute(prefix: &str) -> ProcessResult<PathBuf> {
    // Cargo starts this program where the user stands.
    std::path::absolute(prefix).map_err(|error| format!("the prefix `{prefix}`: {error}").into())
}

impl<'a> Request<'a> {
    fn of(args: &[&'a str]) -> ProcessResult<Self> {
        if args == ["--test"] {
            return Ok(Request::Test);
        }
        let (mut profile, mut prefix) = (Profile::Release, None);
        let mut rest = args.iter().copied();
        while let Some(arg) = rest.next() {
            match arg {
                "--quick" => profile = Profile::Quick,
                "--install" => {
                    let given = rest.next().filter(|it| !it.is_empty() && !it.starts_with("--"));
                    prefix = Some(given.ok_or("`--install` takes a folder, such as `/usr/local`")?);
                }
                _ => match arg.strip_prefix("--install=").filter(|it| !it.is_empty()) {
                    Some(given) => prefix = Some(given),
                    None => return Err(unexpected(arg).into()),
                },
            }
        }
        Ok(Request::Build { profile, prefix })
    }
}

fn unexpected(arg: &str) -> String {
    format!("`c` takes `--install PREFIX` and `--quick`, or `--test` alone, but got `{arg}`")
}

#[test]
fn arguments_are_read() {
    let build = |profile, prefix| Request::Build { profile, prefix };
    for (args, request) in [
        (&[][..], build(Profile::Release, None)),
        (&["--test"], Request::Test),
        (&["--install", "/opt/ow"], build(Profile::Release, Some("/opt/ow"))),
        (&["--quick", "--install=here"], build(Profile::Quick, Some("here"))),
    ] {
        assert_eq!(Request::of(args).ok(), Some(request), "{args:?}");
    }
    for args in
        [&["--install"][..], &["--install", "--quick"], &["--install="], &["--test", "--quick"]]
    {
        assert!(Request::of(args).is_err(), "{args:?}");
    }
}
