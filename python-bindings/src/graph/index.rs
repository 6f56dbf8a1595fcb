//! Indices of variables: the operators that the same index of a tensor comes to.
//!
//! Integers, slices, `...`, `None` and bools pick out a part, dimension by dimension. Tensors,
//! lists, masks and variables of such are left to one operator, which gets that part and an entry
//! for each of its dimensions.

use opwright_graph::{Apply, NodeArgument, Op, Variable};
use opwright_runtime::types::{ListType, TensorType, TypeRef};
use opwright_runtime::{DType, Error, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyTuple};

use super::failure::raised;
use super::{build, call_site, rows, variable};
use crate::object::{self, failure};
use crate::tensor::index::{Item, check_index, too_many};

/// `variable[key]`.
///
/// # Errors
///
/// `IndexError` for indices out of range, too many of them, and objects that are none.
pub(super) fn get<'py>(
    object: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(known) = variable::of(object) else { return object.get_item(key) };
    if let Some(list) = known.ty().downcast::<ListType>() {
        return match key.cast::<PySlice>() {
            Ok(slice) => items(&known, list, slice),
            Err(_) => item(object.py(), &known, key.extract()?),
        };
    }
    let part = part(object, &known, key)?;
    if part.arrays.is_empty() {
        return Ok(part.view);
    }
    build::row(object.py(), "index.Tensor", &[part.view, part.arrays.into_any()])
}

/// An element of a variable of lists.
///
/// # Errors
///
/// `IndexError` if there is no such element.
pub(super) fn item<'py>(py: Python<'py>, list: &Variable, at: i64) -> PyResult<Bound<'py, PyAny>> {
    variable::object(py, opwright_graph::item(list, at, call_site::current(py)).map_err(raised)?)
}

/// Some elements of a variable of lists, as a tuple.
fn items<'py>(
    known: &Variable,
    list: &ListType,
    slice: &Bound<'py, PySlice>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = slice.py();
    let len = list.len().and_then(|it| isize::try_from(it).ok()).ok_or_else(|| {
        PyTypeError::new_err(format!("the number of elements of {known} is unknown"))
    })?;
    let places = slice.indices(len)?;
    let found = (0..places.slicelength as isize)
        .map(|it| item(py, known, (places.start + it * places.step) as i64));
    Ok(PyTuple::new(py, found.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// `variable[at]`.
///
/// # Errors
///
/// Those of the operator.
pub(super) fn at<'py>(object: &Bound<'py, PyAny>, at: i64) -> PyResult<Bound<'py, PyAny>> {
    select(object, 0, &at.into_pyobject(object.py())?.into_any())
}

/// The variable with `value` in the place of what the key picks out: written to the places in the
/// flattened tensor that the same key picks out of their numbers.
///
/// # Errors
///
/// Those of [`get`], and of an operator that cannot write the value.
pub(super) fn set<'py>(
    object: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let known = variable::of(object);
    let known = known.ok_or_else(|| PyTypeError::new_err("set_item() takes a variable"))?;
    let ty = known.ty().downcast::<TensorType>().cloned();
    let ty = ty.ok_or_else(|| {
        PyTypeError::new_err(format!("values of {} have no elements to set", known.ty()))
    })?;
    let value = as_elements(py, value, ty.dtype())?;
    let part = part(object, &known, key)?;
    if part.view.is(object) && !part.arrays.is_empty() {
        let arguments = [object.clone(), part.arrays.into_any(), value];
        return build::row(py, "index_put", &arguments);
    }
    let whole = [-1_i64].into_pyobject(py)?.into_any();
    let flat = build::row(py, "reshape", &[object.clone(), whole])?;
    let numbers = build::row(py, "arange", &[object.call_method0("numel")?])?;
    let shape = object.getattr("shape")?;
    let extents = ty.shape().iter().copied();
    let numbers = reshaped(&numbers, &shape, TensorType::new(DType::Int64, extents).shared())?;
    let places = PyList::new(py, [get(&numbers, key)?])?.into_any();
    let put = build::row(py, "index_put", &[flat, places, value])?;
    reshaped(&put, &shape, known.ty().clone())
}

/// What is assigned, as a tensor of the dtype.
fn as_elements<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
    dtype: DType,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(known) = variable::of(value) {
        if known.ty().element() == Some(dtype) && known.ty().downcast::<TensorType>().is_some() {
            return Ok(value.clone());
        }
        let made = build::cast(&known, dtype, call_site::current(py))?;
        return variable::object(py, Variable::output(made.node, 0));
    }
    let tensor = crate::tensor::construct::copy_of(value, Some(dtype), None)?;
    object::wrap(py, tensor)
}

/// A tensor in a shape that it is known to have as many elements for.
fn reshaped<'py>(
    object: &Bound<'py, PyAny>,
    shape: &Bound<'py, PyAny>,
    ty: TypeRef,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let row = rows::find("reshape");
    let row = row.ok_or_else(|| PyTypeError::new_err("this module has no reshape"))?;
    let (Some(of), Some(extents)) = (variable::of(object), variable::of(shape)) else {
        return Err(PyTypeError::new_err("expected variables"));
    };
    let arguments = vec![NodeArgument::Input(0), NodeArgument::Input(1)];
    let inputs = vec![of, extents];
    let node = Apply::new(Op::Row(row), inputs, arguments, vec![ty], call_site::current(py));
    variable::object(py, Variable::output(node, 0))
}

/// An error of an index.
#[cold]
fn exception(error: &Error) -> PyErr {
    failure::exception(&error.clone().in_op("__getitem__"))
}

/// What a key comes to: a part, and indices into its dimensions.
struct Part<'py> {
    view: Bound<'py, PyAny>,
    arrays: Bound<'py, PyList>,
}

/// An item of a key: one that tensors take, or one with variables in it.
enum Piece<'py> {
    Plain(Item, Bound<'py, PyAny>),
    /// A variable that is an integer.
    At(Bound<'py, PyAny>),
    /// A slice with variables for bounds.
    Range(Bound<'py, PySlice>),
    /// A variable that is a single bool.
    Flag(Bound<'py, PyAny>),
    /// A variable of indices.
    Indices(Bound<'py, PyAny>),
    /// A variable that is a mask of so many dimensions.
    Mask(Bound<'py, PyAny>, usize),
}

fn part<'py>(
    object: &Bound<'py, PyAny>,
    known: &Variable,
    key: &Bound<'py, PyAny>,
) -> PyResult<Part<'py>> {
    let ndim = variable::rank(known)?;
    let pieces: Vec<Piece<'py>> = match key.cast::<PyTuple>() {
        Ok(tuple) => tuple
            .iter()
            .enumerate()
            .map(|(at, it)| Piece::read(&it, at))
            .collect::<PyResult<_>>()?,
        Err(_) => vec![Piece::read(key, 0)?],
    };
    let used: usize = pieces.iter().map(Piece::dims).sum();
    let left = ndim.checked_sub(used).ok_or_else(|| exception(&too_many(ndim, used)))?;
    let ellipses = pieces.iter().filter(|it| matches!(it, Piece::Plain(Item::Ellipsis, _)));
    if ellipses.count() > 1 {
        let text = "a key can have one ellipsis (`...`) only";
        return Err(exception(&Error::out_of_range(text)));
    }
    let shape = known.ty().downcast::<TensorType>().map(|it| it.shape().to_vec());
    let mut walk = Walk {
        view: object.clone(),
        shape: shape.unwrap_or_default(),
        dim: 0,
        done: 0,
        arrays: Vec::new(),
        has_arrays: false,
        masked: 0,
    };
    for (at, piece) in pieces.into_iter().enumerate() {
        walk.apply(piece, at, left)?;
    }
    walk.finish()
}

impl<'py> Piece<'py> {
    fn read(object: &Bound<'py, PyAny>, position: usize) -> PyResult<Piece<'py>> {
        if let Some(known) = variable::of(object) {
            return Piece::of_variable(object, &known, position);
        }
        if let Ok(slice) = object.cast::<PySlice>() {
            let parts = ["start", "stop", "step"];
            let mut has_variables = false;
            for part in parts {
                has_variables |= variable::of(&slice.getattr(part)?).is_some();
            }
            if has_variables {
                return Ok(Piece::Range(slice.clone()));
            }
        }
        let item = Item::read(object, position).map_err(|it| it.raised("__getitem__"))?;
        Ok(Piece::Plain(item, object.clone()))
    }

    fn of_variable(
        object: &Bound<'py, PyAny>,
        known: &Variable,
        position: usize,
    ) -> PyResult<Piece<'py>> {
        let object = object.clone();
        let ndim = variable::rank(known).unwrap_or(0);
        match known.ty().element() {
            Some(dtype) if dtype.is_boolean() && ndim == 0 => Ok(Piece::Flag(object)),
            Some(dtype) if dtype.is_boolean() => Ok(Piece::Mask(object, ndim)),
            Some(dtype) if dtype.is_integral() && ndim == 0 => Ok(Piece::At(object)),
            Some(dtype) if dtype.is_integral() => Ok(Piece::Indices(object)),
            _ => Err(exception(&Error::out_of_range(format_args!(
                "index {position}: only integers, slices (`:`), ellipsis (`...`), None, and integer \
                 or bool tensors and lists are valid indices, not {}",
                crate::object::type_name(&object)
            )))),
        }
    }

    fn dims(&self) -> usize {
        match self {
            Piece::Plain(item, _) => item.dims(),
            Piece::At(_) | Piece::Range(_) | Piece::Indices(_) => 1,
            Piece::Flag(_) => 0,
            Piece::Mask(_, ndim) => *ndim,
        }
    }
}

/// The way along the dimensions.
struct Walk<'py> {
    /// What was picked so far.
    view: Bound<'py, PyAny>,
    /// What is known of the extents of the variable.
    shape: Vec<Option<i64>>,
    /// The dimension of the variable that comes next.
    dim: usize,
    /// How many dimensions of the view are done.
    done: usize,
    /// Indices and masks, and gaps for dimensions that are taken whole.
    arrays: Vec<Option<Bound<'py, PyAny>>>,
    /// `arrays` has an entry for each dimension so far.
    has_arrays: bool,
    /// How many dimensions masks are about, but for one of each.
    masked: usize,
}

impl<'py> Walk<'py> {
    fn apply(&mut self, piece: Piece<'py>, position: usize, left: usize) -> PyResult<()> {
        match piece {
            Piece::Plain(item, object) => return self.plain(item, &object, position, left),
            Piece::At(index) => return self.select(&index),
            Piece::Range(slice) => self.slice(&slice)?,
            Piece::Flag(flag) => {
                let py = flag.py();
                let one = [1_i64].into_pyobject(py)?.into_any();
                let mask = build::row(py, "reshape", &[flag, one])?;
                self.flag(mask)?;
            }
            Piece::Indices(indices) => self.index_with(indices, 1),
            Piece::Mask(mask, ndim) => {
                let known = variable::of(&mask);
                let ty = known.as_ref().and_then(|it| it.ty().downcast::<TensorType>());
                let shape = ty.map(|it| it.shape().to_vec()).unwrap_or_default();
                self.check_mask(&shape, position)?;
                self.index_with(mask, ndim);
            }
        }
        self.leave_gaps();
        Ok(())
    }

    fn plain(
        &mut self,
        item: Item,
        object: &Bound<'py, PyAny>,
        position: usize,
        left: usize,
    ) -> PyResult<()> {
        let py = object.py();
        match item {
            Item::At(index) => {
                if let Some(size) = self.shape[self.dim] {
                    check_index(index, self.dim, size).map_err(|it| exception(&it))?;
                }
                return self.select(&index.into_pyobject(py)?.into_any());
            }
            Item::Range(range) => {
                let (start, end, step) = range.bounds();
                let is_whole = match self.shape[self.dim] {
                    Some(size) => end >= size,
                    None => end == i64::MAX || end == isize::MAX as i64,
                };
                if start != 0 || !is_whole || step != 1 {
                    let bounds = [Some(start), Some(end).filter(|_| !is_whole), Some(step)];
                    let [start, end, step] = bounds.map(|it| it.into_pyobject(py));
                    self.sliced(start?, end?, step?)?;
                }
                self.keep(1);
            }
            Item::Ellipsis => self.keep(left),
            Item::NewDim => self.insert()?,
            Item::Flag(flag) => {
                let mask = Tensor::from_slice(&[1], &[flag]).map_err(|it| exception(&it))?;
                self.flag(object::wrap(py, mask)?)?;
            }
            Item::Indices(indices) => self.index_with(object::wrap(py, indices)?, 1),
            Item::Mask(mask) => {
                let shape: Vec<Option<i64>> = mask.shape().iter().copied().map(Some).collect();
                self.check_mask(&shape, position)?;
                self.index_with(object::wrap(py, mask)?, shape.len());
            }
        }
        self.leave_gaps();
        Ok(())
    }

    fn select(&mut self, index: &Bound<'py, PyAny>) -> PyResult<()> {
        self.view = select(&self.view, self.done, index)?;
        self.dim += 1;
        Ok(())
    }

    /// A slice whose bounds are variables, integers or left out.
    fn slice(&mut self, slice: &Bound<'py, PySlice>) -> PyResult<()> {
        let step = slice.getattr("step")?;
        let step = if step.is_none() { 1_i64.into_pyobject(slice.py())?.into_any() } else { step };
        self.sliced(slice.getattr("start")?, slice.getattr("stop")?, step)?;
        self.keep(1);
        Ok(())
    }

    fn sliced(
        &mut self,
        start: Bound<'py, PyAny>,
        end: Bound<'py, PyAny>,
        step: Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let py = start.py();
        let dim = self.done.into_pyobject(py)?.into_any();
        self.view = build::row(py, "slice.Tensor", &[self.view.clone(), dim, start, end, step])?;
        Ok(())
    }

    fn insert(&mut self) -> PyResult<()> {
        let py = self.view.py();
        let dim = self.done.into_pyobject(py)?.into_any();
        self.view = build::row(py, "unsqueeze", &[self.view.clone(), dim])?;
        self.done += 1;
        Ok(())
    }

    /// A bool is a mask of a new dimension of size one.
    fn flag(&mut self, mask: Bound<'py, PyAny>) -> PyResult<()> {
        self.fill_gaps();
        self.insert()?;
        self.arrays.push(Some(mask));
        Ok(())
    }

    /// Takes dimensions whole.
    fn keep(&mut self, count: usize) {
        self.dim += count;
        self.done += count;
    }

    /// Takes dimensions whole, and an entry that is about all of them.
    fn index_with(&mut self, array: Bound<'py, PyAny>, count: usize) {
        self.fill_gaps();
        self.keep(count);
        self.masked += count - 1;
        self.arrays.push(Some(array));
    }

    /// Dimensions without indices have an entry if others have one.
    fn leave_gaps(&mut self) {
        if self.has_arrays {
            self.fill_gaps();
        }
    }

    /// An entry for each dimension of the view so far; those of a mask have one.
    fn fill_gaps(&mut self) {
        self.has_arrays = true;
        self.arrays.resize(self.done - self.masked, None);
    }

    fn check_mask(&self, mask: &[Option<i64>], position: usize) -> PyResult<()> {
        let masked = &self.shape[self.dim..][..mask.len()];
        let differ = |(a, b): (&Option<i64>, &Option<i64>)| a.is_some() && b.is_some() && a != b;
        let Some(at) = masked.iter().zip(mask).position(differ) else { return Ok(()) };
        let (size, extent) = (masked[at].unwrap_or_default(), mask[at].unwrap_or_default());
        Err(exception(&Error::out_of_range(format_args!(
            "index {position}: a mask with size {extent} in dimension {at} does not fit dimension \
             {} with size {size}",
            self.dim + at
        ))))
    }

    fn finish(mut self) -> PyResult<Part<'py>> {
        let py = self.view.py();
        let last = self.arrays.iter().rposition(Option::is_some);
        self.arrays.truncate(last.map_or(0, |it| it + 1));
        let none = || py.None().into_bound(py);
        let entries = self.arrays.into_iter().map(|it| it.unwrap_or_else(none));
        Ok(Part { view: self.view, arrays: PyList::new(py, entries.collect::<Vec<_>>())? })
    }
}

fn select<'py>(
    object: &Bound<'py, PyAny>,
    dim: usize,
    index: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let dim = dim.into_pyobject(py)?.into_any();
    build::row(py, "select.int", &[object.clone(), dim, index.clone()])
}
