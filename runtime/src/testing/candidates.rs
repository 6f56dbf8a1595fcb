//! Values of each type of the schema language, the likeliest to fit first.

use super::elements::SampleElements;
use super::sample::{Sample, SampleArg};
use crate::op::{Constant, Native, Operator, Param, Type, Value};
use crate::{Complex, DType, Device, Layout, MemoryFormat, Reduction};

/// What can be given for a parameter.
pub(super) struct Candidates {
    words: Vec<String>,
    natives: Vec<Native>,
    calls: Vec<(String, Vec<SampleArg>)>,
}

impl Candidates {
    /// Also these words, where a text is asked for, and these values of types of the crate;
    /// defaults are known without. Calls are those of overloads for which none is found.
    pub(super) fn new(
        words: &[String],
        natives: &[Native],
        calls: &[(String, Vec<SampleArg>)],
    ) -> Self {
        Candidates { words: words.to_vec(), natives: natives.to_vec(), calls: calls.to_vec() }
    }

    /// Calls that are known to be taken.
    pub(super) fn calls(&self, operator: &Operator) -> Vec<Sample> {
        let own = self
            .calls
            .iter()
            .filter(|(name, given)| *name == operator.name && given.len() == operator.params.len());
        own.map(|(_, given)| Sample { given: given.clone(), kind: "small" }).collect()
    }

    /// The values for each parameter.
    pub(super) fn of(&self, operator: &Operator) -> Vec<Vec<SampleArg>> {
        let table = |param: &Param| match param.slot.ty {
            Type::Tensor if param.is_out => targets().into_iter().map(SampleArg::Tensor).collect(),
            ty => self.of_param(param, &ty),
        };
        operator.params.iter().map(table).collect()
    }

    /// The same, and numbers that fewer operators take.
    pub(super) fn also_unusual(&self, operator: &Operator) -> Vec<Vec<SampleArg>> {
        let mut all = self.of(operator);
        for (values, param) in all.iter_mut().zip(operator.params) {
            if param.range.is_none() {
                values.extend(unusual(&param.slot.ty).into_iter().map(SampleArg::Value));
            }
        }
        all
    }

    /// Images and volumes for tensors, and sizes of windows over them: what convolutions take.
    pub(super) fn of_images(&self, operator: &Operator) -> Vec<Vec<SampleArg>> {
        let mut all = self.of(operator);
        for (values, param) in all.iter_mut().zip(operator.params) {
            match param.slot.ty {
                Type::Tensor | Type::Optional(Type::Tensor) if !param.is_out => {
                    values.retain(|it| !it.is_tensor());
                    values.splice(0..0, images().map(SampleArg::Tensor));
                }
                Type::List(Type::Int | Type::SymInt, _) => {
                    let lists: [&[i64]; 5] = [&[1], &[1, 1], &[0], &[1, 1, 1], &[0; 6]];
                    *values = lists.map(whole_numbers).to_vec();
                }
                _ => {}
            }
        }
        all
    }

    fn of_param(&self, param: &Param, ty: &Type) -> Vec<SampleArg> {
        match param.range {
            Some((least, greatest)) => {
                within(least, greatest).into_iter().map(SampleArg::Value).collect()
            }
            None => self.of_type(ty),
        }
    }

    fn of_type(&self, ty: &Type) -> Vec<SampleArg> {
        let values = |values: Vec<Value>| values.into_iter().map(SampleArg::Value).collect();
        match ty {
            Type::Tensor => tensors().into_iter().map(SampleArg::Tensor).collect(),
            Type::Int | Type::SymInt | Type::DeviceIndex => {
                values([0, 1, 2, -1].map(Value::Int).to_vec())
            }
            Type::Bool | Type::SymBool => values([true, false].map(Value::Bool).to_vec()),
            Type::Float => values([0.5, 1.0, 2.0].map(Value::Float).to_vec()),
            Type::Scalar => values(numbers()),
            Type::Str => values(self.words.iter().cloned().map(Value::Str).collect()),
            Type::StrEnum(row) => {
                values(row.words.iter().map(|(word, _)| Value::Str((*word).to_owned())).collect())
            }
            Type::ScalarType => {
                values([DType::Float32, DType::Int64, DType::Float64].map(Value::DType).to_vec())
            }
            Type::Layout => values(vec![Value::Layout(Layout::Strided)]),
            Type::Device => values(vec![Value::Device(Device::Cpu)]),
            Type::MemoryFormat => {
                let formats = [MemoryFormat::Contiguous, MemoryFormat::Preserve];
                values(formats.map(Value::MemoryFormat).to_vec())
            }
            Type::Reduction => values(Reduction::ALL.map(Value::from).to_vec()),
            Type::Generator => vec![SampleArg::Generator(1)],
            Type::Storage => vec![SampleArg::Storage(matrix())],
            Type::Optional(inner) => self.with_none(inner),
            Type::List(inner, _) => self.lists(inner),
            Type::Native(name, _) => {
                let of_type = self.natives.iter().filter(|it| it.name() == *name);
                values(of_type.cloned().map(Value::Native).collect())
            }
            Type::Dimname | Type::Stream => Vec::new(),
        }
    }

    /// `None` comes second.
    fn with_none(&self, inner: &Type) -> Vec<SampleArg> {
        let mut values = self.of_type(inner);
        values.insert(values.len().min(1), SampleArg::Value(Value::None));
        values
    }

    fn lists(&self, inner: &Type) -> Vec<SampleArg> {
        match inner {
            Type::Int | Type::SymInt | Type::DeviceIndex => {
                let lists: [&[i64]; 8] =
                    [&[2, 2], &[0], &[1], &[0, 1], &[1, 1], &[4], &[1, 1, 1, 1], &[]];
                lists.map(whole_numbers).to_vec()
            }
            Type::Tensor => vec![
                SampleArg::List(vec![SampleArg::Tensor(matrix()), SampleArg::Tensor(matrix())]),
                SampleArg::List(vec![SampleArg::Tensor(matrix())]),
                SampleArg::List(vec![SampleArg::Tensor(indices())]),
            ],
            Type::Optional(Type::Tensor) => vec![
                SampleArg::List(vec![SampleArg::Tensor(indices())]),
                SampleArg::List(vec![SampleArg::Value(Value::None), SampleArg::Tensor(indices())]),
            ],
            inner => {
                let mut values = self.of_type(inner);
                values.truncate(2);
                let first = values.iter().take(1).cloned().collect();
                vec![SampleArg::List(values), SampleArg::List(first)]
            }
        }
    }
}

/// Numbers of a range, its ends among them.
fn within(least: Constant, greatest: Constant) -> Vec<Value> {
    match (least, greatest) {
        (Constant::Int(least), Constant::Int(greatest)) => {
            let mut all = vec![least, least.midpoint(greatest), greatest];
            all.dedup();
            all.into_iter().map(Value::Int).collect()
        }
        (Constant::Float(least), Constant::Float(greatest)) => {
            let middle = least.midpoint(greatest);
            [middle, least, greatest, least.midpoint(middle)].map(Value::Float).to_vec()
        }
        (least, greatest) => vec![least.value(), greatest.value()],
    }
}

/// Numbers that are tried where no call with others was found.
fn unusual(ty: &Type) -> Vec<Value> {
    let whole = [3, 4, 5, 7, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 256, 1000, -2, -3, -10];
    let real = [
        0.1, 0.25, 0.75, 0.9, 0.01, 0.001, 1e-6, 1.5, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0,
        0.0, -0.5, -1.0, -2.0, -10.0,
    ];
    match ty {
        Type::Int | Type::SymInt => whole.map(Value::Int).to_vec(),
        Type::Float => real.map(Value::Float).to_vec(),
        Type::Scalar => whole.map(Value::Int).into_iter().chain(real.map(Value::Float)).collect(),
        Type::Optional(inner) => unusual(inner),
        _ => Vec::new(),
    }
}

fn numbers() -> Vec<Value> {
    let complex = Value::Complex(Complex::new(0.0, 2.0));
    let (one, half) = (Value::Int(1), Value::Float(0.5));
    vec![one, half, Value::Int(2), Value::Int(0), Value::Bool(true), complex]
}

/// A matrix that most functions of matrices are defined for.
fn matrix() -> SampleElements {
    SampleElements::new(&[2, 2], &[4.0, 1.0, 1.0, 3.0], DType::Float32)
}

/// Batches of a volume and of an image, which are kernels for them as well, and places in a volume.
fn images() -> [SampleElements; 3] {
    let of = |shape: &[i64]| SampleElements::new(shape, &[1.0], DType::Float32);
    [of(&[1, 1, 2, 2, 2]), of(&[1, 1, 2, 2]), of(&[1, 1, 1, 1, 3])]
}

fn whole_numbers(numbers: &[i64]) -> SampleArg {
    SampleArg::Value(Value::List(numbers.iter().copied().map(Value::Int).collect()))
}

fn indices() -> SampleElements {
    SampleElements::new(&[2], &[1.0, 0.0], DType::Int64)
}

/// What a result can be written to: its dtype counts, as it gets the shape that it needs.
fn targets() -> Vec<SampleElements> {
    use DType::{Bool, Complex64, Float32, Float64, Int32, Int64, UInt64};
    let dtypes = [Float32, Int64, Bool, Complex64, Int32, Float64, UInt64];
    dtypes.map(|it| matrix().cast(it)).to_vec()
}

fn tensors() -> Vec<SampleElements> {
    let of = SampleElements::new;
    let float = DType::Float32;
    vec![
        matrix(),
        of(&[2], &[0.5, 0.25], float),
        indices(),
        of(&[2, 2], &[1.0, 0.0, 0.0, 1.0], DType::Int64),
        of(&[2, 2], &[1.0, 0.0, 1.0, 1.0], DType::Bool),
        of(&[], &[0.5], float),
        of(&[], &[1.0], DType::Int64),
        of(&[1, 2, 2], &[4.0, 1.0, 1.0, 3.0], float),
        of(&[1, 1, 2, 2], &[1.0], float),
        of(&[1, 2, 2], &[0.0], DType::Int64),
        of(&[2, 2], &[1.0, 0.0, 0.0, 1.0], float).with_imaginary_parts(&[2.0, 0.0, 0.0, -1.0]),
        of(&[2], &[1.0, 2.0], DType::UInt8),
        of(&[1, 2, 3], &[1.0], float),
        of(&[2], &[1.0, 0.0], DType::Bool),
        of(&[2, 2, 2], &[1.0], float),
        of(&[3], &[1.0], float),
        of(&[2, 2], &[1.0], DType::Float64),
    ]
}
