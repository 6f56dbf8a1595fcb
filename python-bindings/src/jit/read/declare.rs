//! The names that a function assigns, which are its locals.

use opwright_jit::ast::Locals;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Node, kind};

/// Declares the names that a statement assigns, without those of functions within.
pub(super) fn declare(node: Node<'_, '_>, locals: &mut Locals) -> PyResult<()> {
    match kind(node)?.as_str() {
        "Assign" => {
            for target in node.getattr("targets")?.try_iter()? {
                declare_target(&target?, locals)?;
            }
        }
        "AugAssign" | "AnnAssign" => declare_target(&node.getattr("target")?, locals)?,
        "For" => {
            declare_target(&node.getattr("target")?, locals)?;
            declare_blocks(node, &["body", "orelse"], locals)?;
        }
        "While" | "If" => declare_blocks(node, &["body", "orelse"], locals)?,
        "FunctionDef" => {
            locals.declare(&node.getattr("name")?.extract::<String>()?);
        }
        _ => {}
    }
    Ok(())
}

fn declare_blocks(node: Node<'_, '_>, names: &[&str], locals: &mut Locals) -> PyResult<()> {
    for name in names {
        for stmt in node.getattr(*name)?.try_iter()? {
            declare(&stmt?, locals)?;
        }
    }
    Ok(())
}

fn declare_target(node: Node<'_, '_>, locals: &mut Locals) -> PyResult<()> {
    match kind(node)?.as_str() {
        "Name" => {
            locals.declare(&node.getattr("id")?.extract::<String>()?);
        }
        "Tuple" | "List" => {
            for item in node.getattr("elts")?.try_iter()? {
                declare_target(&item?, locals)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Declares what `:=` assigns anywhere in a body, but not in functions within.
pub(super) fn declare_named(node: Node<'_, '_>, locals: &mut Locals) -> PyResult<()> {
    if let Ok(list) = node.cast::<PyList>() {
        return list.iter().try_for_each(|it| declare_named(&it, locals));
    }
    let Ok(fields) = node.getattr("_fields") else { return Ok(()) };
    match kind(node)?.as_str() {
        "FunctionDef" | "Lambda" | "Constant" | "Name" => return Ok(()),
        "NamedExpr" => declare_target(&node.getattr("target")?, locals)?,
        _ => {}
    }
    for field in fields.try_iter()? {
        let name: String = field?.extract()?;
        if let Ok(value) = node.getattr(name.as_str()) {
            declare_named(&value, locals)?;
        }
    }
    Ok(())
}
