//! Tests of kernels under AddressSanitizer: valgrind does not know the widest registers, for which
//! some of the code is that says `unsafe`.

use crate::process::{self, ProcessResult};
use crate::project::Project;

/// The target for which it is run.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What lives as long as the process is no leak, and there may be no memory.
const OPTIONS: &str = "detect_leaks=0:allocator_may_return_null=1";

/// Runs them, where the processor and the system are those of the target.
///
/// # Errors
///
/// If a test fails, or touches memory that is not its own.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        println!("not run: this is no {TARGET}");
        return Ok(());
    }
    let mut cargo = project.cargo();
    cargo.args(["test", "--target", TARGET, "--lib", "--test", "core_dims"]);
    cargo.args(["--package", "opwright-runtime", "--package", "opwright-ops"]);
    // Its own folder, for all crates are compiled anew.
    cargo.env("CARGO_TARGET_DIR", project.target().join("soak-sanitized"));
    // The option is none of stable compilers, though the library for it comes with them.
    cargo.envs([("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", "-Zsanitizer=address")]);
    process::run(cargo.env("ASAN_OPTIONS", OPTIONS))
}
