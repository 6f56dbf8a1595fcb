//! Reading what is written in a case.

use opwright_runtime::op::Value;
use opwright_runtime::{Complex, DType, Device, Generator, Result, Scalar, Tensor, view};
use toml::{Table, Value as Toml};

/// A value as it is written; tensors lie in memory in reverse order if that is asked for.
pub(super) fn read(text: &Toml, reverse_memory: bool) -> std::result::Result<Value, String> {
    Ok(match text {
        Toml::Boolean(value) => Value::Bool(*value),
        Toml::Integer(value) => Value::Int(*value),
        Toml::Float(value) => Value::Float(*value),
        Toml::String(value) => Value::Str(value.clone()),
        Toml::Array(items) => {
            let read = |it| read(it, reverse_memory);
            Value::List(items.iter().map(read).collect::<std::result::Result<_, _>>()?)
        }
        Toml::Table(table) => read_table(table, reverse_memory)?,
        Toml::Datetime(_) => return Err(format!("not a value: {text}")),
    })
}

fn read_table(table: &Table, reverse_memory: bool) -> std::result::Result<Value, String> {
    let not_a_value = || format!("not a value: {table}");
    if table.contains_key("tensor") || table.contains_key("shape") {
        return read_tensor(table, reverse_memory).map(Value::Tensor);
    }
    let (key, value) = table.iter().next().ok_or_else(not_a_value)?;
    match (key.as_str(), value) {
        ("none", Toml::Boolean(true)) => Ok(Value::None),
        ("dtype", Toml::String(name)) => dtype(name).map(Value::DType),
        ("generator", Toml::Integer(seed)) => Ok(Value::Generator(Generator::new(*seed as u64))),
        ("complex", Toml::Array(parts)) => {
            let parts: Option<Vec<f64>> = parts.iter().map(Toml::as_float).collect();
            match parts.as_deref() {
                Some(&[re, im]) => Ok(Value::Complex(Complex::new(re, im))),
                _ => Err(not_a_value()),
            }
        }
        _ => Err(not_a_value()),
    }
}

fn read_tensor(table: &Table, reverse_memory: bool) -> std::result::Result<Tensor, String> {
    let said = table.get("dtype").and_then(Toml::as_str).map(dtype).transpose()?;
    let said_shape = table.get("shape").and_then(Toml::as_array);
    let said_shape: Option<Vec<i64>> =
        said_shape.map(|it| it.iter().filter_map(Toml::as_integer).collect());
    let message = |error: opwright_runtime::Error| error.to_string();
    if table.get("device").is_some() {
        let shape = said_shape.ok_or("a tensor on the meta device has a shape")?;
        let dtype = said.ok_or("a tensor on the meta device has a dtype")?;
        return Tensor::allocate(&shape, dtype, Device::Meta).map_err(message);
    }
    let elements = table.get("tensor").ok_or("a tensor has elements")?;
    let mut flat = Vec::new();
    let mut shape = Vec::new();
    flatten(elements, 0, &mut shape, &mut flat)?;
    let dtype = said.unwrap_or_else(|| inferred_dtype(&flat));
    let shape = said_shape.unwrap_or(shape);
    let tensor = from_scalars(&shape, &flat, dtype).map_err(message)?;
    if reverse_memory { with_memory_reversed(&tensor).map_err(message) } else { Ok(tensor) }
}

fn dtype(name: &str) -> std::result::Result<DType, String> {
    DType::from_name(name).ok_or_else(|| format!("no dtype `{name}`"))
}

fn flatten(
    elements: &Toml,
    depth: usize,
    shape: &mut Vec<i64>,
    flat: &mut Vec<Scalar>,
) -> std::result::Result<(), String> {
    let scalar = match elements {
        Toml::Array(items) => {
            if shape.len() == depth {
                shape.push(items.len() as i64);
            }
            return items.iter().try_for_each(|it| flatten(it, depth + 1, shape, flat));
        }
        Toml::Boolean(value) => Scalar::Bool(*value),
        Toml::Integer(value) => Scalar::Int(*value),
        Toml::Float(value) => Scalar::Float(*value),
        Toml::String(text) => {
            let parsed = text.replace('j', "i").parse();
            Scalar::Complex(parsed.map_err(|_| format!("not a complex number: {text}"))?)
        }
        Toml::Datetime(_) | Toml::Table(_) => return Err(format!("not an element: {elements}")),
    };
    flat.push(scalar);
    Ok(())
}

fn inferred_dtype(elements: &[Scalar]) -> DType {
    if elements.iter().all(|it| matches!(it, Scalar::Bool(_))) {
        return DType::Bool;
    }
    let whole = elements.iter().all(|it| matches!(it, Scalar::Int(_)));
    if whole { DType::Int64 } else { DType::Float32 }
}

fn from_scalars(shape: &[i64], elements: &[Scalar], dtype: DType) -> Result<Tensor> {
    let is_real = |it: &Scalar| !matches!(it, Scalar::Complex(_));
    if elements.iter().all(|it| matches!(it, Scalar::Int(_) | Scalar::Bool(_))) {
        let values: Vec<i64> = elements.iter().map(|it| it.to_i64()).collect::<Result<_>>()?;
        return Tensor::from_vec(shape, values)?.to_dtype(dtype);
    }
    if elements.iter().all(is_real) {
        let values: Vec<f64> = elements.iter().map(|it| it.to_f64()).collect::<Result<_>>()?;
        return Tensor::from_vec(shape, values)?.to_dtype(dtype);
    }
    let values: Vec<_> = elements.iter().map(|it| it.to_complex()).collect();
    Tensor::from_vec(shape, values)?.to_dtype(dtype)
}

/// The same tensor with its first dimension closest in memory.
fn with_memory_reversed(tensor: &Tensor) -> Result<Tensor> {
    let backwards: Vec<usize> = (0..tensor.ndim()).rev().collect();
    view::permute(&view::permute(tensor, &backwards)?.to_contiguous()?, &backwards)
}
