//! Calls of operators: rows of a table, by their boxed call.

use opwright_runtime::op::{Operator, Value};
use opwright_runtime::{Complex, Error, ErrorKind, Tensor};

use crate::entry::{Frame, Owner};
use crate::memory;
use crate::types::{Ty, TyKind};

/// A call of an operator with arguments of known types.
#[derive(Clone)]
pub struct OperatorCall {
    /// The row.
    pub row: &'static Operator,
    /// What it is passed, in the order of its parameters.
    pub args: Vec<OperatorArg>,
    /// Types of its results; those without dimensions are numbers.
    pub results: Vec<Ty>,
    /// Whether it is called by a name of numpy's, whose classes of errors it then has.
    pub is_numpy: bool,
}

/// What an operator is passed.
#[derive(Clone)]
pub enum OperatorArg {
    /// A value of the program: its first word among the arguments, and its type.
    Word(usize, Ty),
    /// A constant.
    Constant(Value),
    /// Several of these.
    List(Vec<OperatorArg>),
}

impl OperatorArg {
    /// What the operator takes for it, if a value of the program is what `word` makes of it.
    ///
    /// # Errors
    ///
    /// Those of `word`.
    pub fn value<E>(
        &self,
        word: &mut dyn FnMut(usize, Ty) -> Result<Value, E>,
    ) -> Result<Value, E> {
        Ok(match self {
            OperatorArg::Constant(value) => value.clone(),
            OperatorArg::Word(at, ty) => word(*at, *ty)?,
            OperatorArg::List(items) => {
                Value::List(items.iter().map(|it| it.value(word)).collect::<Result<_, E>>()?)
            }
        })
    }
}

impl OperatorCall {
    /// Calls the operator over the words of its arguments.
    fn run(
        &self,
        frame: &mut Frame,
        words: &[u64],
        results: &mut Vec<u64>,
    ) -> opwright_runtime::Result<()> {
        let mut values = Vec::with_capacity(self.args.len());
        for arg in &self.args {
            values.push(arg.value(&mut |at, ty| value(frame, &words[at..], ty))?);
        }
        let returned = (self.row.call)(&mut values).map_err(|it| self.error(it))?;
        for (value, ty) in returned.into_iter().zip(&self.results) {
            push(frame, value, *ty, results)?;
        }
        Ok(())
    }

    /// Numpy raises `ValueError` where operators find that shapes do not go together.
    #[cold]
    fn error(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Runtime | ErrorKind::Index if self.is_numpy => Error::value(error),
            _ => error,
        }
    }
}

/// A value of the program as an operator takes it.
fn value(frame: &Frame, words: &[u64], ty: Ty) -> opwright_runtime::Result<Value> {
    Ok(match &*ty {
        TyKind::Bool => Value::Bool(words[0] != 0),
        TyKind::Int(_) => Value::Int(words[0].cast_signed()),
        TyKind::Float(64) => Value::Float(f64::from_bits(words[0])),
        TyKind::Float(_) => Value::Float(f64::from(f32::from_bits(words[0] as u32))),
        TyKind::Complex(_) => {
            let part = |word: u64| match &*ty.real_type() {
                TyKind::Float(64) => f64::from_bits(word),
                _ => f64::from(f32::from_bits(word as u32)),
            };
            Value::Complex(Complex::new(part(words[0]), part(words[1])))
        }
        TyKind::Array(array) => Value::Tensor(tensor(frame, words, array.dtype, array.ndim)?),
        _ => return Err(Error::wrong_type(format_args!("an operator takes no {ty}"))),
    })
}

/// A tensor over the memory of an array of the program.
fn tensor(
    frame: &Frame,
    words: &[u64],
    dtype: Ty,
    ndim: usize,
) -> opwright_runtime::Result<Tensor> {
    let size = dtype.itemsize();
    let shape: Vec<i64> = words[2..2 + ndim].iter().map(|it| it.cast_signed()).collect();
    let strides: Vec<i64> =
        words[2 + ndim..2 + 2 * ndim].iter().map(|it| it.cast_signed() / size).collect();
    let Some(dtype) = memory::dtype(dtype) else {
        return Err(Error::wrong_type(format_args!("no tensor has elements of {dtype}")));
    };
    if let Owner::Made(at) = Owner::of(words[0])
        && let Some(owned) = frame.tensor(at)
        && owned.dtype() == dtype
    {
        let bytes: Vec<i64> = strides.iter().map(|it| it * size).collect();
        return memory::part(owned, words[1], dtype, &shape, &bytes);
    }
    let address = std::ptr::with_exposed_provenance_mut(words[1] as usize);
    // SAFETY: the elements of an argument or a constant lie where its extents and strides say, and
    // stay there during the call; the operator gives the tensor back before it ends.
    unsafe { Tensor::from_foreign(address, &shape, &strides, dtype, Box::new(())) }
}

/// Appends the words of a result: an array that is row-major, or a number.
fn push(
    frame: &mut Frame,
    value: Value,
    ty: Ty,
    results: &mut Vec<u64>,
) -> opwright_runtime::Result<()> {
    let found = value.tensor()?;
    let TyKind::Array(array) = &*ty else {
        let number = found.to_scalar()?;
        if let TyKind::Complex(_) = &*ty {
            let number = number.to_complex();
            for part in [number.re, number.im] {
                results.push(match &*ty.real_type() {
                    TyKind::Float(64) => part.to_bits(),
                    _ => u64::from((part as f32).to_bits()),
                });
            }
            return Ok(());
        }
        results.push(match &*ty {
            TyKind::Bool => u64::from(number.to_i64()? != 0),
            TyKind::Int(_) => number.to_i64()?.cast_unsigned(),
            TyKind::Float(64) => number.to_f64()?.to_bits(),
            _ => u64::from((number.to_f64()? as f32).to_bits()),
        });
        return Ok(());
    };
    let dense = found.to_contiguous()?;
    let size = array.dtype.itemsize();
    let shape: Vec<u64> = dense.shape().iter().map(|it| it.cast_unsigned()).collect();
    let mut strides = vec![0; shape.len()];
    let mut stride = size;
    for (slot, extent) in strides.iter_mut().zip(dense.shape()).rev() {
        *slot = stride.cast_unsigned();
        stride *= extent;
    }
    let address = dense.data_ptr().expose_provenance() as u64;
    results.push(frame.own(dense));
    results.push(address);
    results.extend(shape);
    results.extend(strides);
    Ok(())
}

/// Calls an operator: the address of the call, how many words follow, and these.
///
/// # Safety
///
/// The first word is the address of a call of the running program; so many words follow as the second
/// says, and there is room for the words of its results.
pub(crate) unsafe extern "C" fn call_operator(
    frame: *mut Frame,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: the caller passes the frame of the running program, and what this says above.
    let (frame, call, words) = unsafe {
        let call = &*std::ptr::with_exposed_provenance::<OperatorCall>(args.read() as usize);
        let count = args.add(1).read() as usize;
        (&mut *frame, call, std::slice::from_raw_parts(args.add(2), count))
    };
    let found = frame.attempt(|frame| {
        let mut found = Vec::new();
        call.run(frame, words, &mut found)?;
        Ok(found)
    });
    let Some(found) = found else { return 1 };
    // SAFETY: there is room for the words of the results.
    unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), results, found.len()) };
    0
}
