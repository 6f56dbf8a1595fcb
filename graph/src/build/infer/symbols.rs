//! Symbolic extents and integers of a call.

use std::collections::HashMap;

use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::{ListType, NativeStruct, OptionalType, Plain, Structure, TensorType};
use opwright_runtime::{DType, Device, Error, Result, Tensor, buffer};

use crate::build::intrinsic::{ExtentOp, ShapeOp};
use crate::model::argument::NodeArgument;
use crate::model::fit::{NumberPolicy, fit};
use crate::model::op::Op;
use crate::model::variable::{Variable, VariableKey};

/// The unknown extents and integers of the inputs of a call, and what stands for the inputs.
pub(super) struct Symbols {
    all: Vec<Symbol>,
    inputs: Vec<StandIn>,
}

/// Something unknown.
pub(super) struct Symbol {
    /// The input that it was found in first.
    pub(super) input: usize,
    /// The dimension of a tensor.
    pub(super) dim: Option<usize>,
    /// The same, counted from the right.
    pub(super) from_right: Option<usize>,
}

/// An extent or an integer.
#[derive(Clone, Copy)]
enum SymbolicInt {
    Known(i64),
    Symbol(usize),
}

/// What takes the place of an input.
enum StandIn {
    Value(Value),
    Tensor(DType, Vec<SymbolicInt>),
    /// A single element, which is asked for as a number.
    Element(DType, SymbolicInt),
    Int(SymbolicInt),
    Float(SymbolicInt),
    Truth(SymbolicInt),
    Ints(Vec<SymbolicInt>),
    Native(&'static Structure, Vec<StandIn>),
    /// Nothing can: the types of results depend on its value.
    None,
}

/// What becomes of the elements of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstantElements {
    /// Those of one are as they are, since kernels may read them; those of several are not there.
    Unread,
    /// All are as they are.
    Read,
}

/// Finds symbols, each once: an extent that was taken from a tensor is that of the tensor.
struct Finder<'a> {
    row: &'a Operator,
    arguments: &'a [NodeArgument],
    all: Vec<Symbol>,
    known: HashMap<(VariableKey, usize), usize>,
    elements: ConstantElements,
}

impl Finder<'_> {
    /// Whether the value of an input may decide, because it is no tensor for the operator.
    fn is_read(&self, input: usize) -> bool {
        let mut named = self.row.params.iter().zip(self.arguments);
        named.any(|(param, argument)| {
            let mut is_named = false;
            argument.each_input(&mut |at| is_named |= at == input);
            is_named && !takes_tensors(&param.slot.ty)
        })
    }

    fn symbol(&mut self, origin: (VariableKey, usize), symbol: Symbol) -> SymbolicInt {
        let next = self.all.len();
        let at = *self.known.entry(origin).or_insert(next);
        if at == next {
            self.all.push(symbol);
        }
        SymbolicInt::Symbol(at)
    }

    fn extent(&mut self, input: usize, of: &Variable, dim: usize, is_shape: bool) -> SymbolicInt {
        let ty = of.ty().downcast::<TensorType>();
        if let Some(known) = ty.and_then(|it| it.shape().get(dim).copied().flatten()) {
            return SymbolicInt::Known(known);
        }
        let ndim = ty.map_or(0, TensorType::ndim);
        let from_right = is_shape.then(|| ndim.saturating_sub(dim + 1));
        self.symbol((of.key(), dim), Symbol { input, dim: is_shape.then_some(dim), from_right })
    }

    fn int(&mut self, input: usize, of: &Variable, place: usize) -> SymbolicInt {
        self.symbol((of.key(), place), Symbol { input, dim: None, from_right: None })
    }

    fn stand_in(&mut self, input: usize, variable: &Variable) -> Result<StandIn> {
        if let Some(value) = variable.as_constant() {
            return known(value, self.elements).map(StandIn::Value);
        }
        if let Some(ty) = variable.ty().downcast::<TensorType>() {
            if ty.ndim() == 0 && !ty.dtype().is_complex_number() && self.is_read(input) {
                return Ok(StandIn::Element(ty.dtype(), self.int(input, variable, usize::MAX)));
            }
            let dims = 0..ty.ndim();
            let extents = dims.map(|dim| self.extent(input, variable, dim, true)).collect();
            return Ok(StandIn::Tensor(ty.dtype(), extents));
        }
        if let Some(list) = variable.ty().downcast::<ListType>() {
            return Ok(self.ints(input, variable, list));
        }
        if let Some(ty) = variable.ty().downcast::<NativeStruct>() {
            return Ok(self.native(input, variable, ty.structure(), &mut 0));
        }
        Ok(match variable.ty().downcast::<Plain>().map(|it| it.host()) {
            Some(Plain::Int64) => StandIn::Int(self.integer(input, variable)),
            Some(Plain::Double) if self.is_read(input) => {
                StandIn::Float(self.int(input, variable, 0))
            }
            Some(Plain::Boolean) if self.is_read(input) => {
                StandIn::Truth(self.int(input, variable, 0))
            }
            Some(ty) => plain(ty),
            None => StandIn::None,
        })
    }

    /// A struct of what stands for its parts: an integer in it may be an extent of a result.
    fn native(
        &mut self,
        input: usize,
        variable: &Variable,
        structure: &'static Structure,
        place: &mut usize,
    ) -> StandIn {
        let mut parts = Vec::with_capacity(structure.parts.len());
        for part in structure.parts {
            *place += 1;
            let ty = (part.ty)();
            let stand_in = if let Some(inner) = ty.downcast::<NativeStruct>() {
                self.native(input, variable, inner.structure(), place)
            } else if ty.downcast() == Some(&Plain::Int64) {
                StandIn::Int(self.int(input, variable, *place))
            } else if let Some(default) = part.default {
                StandIn::Value(default())
            } else if ty.downcast::<OptionalType>().is_some() {
                StandIn::Value(Value::None)
            } else {
                ty.downcast::<Plain>().map_or(StandIn::None, |it| plain(*it))
            };
            if let StandIn::None = stand_in {
                return StandIn::None;
            }
            parts.push(stand_in);
        }
        StandIn::Native(structure, parts)
    }

    fn integer(&mut self, input: usize, variable: &Variable) -> SymbolicInt {
        if let Some((node, _)) = variable.owner()
            && let Op::Custom(op) = node.op()
            && let Some(ExtentOp(dim)) = op.downcast()
        {
            return self.extent(input, &node.inputs()[0], *dim, false);
        }
        self.int(input, variable, 0)
    }

    fn ints(&mut self, input: usize, variable: &Variable, list: &ListType) -> StandIn {
        let is_of_ints = list.of().downcast() == Some(&Plain::Int64);
        let Some(len) = list.len().filter(|_| is_of_ints) else { return StandIn::None };
        if let Some((node, _)) = variable.owner()
            && let Op::Custom(op) = node.op()
            && op.downcast::<ShapeOp>().is_some()
        {
            let of = &node.inputs()[0];
            return StandIn::Ints((0..len).map(|dim| self.extent(input, of, dim, false)).collect());
        }
        StandIn::Ints((0..len).map(|place| self.int(input, variable, place)).collect())
    }
}

impl Symbols {
    /// Those of these inputs.
    ///
    /// # Errors
    ///
    /// `Memory`.
    pub(super) fn of(
        row: &Operator,
        inputs: &[Variable],
        arguments: &[NodeArgument],
        elements: ConstantElements,
    ) -> Result<Symbols> {
        let mut finder =
            Finder { row, arguments, all: Vec::new(), known: HashMap::new(), elements };
        let stand_ins = inputs.iter().enumerate().map(|(at, it)| finder.stand_in(at, it));
        let inputs = buffer::try_collected(stand_ins)?;
        Ok(Symbols { all: finder.all, inputs })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether all is known.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Each of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.all.iter()
    }

    /// The arguments of a call where the symbols stand for these numbers.
    pub(super) fn values(
        &self,
        row: &Operator,
        arguments: &[NodeArgument],
        numbers: NumberPolicy,
        assigned: &[i64],
    ) -> Result<Vec<Value>> {
        let filled = AssignedSymbols { symbols: self, numbers, assigned };
        let named = row.params.iter().zip(arguments);
        let values = named.map(|(param, argument)| {
            let value = filled.value(argument, &param.slot.ty);
            value.map_err(|it| it.unwrap_or_else(|| depends_on(param.slot.name)))
        });
        let mut values = buffer::try_collected(values)?;
        on_meta(row, &mut values);
        Ok(values)
    }
}

/// Symbols that stand for numbers.
struct AssignedSymbols<'a> {
    symbols: &'a Symbols,
    numbers: NumberPolicy,
    assigned: &'a [i64],
}

impl AssignedSymbols<'_> {
    fn number(&self, number: SymbolicInt) -> i64 {
        match number {
            SymbolicInt::Known(it) => it,
            SymbolicInt::Symbol(at) => self.assigned[at],
        }
    }

    /// An argument as a parameter of this type takes it; fails without an error where nothing can
    /// stand for it.
    fn value(
        &self,
        argument: &NodeArgument,
        ty: &Type,
    ) -> std::result::Result<Value, Option<Error>> {
        match argument {
            NodeArgument::Value(value) => Ok(value.clone()),
            NodeArgument::Input(at) => {
                let value = self.stand_in(&self.symbols.inputs[*at], ty)?;
                fit(value, ty, self.numbers).map_err(Some)
            }
            NodeArgument::List(items) => {
                let items = items.iter().map(|it| self.value(it, element(ty)));
                items.collect::<std::result::Result<_, _>>().map(Value::List)
            }
        }
    }

    fn stand_in(&self, stand_in: &StandIn, ty: &Type) -> std::result::Result<Value, Option<Error>> {
        let on_meta = |shape: &[i64], dtype| {
            Tensor::allocate(shape, dtype, Device::Meta).map(Value::Tensor).map_err(Some)
        };
        match stand_in {
            StandIn::Value(it) => Ok(it.clone()),
            StandIn::Int(it) => Ok(Value::Int(self.number(*it))),
            StandIn::Float(it) => Ok(float(self.number(*it))),
            StandIn::Truth(it) => Ok(Value::Bool(self.number(*it) != 0)),
            StandIn::Ints(them) => {
                Ok(Value::List(them.iter().map(|it| Value::Int(self.number(*it))).collect()))
            }
            StandIn::Element(dtype, it) => {
                if takes_tensors(ty) {
                    return on_meta(&[], *dtype);
                }
                let number = self.number(*it);
                Ok(if dtype.is_boolean() {
                    Value::Bool(number != 0)
                } else if dtype.is_floating() {
                    float(number)
                } else {
                    Value::Int(number)
                })
            }
            StandIn::Tensor(dtype, extents) => {
                if extents.is_empty() && !takes_tensors(ty) {
                    return Ok(Value::Complex(0.5.into()));
                }
                let shape: Vec<i64> = extents.iter().map(|it| self.number(*it)).collect();
                on_meta(&shape, *dtype)
            }
            StandIn::Native(structure, parts) => {
                let parts = parts.iter().map(|it| self.stand_in(it, ty));
                let parts = parts.collect::<std::result::Result<_, _>>()?;
                (structure.make)(parts).map(Value::Native).ok_or(None)
            }
            StandIn::None => Err(None),
        }
    }
}

/// A plain value as good as any other.
fn plain(ty: Plain) -> StandIn {
    match ty.host() {
        // A probability, too.
        Plain::Double => StandIn::Value(Value::Float(0.5)),
        Plain::Boolean => StandIn::Value(Value::Bool(false)),
        Plain::Complex128 => StandIn::Value(Value::Complex(0.5.into())),
        Plain::Nothing => StandIn::Value(Value::None),
        _ => StandIn::None,
    }
}

/// Of a list the type of an element, of anything else itself.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => element(inner),
        Type::List(element, _) => element,
        ty => ty,
    }
}

fn takes_tensors(ty: &Type) -> bool {
    matches!(innermost(ty), Type::Tensor)
}

fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) | Type::List(inner, _) => innermost(inner),
        ty => ty,
    }
}

/// The floating-point number for a symbol: a probability for 0, 1 and 2.
fn float(number: i64) -> Value {
    Value::Float(number as f64 / 2.0)
}

/// A constant.
fn known(value: &Value, elements: ConstantElements) -> Result<Value> {
    match value {
        Value::Tensor(it) if it.ndim() > 0 && elements == ConstantElements::Unread => {
            Tensor::allocate(it.shape(), it.dtype(), Device::Meta).map(Value::Tensor)
        }
        value => Ok(value.clone()),
    }
}

/// What would make a tensor out of numbers alone makes one without memory.
fn on_meta(row: &Operator, values: &mut [Value]) {
    if values.iter().any(|it| !it.tensors().is_empty()) {
        return;
    }
    for (param, value) in row.params.iter().zip(values) {
        if matches!(param.slot.ty, Type::Device | Type::Optional(Type::Device)) {
            *value = Value::Device(Device::Meta);
        }
    }
}

#[cold]
fn depends_on(param: &str) -> Error {
    Error::wrong_type(format_args!(
        "the types of the results depend on the value of '{param}', which is a variable"
    ))
}
