//! The inner loops behind an operator: which function makes the loop of a dtype, and from what that
//! dtype follows.

use crate::dtypes::Dtype;
use crate::fn_path::FnPath;
use crate::form::{ElementParam, Form};
use crate::promote::Promote;
use crate::scan::AnnotatedFunction;

/// The loop of an element-wise kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The kernel.
    pub path: FnPath,
    /// The dtypes that it is there for; none if its own types say it.
    pub dtypes: Vec<Dtype>,
    /// Which of its parameters are no tensors.
    pub values: Vec<usize>,
    /// From what the dtype of its elements follows.
    pub decided: Decided,
}

/// From what the dtype of the elements follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// From that of the first result.
    ByResult,
    /// From those of arguments.
    ByArguments(Promote, Vec<usize>),
}

impl Loop {
    /// That of a function, if it is a kernel of elements.
    pub(crate) fn of(function: &AnnotatedFunction) -> Option<Loop> {
        let Form::Elementwise(form) = &function.form else { return None };
        let params = form.params.iter().enumerate();
        let (tensors, values): (Vec<_>, Vec<_>) =
            params.partition(|(_, it)| matches!(it, ElementParam::Element(_)));
        let decides = |it: &ElementParam| match it {
            ElementParam::Element(ty) => form.elements.is(ty),
            ElementParam::Number | ElementParam::Value(_) => false,
        };
        let decided = match form.promote {
            None if form.calculates_in_result() => Decided::ByResult,
            promote => {
                let deciding = tensors.iter().filter(|(_, it)| decides(it)).map(|(idx, _)| *idx);
                Decided::ByArguments(promote.unwrap_or_default(), deciding.collect())
            }
        };
        Some(Loop {
            path: FnPath(function.path.clone()),
            dtypes: function.form.dtypes().map(|it| it.all.clone()).unwrap_or_default(),
            values: values.into_iter().map(|(idx, _)| idx).collect(),
            decided,
        })
    }
}
