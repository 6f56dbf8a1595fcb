//! The hooks of Python's types and Ops.

use std::path::PathBuf;
use std::sync::Arc;

use opwright_graph::cc::{
    CHost, COp, CSource, CType, Compiler, ListHook, NodeHook, NodeNames, Setup, Sub, TypeHook,
};
use opwright_graph::{Apply, GraphError, Op, Variable};
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, TypeRef};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::graph::apply::PyApply;
use crate::graph::boxing::{accept, emit, type_object, type_ref};
use crate::graph::failure::host as failed;
use crate::graph::host_op::HostOp;
use crate::object::package;

/// Who knows the types and the Ops of Python.
pub(super) struct PythonHost<'py> {
    /// The module `c` of the package.
    module: Bound<'py, PyAny>,
}

impl<'py> PythonHost<'py> {
    pub(super) fn new(py: Python<'py>) -> PyResult<PythonHost<'py>> {
        Ok(PythonHost { module: package::load(py, "c")?.into_any() })
    }

    fn member(&self, owner: Bound<'py, PyAny>, ty: Option<TypeRef>) -> PyResult<CMember<'py>> {
        let class = self.module.call_method1("_class", (&owner,))?.extract()?;
        Ok(CMember { module: self.module.clone(), owner, class, ty })
    }

    /// Who writes the code of a node.
    fn coder(&self, node: &Apply) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = self.module.py();
        let Op::Custom(op) = node.op() else { return Ok(None) };
        let found = match op.downcast::<HostOp>() {
            Some(it) => self.module.call_method1("_of_op", (it.object(py),))?,
            None => {
                let Some(input) = node.inputs().first() else { return Ok(None) };
                let ty = type_object(py, input.ty())?;
                let settings = op.settings();
                let index = settings.iter().find(|(name, _)| name == "i");
                let index = index.and_then(|(_, text)| text.parse::<i64>().ok());
                self.module.call_method1("_of_intrinsic", (op.to_string(), ty, index))?
            }
        };
        Ok((!found.is_none()).then_some(found))
    }
}

impl CHost for PythonHost<'_> {
    fn ty(&self, ty: &TypeRef) -> Result<Box<dyn CType + '_>, GraphError> {
        let object = type_object(self.module.py(), ty).map_err(failed)?;
        let owner = self.module.call_method1("_of_type", (object,)).map_err(failed)?;
        Ok(Box::new(self.member(owner, Some(ty.clone())).map_err(failed)?))
    }

    fn op(&self, node: &Arc<Apply>) -> Result<Option<Box<dyn COp + '_>>, GraphError> {
        match self.coder(node).map_err(failed)? {
            Some(owner) => Ok(Some(Box::new(self.member(owner, None).map_err(failed)?))),
            None => Ok(None),
        }
    }

    fn setup(&self) -> Result<Setup, GraphError> {
        let read = || {
            let sysconfig = self.module.py().import("sysconfig")?;
            let mut header_dirs: Vec<PathBuf> = Vec::new();
            for name in ["include", "platinclude"] {
                let folder: PathBuf = sysconfig.call_method1("get_path", (name,))?.extract()?;
                if !header_dirs.contains(&folder) {
                    header_dirs.push(folder);
                }
            }
            let abi = sysconfig.call_method1("get_config_var", ("SOABI",))?.str()?;
            Ok(Setup { header_dirs, abi: abi.to_string() })
        };
        read().map_err(failed)
    }

    fn detached(&self, work: &mut (dyn FnMut() + Send)) {
        self.module.py().detach(work);
    }
}

/// A type or an Op that writes C.
struct CMember<'py> {
    module: Bound<'py, PyAny>,
    owner: Bound<'py, PyAny>,
    class: String,
    ty: Option<TypeRef>,
}

impl<'py> CMember<'py> {
    fn ask<T>(&self, function: &str, args: impl PyCallArgs<'py>) -> Result<T, GraphError>
    where
        T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        let answer = self.module.call_method1(function, args).map_err(failed)?;
        answer.extract().map_err(|it| failed(Into::<PyErr>::into(it)))
    }

    fn node(&self, node: &Arc<Apply>) -> Result<Bound<'py, PyAny>, GraphError> {
        PyApply::object(self.module.py(), node).map_err(failed)
    }

    fn sub(&self, sub: &Sub) -> Result<Bound<'py, PyDict>, GraphError> {
        let dict = PyDict::new(self.module.py());
        for (key, text) in &sub.0 {
            dict.set_item(key, text).map_err(failed)?;
        }
        Ok(dict)
    }
}

impl CSource for CMember<'_> {
    fn class(&self) -> String {
        self.class.clone()
    }

    fn list(&self, hook: ListHook, compiler: &Compiler) -> Result<Vec<String>, GraphError> {
        let path = compiler.path.to_string_lossy();
        self.ask("_list", (&self.owner, hook.name(), &*path, &compiler.version))
    }

    fn version(&self, node: Option<&Arc<Apply>>) -> Result<Option<String>, GraphError> {
        let node = node.map(|it| self.node(it)).transpose()?;
        self.ask("_version", (&self.owner, node))
    }

    fn compiler(&self) -> Result<Option<String>, GraphError> {
        self.ask("_compiler", (&self.owner,))
    }

    fn is_c(&self) -> Result<bool, GraphError> {
        self.ask("_is_c", (&self.owner,))
    }

    fn releases(&self) -> Result<bool, GraphError> {
        self.ask("_releases", (&self.owner,))
    }
}

impl CType for CMember<'_> {
    fn text(
        &self,
        hook: TypeHook,
        name: &str,
        sub: &Sub,
        check_input: bool,
    ) -> Result<String, GraphError> {
        self.ask("_type_text", (&self.owner, hook.name(), name, self.sub(sub)?, check_input))
    }

    fn literal(&self, value: &Value) -> Result<Option<String>, GraphError> {
        let Some(ty) = &self.ty else { return Ok(None) };
        let data = emit(self.module.py(), ty, value.clone()).map_err(failed)?;
        self.ask("_literal", (&self.owner, data))
    }

    fn is_simple(&self) -> Result<bool, GraphError> {
        self.ask("_is_simple", (&self.owner,))
    }
}

impl COp for CMember<'_> {
    fn text(
        &self,
        hook: NodeHook,
        node: &Arc<Apply>,
        names: &NodeNames,
        sub: &Sub,
    ) -> Result<Option<String>, GraphError> {
        let NodeNames { name, inputs, outputs } = names;
        let (object, sub) = (self.node(node)?, self.sub(sub)?);
        let args = (&self.owner, hook.name(), object, name, inputs.clone(), outputs.clone(), sub);
        self.ask("_node_text", args)
    }

    fn params(&self, node: &Arc<Apply>) -> Result<Option<Variable>, GraphError> {
        let object = self.node(node)?;
        let found = self.module.call_method1("_params", (&self.owner, object)).map_err(failed)?;
        if found.is_none() {
            return Ok(None);
        }
        let read = || {
            let (ty, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = found.extract()?;
            let ty = type_ref(&ty)?;
            let value = accept(&ty, &value, Coerce::Natural)?;
            Ok(Some(Variable::constant(ty, value, None)))
        };
        read().map_err(failed)
    }

    fn checks_input(&self) -> Result<bool, GraphError> {
        match self.owner.getattr_opt("check_input").map_err(failed)? {
            Some(it) => it.is_truthy().map_err(failed),
            None => Ok(true),
        }
    }
}
