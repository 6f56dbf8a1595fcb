//! Tensors of nested lists of numbers.

use smallvec::SmallVec;

use super::TensorType;
use super::accept::{failed, inexact};
use crate::geometry::MAX_DIMS;
use crate::op::value::Value;
use crate::types::coerce::Coerce;
use crate::types::describe::Came;
use crate::types::number;
use crate::types::refusal::Refusal;
use crate::{Element, Result, Scalar, Tensor, buffer, dispatch};

type ListPath = SmallVec<[usize; 4]>;

/// A tensor of the numbers of nested lists.
pub(super) fn tensor(ty: &TensorType, items: &[Value], how: Coerce) -> Result<Tensor, Refusal> {
    let shape = shape(items)?;
    let mut numbers = NestedNumbers { shape: &shape, numbers: Vec::new(), place: ListPath::new() };
    numbers.read(ty, items)?;
    let numbers = numbers.numbers;
    let made = dispatch!(ty.dtype(), "accept", all, |T| made::<T>(&shape, &numbers, how));
    made.map_err(failed)?.map_err(|at| inexact(ty, numbers[at], &place(&shape, at)))
}

/// A tensor of the numbers, or which of them is not what it was.
fn made<T: Element>(
    shape: &[i64],
    numbers: &[Scalar],
    how: Coerce,
) -> Result<Result<Tensor, usize>> {
    let mut elements = buffer::with_capacity::<T>(numbers.len())?;
    for (at, number) in numbers.iter().enumerate() {
        match number::cast_listed(*number, how) {
            Some(element) => elements.push(element),
            None => return Ok(Err(at)),
        }
    }
    Tensor::from_vec(shape, elements).map(Ok)
}

/// The shape that the first elements have.
fn shape(items: &[Value]) -> Result<SmallVec<[i64; 4]>, Refusal> {
    let mut shape = SmallVec::new();
    let mut items = items;
    loop {
        shape.push(items.len() as i64);
        if shape.len() > MAX_DIMS {
            return Err(Refusal::Value(format!("lists are nested more than {MAX_DIMS} deep")));
        }
        match items.first() {
            Some(Value::List(inner)) => items = inner,
            _ => return Ok(shape),
        }
    }
}

/// The numbers in nested lists, one after the other.
struct NestedNumbers<'a> {
    shape: &'a [i64],
    numbers: Vec<Scalar>,
    /// Where the list is that is read.
    place: ListPath,
}

impl NestedNumbers<'_> {
    fn read(&mut self, ty: &TensorType, items: &[Value]) -> Result<(), Refusal> {
        let depth = self.place.len();
        if self.shape[depth] != items.len() as i64 {
            let (got, expected) = (items.len(), self.shape[depth]);
            return Err(self.ragged(&format!("has {got} elements, not {expected}")));
        }
        let is_last = depth + 1 == self.shape.len();
        for (at, item) in items.iter().enumerate() {
            self.place.push(at);
            match item {
                Value::List(inner) if !is_last => self.read(ty, inner)?,
                Value::List(_) => return Err(self.ragged("is a list, others are not")),
                other => match other.scalar() {
                    Ok(it) if is_last => buffer::push(&mut self.numbers, it).map_err(failed)?,
                    Ok(_) => return Err(self.ragged("is a number, others are lists")),
                    Err(_) => return Err(self.no_number(ty, other)),
                },
            }
            self.place.pop();
        }
        Ok(())
    }

    #[cold]
    fn ragged(&self, how: &str) -> Refusal {
        Refusal::Value(format!("the list is ragged: what is at {} {how}", show(&self.place)))
    }

    #[cold]
    fn no_number(&self, ty: &TensorType, item: &Value) -> Refusal {
        let (place, came) = (show(&self.place), Came(item));
        Refusal::Type(format!("{ty} takes lists of numbers; what is at {place} is {came}"))
    }
}

fn show(place: &[usize]) -> String {
    place.iter().map(|it| format!("[{it}]")).collect()
}

/// Where an element is, as messages say it.
fn place(shape: &[i64], at: usize) -> String {
    let mut place = ListPath::new();
    let mut rest = at;
    for extent in shape.iter().rev() {
        place.insert(0, rest % (*extent).max(1) as usize);
        rest /= (*extent).max(1) as usize;
    }
    format!(", at {},", show(&place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    fn ints(items: &[i64]) -> Value {
        Value::List(items.iter().copied().map(Value::Int).collect())
    }

    fn matrix(dtype: DType) -> TensorType {
        TensorType::new(dtype, [None, None])
    }

    fn refusal(items: &[Value]) -> String {
        tensor(&matrix(DType::Int8), items, Coerce::Natural).unwrap_err().to_string()
    }

    #[test]
    fn nested_lists_become_tensors() {
        let x = tensor(&matrix(DType::Float32), &[ints(&[1, 2]), ints(&[3, 4])], Coerce::Natural);
        let x = x.unwrap();
        assert_eq!(
            (x.shape(), x.to_vec::<f32>().unwrap()),
            (&[2_i64, 2][..], vec![1., 2., 3., 4.])
        );
        let empty = tensor(&TensorType::new(DType::Bool, [None]), &[], Coerce::Lossless).unwrap();
        assert_eq!(empty.shape(), [0]);
    }

    #[test]
    fn refusals_say_where() {
        let ragged = refusal(&[ints(&[1, 2]), ints(&[3])]);
        assert_eq!(ragged, "the list is ragged: what is at [1] has 1 elements, not 2");
        let mixed = refusal(&[ints(&[1, 2]), Value::Int(3)]);
        assert_eq!(mixed, "the list is ragged: what is at [1] is a number, others are lists");
        let deep = refusal(&[Value::Int(3), ints(&[1, 2])]);
        assert_eq!(deep, "the list is ragged: what is at [1] is a list, others are not");
        let large = refusal(&[ints(&[1, 2]), ints(&[3, 300])]);
        assert!(large.contains("does not hold 300, at [1][1], without loss"), "{large}");
        let none = refusal(&[Value::List(vec![Value::None])]);
        assert!(none.ends_with("takes lists of numbers; what is at [0][0] is None"), "{none}");
    }
}
