//! `opwright dump`.

use std::path::PathBuf;

use opwright_schema::model::{Gil, Overload, Param, PythonModule, Return, Role, Type};
use serde::Serialize;

use crate::Outcome;
use crate::output::Output;
use crate::read::Operators;

/// One operator, as far as its printed form and its entry tell.
#[derive(Serialize)]
struct Operator {
    name: String,
    overload: String,
    namespace: Option<String>,
    kind: String,
    arguments: Vec<Argument>,
    returns: Vec<Returned>,
    schema: String,
    line: usize,
    function: bool,
    method: bool,
    python_module: Option<String>,
    dispatch: Vec<Kernel>,
    tags: Vec<String>,
    gil: &'static str,
}

#[derive(Serialize)]
struct Argument {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    annotation: Option<String>,
    default: Option<String>,
    keyword_only: bool,
    out: bool,
}

#[derive(Serialize)]
struct Returned {
    name: Option<String>,
    #[serde(rename = "type")]
    ty: String,
    annotation: Option<String>,
}

#[derive(Serialize)]
struct Kernel {
    key: String,
    kernel: String,
}

/// Reads the files, and prints their operators.
pub(crate) fn run(paths: &[PathBuf], output: &mut Output) -> Outcome {
    let Some(ops) = Operators::of_files(paths).sound(output) else { return Outcome::Wrong };
    let operators: Vec<_> = ops.overloads.iter().map(Operator::new).collect();
    output.json(&operators);
    Outcome::Fine
}

impl Operator {
    fn new(overload: &Overload) -> Self {
        let schema = &overload.schema;
        Operator {
            name: schema.name.base.to_string(),
            overload: schema.name.overload.clone(),
            namespace: schema.name.namespace.clone(),
            kind: schema.kind().to_string(),
            arguments: schema.params.iter().map(Argument::new).collect(),
            returns: schema.returns.iter().map(Returned::new).collect(),
            schema: schema.to_string(),
            line: overload.line,
            function: overload.function,
            method: overload.method,
            python_module: match &overload.python_module {
                PythonModule::Root => None,
                PythonModule::Sub(name) => Some(name.clone()),
            },
            dispatch: overload
                .dispatch
                .iter()
                .map(|it| Kernel { key: it.key.value.to_string(), kernel: it.kernel.value.clone() })
                .collect(),
            tags: overload.tags.iter().map(|it| it.value.clone()).collect(),
            gil: match overload.gil {
                Gil::Auto => "auto",
                Gil::Release => "release",
                Gil::Hold => "hold",
            },
        }
    }
}

impl Argument {
    fn new(param: &Param) -> Self {
        Argument {
            name: param.name.value.clone(),
            ty: text(&param.ty.value),
            annotation: param.alias().map(ToString::to_string),
            default: param.default.as_ref().map(|it| it.value.to_string()),
            keyword_only: param.role != Role::Positional,
            out: param.role == Role::Out,
        }
    }
}

impl Returned {
    fn new(ret: &Return) -> Self {
        Returned {
            name: ret.name.as_ref().map(|it| it.value.clone()),
            ty: text(&ret.ty.value),
            annotation: ret.alias().map(ToString::to_string),
        }
    }
}

fn text(ty: &Type) -> String {
    ty.to_string()
}
