//! Gradient helpers in the artifact of a crate: `["maybe_multiply", ["Tensor", "Scalar"],
//! ["Tensor"]]`, the name, the types of its parameters and those of its results.

use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{Span, Type};
use opwright_schema::parse::parse_type;
use serde_json::{Value, json};

use crate::fn_path::FnPath;
use crate::helper::Helper;
use crate::ty::Ty;

/// Where generated code of another crate finds the helpers.
const HOME: [&str; 3] = ["ops", "__operators", "__helpers"];

/// The helpers that other crates can call.
pub(super) fn print(helpers: &[Helper]) -> Value {
    helpers.iter().filter(|it| it.is_for_others()).map(print_one).collect()
}

fn print_one(helper: &Helper) -> Value {
    let words = |types: &[Ty]| types.iter().map(ToString::to_string).collect::<Vec<_>>();
    let returns = match &helper.returns {
        Ty::Tuple(several) => several.iter().map(ToString::to_string).collect(),
        one => vec![one.to_string()],
    };
    json!([helper.name(), words(&helper.params), returns])
}

/// The helpers that were described so; nothing if they were not.
pub(super) fn read(helpers: &Value) -> Option<Vec<Helper>> {
    helpers.as_array()?.iter().map(read_one).collect()
}

fn read_one(item: &Value) -> Option<Helper> {
    let path = HOME.into_iter().chain([item[0].as_str()?]).map(str::to_owned).collect();
    let params = item[1].as_array()?.iter().map(|it| read_param(it.as_str()?));
    let returns: Option<Vec<Type>> =
        item[2].as_array()?.iter().map(|it| read_type(it.as_str()?)).collect();
    let returns = match returns?.as_slice() {
        [one] => Ty::of(one),
        several => Ty::Tuple(several.to_vec()),
    };
    Some(Helper { path: FnPath(path), params: params.collect::<Option<_>>()?, returns })
}

fn read_param(word: &str) -> Option<Ty> {
    let unnamed = [Ty::Metadata, Ty::Geometry, Ty::Shapes];
    let known = unnamed.into_iter().find(|it| it.to_string() == word);
    known.or_else(|| read_type(word).map(|it| Ty::of(&it)))
}

/// A type of the schema language. Who wrote it had no mistake in it, so that nobody is to be told.
fn read_type(word: &str) -> Option<Type> {
    let span = Span::new(Sources::new().add("", word), 0..word.len());
    let mut cx = Diagnostics::new();
    let ty = parse_type(&mut cx, word, &span);
    cx.finish().ok()?;
    ty
}
