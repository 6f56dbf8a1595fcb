//! `opwright dump`.

use std::path::PathBuf;

use opwright_schema::model::{Gil, Overload, Param, PythonModule, Return, Role, Type};
use serde::Serialize;

use crate::ExitStatus;
use crate::output::OutputFile;
use crate::read::ReadOperators;

/// One operator, as far as its printed form and its entry tell.
#[derive(Serialize)]
struct DumpedOperator {
    name: String,
    overload: String,
    namespace: Option<String>,
    kind: String,
    arguments: Vec<DumpedArgument>,
    returns: Vec<DumpedReturn>,
    schema: String,
    line: usize,
    function: bool,
    method: bool,
    python_module: Option<String>,
    dispatch: Vec<DumpedKernel>,
    tags: Vec<String>,
    gil: &'static str,
}

#[derive(Serialize)]
struct DumpedArgument {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    annotation: Option<String>,
    default: Option<String>,
    keyword_only: bool,
    out: bool,
}

#[derive(Serialize)]
struct DumpedReturn {
    name: Option<String>,
    #[serde(rename = "type")]
    ty: String,
    annotation: Option<String>,
}

#[derive(Serialize)]
struct DumpedKernel {
    key: String,
    kernel: String,
}

/// Reads the files, and prints their operators.
pub(crate) fn run(paths: &[PathBuf], output: &mut OutputFile) -> ExitStatus {
    let Some(ops) = ReadOperators::of_files(paths).sound(output) else { return ExitStatus::Wrong };
    let operators: Vec<_> = ops.overloads.iter().map(DumpedOperator::new).collect();
    output.json(&operators);
    ExitStatus::Fine
}

impl DumpedOperator {
    fn new(overload: &Overload) -> Self {
        let schema = &overload.schema;
        DumpedOperator {
            name: schema.name.base.to_string(),
            overload: schema.name.overload.clone(),
            namespace: schema.name.namespace.clone(),
            kind: schema.kind().to_string(),
            arguments: schema.params.iter().map(DumpedArgument::new).collect(),
            returns: schema.returns.iter().map(DumpedReturn::new).collect(),
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
                .map(|it| DumpedKernel {
                    key: it.key.value.to_string(),
                    kernel: it.kernel.value.clone(),
                })
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

impl DumpedArgument {
    fn new(param: &Param) -> Self {
        DumpedArgument {
            name: param.name.value.clone(),
            ty: text(&param.ty.value),
            annotation: param.alias().map(ToString::to_string),
            default: param.default.as_ref().map(|it| it.value.to_string()),
            keyword_only: param.role != Role::Positional,
            out: param.role == Role::Out,
        }
    }
}

impl DumpedReturn {
    fn new(ret: &Return) -> Self {
        DumpedReturn {
            name: ret.name.as_ref().map(|it| it.value.clone()),
            ty: text(&ret.ty.value),
            annotation: ret.alias().map(ToString::to_string),
        }
    }
}

fn text(ty: &Type) -> String {
    ty.to_string()
}
