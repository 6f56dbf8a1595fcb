//! Variants of annotated operators that nobody wrote: with out parameters, and
//! in place.
//!
//! ```text
//! shrink(Tensor self, float by=0.5) -> Tensor
//! shrink.out(Tensor self, float by=0.5, *, Tensor(a!) out) -> Tensor(a!)
//! shrink_(Tensor(a!) self, float by=0.5) -> Tensor(a!)
//! ```
//!
//! They are like the operator in all that its annotation says.

use std::mem;

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::forward::Written;
use crate::model::{
    Annotation, BaseName, Kind, OpName, Overload, Param, Python, Return, Role, Schema, Span,
    Spanned, Structured,
};

/// What follows from the function that an operator is annotated at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Derives {
    /// The operator alone.
    #[default]
    Nothing,
    /// It fills results that look as its rule says: the out variant is the
    /// structured one, and the others delegate to it.
    Structured,
    /// It returns results of its own: the out variant copies them.
    Copy,
    /// It says that there is an out variant, which is an alias of it.
    Out(Span),
}

impl Derives {
    /// The word that stands for it in a file.
    pub fn word(&self) -> &'static str {
        match self {
            Derives::Nothing => "itself alone",
            Derives::Structured => "structured",
            Derives::Copy => "copied",
            Derives::Out(_) => "out",
        }
    }

    /// What a word stands for, at a place.
    pub fn of_word(word: &str, place: &Span) -> Option<Self> {
        let all =
            [Derives::Nothing, Derives::Structured, Derives::Copy, Derives::Out(place.clone())];
        all.into_iter().find(|it| it.word() == word)
    }
}

pub use crate::autogen::out_name;

/// The variants of an operator, which comes to delegate to one of them.
pub(crate) fn variants(
    cx: &mut Diagnostics,
    overload: &mut Overload,
    derives: &Derives,
) -> Vec<Overload> {
    let schema = &overload.schema;
    let fresh = |it: &Return| it.ty.value.is_tensor() && it.annotation.is_none();
    let functional = schema.kind() == Kind::Functional && !schema.returns.is_empty();
    if !functional || !schema.returns.iter().all(fresh) {
        if let Derives::Out(span) = derives {
            let message = format!("`{}` does not return new tensors", schema.name);
            cx.error(codes::FORWARD, span, message)
                .note("`out` says that a caller may pass tensors for them")
                .help("remove `out`");
        }
        return Vec::new();
    }
    match derives {
        Derives::Nothing => Vec::new(),
        Derives::Structured => structured(overload),
        Derives::Copy => vec![copying(overload)],
        Derives::Out(_) => vec![alias(overload)],
    }
}

fn structured(overload: &mut Overload) -> Vec<Overload> {
    let schema = &overload.schema;
    let place = schema.name_span.clone();
    let delegate = Structured::Delegate(Spanned::new(out_name(&schema.name), place.clone()));
    let dispatch = mem::take(&mut overload.dispatch);
    overload.has_dispatch = false;
    overload.structured = delegate.clone();
    let own = Structured::Function(place);
    let out = Overload { dispatch, has_dispatch: true, structured: own, ..out(overload) };
    let changes = overload.schema.returns.len() == 1 && takes_self(&overload.schema);
    let inplace = changes.then(|| inplace(overload));
    [out].into_iter().chain(inplace).collect()
}

fn copying(overload: &Overload) -> Overload {
    let origin = &overload.schema;
    let source = Spanned::new(origin.name.clone(), origin.name_span.clone());
    Overload {
        dispatch: Vec::new(),
        has_dispatch: false,
        structured: Structured::Copy(source),
        ..out(overload)
    }
}

/// The out variant that hands on to the operator.
pub(crate) fn alias(overload: &Overload) -> Overload {
    let origin = &overload.schema;
    let target = Spanned::new(origin.name.clone(), origin.name_span.clone());
    Overload {
        dispatch: Vec::new(),
        has_dispatch: false,
        structured: Structured::No,
        alias_of: Some(Written { target, arguments: None }),
        ..out(overload)
    }
}

/// The variant with out parameters, which is no method.
fn out(overload: &Overload) -> Overload {
    let python = Python {
        skip: overload.python.skip || !overload.function,
        operators: Vec::new(),
        ..overload.python.clone()
    };
    Overload {
        schema: out_schema(&overload.schema),
        function: true,
        method: false,
        python,
        ..overload.clone()
    }
}

fn inplace(overload: &Overload) -> Overload {
    let python = Python {
        name: None,
        operators: Vec::new(),
        aliases: Vec::new(),
        ..overload.python.clone()
    };
    Overload { schema: inplace_schema(&overload.schema), python, ..overload.clone() }
}

fn takes_self(schema: &Schema) -> bool {
    let receiver = schema.params.first().filter(|it| it.name.value == "self");
    receiver.is_some_and(|it| it.ty.value.is_tensor()) && !schema.name.base.dunder
}

fn inplace_schema(schema: &Schema) -> Schema {
    let base = BaseName { inplace: true, ..schema.name.base.clone() };
    let mut params = schema.params.clone();
    params[0].annotation = Some(written('a', &params[0].name));
    let returns = written_returns(schema);
    Schema { name: OpName { base, ..schema.name.clone() }, params, returns, ..schema.clone() }
}

/// Out parameters are called like the results, or `out`, or `out0`, `out1`.
pub(crate) fn out_schema(schema: &Schema) -> Schema {
    let single = schema.returns.len() == 1;
    let outs = schema.returns.iter().zip('a'..).enumerate().map(|(idx, (result, letter))| {
        let invented = if single { "out".to_owned() } else { format!("out{idx}") };
        let name = match &result.name {
            Some(name) if !single => name.clone(),
            Some(_) | None => Spanned::new(invented, result.ty.span.clone()),
        };
        let annotation = Some(written(letter, &name));
        Param { annotation, name, ty: result.ty.clone(), default: None, role: Role::Out }
    });
    let params = schema.params.iter().cloned().chain(outs).collect();
    let returns = written_returns(schema);
    Schema { name: out_name(&schema.name), params, returns, ..schema.clone() }
}

fn written_returns(schema: &Schema) -> Vec<Return> {
    let returns = schema.returns.iter().zip('a'..).map(|(result, letter)| {
        let place = Spanned::new(String::new(), result.ty.span.clone());
        Return { annotation: Some(written(letter, &place)), ..result.clone() }
    });
    returns.collect()
}

/// `(a!)`, at the place of a name.
fn written(letter: char, place: &Spanned<String>) -> Spanned<Annotation> {
    let annotation = Annotation { before: vec![letter], write: true, after: None };
    Spanned::new(annotation, place.span.clone())
}
