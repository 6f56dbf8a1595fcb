//! The package for Go of all upstream operators.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use opwright_codegen::print::go::{self, Package};
use opwright_schema::autogen;

use crate::{operators, shared};

const PACKAGE: Package<'_> =
    Package { module: "example.org/ops", name: "ops", prefix: "up", header: "up.h" };

#[test]
fn no_two_operators_have_one_name() {
    let Some(mut ops) = operators() else { return };
    autogen::generate(&mut ops);
    let names = go::names(&ops);
    assert!(names.len() > 2000, "only {} functions", names.len());
    let mut once = BTreeSet::new();
    let twice: Vec<&String> = names.iter().filter(|it| !once.insert(*it)).collect();
    assert_eq!(twice, Vec::<&String>::new());
}

#[test]
fn gofmt_leaves_the_package_as_it_is() {
    let Some(gofmt) = gofmt() else { return };
    let Some(mut ops) = operators() else { return };
    autogen::generate(&mut ops);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go");
    for file in go::print(&PACKAGE, &ops) {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder that can be made");
        fs::write(&path, &file.text).expect("a file that can be written");
    }
    let output = Command::new(gofmt).arg("-l").arg(&folder).output().expect("gofmt runs");
    let (listed, errors) = (output.stdout, output.stderr);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&errors));
    assert_eq!(String::from_utf8_lossy(&listed), "");
}

/// From the path, or from the project's environment.
fn gofmt() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let venv = fs::read_dir(root.join(".venv/lib")).into_iter().flatten().flatten();
    let installed = venv.map(|it| it.path().join("site-packages/go/bin/gofmt"));
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|it| it.join("gofmt"));
    let found = on_path.chain(installed).find(|it| it.is_file());
    if found.is_none() {
        shared::skip("there is no gofmt");
    }
    found
}
