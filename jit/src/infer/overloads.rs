//! Overloads and templates of the user's own, which are asked before what is built in.

use std::sync::Arc;

use super::bind::Args;
use super::{Infer, Typed};
use crate::ast::{Binary, Compare};
use crate::error::{Error, Result};
use crate::host::{Answer, Candidate, Frozen, Op, Role};
use crate::ir::{self, Value};
use crate::registry::{choose, with_reasons};
use crate::types::{Form, Kind, Obj, Ty};

impl Infer<'_> {
    /// The result of a call, if something that is registered for it answers.
    pub(super) fn overloaded(&mut self, object: Obj, args: &Args) -> Result<Option<Typed>> {
        let what = self.host.describe(object);
        let candidates = self.candidates(Op::Object(object), args)?;
        self.resolve(&what, candidates, args)
    }

    /// What is registered for an operation, with its answers.
    pub(super) fn candidates(&mut self, op: Op<'_>, args: &Args) -> Result<Vec<Candidate>> {
        let types: Vec<Ty> = args.positional.iter().map(|it| self.asked_type(it)).collect();
        let keywords: Vec<(Arc<str>, Ty)> =
            args.keywords.iter().map(|(name, it)| (name.clone(), self.asked_type(it))).collect();
        self.host.ask(op, &types, &keywords)
    }

    /// The type by which an argument is asked for: that of what is computed late is an array's.
    fn asked_type(&self, value: &Typed) -> Ty {
        match *value.ty {
            Kind::Lazy(id) => {
                let lazy = &self.lazy[id as usize];
                Ty::array(lazy.dtype, lazy.shape.len(), crate::types::Layout::C)
            }
            _ => value.ty,
        }
    }

    fn resolve(
        &mut self,
        what: &str,
        candidates: Vec<Candidate>,
        args: &Args,
    ) -> Result<Option<Typed>> {
        if candidates.is_empty() {
            return Ok(None);
        }
        let what = self.call_text(what, args);
        let chosen = choose(&what, &candidates)?;
        let Some(chosen) = chosen else {
            self.declined.clone_from(&candidates);
            return Ok(None);
        };
        self.take(&chosen, args).map(Some)
    }

    fn call_text(&self, what: &str, args: &Args) -> String {
        let types: Vec<String> =
            args.positional.iter().map(|it| self.asked_type(it).to_string()).collect();
        format!("{what} of ({})", types.join(", "))
    }

    /// Adds to an error why the candidates that were asked last declined.
    pub(super) fn with_declined(&mut self, error: Error) -> Error {
        with_reasons(error, &std::mem::take(&mut self.declined))
    }

    fn take(&mut self, chosen: &Candidate, args: &Args) -> Result<Typed> {
        let mut made = args.clone();
        for value in &mut made.positional {
            *value = self.made(value)?;
        }
        match &chosen.answer {
            Answer::Body(function, defaults) => self.call_body(*function, defaults, made),
            Answer::Lowered(lowering, types, result) => {
                let mut values: Vec<Typed> = made.positional;
                values.extend(made.keywords.into_iter().map(|(_, it)| it));
                let mut given = Vec::with_capacity(types.len());
                for (value, ty) in values.iter().zip(types) {
                    given.push(self.cast(value, *ty)?);
                }
                self.lowered(*lowering, given, *result)
            }
            Answer::Field(name) => {
                let of = made.positional.first().cloned().unwrap_or_else(Typed::none);
                self.member(&of, name)?
                    .ok_or_else(|| Error::typing(format!("{} has no member {name}", of.ty)))
            }
            Answer::Method(_) | Answer::Declined(_) => Err(Error::typing("nothing answers")),
        }
    }

    /// Calls a body, where parameters that are left out have the defaults of the overload.
    fn call_body(
        &mut self,
        function: Obj,
        defaults: &[(Arc<str>, Frozen)],
        args: Args,
    ) -> Result<Typed> {
        let code = self.host.source(function)?;
        let mut with_defaults = crate::host::Code {
            ast: crate::ast::Ast::default(),
            defaults: code.defaults.clone(),
            name: code.name.clone(),
        };
        with_defaults.defaults.extend(defaults.iter().cloned());
        self.call_code(function, &code, &with_defaults.defaults, args)
    }

    /// The result of a function of `operator`, if something is registered for it.
    fn overloaded_operator(&mut self, name: &str, args: &[&Typed]) -> Result<Option<Typed>> {
        let args = Args::of(args.iter().map(|it| (*it).clone()).collect());
        let candidates = self.candidates(Op::Operator(name), &args)?;
        self.resolve(&format!("operator.{name}"), candidates, &args)
    }

    pub(super) fn overloaded_binary(
        &mut self,
        op: Binary,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        self.overloaded_operator(op.function(), &[left, right])
    }

    pub(super) fn overloaded_compare(
        &mut self,
        op: Compare,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<Typed>> {
        self.overloaded_operator(op.function(), &[left, right])
    }

    pub(super) fn overloaded_unary(
        &mut self,
        name: &str,
        operand: &Typed,
    ) -> Result<Option<Typed>> {
        self.overloaded_operator(name, &[operand])
    }

    pub(super) fn overloaded_item(&mut self, of: &Typed, index: &Typed) -> Result<Option<Typed>> {
        self.overloaded_operator("getitem", &[of, index])
    }

    pub(super) fn overloaded_set_item(
        &mut self,
        of: &Typed,
        index: &Typed,
        value: &Typed,
    ) -> Result<bool> {
        Ok(self.overloaded_operator("setitem", &[of, index, value])?.is_some())
    }

    pub(super) fn overloaded_attribute(&mut self, of: &Typed, name: &str) -> Result<Option<Typed>> {
        let args = Args { positional: vec![of.clone()], keywords: Vec::new() };
        let candidates = self.candidates(Op::Member(of.ty, Role::Get, name), &args)?;
        if let Some(found) = self.resolve(name, candidates, &args)? {
            return Ok(Some(found));
        }
        if let Kind::User(user) = &*of.ty
            && matches!(user.form, Form::Frozen | Form::Reference)
            && let Some(member) = self.member(of, name)?
        {
            return Ok(Some(member));
        }
        if self.host.has_method(of.ty, name)? {
            let ty = Ty::new(Kind::Bound(of.ty, name.into()));
            return Ok(Some(Typed::new(ty, of.words.clone())));
        }
        Ok(None)
    }

    /// The result of a method of the user's own.
    pub(super) fn overloaded_method(
        &mut self,
        of: &Typed,
        name: &str,
        args: &Args,
    ) -> Result<Option<Typed>> {
        let mut all = args.clone();
        all.positional.insert(0, of.clone());
        let candidates = self.candidates(Op::Member(of.ty, Role::Method, name), &all)?;
        self.resolve(&format!("{}.{name}", of.ty), candidates, &all)
    }

    pub(super) fn overloaded_set_attribute(
        &mut self,
        of: &Typed,
        name: &str,
        value: &Typed,
    ) -> Result<bool> {
        let args = Args::of(vec![of.clone(), value.clone()]);
        let candidates = self.candidates(Op::Member(of.ty, Role::Set, name), &args)?;
        if self.resolve(name, candidates, &args)?.is_some() {
            return Ok(true);
        }
        if let Some(lowering) = self.host.setting(of.ty, name, value.ty)? {
            self.lowered(lowering, vec![of.clone(), value.clone()], Ty::none())?;
            return Ok(true);
        }
        self.set_member(of, name, value)
    }

    pub(super) fn overloaded_delete(&mut self, of: &Typed, name: &str) -> Result<bool> {
        let args = Args::of(vec![of.clone()]);
        let candidates = self.candidates(Op::Member(of.ty, Role::Delete, name), &args)?;
        Ok(self.resolve(name, candidates, &args)?.is_some())
    }

    /// A cast that is registered for two types.
    pub(super) fn user_cast(&mut self, value: &Typed, to: Ty) -> Result<Option<Typed>> {
        match self.host.cast(value.ty, to)? {
            Some(lowering) => self.lowered(lowering, vec![value.clone()], to).map(Some),
            None => Ok(None),
        }
    }

    /// The truth of a value of a user's type: by a cast, by `bool`, by `len`.
    pub(super) fn user_truth(&mut self, value: &Typed) -> Result<Value> {
        if let Some(found) = self.user_cast(value, Ty::bool())? {
            return Ok(found.word());
        }
        let args = Args::of(vec![value.clone()]);
        for name in ["bool", "len"] {
            if let Some(object) = self.host.builtin(name)? {
                let candidates = self.candidates(Op::Object(object), &args)?;
                if let Some(found) = self.resolve(name, candidates, &args)? {
                    return self.truth(&found);
                }
            }
        }
        Err(Error::typing(format!(
            "{} has no truth value: register lower_cast(..., types.Boolean)",
            value.ty
        )))
    }

    /// A member of a struct, by name.
    pub(super) fn member(&mut self, of: &Typed, name: &str) -> Result<Option<Typed>> {
        let Kind::User(user) = &*of.ty else { return Ok(None) };
        let Some(at) = user.members.iter().position(|(it, _)| **it == *name) else {
            return Ok(None);
        };
        self.member_at(of, at).map(Some)
    }

    pub(super) fn member_at(&mut self, of: &Typed, at: usize) -> Result<Typed> {
        let Kind::User(user) = &*of.ty else {
            let types = of.ty.items().unwrap_or_default();
            return match types.get(at) {
                Some(_) => Ok(of.part(types, at)),
                None => Err(Error::typing(format!("{} has no member {at}", of.ty))),
            };
        };
        let types: Vec<Ty> = user.members.iter().map(|(_, it)| *it).collect();
        if at >= types.len() {
            return Err(Error::typing(format!("{} has no member {at}", of.ty)));
        }
        if user.form == Form::Reference {
            let address = self.member_address(of, &types, at);
            return Ok(self.load(address, types[at]));
        }
        let skipped = usize::from(user.form == Form::Frozen);
        let before: usize = types[..at].iter().map(Ty::width).sum::<usize>() + skipped;
        Ok(Typed::new(types[at], of.words[before..before + types[at].width()].into()))
    }

    fn member_address(&mut self, of: &Typed, types: &[Ty], at: usize) -> Value {
        let offset = self.builder.int(offset_of(types, at));
        self.builder.emit(ir::Op::Offset, &[of.words[1], offset], crate::types::Prim::Ptr)
    }

    /// Writes a member of an object in memory; false if it is none.
    fn set_member(&mut self, of: &Typed, name: &str, value: &Typed) -> Result<bool> {
        let Kind::User(user) = &*of.ty else { return Ok(false) };
        let Some(at) = user.members.iter().position(|(it, _)| **it == *name) else {
            return Ok(false);
        };
        if user.form != Form::Reference {
            return Err(Error::typing(format!(
                "values of {} are copies: the attribute '{name}' cannot be set",
                of.ty
            )));
        }
        let types: Vec<Ty> = user.members.iter().map(|(_, it)| *it).collect();
        let value = self.cast(value, types[at])?;
        let address = self.member_address(of, &types, at);
        self.store(address, types[at], &value)?;
        Ok(true)
    }

    /// A struct of these members.
    pub(super) fn structure(&mut self, ty: Ty, members: &[Typed]) -> Result<Typed> {
        let Kind::User(user) = &*ty else {
            return Err(Error::typing(format!("{ty} is no struct")));
        };
        let mut cast = Vec::with_capacity(members.len());
        for (member, (_, wanted)) in members.iter().zip(&user.members) {
            cast.push(self.cast(member, *wanted)?);
        }
        if user.form == Form::Reference {
            return self.new_object(ty, &cast);
        }
        let mut words = ir::Values::new();
        if user.form == Form::Frozen {
            words.push(self.builder.constant(0, crate::types::Prim::Owner));
        }
        words.extend(cast.iter().flat_map(|it| it.words.iter().copied()));
        Ok(Typed::new(ty, words))
    }

    /// An object in memory of the program's own.
    fn new_object(&mut self, ty: Ty, members: &[Typed]) -> Result<Typed> {
        let types: Vec<Ty> = members.iter().map(|it| it.ty).collect();
        let size = self.builder.int(offset_of(&types, types.len()).max(1));
        let bytes = self.empty_array(Ty::int(8, false), &[size])?;
        let object = Typed::new(ty, bytes.words[..2].into());
        for (at, member) in members.iter().enumerate() {
            let address = self.member_address(&object, &types, at);
            self.store(address, types[at], member)?;
        }
        Ok(object)
    }

    /// Makes a struct of its class's arguments.
    pub(super) fn construct(&mut self, ty: Ty, class: Obj, args: Args) -> Result<Typed> {
        let Kind::User(user) = &*ty else { return Err(Error::typing("no struct")) };
        let defaults = self.host.struct_defaults(class)?;
        let mut positional = args.positional.into_iter();
        let mut keywords = args.keywords;
        let mut members = Vec::with_capacity(user.members.len());
        for (name, _) in &user.members {
            let by_name = keywords.iter().position(|(it, _)| **it == **name);
            let value = match (positional.next(), by_name) {
                (Some(value), None) => value,
                (None, Some(at)) => keywords.remove(at).1,
                (Some(_), Some(_)) => {
                    return Err(Error::typing(format!(
                        "{ty}() got multiple values for argument '{name}'"
                    )));
                }
                (None, None) => match defaults.iter().find(|(it, _)| **it == **name) {
                    Some((_, frozen)) => self.frozen(frozen)?,
                    None => {
                        return Err(Error::typing(format!(
                            "{ty}() missing a required argument: '{name}'"
                        )));
                    }
                },
            };
            members.push(value);
        }
        if positional.next().is_some() || !keywords.is_empty() {
            return Err(Error::typing(format!("{ty}() got more arguments than it has members")));
        }
        self.structure(ty, &members)
    }
}

/// Where a member lies in memory, as C lays a struct out; that after the last is the size.
pub fn offset_of(types: &[Ty], at: usize) -> i64 {
    let mut offset = 0;
    let mut widest = 1;
    for (number, ty) in types.iter().enumerate() {
        let (size, step) = (ty.itemsize(), ty.real_type().itemsize());
        widest = widest.max(step);
        offset += (step - offset % step) % step;
        if number == at {
            return offset;
        }
        offset += size;
    }
    offset + (widest - offset % widest) % widest
}

impl Binary {
    /// The function of `operator` that stands for it.
    fn function(self) -> &'static str {
        match self {
            Binary::Add => "add",
            Binary::Sub => "sub",
            Binary::Mul => "mul",
            Binary::Div => "truediv",
            Binary::FloorDiv => "floordiv",
            Binary::Mod => "mod",
            Binary::Pow => "pow",
            Binary::MatMul => "matmul",
            Binary::And => "and_",
            Binary::Or => "or_",
            Binary::Xor => "xor",
            Binary::Shl => "lshift",
            Binary::Shr => "rshift",
        }
    }
}

impl Compare {
    fn function(self) -> &'static str {
        match self {
            Compare::Eq => "eq",
            Compare::Ne => "ne",
            Compare::Lt => "lt",
            Compare::Le => "le",
            Compare::Gt => "gt",
            Compare::Ge => "ge",
            Compare::Is => "is_",
            Compare::IsNot => "is_not",
            Compare::In | Compare::NotIn => "contains",
        }
    }
}
