//! Rules among operators: names, delegates, views, and variants without a base.

use opwright_diagnostics::diag::Diagnostics;

use crate::autogen;
use crate::codes;
use crate::functional::Word;
use crate::group::{Renamed, signature};
use crate::index::{Index, key};
use crate::lookup::Lookup;
use crate::model::{
    AliasTarget, BaseName, BaseType, DispatchKey, Group, Kind, OpName, Origin, Overload, Param,
    Schema, Span, Spanned, Structured, Type,
};
use crate::names;
use crate::print::Unannotated;

/// Takes out operators whose name is taken, and gives their names: nothing
/// else that could be said of them would be news.
pub(crate) fn without_duplicates(
    cx: &mut Diagnostics,
    overloads: &mut Vec<Overload>,
) -> Vec<OpName> {
    let mut by_name = Lookup::with_capacity(overloads.len());
    let mut later = Vec::new();
    for (idx, overload) in overloads.iter().enumerate() {
        let first = *by_name.get_or_insert_with(key(&overload.schema.name), || idx);
        if first != idx {
            declared_twice(cx, &overload.schema, &overloads[first].schema);
            later.push(idx);
        }
    }
    let names = later.iter().map(|&it| overloads[it].schema.name.clone()).collect();
    for idx in later.into_iter().rev() {
        overloads.remove(idx);
    }
    names
}

fn declared_twice(cx: &mut Diagnostics, later: &Schema, first: &Schema) {
    let message = format!("`{}` is declared twice", later.name);
    cx.error(codes::DUPLICATE_OPERATOR, &later.name_span, message)
        .also(&first.name_span, "first here")
        .help("remove one of them, or give it another overload name");
}

pub(crate) fn check(cx: &mut Diagnostics, index: &Index<'_>, groups: &[Group]) {
    rust_names_are_unique(cx, index);
    c_names(cx, index.overloads());
    go_names(cx, index.overloads(), groups);
    for overload in index.overloads() {
        delegate(cx, overload, index);
        shared_rule(cx, overload, index);
    }
    functional_names(cx, index.overloads());
    inplace_views(cx, index);
    for group in groups {
        namespaces(cx, group, index.overloads());
        structured_group(cx, group, index);
        orphan_out(cx, group, index);
        functional(cx, group, index.overloads());
        functions_of_nn(cx, group, index.overloads());
        tensor_result(cx, group, index.overloads());
        autogen::check(cx, group, index.overloads());
    }
}

/// No two operators have one name in Rust.
fn rust_names_are_unique(cx: &mut Diagnostics, index: &Index<'_>) {
    // Names that are the same in Rust as in the schema differ in Rust, too.
    for unusual in index.overloads().iter().filter(|it| names::is_renamed(&it.schema.name)) {
        rust_name_is_unique(cx, unusual, index.overloads());
    }
}

fn rust_name_is_unique(cx: &mut Diagnostics, unusual: &Overload, overloads: &[Overload]) {
    let name = &unusual.schema.name;
    let same_base = overloads.iter().filter(|it| it.schema.name.base == name.base);
    for other in same_base {
        let other_name = &other.schema.name;
        let both_unusual = names::is_renamed(other_name);
        // Of two unusual ones, the later one is reported.
        let reported = both_unusual && unusual.schema.span <= other.schema.span;
        if key(other_name) == key(name)
            || reported
            || names::marker(other_name) != names::marker(name)
        {
            continue;
        }
        let rust = format!("{}::{}", names::module(name), names::marker(name));
        let message = format!("`{name}` and `{other_name}` are both `{rust}` in Rust");
        cx.error(codes::SAME_RUST_NAME, &unusual.schema.name_span, message)
            .also(&other.schema.name_span, "the other one")
            .help("rename one of them");
    }
}

/// No two operators have one name in C.
pub fn c_names(cx: &mut Diagnostics, overloads: &[Overload]) {
    let mut by_name = Lookup::with_capacity(overloads.len());
    for (idx, overload) in overloads.iter().enumerate().filter(|(_, it)| !it.c.skip) {
        let base = overload.c.name.as_ref();
        // Which prefix is all the same.
        let c = names::c_function("", &overload.schema.name, base.map(|it| it.value.as_str()));
        let first: usize = *by_name.get_or_insert_with(c.clone(), || idx);
        let other = &overloads[first].schema;
        // What is one name in Rust, too, is reported as that.
        let is_reported = key(&other.name) == key(&overload.schema.name)
            || (names::module(&other.name), names::marker(&other.name))
                == (names::module(&overload.schema.name), names::marker(&overload.schema.name));
        if first == idx || is_reported {
            continue;
        }
        let message =
            format!("`{}` and `{}` are both `{c}` in C", overload.schema.name, other.name);
        cx.error(codes::SAME_C_NAME, &overload.schema.name_span, message)
            .also(&other.name_span, "the other one")
            .help("say another base name in one of the entries: `c: {name: ...}`");
    }
}

/// No two operators have one name in Go, but for those that are one function.
pub fn go_names(cx: &mut Diagnostics, overloads: &[Overload], groups: &[Group]) {
    let functions = names::go_functions(overloads, groups);
    let mut by_name = Lookup::with_capacity(overloads.len());
    for (idx, function) in functions.into_iter().enumerate() {
        let Some(function) = function.filter(|it| it.part_of.is_none()) else { continue };
        let first: usize = *by_name.get_or_insert_with(function.name.clone(), || idx);
        let (schema, other) = (&overloads[idx].schema, &overloads[first].schema);
        if first == idx || key(&other.name) == key(&schema.name) {
            continue;
        }
        let message =
            format!("`{}` and `{}` are both `{}` in Go", schema.name, other.name, function.name);
        cx.error(codes::SAME_GO_NAME, &schema.name_span, message)
            .also(&other.name_span, "the other one")
            .help("say another name in one of the entries: `go: {name: ...}` or `go: {overload: ...}`");
    }
}

/// The delegate of an operator exists and is structured.
fn delegate(cx: &mut Diagnostics, overload: &Overload, index: &Index<'_>) {
    let Structured::Delegate(delegate) = &overload.structured else { return };
    let name = in_namespace_of(delegate, &overload.schema.name);
    let Some((_, target)) = index.get(&name) else {
        if !index.is_broken(&name) {
            let message = format!("there is no operator `{name}`");
            cx.error(codes::UNKNOWN_DELEGATE, &delegate.span, message)
                .suggest(&name.to_string(), index.names().iter().map(String::as_str));
        }
        return;
    };
    if !is_structured(target) {
        let message = format!("`{name}` is not structured");
        cx.error(codes::DELEGATE, &delegate.span, message)
            .also(&target.schema.name_span, "declared here")
            .help("add `structured: True` to it");
    }
}

/// An operator with the rule of another takes what that takes.
fn shared_rule(cx: &mut Diagnostics, overload: &Overload, index: &Index<'_>) {
    let Structured::As(other) = &overload.structured else { return };
    let name = in_namespace_of(other, &overload.schema.name);
    let Some((_, target)) = index.get(&name) else {
        if !index.is_broken(&name) {
            let message = format!("there is no operator `{name}`");
            cx.error(codes::UNKNOWN_DELEGATE, &other.span, message)
                .suggest(&name.to_string(), index.names().iter().map(String::as_str));
        }
        return;
    };
    let types = |it: &Overload| -> Vec<Type> {
        let params = it.schema.params.iter().map(|it| it.ty.value.clone());
        params.collect()
    };
    let owns = matches!(target.structured, Structured::Function(_) | Structured::Rule(_));
    if !owns || types(target) != types(overload) {
        let message = format!("`{}` cannot have the rule of `{name}`", overload.schema.name);
        cx.error(codes::DELEGATE, &other.span, message)
            .also(&target.schema.name_span, "declared here")
            .note("that one is not structured itself, or its parameters have other types")
            .help("say `structured: True` and write a rule");
    }
}

fn in_namespace_of(delegate: &Spanned<OpName>, name: &OpName) -> OpName {
    OpName { namespace: name.namespace.clone(), ..delegate.value.clone() }
}

fn is_structured(overload: &Overload) -> bool {
    match overload.structured {
        Structured::Function(_) | Structured::Rule(_) | Structured::As(_) => true,
        Structured::No | Structured::Delegate(_) | Structured::Copy(_) => false,
    }
}

impl Overload {
    /// Whether it has this tag.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|it| it.value == tag)
    }

    /// Whether other operators do its work.
    pub fn is_composite_implicit(&self) -> bool {
        match self.has_dispatch {
            true => self.dispatch.iter().any(|it| it.key.value == DispatchKey::CompositeImplicit),
            false => self.structured == Structured::No,
        }
    }

    /// Whether it changes the shape of `self` and not its elements.
    pub fn alters_shape(&self) -> bool {
        self.has_tag(INPLACE_VIEW)
    }

    /// Whether a result shares memory with an argument, or the shape of `self`
    /// is changed in place and no companions are asked for.
    pub fn is_view(&self) -> bool {
        let wildcard =
            |it: &Param| it.alias().is_some_and(|it| it.after == Some(AliasTarget::Wildcard));
        let inplace = self.alters_shape() && self.autogen.is_empty();
        inplace || self.schema.returns_views() || self.schema.params.iter().any(wildcard)
    }
}

/// The tag of operators that change the shape of `self` and not its values.
const INPLACE_VIEW: &str = "inplace_view";

/// An in-place view has an out-of-place operator beside it.
fn inplace_views(cx: &mut Diagnostics, index: &Index<'_>) {
    for overload in index.overloads().iter().filter(|it| it.has_tag(INPLACE_VIEW)) {
        let name = &overload.schema.name;
        let tag = overload.tags.iter().find(|it| it.value == INPLACE_VIEW);
        let span = tag.map_or(&overload.schema.name_span, |it| &it.span);
        if !name.base.inplace {
            let message = format!("`{name}` is tagged `{INPLACE_VIEW}`, but is not in-place");
            cx.error(codes::INPLACE_VIEW, span, message)
                .also(&overload.schema.name_span, "the name of an in-place operator ends in `_`")
                .help("remove the tag");
            continue;
        }
        let plain = BaseName { inplace: false, ..name.base.clone() };
        let is_plain = |it: &Overload| {
            it.schema.name.base == plain || it.autogen.iter().any(|it| it.value.base == plain)
        };
        let missing = !index.overloads().iter().any(is_plain);
        if missing && !index.has_broken_base(&plain.to_string()) {
            let message = format!("`{name}` needs an out-of-place operator `{plain}`");
            cx.error(codes::INPLACE_VIEW, span, message)
                .help(format_args!("add one, or name it under `autogen`"));
        }
    }
}

/// All variants are in one namespace.
fn namespaces(cx: &mut Diagnostics, group: &Group, overloads: &[Overload]) {
    let namespace = |idx: usize| key(&overloads[idx].schema.name).0;
    let mut members = group.members();
    let Some(first) = members.next() else { return };
    for other in members.filter(|it| namespace(*it) != namespace(first)) {
        let (one, two) = (&overloads[first].schema, &overloads[other].schema);
        let message =
            format!("`{}` and `{}` are variants in different namespaces", two.name, one.name);
        cx.error(codes::GROUP_NAMESPACE, &two.name_span, message)
            .also(&one.name_span, "the other one")
            .help("write the same namespace in front of both, or none");
    }
}

/// If the out variant is structured, the others delegate to it, and to nothing else.
fn structured_group(cx: &mut Diagnostics, group: &Group, index: &Index<'_>) {
    let overloads = index.overloads();
    let Some(out) = group.out.map(|it| &overloads[it]) else { return };
    let owner = is_structured(out);
    for member in [group.functional, group.inplace].into_iter().flatten() {
        let member = &overloads[member];
        let name = &member.schema.name;
        let delegate = match &member.structured {
            Structured::Delegate(delegate) => Some(delegate),
            Structured::No
            | Structured::Function(_)
            | Structured::Rule(_)
            | Structured::As(_)
            | Structured::Copy(_) => None,
        };
        let right = delegate.is_some_and(|it| in_namespace_of(it, name) == out.schema.name);
        match delegate {
            // Which of two it is that delegates, nobody can say.
            None if index.is_broken(name) => {}
            None if owner && group.is_complete() => {
                let message = format!("`{name}` does not delegate to `{}`", out.schema.name);
                cx.error(codes::DELEGATE, &member.schema.name_span, message)
                    .also(&out.schema.name_span, "which is structured")
                    .help(format_args!("add `structured_delegate: {}`", out.schema.name));
            }
            // One that does not exist has been reported.
            Some(delegate) if !right && owner && exists(index, delegate, name) => {
                let message = format!("`{name}` delegates to another group");
                cx.error(codes::DELEGATE, &delegate.span, message)
                    .also(&out.schema.name_span, "its own out variant");
            }
            Some(_) | None => {}
        }
    }
    if owner && out.is_composite_implicit() {
        let message =
            format!("structured `{}` cannot have a composite implicit kernel", out.schema.name);
        cx.error(codes::DELEGATE, &out.schema.name_span, message);
    }
}

fn exists(index: &Index<'_>, delegate: &Spanned<OpName>, name: &OpName) -> bool {
    index.get(&in_namespace_of(delegate, name)).is_some()
}

/// An out variant without any sibling is a mistake, unless there is a
/// functional operator that it can be seen to belong to: one of the same name
/// that also takes a mask, or a private one (`_name`) with the same parameters.
fn orphan_out(cx: &mut Diagnostics, group: &Group, index: &Index<'_>) {
    let mut members = group.members();
    let (Some(out), None) = (members.next(), members.next()) else { return };
    let overload = &index.overloads()[out];
    let schema = &overload.schema;
    if schema.kind() != Kind::Out || overload.manual_binding {
        return;
    }
    if index.has_broken_base(&schema.name.base.to_string()) {
        return;
    }
    let others = || index.overloads().iter().filter(|it| it.schema.kind() != Kind::Out);
    if others().any(|it| is_masked(&it.schema, schema) || is_private_twin(&it.schema, schema)) {
        return;
    }
    let message = format!("out variant `{}` belongs to no other operator", schema.name);
    let error = cx.error(codes::ORPHAN_OUT, &schema.name_span, message);
    match others().find(|it| differs_in_defaults(&it.schema, schema)) {
        Some(near) => {
            error.also(&near.schema.name_span, "this one has other defaults");
            error.help("give both the same defaults");
        }
        None => {
            error.help("add the functional variant: the same parameters without the out ones");
        }
    }
}

/// Whether an operator takes what the out variant takes, and a mask of which
/// results it is to compute.
fn is_masked(one: &Schema, out: &Schema) -> bool {
    if one.name.base != out.name.base || one.returns.len() != out.returns.len() {
        return false;
    }
    let (one, out) = (signature(one), signature(out));
    let (mut one, out): (Vec<_>, Vec<_>) = (one.params().collect(), out.params().collect());
    let mask = one.pop().map(|it| &it.ty.value);
    let is_mask =
        matches!(mask, Some(Type::List(element, Some(_))) if *element.base() == BaseType::Bool);
    is_mask && texts(&one) == texts(&out)
}

fn texts(params: &[&Param]) -> Vec<String> {
    params.iter().map(|it| Unannotated(it).to_string()).collect()
}

fn differs_in_defaults(one: &Schema, two: &Schema) -> bool {
    one.name.base.root == two.name.base.root && signature(one).differs_in_defaults(signature(two))
}

/// Several variants need a functional one, declared or generated.
fn functional(cx: &mut Diagnostics, group: &Group, overloads: &[Overload]) {
    let mut members = group.members();
    let (Some(one), Some(two)) = (members.next(), members.next()) else { return };
    if group.functional.is_some() || !autogen::companions(overloads, group).is_empty() {
        return;
    }
    let (one, two) = (&overloads[one].schema, &overloads[two].schema);
    let message = format!("`{}` and `{}` have no functional variant", one.name, two.name);
    cx.error(codes::NO_FUNCTIONAL, &one.name_span, message)
        .also(&two.name_span, "the other variant")
        .help("add an operator with the same parameters that writes to none of them");
}

/// A function of `nn.functional` calls a function, with the word `inplace` also one in place.
fn functions_of_nn(cx: &mut Diagnostics, group: &Group, overloads: &[Overload]) {
    for member in group.members() {
        let overload = &overloads[member];
        let Some(function) = &overload.python.functional else { continue };
        let schema = &overload.schema;
        let is_function = overload.function && !overload.python.skip;
        if group.functional != Some(member) || !is_function {
            let message = format!("`{}` is no functional operator", schema.name);
            cx.error(codes::KEYS_CLASH, &function.name.span, message)
                .help("say `functional` below `python` of a function that writes to nothing");
            continue;
        }
        let Some(word) = function.word(schema, Word::Inplace) else { continue };
        // Their parameters may have other names, so that they are no group.
        let base = BaseName { inplace: true, ..schema.name.base.clone() };
        let in_place = OpName { base, ..schema.name.clone() };
        let is_it = |it: &Overload| it.schema.name == in_place && it.function && !it.python.skip;
        let is_beside = |it: &Overload| it.python_module == overload.python_module;
        if !overloads.iter().any(|it| is_it(it) && is_beside(it)) {
            let message = format!("`{}` has no function in place", schema.name);
            cx.error(codes::KEYS_CLASH, &word.of.span, message)
                .help("remove `inplace`, or add the variant, by `derive: inplace`");
        }
    }
}

/// No two functions of `nn.functional` have one name.
fn functional_names(cx: &mut Diagnostics, overloads: &[Overload]) {
    let mut by_name = Lookup::with_capacity(0);
    for overload in overloads {
        let Some(function) = &overload.python.functional else { continue };
        let name = &function.name;
        let first: &Span = by_name.get_or_insert_with(name.value.clone(), || name.span.clone());
        if *first != name.span {
            let message = format!("two functions of `nn.functional` are called `{}`", name.value);
            cx.error(codes::KEYS_CLASH, &name.span, message)
                .also(first, "the other one")
                .help("rename one of them");
        }
    }
}

/// The tag of operators whose results depend on the values of tensors.
const DATA_DEPENDENT: &str = "data_dependent_output";

/// A public function that has kernels of its own, takes tensors and returns
/// none reads the values of tensors, and must say so. Questions about a tensor
/// itself are methods.
fn tensor_result(cx: &mut Diagnostics, group: &Group, overloads: &[Overload]) {
    let alone = group.inplace.is_none() && group.out.is_none() && group.scratch.is_none();
    let Some(base) = group.mutable.or(group.functional).filter(|_| alone) else { return };
    let overload = &overloads[base];
    let schema = &overload.schema;
    let public = !schema.name.base.root.starts_with('_') && !schema.name.base.dunder;
    let plain = schema.takes_tensors() && !schema.returns_tensors();
    let from_file = matches!(overload.origin, Origin::Yaml { .. });
    if !(public && plain && from_file) || autogen::why_nothing(overloads, group).is_some() {
        return;
    }
    if overload.method || overload.has_tag(DATA_DEPENDENT) {
        return;
    }
    let message = format!("`{}` takes tensors and returns none", schema.name);
    cx.error(codes::NO_TENSOR_RESULT, &schema.name_span, message)
        .note("no out variant can be generated for it, and nothing can run it without data")
        .help(format_args!("add `tags: {DATA_DEPENDENT}` if its result depends on values"))
        .help("make it a method if it asks about the tensor itself");
}

/// Whether an operator is called `_name` and otherwise the same.
fn is_private_twin(one: &Schema, out: &Schema) -> bool {
    let root = out.name.base.root.as_str();
    let twin = one.name.base.root.strip_prefix('_') == Some(root);
    twin && Renamed(root, signature(one)).to_string() == signature(out).to_string()
}
