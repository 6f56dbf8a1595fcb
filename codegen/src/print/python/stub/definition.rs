//! Prints the definitions of one function: one for each way to call it.
//!
//! ```python
//! @_overload
//! def sum(input: Tensor, *, dtype: _dtype | None = None) -> Tensor: ...
//! @_overload
//! def sum(input: Tensor, dim: _int | _IntList, keepdim: _bool = False) -> Tensor: ...
//! ```

use std::collections::BTreeSet;

use opwright_schema::model::{OpSet, Type};
use opwright_schema::names::is_python_keyword;

use super::annotation::{self, StubWords};
use crate::signature::{Argument, CallResult, Home, Parameter, PythonFunction, Section, Signature};

/// Prints definitions; the operators have the documentation of each overload.
pub(super) struct Definitions<'a> {
    pub(super) ops: &'a OpSet,
    pub(super) words: StubWords,
}

/// One definition, without its name.
struct Definition {
    params: String,
    returns: String,
    doc: String,
}

impl Definitions<'_> {
    /// All definitions of a function, under each of its names that nothing
    /// else has taken.
    pub(super) fn print(
        &self,
        function: &PythonFunction,
        taken: &mut BTreeSet<String>,
        package: &str,
    ) -> String {
        let mut text = String::new();
        let all = self.definitions(function, package);
        let operator = self.operator(function, package);
        let names = [&function.name].into_iter().chain(&function.aliases);
        for name in names.chain(&function.operators).filter(|it| taken.insert((*it).clone())) {
            let called_by_python = function.home == Home::Method && is_protocol(name);
            let definitions = if called_by_python { &operator } else { &all };
            text.push_str(&overloads(name, definitions));
        }
        text
    }

    /// Those of older signatures are left out: a type checker then says what the warning says.
    fn definitions(&self, function: &PythonFunction, package: &str) -> Vec<Definition> {
        let mut all: Vec<Definition> = Vec::new();
        let mut by_name: Vec<Signature> = Vec::new();
        for signature in function.shown().filter(|it| !it.deprecated) {
            let returns = returns(self.words, signature, package);
            let doc = signature.doc.trim_end().to_owned();
            let method = function.home == Home::Method;
            let mut forms = vec![parameters(self.words, signature, method)];
            if signature.varargs {
                forms.extend(one_by_one(self.words, signature, method));
            }
            for params in forms {
                all.push(Definition { params, returns: returns.clone(), doc: doc.clone() });
            }
            for other in renamed(signature) {
                if by_name.iter().any(|it| covers(it, &other)) {
                    continue;
                }
                let params = parameters(self.words, &other, method);
                all.push(Definition { params, returns: returns.clone(), doc: String::new() });
                by_name.push(other);
            }
        }
        distinct(all)
    }

    /// An operator is called with positional arguments only, and takes arrays of numpy.
    fn operator(&self, function: &PythonFunction, package: &str) -> Vec<Definition> {
        let mut all = Vec::new();
        for signature in function.shown().filter(|it| !it.deprecated) {
            let mut required: Vec<&Parameter> =
                signature.params.iter().filter(|it| it.required()).collect();
            if required.iter().any(|it| it.keyword_only()) {
                continue;
            }
            required.truncate(1);
            let mut params = vec!["self".to_owned()];
            params.extend(required.iter().map(|it| operand(self.words, it)));
            params.push("/".to_owned());
            let returns = returns(self.words, signature, package);
            all.push(Definition { params: params.join(", "), returns, doc: String::new() });
        }
        distinct(all)
    }
}

/// `def add(input: Tensor, other: Tensor, *, alpha: Number = 1) -> Tensor`.
///
/// For people, who need no other names for builtins.
pub(super) fn line(function: &PythonFunction, signature: &Signature, package: &str) -> String {
    let params = parameters(StubWords::Page, signature, function.home == Home::Method);
    let returns = returns(StubWords::Page, signature, package);
    let text = format!("def {}({params}) -> {returns}", function.name);
    let mark = if signature.deprecated { "  # deprecated" } else { "" };
    format!("{text}{mark}\n")
}

/// Methods that Python calls for an operator, with positional arguments.
fn is_protocol(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

/// Definitions that read the same, once: they differ only in what Python's
/// types do not tell apart.
fn distinct(definitions: Vec<Definition>) -> Vec<Definition> {
    let mut kept: Vec<Definition> = Vec::new();
    for definition in definitions {
        if !kept.iter().any(|it| it.params == definition.params) {
            kept.push(definition);
        }
    }
    kept
}

fn overloads(name: &str, definitions: &[Definition]) -> String {
    if ["__eq__", "__ne__"].contains(&name) {
        // `object` compares with everything, and says `bool`.
        let remark = "# type: ignore[override]";
        return format!("def {name}(self, other: _object, /) -> Tensor: ...  {remark}\n");
    }
    // `pow` may have a third argument, which tensors do not take.
    let modulus = if ["__pow__", "__rpow__"].contains(&name) { "mod: None = None, /" } else { "/" };
    let decorator = if definitions.len() > 1 { "@_overload\n" } else { "" };
    let mut text = String::new();
    for definition in definitions {
        let Definition { params, returns, doc } = definition;
        let params = match is_protocol(name) {
            true => params.replace('/', modulus),
            false => params.clone(),
        };
        text.push_str(decorator);
        if doc.is_empty() {
            text.push_str(&format!("def {name}({params}) -> {returns}: ...\n"));
        } else {
            text.push_str(&format!("def {name}({params}) -> {returns}:\n"));
            text.push_str(&docstring(doc));
        }
    }
    // Python passes the modulus to `__pow__` alone, which checkers object to at
    // the first line.
    match name {
        "__ipow__" => text.replacen('\n', "  # type: ignore[misc]\n", 1),
        _ => text,
    }
}

fn docstring(doc: &str) -> String {
    let doc = doc.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let mut text = String::from("    \"\"\"");
    for (idx, line) in doc.lines().enumerate() {
        match (idx, line.is_empty()) {
            (0, _) => text.push_str(line),
            (_, true) => text.push('\n'),
            (_, false) => text.push_str(&format!("\n    {line}")),
        }
    }
    let several = doc.lines().count() > 1 || doc.ends_with('"');
    text.push_str(if several { "\n    \"\"\"\n" } else { "\"\"\"\n" });
    text
}

fn parameters(words: StubWords, signature: &Signature, method: bool) -> String {
    let (positional, keyword): (Vec<&Parameter>, Vec<&Parameter>) =
        signature.params.iter().partition(|it| !it.keyword_only());
    let mut parts: Vec<String> = method.then(|| "self".to_owned()).into_iter().collect();
    // Python cannot spell its own keywords as names of arguments.
    let unspeakable = positional.iter().rposition(|it| is_python_keyword(&it.name));
    for (idx, param) in positional.iter().enumerate() {
        parts.push(defaulted(words, param));
        if Some(idx) == unspeakable {
            parts.push("/".to_owned());
        }
    }
    if !keyword.is_empty() {
        parts.push("*".to_owned());
    }
    parts.extend(keyword.iter().map(|it| defaulted(words, it)));
    parts.join(", ")
}

/// The same signature under each choice of other names of its parameters, which go by name alone, and
/// with them what follows. Operands go by their places: names for them would treble the forms.
fn renamed(signature: &Signature) -> Vec<Signature> {
    let mut all = vec![signature.clone()];
    for (at, param) in signature.params.iter().enumerate().filter(|(_, it)| !is_operand(it)) {
        for named in all.clone() {
            all.extend(param.aliases.iter().map(|it| with_name(&named, at, it)));
        }
    }
    all.split_off(1)
}

/// A tensor that people pass by its place.
fn is_operand(param: &Parameter) -> bool {
    ["input", "other"].contains(&param.name.as_str())
}

/// A parameter by another name, and what can be passed by place before it alone.
fn with_name(signature: &Signature, at: usize, name: &str) -> Signature {
    let mut other = signature.clone();
    other.params[at].name = name.to_owned();
    let positional = |it: &&mut Parameter| it.section == Section::Positional;
    other.params[at..].iter_mut().filter(positional).for_each(|it| it.section = Section::Keyword);
    other
}

/// Whether a form takes each call of another one that takes its arguments by name alone.
fn covers(form: &Signature, other: &Signature) -> bool {
    let takes = |param: &Parameter| {
        let same = form.params.iter().find(|it| it.name == param.name && it.ty == param.ty);
        same.is_some_and(|it| it.default.is_some() || param.default.is_none())
    };
    let is_needless = |param: &Parameter| {
        param.default.is_some() || other.params.iter().any(|it| it.name == param.name)
    };
    other.params.iter().all(|it| it.section != Section::Positional && takes(it))
        && form.params.iter().all(is_needless)
}

/// The form whose list is given element by element: `*size: int`.
fn one_by_one(words: StubWords, signature: &Signature, method: bool) -> Option<String> {
    let (first, rest) = signature.params.split_first()?;
    let mut parts: Vec<String> = method.then(|| "self".to_owned()).into_iter().collect();
    parts.push(format!("*{}: {}", spelled(&first.name), words.element()));
    parts.extend(rest.iter().map(|it| defaulted(words, it)));
    Some(parts.join(", "))
}

fn defaulted(words: StubWords, param: &Parameter) -> String {
    let text = named(words, param);
    match &param.default {
        Some(default) => format!("{text} = {}", annotation::default(default)),
        None => text,
    }
}

fn named(words: StubWords, param: &Parameter) -> String {
    format!("{}: {}", spelled(&param.name), words.parameter(param))
}

/// Without numpy's arrays in it, a checker takes the array's own operator, and its result.
fn operand(words: StubWords, param: &Parameter) -> String {
    let text = named(words, param);
    match param.ty.is_tensor() {
        true => format!("{text} | _NumpyArray"),
        false => text,
    }
}

fn spelled(name: &str) -> String {
    match is_python_keyword(name) {
        true => format!("{name}_"),
        false => name.to_owned(),
    }
}

fn returns(words: StubWords, signature: &Signature, package: &str) -> String {
    let Some(call) = signature.base.as_ref().or(signature.out.as_ref()) else {
        return "None".to_owned();
    };
    match &call.result {
        CallResult::Nothing => "None".to_owned(),
        CallResult::Same(argument) => same(words, signature, argument),
        CallResult::Value(ty) => words.returned(ty),
        CallResult::Tuple(types) => {
            let types: Vec<String> = types.iter().map(|it| words.returned(it)).collect();
            words.tuple(&types)
        }
        CallResult::Named { class, .. } => format!("{package}.return_types.{class}"),
        CallResult::SameTuple { class: Some(class), .. } => {
            format!("{package}.return_types.{class}")
        }
        CallResult::SameTuple { class: None, count, .. } => {
            words.tuple(&vec!["Tensor".to_owned(); *count])
        }
    }
}

/// The argument itself: a tensor or a list of them.
fn same(words: StubWords, signature: &Signature, argument: &Argument) -> String {
    match argument {
        Argument::Param(idx) | Argument::Element { param: idx, .. } => {
            let param = &signature.params[*idx];
            match (param.section, &param.ty) {
                (Section::Out, _) | (_, Type::Base(_)) => "Tensor".to_owned(),
                (_, Type::List(..) | Type::Optional(_)) => {
                    words.parameter(&Parameter { nullable: false, ..param.clone() })
                }
            }
        }
        Argument::Receiver => "Tensor".to_owned(),
        Argument::Literal(_) => "None".to_owned(),
    }
}
