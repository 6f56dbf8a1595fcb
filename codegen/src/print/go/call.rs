//! Prints the body of a function: how values of Go go to C, and come back.

use std::fmt::Write;

use opwright_schema::model::BaseType;
use opwright_schema::names::go_param;
use opwright_schema::types::Values;

use super::model::{GoFunction, GoParameter, GoResult, PassingMode};
use super::value::default;
use crate::print::c::model::{self as c, Multiplicity, Sort};

/// What a call is made of.
#[derive(Debug, Default)]
struct GoCall {
    /// Statements in front of it.
    before: Vec<String>,
    /// Functions that lend texts while another is running.
    around: Vec<String>,
    /// What it passes.
    passed: Vec<String>,
    /// What says that arguments are not used any more.
    kept: Vec<String>,
    /// Statements behind it.
    after: Vec<String>,
}

/// An argument on its way.
struct GoArgument<'a> {
    /// The operator.
    op: &'a str,
    /// The parameter.
    input: &'a GoParameter<'a>,
    /// What stands for its value.
    value: String,
    /// What is passed if the call says nothing.
    standard: Option<String>,
    /// Its number.
    at: usize,
}

/// The body, indented once.
pub(super) fn print(prefix: &str, function: &GoFunction<'_>) -> String {
    let mut body = String::new();
    let variadic = function.inputs.iter().find(|it| it.place == PassingMode::Variadic);
    if let (Some(many), Some(list)) = (&function.many, variadic) {
        let _ = writeln!(body, "\tif len({}) > 0 {{", list.name);
        let inner = calling(prefix, function, many);
        for line in inner.lines() {
            let _ = writeln!(body, "\t{line}");
        }
        body += "\t}\n";
    }
    body + &calling(prefix, function, &function.c)
}

/// A call of one function of C and what it returns.
fn calling(prefix: &str, function: &GoFunction<'_>, callee: &c::CFunction<'_>) -> String {
    let mut call = GoCall::default();
    if function.fields().next().is_some() {
        call.before.push(format!("o := only(opts, {:?})", op(function)));
    }
    // The one without integers takes fewer.
    for (at, input) in function.inputs.iter().enumerate().take(callee.arguments.len()) {
        call.pass(prefix, op(function).as_str(), input, at);
    }
    let mut results = Vec::new();
    for (at, output) in function.outputs.iter().enumerate() {
        results.push(call.receive(prefix, output, at));
    }
    call.print(&callee.name, prefix, &returned(function, &results))
}

fn op(function: &GoFunction<'_>) -> String {
    function.overload.schema.name.base.to_string()
}

fn returned(function: &GoFunction<'_>, results: &[String]) -> String {
    match (results, function.written()) {
        ([], Some(written)) => format!("\treturn {}\n", written.name),
        ([], None) => String::new(),
        (results, _) => format!("\treturn {}\n", results.join(", ")),
    }
}

impl GoCall {
    fn print(&self, callee: &str, prefix: &str, returned: &str) -> String {
        let mut out = String::new();
        for line in self.before.iter().flat_map(|it| it.lines()) {
            let _ = writeln!(out, "\t{line}");
        }
        let called = format!("C.{callee}({})", self.passed.join(", "));
        if self.around.is_empty() {
            let _ = writeln!(out, "\terr := {called}");
        } else {
            let _ = writeln!(out, "\tvar err *C.{prefix}_error");
            for (depth, around) in self.around.iter().enumerate() {
                let _ = writeln!(out, "{}{around}", "\t".repeat(depth + 1));
            }
            let _ = writeln!(out, "{}err = {called}", "\t".repeat(self.around.len() + 1));
            for depth in (0..self.around.len()).rev() {
                let _ = writeln!(out, "{}}})", "\t".repeat(depth + 1));
            }
        }
        for kept in &self.kept {
            let _ = writeln!(out, "\t{kept}");
        }
        out += "\tmust(err)\n";
        for line in self.after.iter().flat_map(|it| it.lines()) {
            let _ = writeln!(out, "\t{line}");
        }
        out + returned
    }

    /// Adds an argument.
    fn pass(&mut self, prefix: &str, op: &str, input: &GoParameter<'_>, at: usize) {
        let value = match input.place {
            PassingMode::Own | PassingMode::Variadic => input.name.clone(),
            PassingMode::Field => format!("o.{}", input.name),
        };
        let standard = default(input.argument.param);
        let given = GoArgument { op, input, value, standard, at };
        match input.argument.shape.sort() {
            Sort::Object => self.object(prefix, &given),
            Sort::Text => self.text(&given),
            Sort::Number => self.number(prefix, given),
            Sort::Named => self.passed.push(match given.standard {
                Some(standard) => format!("cmp.Or({}, {standard}).c()", given.value),
                None => format!("{}.c()", given.value),
            }),
        }
    }

    fn object(&mut self, prefix: &str, given: &GoArgument<'_>) {
        let GoArgument { op, input, value, at, .. } = given;
        let word = &input.argument.param.name.value;
        let shape = input.argument.shape;
        match shape {
            Multiplicity::One(_) | Multiplicity::Optional(_) => {
                self.passed.push(format!("{value}.c({op:?}, {word:?})"));
                let is_tensor = shape.base().row().values == Values::Tensor;
                let field = if is_tensor { ".T" } else { "" };
                self.kept.push(format!("{value}{field}.done()"));
            }
            Multiplicity::List(..)
            | Multiplicity::OptionalElements(_)
            | Multiplicity::OptionalList(..) => {
                if let BaseType::Native(_) = shape.base() {
                    let c = c_struct(prefix, shape.base());
                    self.before.push(format!("c{at} := lent[*C.{c}]({value}, {op:?}, {word:?})"));
                    self.kept.push(format!("done({value})"));
                } else {
                    self.before.push(format!("var b{at} [8]*C.{prefix}_tensor"));
                    let made = format!("c{at} := handles(b{at}[:0], {value}, {op:?}, {word:?})");
                    self.before.push(made);
                    self.kept.push(format!("keep({value})"));
                }
                if matches!(shape, Multiplicity::OptionalList(..)) {
                    self.before.push(format!("if {value} == nil {{\n\tc{at} = nil\n}}"));
                    self.passed.push(format!("given(c{at})"));
                } else {
                    self.passed.push(format!("pointer(c{at})"));
                }
                self.passed.push(format!("C.size_t(len(c{at}))"));
            }
        }
    }

    fn text(&mut self, given: &GoArgument<'_>) {
        let GoArgument { op, input, value, standard, at } = given;
        let word = &input.argument.param.name.value;
        let (function, value) = match (input.argument.shape, standard) {
            (Multiplicity::One(_), Some(standard)) => {
                ("withString", format!("or({value}, {standard})"))
            }
            (Multiplicity::One(_), None) => ("withString", value.clone()),
            (Multiplicity::Optional(_), Some(standard)) => {
                self.before.push(format!("p{at} := or({value}, {standard})"));
                ("withOptionalString", format!("&p{at}"))
            }
            (Multiplicity::Optional(_), None) => ("withOptionalString", value.clone()),
            (
                Multiplicity::List(..)
                | Multiplicity::OptionalList(..)
                | Multiplicity::OptionalElements(_),
                _,
            ) => ("withStrings", value.clone()),
        };
        let is_list = function == "withStrings";
        let count = if is_list { format!(", n{at} C.size_t") } else { String::new() };
        let stars = if is_list { "**" } else { "*" };
        let parameters = format!("g{at} {stars}C.char{count}");
        self.around.push(format!("{function}({value}, {op:?}, {word:?}, func({parameters}) {{"));
        self.passed.push(format!("g{at}"));
        self.passed.extend(is_list.then(|| format!("n{at}")));
    }

    fn number(&mut self, prefix: &str, given: GoArgument<'_>) {
        let GoArgument { input, value, standard, at, .. } = given;
        let shape = input.argument.shape;
        let values = shape.base().row().values;
        let is_struct = values == Values::Object;
        let c = if is_struct { c_struct(prefix, shape.base()) } else { c_word(prefix, values) };
        let is_scalar = values == Values::Number;
        let lent = |pointer: &str| match is_struct {
            true => format!("as[C.{c}]({pointer})"),
            false => format!("(*C.{c})({pointer})"),
        };
        match shape {
            Multiplicity::One(_) => {
                let value = standard.map_or(value.clone(), |it| format!("or({value}, {it})"));
                self.passed.push(match is_scalar || is_struct {
                    true => format!("{value}.c()"),
                    false => format!("C.{c}({value})"),
                });
            }
            Multiplicity::Optional(_) => {
                let pointer = match standard {
                    Some(standard) => {
                        self.before.push(format!("p{at} := or({value}, {standard})"));
                        format!("&p{at}")
                    }
                    None => value,
                };
                self.passed.push(match is_scalar {
                    true => format!("scalarPointer({pointer})"),
                    false => lent(&pointer),
                });
            }
            Multiplicity::List(..)
            | Multiplicity::OptionalList(..)
            | Multiplicity::OptionalElements(_) => {
                let list = match standard {
                    Some(standard) => {
                        self.before.push(format!("p{at} := {value}"));
                        self.before.push(format!("if p{at} == nil {{\n\tp{at} = {standard}\n}}"));
                        format!("p{at}")
                    }
                    None => value,
                };
                let is_optional = matches!(shape, Multiplicity::OptionalList(..));
                let pointer = if is_optional { "given" } else { "pointer" };
                self.passed.push(match is_scalar {
                    true => format!("scalars({list})"),
                    false => lent(&format!("{pointer}({list})")),
                });
                self.passed.push(format!("C.size_t(len({list}))"));
            }
        }
    }

    /// Adds a result, and returns the expression that takes it.
    fn receive(&mut self, prefix: &str, output: &GoResult<'_>, at: usize) -> String {
        let shape = output.outcome.shape;
        let values = shape.base().row().values;
        let is_list = matches!(
            shape,
            Multiplicity::List(..)
                | Multiplicity::OptionalList(..)
                | Multiplicity::OptionalElements(_)
        );
        self.passed.push(format!("&r{at}"));
        if is_list {
            let (list, taken) = match values {
                Values::Tensor => ("tensor_list", "adoptAll"),
                _ => ("int_list", "takeInts"),
            };
            self.before.push(format!("var r{at} C.{prefix}_{list}"));
            return format!("{taken}(&r{at})");
        }
        let (declared, taken) = match shape.sort() {
            Sort::Object if values == Values::Tensor => {
                (format!("*C.{prefix}_tensor"), format!("adopt(r{at})"))
            }
            Sort::Object if matches!(shape.base(), BaseType::Native(_)) => {
                let taken = format!("new({}).adopt(r{at})", output.ty.element());
                (format!("*C.{}", c_struct(prefix, shape.base())), taken)
            }
            Sort::Object => (format!("*C.{prefix}_storage"), format!("adoptStorage(r{at})")),
            Sort::Text => ("*C.char".to_owned(), format!("takeText(r{at})")),
            Sort::Named => {
                let c = shape.base().row().foreign.map_or("", |[c, _]| c);
                let taken = format!("{}Of(r{at})", go_param(c.trim_start_matches('_')));
                (format!("C.{prefix}{c}"), taken)
            }
            Sort::Number if values == Values::Number => {
                (format!("C.{prefix}_scalar"), format!("scalarOf(r{at})"))
            }
            Sort::Number if values == Values::Object => {
                let taken = format!("{}{{}}.of(r{at})", output.ty.element());
                (format!("C.{}", c_struct(prefix, shape.base())), taken)
            }
            Sort::Number => {
                (format!("C.{}", c_word(prefix, values)), format!("{}(r{at})", output.ty.element()))
            }
        };
        self.before.push(format!("var r{at} {declared}"));
        if let (Multiplicity::Optional(_), Sort::Number) = (shape, shape.sort()) {
            self.before.push(format!("var h{at} C.bool"));
            self.passed.push(format!("&h{at}"));
            self.after.push(format!("var v{at} {}", output.ty));
            self.after.push(format!("if h{at} {{\n\tv{at} = Ptr({taken})\n}}"));
            return format!("v{at}");
        }
        taken
    }
}

/// A type of the crate, as C calls it.
fn c_struct(prefix: &str, base: &BaseType) -> String {
    let [c, _] = base.row().foreign.unwrap_or_default();
    format!("{prefix}{}", c.trim_start_matches("const ").trim_end_matches(" *"))
}

pub(super) fn c_word(prefix: &str, values: Values) -> String {
    match values {
        Values::Bool => "bool".to_owned(),
        Values::Float => "double".to_owned(),
        Values::Number => format!("{prefix}_scalar"),
        _ => "int64_t".to_owned(),
    }
}
