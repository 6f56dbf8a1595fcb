//! Groups of variants: functional, in-place, out and
//! mutable forms of one computation.

use std::fmt::{self, Display, Formatter, Write};
use std::hash::{Hash, Hasher};

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::lookup::Lookup;
use crate::model::{Default, Group, Kind, Overload, Param, Role, Schema, Spanned, Type};
use crate::print::Unannotated;

/// The part of a schema that all variants of an operator share: no overload
/// name, nothing that is written to, no tensor options; what the operator
/// writes to counts as returned. `Display` prints it as a schema.
///
/// Names, order and defaults of the parameters are kept.
#[derive(Clone, Copy, Debug)]
pub struct BaseSignature<'s>(pub &'s Schema);

/// The signature of a schema.
pub fn signature(schema: &Schema) -> BaseSignature<'_> {
    BaseSignature(schema)
}

impl<'s> BaseSignature<'s> {
    /// What goes in, whatever the variant.
    pub fn params(self) -> impl Iterator<Item = &'s Param> {
        let shared = |it: &&Param| matches!(it.role, Role::Positional | Role::Keyword);
        self.0.params.iter().filter(shared)
    }

    /// Types of what comes out, whatever the variant.
    pub fn returns(self) -> impl Iterator<Item = &'s Spanned<Type>> {
        self.0.returns.iter().map(|it| &it.ty).chain(self.unreturned().map(|it| &it.ty))
    }

    /// What is written to without being returned: `self`, then out parameters,
    /// then others, so that an in-place and an out variant that write to
    /// something else too still look alike.
    pub fn unreturned(self) -> impl Iterator<Item = &'s Param> {
        let schema = self.0;
        let written =
            schema.receiver().into_iter().chain(schema.outs()).chain(schema.mutable_params());
        let returned = |it: &Param| schema.returns.iter().any(|ret| it.is_returned_as(ret));
        written.filter(move |it| it.writes() && !returned(it))
    }

    /// Whether two signatures differ in nothing but defaults.
    pub(crate) fn differs_in_defaults(self, other: BaseSignature<'_>) -> bool {
        let plain = |signature: BaseSignature<'_>| -> Vec<_> {
            let params = signature.params();
            params.map(|it| (it.name.value.clone(), it.ty.value.clone(), it.role)).collect()
        };
        let returns = |signature: BaseSignature<'_>| -> Vec<Type> {
            signature.returns().map(|it| it.value.clone()).collect()
        };
        plain(self) == plain(other) && returns(self) == returns(other)
    }
}

/// As the text would be compared, without making it.
impl PartialEq for BaseSignature<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&self.0.name.base, &other.0.name.base);
        let types = self.returns().map(|it| &it.value).eq(other.returns().map(|it| &it.value));
        one.root == two.root
            && one.dunder == two.dunder
            && types
            && self.params().map(shared_parts).eq(other.params().map(shared_parts))
    }
}

impl Eq for BaseSignature<'_> {}

impl Hash for BaseSignature<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Defaults are left out: what differs in them alone is rare.
        self.0.name.base.root.hash(state);
        for param in self.params() {
            param.name.value.hash(state);
            param.ty.value.hash(state);
        }
    }
}

/// What variants agree in.
fn shared_parts(param: &Param) -> (&str, &Type, Option<&Default>, bool) {
    let default = param.default.as_ref().map(|it| &it.value);
    (&param.name.value, &param.ty.value, default, param.role == Role::Positional)
}

impl Display for BaseSignature<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.name.base.dunder {
            true => write!(f, "__{}__", self.0.name.base.root)?,
            false => f.write_str(&self.0.name.base.root)?,
        }
        self.parameters(f)
    }
}

impl BaseSignature<'_> {
    /// Everything behind the name.
    fn parameters(self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        let mut keyword = false;
        for (idx, param) in self.params().enumerate() {
            if idx > 0 {
                f.write_str(", ")?;
            }
            if !keyword && param.role != Role::Positional {
                keyword = true;
                f.write_str("*, ")?;
            }
            Display::fmt(&Unannotated(param), f)?;
        }
        f.write_str(") -> ")?;
        let single = self.returns().count() == 1;
        if !single {
            f.write_char('(')?;
        }
        for (idx, ty) in self.returns().enumerate() {
            if idx > 0 {
                f.write_str(", ")?;
            }
            Display::fmt(&ty.value, f)?;
        }
        if !single {
            f.write_char(')')?;
        }
        Ok(())
    }
}

/// A signature under another name.
pub(crate) struct Renamed<'s>(pub(crate) &'s str, pub(crate) BaseSignature<'s>);

impl Display for Renamed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)?;
        self.1.parameters(f)
    }
}

impl Group {
    /// The member of a kind.
    pub fn get(&self, kind: Kind) -> Option<usize> {
        match kind {
            Kind::Functional => self.functional,
            Kind::Inplace => self.inplace,
            Kind::Out => self.out,
            Kind::Scratch => self.scratch,
            Kind::Mutable => self.mutable,
        }
    }

    fn slot(&mut self, kind: Kind) -> &mut Option<usize> {
        match kind {
            Kind::Functional => &mut self.functional,
            Kind::Inplace => &mut self.inplace,
            Kind::Out => &mut self.out,
            Kind::Scratch => &mut self.scratch,
            Kind::Mutable => &mut self.mutable,
        }
    }

    /// All members: functional, in-place, out, mutable, scratch.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        [self.functional, self.inplace, self.out, self.mutable, self.scratch].into_iter().flatten()
    }

    /// Whether it has the variants that a group of upstream has at least:
    /// functional and out.
    pub fn is_complete(&self) -> bool {
        self.functional.is_some() && self.out.is_some()
    }
}

/// Sorts overloads into groups, in the order of their first members.
pub(crate) fn group(cx: &mut Diagnostics, overloads: &[Overload]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_signature: Lookup<BaseSignature<'_>, usize> = Lookup::with_capacity(overloads.len());
    for (idx, overload) in overloads.iter().enumerate() {
        let at = *by_signature.get_or_insert_with(signature(&overload.schema), || {
            groups.push(Group::default());
            groups.len() - 1
        });
        let kind = overload.schema.kind();
        match *groups[at].slot(kind) {
            Some(first) => ambiguous(cx, &overloads[first], overload, kind),
            None => *groups[at].slot(kind) = Some(idx),
        }
    }
    adopt(overloads, &mut groups);
    groups
}

/// Gives an in-place variant without a functional one the lone functional
/// operator that differs from it in nothing but that it has fewer defaults.
fn adopt(overloads: &[Overload], groups: &mut Vec<Group>) {
    let lone = |it: &Group| it.functional.is_some() && it.members().count() == 1;
    let orphan = |it: &Group| it.functional.is_none() && it.inplace.is_some();
    let mut adopted = Vec::new();
    for at in 0..groups.len() {
        let Some(inplace) = groups[at].inplace.filter(|_| orphan(&groups[at])) else { continue };
        let child = groups.iter().position(|it| {
            let functional = it.functional.filter(|_| lone(it));
            functional.is_some_and(|it| has_fewer_defaults(&overloads[it], &overloads[inplace]))
        });
        if let Some(child) = child {
            groups[at].functional = groups[child].functional.take();
            adopted.push(child);
        }
    }
    adopted.sort_unstable();
    for at in adopted.into_iter().rev() {
        groups.remove(at);
    }
}

fn has_fewer_defaults(one: &Overload, other: &Overload) -> bool {
    if one.schema.name.base.root != other.schema.name.base.root {
        return false;
    }
    let (one, other) = (signature(&one.schema), signature(&other.schema));
    let fewer = |(one, other): (&Param, &Param)| {
        let value = |it: &Param| it.default.as_ref().map(|it| it.value.clone());
        one.default.is_none() || value(one) == value(other)
    };
    one.differs_in_defaults(other) && one.params().zip(other.params()).all(fewer)
}

fn ambiguous(cx: &mut Diagnostics, first: &Overload, second: &Overload, kind: Kind) {
    let (one, two) = (&first.schema.name, &second.schema.name);
    if one == two {
        // Reported as a duplicate.
        return;
    }
    let message = format!("`{one}` and `{two}` are the same operator");
    cx.error(codes::AMBIGUOUS_VARIANT, &second.schema.name_span, message)
        .also(&first.schema.name_span, format_args!("this one is {kind}, too"))
        .note("they differ in nothing but the overload name")
        .help("remove one of them");
}
