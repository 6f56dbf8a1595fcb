//! The model of a Python name: its signatures, their parameters, and calls.

use opwright_schema::functional::Word;
use opwright_schema::model::{self, BaseName, BaseType, OpSet, ParamRange, PythonModule, Type};
use opwright_schema::names;

/// One Python name in one place: a function of a module, or a method.
#[derive(Clone, Debug)]
pub struct PythonFunction {
    /// The name under which it is bound: `add`, `fft_fft`, `__and__`.
    pub name: String,
    /// Where it is bound.
    pub home: Home,
    /// Its signatures; the first that fits a call takes it.
    pub signatures: Vec<Signature>,
    /// Further names of the same binding.
    pub aliases: Vec<String>,
    /// Operators and protocol methods that it implements: `__add__`, `__radd__`.
    pub operators: Vec<String>,
    /// Markdown, of all its overloads; empty if there is none.
    pub doc: String,
    /// How it calls another function, if that runs instead of an overload.
    pub forwarding: Option<Forwarding>,
}

/// The call of another function, for one of `nn.functional`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forwarding {
    /// Where the other function is, and what does the same in place.
    pub of: Home,
    /// What it is called there.
    pub plain: String,
    /// What does the same in place, if a parameter chooses that.
    pub in_place: Option<String>,
    /// What becomes of each argument by position.
    pub params: Vec<Forwards>,
    /// With how many of the leading parameters alone a call is one of the other function.
    pub direct: usize,
    /// Whether it is still with others by name, but for those that are handled.
    pub same_names: bool,
}

/// What becomes of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forwards {
    /// It is passed on.
    Passed {
        /// The parameter's name in the other function.
        name: String,
        /// Its place there, if it may be passed by position.
        place: Option<usize>,
        /// What is passed if there is none: a default that the other function does not have, or a
        /// `None` that holds its place.
        default: Option<model::Default>,
        /// Between which numbers it has to be.
        range: Option<ParamRange>,
    },
    /// It is passed on as `reduction`, and has to be its word.
    Reduction {
        /// Its place in the other function, if it may be passed by position.
        place: Option<usize>,
        /// The word that is passed if there is none, and the other function has no such default.
        default: Option<String>,
    },
    /// It says how the other function is called.
    Word(Word),
}

/// Where a [`PythonFunction`] is bound.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    /// In a module.
    Module(PythonModule),
    /// On the tensor class.
    Method,
}

/// One way to call a [`PythonFunction`].
#[derive(Clone, Debug)]
pub struct Signature {
    /// Positional ones, keyword ones, `out`, tensor options, in this order.
    /// The receiver of a method is not among them.
    pub params: Vec<Parameter>,
    /// Called if no `out` was passed. A signature has a `base`, an `out`, or both.
    pub base: Option<OverloadCall>,
    /// Called if `out` was passed.
    pub out: Option<OverloadCall>,
    /// The first parameter is an integer list and the only positional one, so
    /// that its elements may also be passed one by one.
    pub varargs: bool,
    /// An older signature, which warns.
    pub deprecated: bool,
    /// Markdown, of its overload or else of the variant with `out`; empty if there is none.
    pub doc: String,
}

/// Signatures that one description is about.
#[derive(Clone, Debug)]
pub struct Described<'a> {
    /// The signatures, at least one.
    pub signatures: Vec<&'a Signature>,
    /// Markdown; empty if there is none.
    pub doc: &'a str,
}

/// A parameter of a [`Signature`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in Python: `input` where the schema says `self`.
    pub name: String,
    /// Further keyword spellings, in the order in which they are looked up.
    pub aliases: Vec<String>,
    /// Its schema type, without the outermost `?`. For several out parameters
    /// together, a list of tensors of that many.
    pub ty: Type,
    /// `None` is accepted, and means that nothing was passed.
    pub nullable: bool,
    /// Its default; required if there is none.
    pub default: Option<model::Default>,
    /// What stands for a missing value where that differs from `default`:
    /// the schema's own default of a tensor option.
    pub fallback: Option<model::Default>,
    /// What part it plays.
    pub section: Section,
    /// A tensor parameter that also accepts numbers.
    pub numbers: bool,
}

/// What part a [`Parameter`] plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Before `*`.
    Positional,
    /// After `*`.
    Keyword,
    /// `out`.
    Out,
    /// A tensor option.
    Option(TensorOption),
}

/// The tensor options, in the order of their parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TensorOption {
    /// `dtype`.
    Dtype,
    /// `layout`.
    Layout,
    /// `device`.
    Device,
    /// `pin_memory`.
    PinMemory,
    /// `requires_grad`, which no schema has: it is applied to the result.
    RequiresGrad,
}

/// A call of an overload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverloadCall {
    /// The overload's index in the operator set.
    pub overload: usize,
    /// A value for each parameter of the overload's schema, in its order.
    pub arguments: Vec<Argument>,
    /// What the call hands to Python.
    pub result: CallResult,
}

/// Where the value of an overload's parameter comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The object that the method was called on.
    Receiver,
    /// The signature's parameter of this index.
    Param(usize),
    /// An element of the signature's parameter of this index: one of several out tensors.
    Element {
        /// The parameter's index.
        param: usize,
        /// The position in its value.
        element: usize,
    },
    /// This value, whatever was passed.
    Literal(model::Default),
}

/// What a call hands to Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallResult {
    /// `None`.
    Nothing,
    /// The very object that was passed for this argument: in-place and `out`.
    Same(Argument),
    /// A value of this schema type.
    Value(Type),
    /// A tuple of such values.
    Tuple(Vec<Type>),
    /// A named tuple of such values.
    Named {
        /// The name of the tuple's class.
        class: String,
        /// Its fields.
        fields: Vec<(String, Type)>,
    },
    /// The tensors that were passed for `out`, as a tuple or, with a class, a named tuple.
    SameTuple {
        /// The class's name, if the returns have names.
        class: Option<String>,
        /// The index of the parameter `out`.
        param: usize,
        /// How many they are.
        count: usize,
    },
}

impl TensorOption {
    /// All of them, in the order of their parameters.
    pub const ALL: [TensorOption; 5] = [
        TensorOption::Dtype,
        TensorOption::Layout,
        TensorOption::Device,
        TensorOption::PinMemory,
        TensorOption::RequiresGrad,
    ];

    /// The parameter's name.
    pub fn name(self) -> &'static str {
        match self {
            TensorOption::Dtype => "dtype",
            TensorOption::Layout => "layout",
            TensorOption::Device => "device",
            TensorOption::PinMemory => "pin_memory",
            TensorOption::RequiresGrad => "requires_grad",
        }
    }

    /// The parameter's type.
    pub fn ty(self) -> BaseType {
        match self {
            TensorOption::Dtype => BaseType::ScalarType,
            TensorOption::Layout => BaseType::Layout,
            TensorOption::Device => BaseType::Device,
            TensorOption::PinMemory | TensorOption::RequiresGrad => BaseType::Bool,
        }
    }
}

impl PythonFunction {
    /// The signatures that readers are shown: those that can be called, or all
    /// if none can.
    pub fn shown(&self) -> impl Iterator<Item = &Signature> {
        let all = !self.signatures.iter().any(Signature::is_callable);
        self.signatures.iter().filter(move |it| all || it.is_callable())
    }

    /// The signatures that readers are shown, together with those that share
    /// their description, in order. What is not described stands with what is
    /// in front of it. There is one group unless descriptions differ.
    pub fn described(&self) -> Vec<Described<'_>> {
        let mut groups: Vec<Described<'_>> = Vec::new();
        for signature in self.shown() {
            let doc = signature.doc.trim();
            let same = |it: &&mut Described<'_>| it.doc.is_empty() || it.doc == doc;
            let group = match doc {
                "" => groups.last_mut(),
                _ => groups.iter_mut().find(same),
            };
            match group {
                Some(group) => {
                    group.signatures.push(signature);
                    if group.doc.is_empty() {
                        group.doc = doc;
                    }
                }
                None => groups.push(Described { signatures: vec![signature], doc }),
            }
        }
        if let [only] = groups.as_mut_slice() {
            // What no signature says of itself may have been said of the function.
            only.doc = self.doc.trim();
        }
        groups
    }

    /// The name of what this does in place: `add` of `add_`, `__and__` of `__iand__`.
    pub fn in_place_of(&self, ops: &OpSet) -> Option<String> {
        let signature = self.signatures.first()?;
        let call = signature.base.as_ref().or(signature.out.as_ref())?;
        let base = &ops.overloads[call.overload].schema.name.base;
        base.inplace.then(|| names::python(&BaseName { inplace: false, ..base.clone() }))
    }

    /// No overload has a parameter, so that the interpreter itself can refuse arguments.
    pub fn takes_nothing(&self) -> bool {
        self.signatures.iter().all(|it| it.params.is_empty())
    }
}

impl Signature {
    /// Whether there are values for every parameter.
    pub fn is_callable(&self) -> bool {
        !self.params.iter().any(|it| it.ty.base().is_empty())
    }

    /// How many parameters may be passed by position.
    pub fn positional(&self) -> usize {
        self.params.iter().filter(|it| it.section == Section::Positional).count()
    }

    /// The index of the parameter `out`.
    pub fn out_param(&self) -> Option<usize> {
        self.params.iter().position(|it| it.section == Section::Out)
    }
}

impl Parameter {
    /// It cannot be passed by position.
    pub fn keyword_only(&self) -> bool {
        self.section != Section::Positional
    }

    /// It must be passed.
    pub fn required(&self) -> bool {
        self.default.is_none()
    }
}
