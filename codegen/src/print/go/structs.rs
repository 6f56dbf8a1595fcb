//! Prints the types of a crate: structs of numbers, and handles of all others, whose fields are
//! methods.
//!
//! ```text
//! type Interval struct {                        type Labelled struct {
//!     Lo float64                                    handle  slot
//!     Hi float64                                    cleanup runtime.Cleanup
//! }                                             }
//!
//!                                               func NewLabelled(within Interval, label string) *Labelled
//!                                               func (l *Labelled) Label() string
//!                                               func (l *Labelled) Close()
//! ```

use std::fmt::Write;

use opwright_schema::names;
use opwright_schema::types::{InC, NativeType, Values};

use super::model::GoFunction;
use super::package::{Package, is_keyword};
use super::{call, doc, functions};
use crate::print::c::structs::{self, Accessor, Does, Record, RecordField};

/// The file's text behind its first line; none if the crate has no types.
pub(super) fn print(package: &Package<'_>, natives: &[NativeType]) -> Option<String> {
    let mut bodies: String =
        structs::records(natives).iter().map(|it| record(package, it)).collect();
    let mut callees: Vec<String> = Vec::new();
    let accessors = structs::accessors(natives);
    for (native, seen) in structs::handles(natives) {
        callees.push(format!("{}_{}_free", package.prefix, seen.name));
        bodies += &handle(package, native, seen);
        for accessor in accessors.iter().filter(|it| it.native == native) {
            let Some(function) = function(package.prefix, accessor) else { continue };
            callees.push(function.c.name.clone());
            bodies += &declared(package, accessor, &function);
        }
    }
    if bodies.is_empty() {
        return None;
    }
    callees.sort();
    let mut out = String::from("\n/*\n");
    for callee in callees {
        let _ = writeln!(out, "#cgo noescape {callee}\n#cgo nocallback {callee}");
    }
    let _ = writeln!(out, "#include <{}>\n*/\nimport \"C\"", package.header);
    out += &functions::imports(&bodies);
    Some(out + &bodies)
}

/// The names of types, and of the functions that make values of them, with the types.
pub(super) fn names(natives: &[NativeType]) -> Vec<(&'static str, String)> {
    let seen = natives.iter().filter(|it| it.in_c().is_some());
    let mut names: Vec<_> = seen.map(|it| (it.name(), type_name(it))).collect();
    let accessors = structs::accessors(natives);
    // A struct of numbers is written as it is: `Interval{Lo: 1, Hi: 3}`.
    let is_handle = |it: &NativeType| it.in_c().is_some_and(|it| !it.is_by_value);
    let made = accessors.iter().filter(|it| matches!(it.does, Does::Make) && is_handle(it.native));
    names.extend(made.map(|it| (it.native.name(), called(it))));
    names
}

fn type_name(native: &NativeType) -> String {
    names::go_field(native.name())
}

/// What a function of a type is called.
fn called(accessor: &Accessor<'_>) -> String {
    let field = |at: usize| {
        let field = accessor.native.in_c().and_then(|it| it.fields.get(at));
        names::go_field(field.map_or("", |it| &it.name))
    };
    match accessor.does {
        Does::Make => format!("New{}", type_name(accessor.native)),
        Does::Get(at) if field(at) == CLOSE => format!("Get{CLOSE}"),
        Does::Get(at) => field(at),
        Does::Set(at) => format!("Set{}", field(at)),
    }
}

/// The method that every handle has.
const CLOSE: &str = "Close";

/// None if a type has none in Go.
fn function<'a>(prefix: &str, accessor: &'a Accessor<'a>) -> Option<GoFunction<'a>> {
    let (c, _) = accessor.function(prefix)?;
    let function = GoFunction::new(&called(accessor), c, None)?;
    Some(GoFunction { name: called(accessor), ..function })
}

fn declared(package: &Package<'_>, accessor: &Accessor<'_>, function: &GoFunction<'_>) -> String {
    let (name, results) = (&function.name, functions::results(function));
    let (own, parameters) = match accessor.does {
        Does::Make => (String::new(), functions::parameters(function, None)),
        Does::Get(_) | Does::Set(_) => {
            let ty = type_name(accessor.native);
            let own = names::go_receiver(&ty);
            (format!("({own} *{ty}) "), functions::parameters_without(function, &own))
        }
    };
    format!(
        "\n{}func {own}{name}({parameters}){results} {{\n{}}}\n",
        doc::of(name, &accessor.doc),
        call::print(package.prefix, function),
    )
}

/// A struct of numbers, which has the layout of C's.
fn record(package: &Package<'_>, record: &Record<'_>) -> String {
    let (name, c) = (type_name(record.native), format!("{}_{}", package.prefix, record.seen.name));
    let fields: Vec<GoField> = record.fields.iter().map(GoField::new).collect();
    let mut out = format!("\n{}type {name} struct {{\n", described(&name, &record.seen.doc));
    // As `gofmt` aligns them: lines that follow each other without a comment.
    for block in fields.chunk_by(|_, next| next.doc.is_empty()) {
        let width = block.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
        for GoField { name, ty, doc, .. } in block {
            out += &doc::indented(doc);
            let _ = writeln!(out, "\t{name:width$} {ty}");
        }
    }
    out += "}\n";
    let own = names::go_receiver(&name);
    let to = fields.iter().map(|it| format!("{}: {}", it.c, it.in_c(&own, package.prefix)));
    let from = fields.iter().map(|it| format!("{}: {}", it.name, it.in_go()));
    let (to, from): (Vec<_>, Vec<_>) = (to.collect(), from.collect());
    let _ = write!(
        out,
        "\nfunc ({own} {name}) c() C.{c} {{\n\treturn C.{c}{{{}}}\n}}\n\n\
         func ({name}) of(c C.{c}) {name} {{\n\treturn {name}{{{}}}\n}}\n\n\
         // It does not compile if the layouts differ, since lists are lent as they are.\n\
         var _ = [1]struct{{}}{{}}[unsafe.Sizeof({name}{{}})-C.sizeof_{c}]\n",
        to.join(", "),
        from.join(", "),
    );
    out
}

/// A field of such a struct.
struct GoField<'a> {
    name: String,
    ty: String,
    doc: &'a str,
    /// What cgo calls it.
    c: String,
    values: Values,
}

impl<'a> GoField<'a> {
    fn new(field: &RecordField<'a>) -> GoField<'a> {
        let c = &field.part.name;
        GoField {
            name: names::go_field(&field.part.name),
            ty: field.base.row().foreign.map_or_else(String::new, |[_, go]| go.to_owned()),
            doc: field.doc,
            c: if is_keyword(c) { format!("_{c}") } else { c.clone() },
            values: field.base.row().values,
        }
    }

    fn in_c(&self, own: &str, prefix: &str) -> String {
        match self.values {
            Values::Object => format!("{own}.{}.c()", self.name),
            values => format!("C.{}({own}.{})", call::c_word(prefix, values), self.name),
        }
    }

    fn in_go(&self) -> String {
        match self.values {
            Values::Object => format!("{}{{}}.of(c.{})", self.ty, self.c),
            _ => format!("{}(c.{})", self.ty, self.c),
        }
    }
}

fn described(name: &str, text: &str) -> String {
    doc::of(name, if text.is_empty() { "A struct of the library." } else { text })
}

/// A type that is behind handles.
fn handle(package: &Package<'_>, native: &NativeType, seen: &InC) -> String {
    let (name, c) = (type_name(native), format!("{}_{}", package.prefix, seen.name));
    let own = names::go_receiver(&name);
    let mut out = format!("\n{}", described(&name, &seen.doc));
    let _ = write!(
        out,
        "\
type {name} struct {{
	handle  slot
	cleanup runtime.Cleanup
}}

func ({own} *{name}) adopt(handle *C.{c}) *{name} {{
	if handle == nil {{
		return nil
	}}
	{own}.handle.fill(unsafe.Pointer(handle))
	{own}.cleanup = runtime.AddCleanup({own}, (*{name})(nil).release, handle)
	adopted()
	return {own}
}}

func (*{name}) release(handle *C.{c}) {{
	C.{c}_free(handle)
	released()
}}

// Close frees it now. A second call does nothing; any other use of it panics with an [*Error] of kind
// [ErrValue].
func ({own} *{name}) Close() {{
	if {own} == nil {{
		return
	}}
	// What a call uses is left to the collector.
	if handle, isUsed := {own}.handle.empty(); handle != nil && !isUsed {{
		{own}.cleanup.Stop()
		{own}.release((*C.{c})(handle))
	}}
	runtime.KeepAlive({own})
}}

func ({own} *{name}) done() {{
	if {own} != nil {{
		{own}.handle.done()
	}}
}}

func ({own} *{name}) c(op, argument string) *C.{c} {{
	if {own} == nil {{
		return nil
	}}
	handle := (*C.{c})({own}.handle.use())
	if handle == nil {{
		fail(ErrValue, op, \"argument '%s': the {name} was closed\", argument)
	}}
	return handle
}}
"
    );
    out
}
