//! The table of fast paths: the guide prints it, and each stands in the file that its row names.

use std::path::{Path, PathBuf};
use std::{env, fs};

use opwright_codegen::build::rust_files;
use opwright_runtime::fast_path::FastPath;

const PAGE: &str = "docs/src/changing.md";

/// The first lines of the table in the guide.
const HEAD: &str = "| fast path | condition | leaves out | gain |\n|---|---|---|---|\n";

/// So many percent of a call.
const LEAST_GAIN: u32 = 5;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What the guide says of a path in front of its gain, which is measured.
fn row(path: FastPath) -> String {
    let (name, file, condition) = (path.name(), path.file(), path.condition());
    format!("| `{name}`, `{file}` | {condition} | {} |", path.skips())
}

#[test]
fn the_guide_has_the_table() {
    let page = fs::read_to_string(root().join(PAGE)).expect("the page");
    let start = page.find(HEAD).expect("the head of the table") + HEAD.len();
    let end = start + page[start..].find("\n\n").expect("a paragraph behind the table") + 1;
    let table = &page[start..end];
    let gain = |row: &str| table.lines().find_map(|it| it.strip_prefix(row)).unwrap_or(" 0 % |");
    let rows = FastPath::ALL.iter().map(|it| row(*it));
    let rows: String = rows.map(|it| format!("{it}{}\n", gain(&it))).collect();
    if env::var_os("OPWRIGHT_BLESS").is_some() {
        let page = format!("{}{rows}{}", &page[..start], &page[end..]);
        fs::write(root().join(PAGE), page).expect("the page is written");
        return;
    }
    assert!(table == rows, "{PAGE} is stale; OPWRIGHT_BLESS=1 updates it. Got:\n{rows}");
    for row in table.lines() {
        let gain = row.trim_end_matches(" % |").rsplit(' ').next().and_then(|it| it.parse().ok());
        let gain: u32 = gain.unwrap_or_else(|| panic!("a gain in percent ends a row: {row}"));
        assert!(gain >= LEAST_GAIN, "this is not worth its code: {row}");
    }
}

#[test]
fn each_stands_where_its_row_says() {
    for path in FastPath::ALL {
        let code = fs::read_to_string(root().join(path.file())).expect("the file of a row");
        assert!(code.contains(&format!("FastPath::{path:?}.")), "{} asks no {path:?}", path.file());
    }
    let crates = ["runtime", "ops", "graph", "jit", "python-bindings", "c-bindings"];
    for file in crates.iter().flat_map(|it| rust_files(&root().join(it).join("src"))) {
        let code = fs::read_to_string(&file).expect("a source file");
        for path in FastPath::ALL {
            let is_asked = code.contains(&format!("FastPath::{path:?}."));
            let is_its_own = file == root().join(path.file());
            assert!(!is_asked || is_its_own, "{} asks {path:?}", file.display());
        }
    }
}
