//! The types of a crate in C: structs of numbers, which are passed by value, and handles of all
//! others, with functions that read and write the fields of what is behind them.

pub mod code;

use opwright_diagnostics::Sources;
use opwright_schema::model::{Annotation, BaseType, Overload, Spanned};
use opwright_schema::types::{FieldInC, InC, NativeType, Values};
use opwright_schema::{Input, load};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::model::{CFunction, CParameter};
use super::types::CType;

/// A struct that is passed by value.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The type of the crate.
    pub native: &'a NativeType,
    /// What C sees of it.
    pub seen: &'a InC,
    /// Its fields, in their order.
    pub fields: Vec<RecordField<'a>>,
    /// How many bytes it has.
    pub size: usize,
    /// What its address is a multiple of.
    step: usize,
}

/// A field of such a struct.
#[derive(Clone, Debug)]
pub struct RecordField<'a> {
    /// The field as C declares it.
    pub part: CParameter,
    /// What is said of it.
    pub doc: &'a str,
    /// Its type in a schema.
    pub base: BaseType,
    /// Where it begins, in bytes.
    pub at: usize,
}

/// The structs that are passed by value, each behind those that it consists of.
pub fn records(natives: &[NativeType]) -> Vec<Record<'_>> {
    let mut records: Vec<Record<'_>> = Vec::new();
    let missing =
        |records: &[Record<'_>], it: &NativeType| records.iter().all(|is| is.native != it);
    while let Some(next) = natives
        .iter()
        .filter(|it| missing(&records, it))
        .find_map(|it| Record::new(it, natives, &records))
    {
        records.push(next);
    }
    records
}

impl<'a> Record<'a> {
    /// None if it is no struct by value, or consists of one that is not among `known`.
    fn new(
        native: &'a NativeType,
        natives: &[NativeType],
        known: &[Record<'a>],
    ) -> Option<Record<'a>> {
        let seen = native.in_c().filter(|it| it.is_by_value)?;
        let mut record = Record { native, seen, fields: Vec::new(), size: 0, step: 1 };
        for field in &seen.fields {
            let base = base_type(field.ty.as_deref()?, natives)?;
            let (size, step) = match base.row().values {
                Values::Bool => (1, 1),
                Values::Int | Values::Float => (8, 8),
                Values::Object => {
                    let of = known.iter().find(|it| BaseType::Native(*it.native) == base)?;
                    (of.size, of.step)
                }
                Values::Tensor
                | Values::Number
                | Values::Str
                | Values::StrEnum(_)
                | Values::Named
                | Values::Numbered
                | Values::Empty
                | Values::Absent => return None,
            };
            let at = record.size.next_multiple_of(step);
            let ty = CType::new(base.row().foreign?[0]);
            let name = opwright_schema::names::c_param(&field.name);
            record.fields.push(RecordField {
                part: CParameter { name, ty },
                doc: &field.doc,
                base,
                at,
            });
            (record.size, record.step) = (at + size, record.step.max(step));
        }
        record.size = record.size.next_multiple_of(record.step);
        Some(record)
    }
}

fn base_type(word: &str, natives: &[NativeType]) -> Option<BaseType> {
    let native = || natives.iter().find(|it| it.name() == word).copied().map(BaseType::Native);
    BaseType::from_name(word).or_else(native)
}

/// The types of which C has handles, and what it sees of them.
pub fn handles(natives: &[NativeType]) -> impl Iterator<Item = (&NativeType, &'static InC)> {
    natives.iter().filter_map(|it| Some((it, it.in_c().filter(|it| !it.is_by_value)?)))
}

/// A function of a type of a crate.
#[derive(Clone, Debug)]
pub struct Accessor<'a> {
    /// The type.
    pub native: &'a NativeType,
    /// What it does.
    pub does: Does,
    /// The same as if it were an operator.
    pub overload: Overload,
    /// What is said of it.
    pub doc: String,
}

/// What such a function does.
#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// Makes a value of its fields; those that C cannot say have their defaults.
    Make,
    /// Reads the field at this place.
    Get(usize),
    /// Puts a value there.
    Set(usize),
}

/// The functions of all types, as far as schemas have types for the fields: what makes a value, and what reads and writes
/// the fields of one that is behind a handle.
pub fn accessors(natives: &[NativeType]) -> Vec<Accessor<'_>> {
    let mut accessors = Vec::new();
    for (native, seen) in natives.iter().filter_map(|it| Some((it, it.in_c()?))) {
        let (name, ty) = (&seen.name, native.name());
        let mut add = |does: Does, schema: String, doc: String| {
            let Some(mut overload) = overload(&schema, natives) else { return };
            if let Does::Set(_) = does {
                write_to_self(&mut overload);
            }
            accessors.push(Accessor { native, does, overload, doc });
        };
        if let Some(params) = parameters(seen).filter(|_| native.is_derived()) {
            let schema = format!("{name}_new({}) -> {ty}", params.join(", "));
            add(Does::Make, schema, format!("Makes a value of `{ty}`."));
        }
        if seen.is_by_value {
            continue;
        }
        for (at, field) in seen.fields.iter().enumerate() {
            let Some(of) = &field.ty else { continue };
            let word = field.name.trim_start_matches('_');
            let doc = match field.doc.as_str() {
                "" => format!("The field `{}`.", field.name),
                doc => doc.to_owned(),
            };
            add(Does::Get(at), format!("{name}_{word}({ty} self) -> {of}"), doc);
            if field.is_settable {
                let schema = format!("{name}_set_{word}({ty} self, {of} value) -> ()");
                add(Does::Set(at), schema, format!("Says what the field `{}` is.", field.name));
            }
        }
    }
    accessors
}

/// The parameters of the constructor, by the fields; none if one has neither a type in C nor a default.
fn parameters(seen: &InC) -> Option<Vec<String>> {
    let is_known = |it: &FieldInC| it.ty.is_some() || it.has_default;
    let typed = |it: &FieldInC| Some(format!("{} {}", it.ty.as_ref()?, it.name));
    seen.fields.iter().all(is_known).then(|| seen.fields.iter().filter_map(typed).collect())
}

/// All names in C that the types of a crate take, with the types.
pub fn names(prefix: &str, natives: &[NativeType]) -> Vec<(&'static str, String)> {
    let types = natives.iter().filter_map(|it| Some((it, it.in_c()?)));
    let of = |(it, seen): (&NativeType, &InC)| {
        let own = format!("{prefix}_{}", seen.name);
        // In C++ a tag is a name like others; that of the type itself may be the same.
        let tag = seen.tag.clone().filter(|it| *it != own);
        [Some((it.name(), own)), tag.map(|tag| (it.name(), tag))].into_iter().flatten()
    };
    let mut names: Vec<_> = types.flat_map(of).collect();
    let frees = handles(natives);
    names.extend(frees.map(|(it, seen)| (it.name(), format!("{prefix}_{}_free", seen.name))));
    for accessor in accessors(natives) {
        names.extend(accessor.function(prefix).map(|(it, _)| (accessor.native.name(), it.name)));
    }
    names
}

/// None if no operator has such a schema.
fn overload(schema: &str, natives: &[NativeType]) -> Option<Overload> {
    let mut sources = Sources::new();
    let file = sources.add("structs", format!("- func: {schema}\n"));
    let input = Input { natives: natives.to_vec(), ..Input::yaml(file) };
    load(&sources, &input).ok()?.overloads.pop()
}

/// Says what no schema can of a type that is not `Tensor`: that the first parameter is written to.
fn write_to_self(overload: &mut Overload) {
    let Some(param) = overload.schema.params.first_mut() else { return };
    let written = Annotation { before: vec!['a'], write: true, after: None };
    param.annotation = Some(Spanned::new(written, param.ty.span.clone()));
}

impl Accessor<'_> {
    /// The function in a library with this prefix, and the path of what it calls; none if C has no
    /// type for its result.
    pub fn function(&self, prefix: &str) -> Option<(CFunction<'_>, TokenStream)> {
        let function = CFunction::new(prefix, &self.overload)?;
        let name = self.called();
        Some((function, quote!(structs::calls::#name)))
    }

    fn called(&self) -> proc_macro2::Ident {
        format_ident!("{}", self.overload.schema.name.base.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn native(name: &str, is_by_value: bool, fields: &[(&str, &str)]) -> NativeType {
        let field = |(name, ty): &(&str, &str)| FieldInC {
            name: (*name).to_owned(),
            doc: String::new(),
            ty: Some((*ty).to_owned()).filter(|it| !it.is_empty()),
            is_settable: ty.ends_with('?'),
            has_default: name.starts_with("odd"),
        };
        let fields = fields.iter().map(field).collect();
        let word = opwright_schema::names::c_struct(name);
        let seen = InC { name: word, tag: None, doc: String::new(), is_by_value, fields };
        NativeType::new(name, &format!("crate::{name}"), 0)
            .derived("class".to_owned())
            .seen_in_c(seen, name.to_owned())
    }

    #[test]
    fn structs_stand_behind_what_they_consist_of() {
        let natives = [
            native("Outer", true, &[("is_one", "bool"), ("it", "Inner"), ("new", "bool")]),
            native("Held", false, &[("x", "float")]),
            native("Inner", true, &[("x", "float"), ("count", "int")]),
        ];
        let records = records(&natives);
        let laid_out = |it: &Record<'_>| {
            let fields = it.fields.iter().map(|it| (it.part.name.clone(), it.at));
            (it.seen.name.clone(), it.size, fields.collect::<Vec<_>>())
        };
        let expected = [
            ("inner", 16, vec![("x", 0), ("count", 8)]),
            ("outer", 32, vec![("is_one", 0), ("it", 8), ("new_", 24)]),
        ];
        let owned = |(name, size, fields): &(&str, usize, Vec<(&str, usize)>)| {
            let fields = fields.iter().map(|(name, at)| ((*name).to_owned(), *at));
            ((*name).to_owned(), *size, fields.collect::<Vec<_>>())
        };
        let found: Vec<_> = records.iter().map(laid_out).collect();
        assert_eq!(found, expected.iter().map(owned).collect::<Vec<_>>());
    }

    #[test]
    fn fields_behind_handles_have_functions() {
        let natives = [
            native("Inner", true, &[("x", "float")]),
            native("Held", false, &[("_it", "Inner?"), ("all", "float[]"), ("own", "Held[]?")]),
            native("Part", false, &[("text", "str"), ("odd", "")]),
            native("Lost", false, &[("text", "str"), ("other", "")]),
        ];
        let accessors = accessors(&natives);
        let functions = accessors.iter().filter_map(|it| it.function("my"));
        let parts = |it: &CFunction<'_>| {
            it.parts().map(|it| it.ty.declaring("my", &it.name)).collect::<Vec<_>>().join(", ")
        };
        let found: Vec<String> =
            functions.map(|(it, _)| format!("{}({})", it.name, parts(&it))).collect();
        let expected = [
            "my_inner_new(double x, my_inner *result)",
            "my_held_new(const my_inner *_it, const double *all, size_t all_len, \
             const my_held *const *own, size_t own_len, my_held **result)",
            "my_held_it(const my_held *self, my_inner *result, bool *result_is_given)",
            "my_held_set_it(my_held *self, const my_inner *value)",
            "my_part_new(const char *text, my_part **result)",
            "my_part_text(const my_part *self, char **result)",
            "my_lost_text(const my_lost *self, char **result)",
        ];
        assert_eq!(found, expected);
    }
}
