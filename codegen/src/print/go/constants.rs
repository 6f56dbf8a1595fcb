//! Prints the constants of the package, from the tables of dtypes and enumerations.
//!
//! ```text
//! // The layouts.
//! const (
//!     NoLayout Layout = iota // none
//!     Strided                // by strides
//! )
//! ```
//!
//! The zero value of a type stands for none, so constants that C counts from 0 are one more here.

use std::fmt::Write;

use opwright_schema::dtypes::{ROWS, Row};
use opwright_schema::names;
use opwright_schema::tables::{
    Device, ErrorKind, Layout, MemoryFormat, Reduction, StrEnum, str_enum,
};

use super::package::Package;

/// Constants that are numbered one after the other.
struct ConstBlock {
    doc: &'static str,
    ty: &'static str,
    /// What the first one is.
    first: &'static str,
    /// The names, and what is said of them.
    rows: Vec<(String, String)>,
}

/// All constants, and the names of those that C has no function for.
pub(super) fn print(package: &Package<'_>) -> String {
    let reductions = Reduction::ALL.map(|it| named(reduction(it)));
    let blocks = [
        dtypes(),
        optional("The layouts.", "Layout", Layout::ALL.map(|it| named(layout(it)))),
        optional("The devices.", "Device", Device::ALL.map(|it| named(device(it)))),
        optional("The formats.", "MemoryFormat", MemoryFormat::ALL.map(|it| named(format(it)))),
        ConstBlock {
            doc: "What parameters called reduction take.",
            ty: "int64",
            first: "iota",
            rows: reductions.into(),
        },
        ConstBlock {
            doc: "The kinds of errors, under the names that Python has for them.",
            ty: "ErrorKind",
            first: "iota + 1",
            rows: error_kinds(),
        },
    ];
    let mut out = String::new();
    for block in blocks {
        let _ = write!(out, "\n{}", block.print());
    }
    for row in str_enum::ROWS {
        let _ = write!(out, "\n{}", words(row));
    }
    let names = [
        names("l Layout", "layout", Layout::ALL.map(Layout::name)),
        names("d Device", "device", Device::ALL.map(Device::name)),
        names("m MemoryFormat", "format", MemoryFormat::ALL.map(MemoryFormat::name)),
    ];
    out + &names.concat() + &where_to_get(package)
}

/// What a program says that does not find the library.
fn where_to_get(package: &Package<'_>) -> String {
    let (name, variable) = (package.name, package.name.to_uppercase());
    let made = match name == Package::REFERENCE.name {
        true => format!(
            "build it in the repository, `cargo xtask c --install PREFIX`, or unpack an archive of \
             https://{}/releases",
            package.module.trim_end_matches("/go")
        ),
        false => format!("build it in the crate {name}, `make package`"),
    };
    format!(
        "\n// whereToGet is what a program says that does not find the library.\nconst whereToGet = {:?}\n",
        format!(
            "{made}; then say where it is: {variable}_LIBRARY=PREFIX/lib, or \
             PKG_CONFIG_PATH=PREFIX/lib/pkgconfig"
        )
    )
}

fn dtypes() -> ConstBlock {
    let mut rows: Vec<&Row> = ROWS.iter().collect();
    rows.sort_by_key(|it| it.number);
    let named = rows.into_iter().map(|it| (dtype(it).to_owned(), it.name.to_owned()));
    ConstBlock {
        doc: "The dtypes. Those of [Float16] and [BFloat16] are called Half and BFloat.",
        ty: "DType",
        first: "iota",
        rows: [none("DType")].into_iter().chain(named).collect(),
    }
}

/// The name of a dtype; those of half precision are types of elements.
fn dtype(row: &Row) -> &'static str {
    match row.variant {
        "Float16" => "Half",
        "BFloat16" => "BFloat",
        variant => variant,
    }
}

fn layout(layout: Layout) -> (&'static str, &'static str) {
    match layout {
        Layout::Strided => ("Strided", "by strides"),
    }
}

fn device(device: Device) -> (&'static str, &'static str) {
    match device {
        Device::Cpu => ("CPU", "ordinary memory"),
        Device::Meta => ("Meta", "no memory: tensors have a shape and a dtype only"),
    }
}

fn format(format: MemoryFormat) -> (&'static str, &'static str) {
    match format {
        MemoryFormat::Contiguous => ("ContiguousFormat", "row-major"),
        MemoryFormat::Preserve => ("PreserveFormat", "as it is"),
        MemoryFormat::ChannelsLast => ("ChannelsLast", "channels last, of images"),
        MemoryFormat::ChannelsLast3d => ("ChannelsLast3D", "channels last, of volumes"),
    }
}

fn reduction(reduction: Reduction) -> (&'static str, &'static str) {
    match reduction {
        Reduction::None => ("ReductionNone", "a loss for each element"),
        Reduction::Mean => ("ReductionMean", "their mean"),
        Reduction::Sum => ("ReductionSum", "their sum"),
    }
}

fn error_kinds() -> Vec<(String, String)> {
    let doc = |kind| match kind {
        ErrorKind::Type => "an argument of a wrong type",
        ErrorKind::Value => "an argument of a wrong value",
        ErrorKind::Index => "an index or a dimension that does not exist",
        ErrorKind::Runtime => "shapes or dtypes that do not fit, files, and the rest",
        ErrorKind::NotImplemented => "no kernel for such tensors",
        ErrorKind::Memory => "not enough memory",
        ErrorKind::Overflow => "a number that is too large",
        ErrorKind::LinAlg => "a matrix that is singular or not positive-definite",
    };
    let kinds = ErrorKind::ALL.map(|it| (format!("Err{it:?}"), doc(it).to_owned()));
    // C numbers it behind these.
    kinds.into_iter().chain([named(("ErrPanic", "a kernel panicked"))]).collect()
}

fn named((name, doc): (&str, &str)) -> (String, String) {
    (name.to_owned(), doc.to_owned())
}

fn none(ty: &str) -> (String, String) {
    (format!("No{ty}"), "none".to_owned())
}

/// Constants behind one for none.
fn optional<const N: usize>(
    doc: &'static str,
    ty: &'static str,
    rows: [(String, String); N],
) -> ConstBlock {
    ConstBlock { doc, ty, first: "iota", rows: [none(ty)].into_iter().chain(rows).collect() }
}

fn names<const N: usize>(receiver: &str, what: &str, names: [&str; N]) -> String {
    let variable = &receiver[..1];
    let names: Vec<String> = names.iter().map(|it| format!("\"{it}\"")).collect();
    format!(
        "\n// String is the {what}'s name.\nfunc ({receiver}) String() string {{\n\treturn \
         named(int32({variable}), \"none\", {})\n}}\n",
        names.join(", ")
    )
}

/// The words of an enumeration, as `gofmt` leaves them.
fn words(row: &StrEnum) -> String {
    let of = names::go_field(&names::c_struct(row.name));
    let names = row.words.iter().map(|(_, variant)| format!("{of}{variant}"));
    let names: Vec<String> = names.collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let room = row.words.iter().map(|(word, _)| word.len() + 2).max().unwrap_or(0);
    let mut out = format!("//{}\nconst (\n", row.doc);
    for ((name, (word, _)), doc) in names.iter().zip(row.words).zip(row.docs) {
        let word = format!("\"{word}\"");
        let doc = doc.trim().trim_end_matches('.');
        let _ = writeln!(out, "\t{name:width$} = {word:room$} // {doc}");
    }
    out + ")\n"
}

impl ConstBlock {
    /// As `gofmt` leaves it: names, types with the first value, and comments in columns.
    fn print(&self) -> String {
        let width = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let first = format!("{} = {}", self.ty, self.first);
        let room = first.len();
        let mut out = format!("// {}\nconst (\n", self.doc);
        for (index, (name, doc)) in self.rows.iter().enumerate() {
            let value = if index == 0 { &*first } else { "" };
            let _ = writeln!(out, "\t{name:width$} {value:room$} // {doc}");
        }
        out + ")\n"
    }
}
