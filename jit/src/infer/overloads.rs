//! Overloads and templates of the user's own, which are asked before what is built in.

use std::sync::Arc;

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::ast::{Binary, Compare};
use crate::error::{Error, Result};
use crate::host::{ArgumentQuery, Candidate, Frozen, Inline, MemberRole, Operation, Resolution};
use crate::ir::Value;
use crate::registry::{choose, with_reasons};
use crate::types::{Obj, Representation, Ty, TyKind};

/// What arguments may be cast to, by their places.
struct ArgumentCasts {
    /// One argument, the nearest first.
    singles: Vec<Vec<(usize, Ty)>>,
    /// All that can be, if there are several.
    all: Option<Vec<(usize, Ty)>>,
}

impl Infer<'_> {
    /// The result of a call, if something that is registered for it answers.
    pub(super) fn overloaded(&mut self, object: Obj, args: &Args) -> Result<Option<Typed>> {
        let what = self.host.describe(object);
        self.resolve(&what, Operation::Object(object), args)
    }

    /// What is registered for an operation, with its answers.
    fn candidates(&mut self, op: Operation<'_>, args: &Args) -> Result<Vec<Candidate>> {
        self.candidates_as(op, args, &[])
    }

    /// The same for arguments of which some, by their places, are of other types.
    fn candidates_as(
        &mut self,
        op: Operation<'_>,
        args: &Args,
        cast: &[(usize, Ty)],
    ) -> Result<Vec<Candidate>> {
        let mut given: Vec<ArgumentQuery> =
            args.positional.iter().map(|it| self.asked(it)).collect();
        for (at, ty) in cast {
            given[*at] = ArgumentQuery { ty: *ty, known: None };
        }
        let keywords: Vec<(Arc<str>, ArgumentQuery)> =
            args.keywords.iter().map(|(name, it)| (name.clone(), self.asked(it))).collect();
        self.host.ask(op, &given, &keywords)
    }

    fn asked(&self, value: &Typed) -> ArgumentQuery {
        let known = match *value.ty {
            TyKind::Bool => self.builder.function.constant(value.word()),
            _ if value.ty == Ty::int64() => self.builder.function.constant(value.word()),
            _ => None,
        };
        ArgumentQuery { ty: self.asked_type(value), known }
    }

    /// The type by which an argument is asked for: that of what is computed late is an array's.
    pub(super) fn asked_type(&self, value: &Typed) -> Ty {
        match *value.ty {
            TyKind::Lazy(id) => {
                let lazy = &self.lazy[id as usize];
                Ty::array(lazy.dtype, lazy.shape.len(), crate::types::ArrayLayout::C)
            }
            _ => value.ty,
        }
    }

    /// The result of an operation, if something that is registered for it answers: to the types of
    /// the arguments, else to what one of them is cast to, the nearest first.
    fn resolve(&mut self, what: &str, op: Operation<'_>, args: &Args) -> Result<Option<Typed>> {
        let candidates = self.candidates(op, args)?;
        // Who declined an operation before says nothing of this one.
        self.declined.clear();
        if candidates.is_empty() {
            return Ok(None);
        }
        if let Some(chosen) = choose(&self.call_text(what, args), &candidates)? {
            return self.take(op, &chosen, args).map(Some);
        }
        if let Some(found) = self.resolve_cast(what, op, args)? {
            return Ok(Some(found));
        }
        self.declined = candidates;
        Ok(None)
    }

    /// The same with arguments as what they are cast to.
    fn resolve_cast(
        &mut self,
        what: &str,
        op: Operation<'_>,
        args: &Args,
    ) -> Result<Option<Typed>> {
        // The receiver of a method says whose method it is.
        let first = usize::from(matches!(op, Operation::Member(..)));
        let casts = self.casts(args, first, |_| true)?;
        for cast in casts.singles.iter().chain(casts.all.as_ref()) {
            let candidates = self.candidates_as(op, args, cast)?;
            let Some(chosen) = choose(&self.call_text(what, args), &candidates)? else { continue };
            let mut as_cast = args.clone();
            for (at, ty) in cast {
                as_cast.positional[*at] = self.cast(&args.positional[*at], *ty)?;
            }
            return self.take(op, &chosen, &as_cast).map(Some);
        }
        Ok(None)
    }

    /// What arguments may be cast to: one of them, and all that can be.
    fn casts(
        &mut self,
        args: &Args,
        first: usize,
        takes: impl Fn(Ty) -> bool,
    ) -> Result<ArgumentCasts> {
        let mut found = ArgumentCasts { singles: Vec::new(), all: None };
        let mut nearest = Vec::new();
        let mut by_distance = Vec::new();
        for (at, value) in args.positional.iter().enumerate().skip(first) {
            if !matches!(*value.ty, TyKind::User(_)) {
                continue;
            }
            let targets = self.host.castable(value.ty)?;
            let targets = targets.into_iter().filter(|it| takes(*it)).enumerate();
            for (far, ty) in targets {
                if far == 0 {
                    nearest.push((at, ty));
                }
                by_distance.push((far, at, ty));
            }
        }
        by_distance.sort_by_key(|(far, at, _)| (*far, *at));
        found.singles = by_distance.into_iter().map(|(_, at, ty)| vec![(at, ty)]).collect();
        found.all = (nearest.len() > 1).then_some(nearest);
        Ok(found)
    }

    /// Operands of what is built in for numbers, where those that are cast to numbers are.
    pub(super) fn as_numbers(&mut self, args: &Args) -> Result<Option<Args>> {
        let is_number = |ty: Ty| ty.is_number() && ty != Ty::bool();
        let casts = self.casts(args, 0, is_number)?;
        let Some(cast) = casts.all.as_ref().or_else(|| casts.singles.first()) else {
            return Ok(None);
        };
        let mut numbers = args.clone();
        for (at, ty) in cast {
            numbers.positional[*at] = self.cast(&args.positional[*at], *ty)?;
        }
        Ok(Some(numbers))
    }

    /// The arguments of something that is built in.
    pub(super) fn number_arguments(&mut self, name: &str, args: Args) -> Result<Args> {
        if !super::number_function::is_number_function(name) {
            return Ok(args);
        }
        Ok(self.as_numbers(&args)?.unwrap_or(args))
    }

    /// The operands of an operator, if they are cast to numbers.
    pub(super) fn number_operands(
        &mut self,
        left: &Typed,
        right: &Typed,
    ) -> Result<Option<(Typed, Typed)>> {
        let numbers = self.as_numbers(&Args::of(vec![left.clone(), right.clone()]))?;
        Ok(numbers.and_then(|it| match it.positional.as_slice() {
            [left, right] => Some((left.clone(), right.clone())),
            _ => None,
        }))
    }

    pub(super) fn call_text(&self, what: &str, args: &Args) -> String {
        let types: Vec<String> =
            args.positional.iter().map(|it| self.asked_type(it).to_string()).collect();
        format!("{what} of ({})", types.join(", "))
    }

    /// Adds to an error why the candidates that were asked last declined.
    pub(super) fn with_declined(&mut self, error: Error) -> Error {
        with_reasons(error, &std::mem::take(&mut self.declined))
    }

    fn take(&mut self, op: Operation<'_>, chosen: &Candidate, args: &Args) -> Result<Typed> {
        match &chosen.answer {
            Resolution::Elementwise(function, numbers) => {
                let all: Vec<&Typed> =
                    args.positional.iter().chain(args.keywords.iter().map(|(_, it)| it)).collect();
                let passed = numbers.iter().filter_map(|it| all.get(*it)).map(|it| (*it).clone());
                return self.call_elementwise(*function, Args::of(passed.collect()), true);
            }
            Resolution::Forward(object) => return self.call_object(*object, args.clone()),
            Resolution::Body(..)
            | Resolution::Lowered(..)
            | Resolution::Field(_)
            | Resolution::Method(_)
            | Resolution::Declined(_) => {}
        }
        let made = self.made_args(args.clone())?;
        match &chosen.answer {
            Resolution::Body(function, defaults, inline) => {
                self.call_body(*function, defaults, made, *inline)
            }
            Resolution::Lowered(lowering, types, result) => {
                let mut values: Vec<Typed> = made.positional;
                values.extend(made.keywords.into_iter().map(|(_, it)| it));
                let mut given = Vec::with_capacity(types.len());
                for (value, ty) in values.iter().zip(types) {
                    given.push(self.cast(value, *ty)?);
                }
                self.lowered(*lowering, given, *result)
            }
            Resolution::Field(name) => {
                let of = made.positional.first().cloned().unwrap_or_else(Typed::none);
                self.member(&of, name)?
                    .ok_or_else(|| Error::typing(format!("{} has no member {name}", of.ty)))
            }
            // It is asked when it is called.
            Resolution::Method(_) if let Operation::Member(ty, MemberRole::Get, name) = op => {
                let of = made.positional.first().cloned().unwrap_or_else(Typed::none);
                Ok(Typed::new(Ty::new(TyKind::Bound(ty, name.into())), of.words))
            }
            Resolution::Elementwise(..)
            | Resolution::Forward(_)
            | Resolution::Method(_)
            | Resolution::Declined(_) => Err(Error::typing("nothing answers")),
        }
    }

    /// Calls a body, where parameters that are left out have the defaults of the overload.
    fn call_body(
        &mut self,
        function: Obj,
        defaults: &[(Arc<str>, Frozen)],
        args: Args,
        inline: Inline,
    ) -> Result<Typed> {
        let code = self.host.source(function)?;
        let mut with_defaults = crate::host::Code {
            ast: crate::ast::Ast::default(),
            defaults: code.defaults.clone(),
            name: code.name.clone(),
            inline,
        };
        with_defaults.defaults.extend(defaults.iter().cloned());
        self.call_code(function, &code, &with_defaults.defaults, args, inline)
    }

    /// The result of a function of `operator`, if something is registered for it.
    fn overloaded_operator(&mut self, name: &str, args: &[&Typed]) -> Result<Option<Typed>> {
        let args = Args::of(args.iter().map(|it| (*it).clone()).collect());
        self.resolve(&format!("operator.{name}"), Operation::Operator(name), &args)
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

    pub(super) fn overloaded_contains(
        &mut self,
        of: &Typed,
        item: &Typed,
    ) -> Result<Option<Typed>> {
        self.overloaded_operator("contains", &[of, item])
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
        if let Some(found) =
            self.resolve(name, Operation::Member(of.ty, MemberRole::Get, name), &args)?
        {
            return Ok(Some(found));
        }
        if let TyKind::User(user) = &*of.ty
            && matches!(user.form, Representation::Frozen | Representation::Reference)
            && let Some(member) = self.member(of, name)?
        {
            return Ok(Some(member));
        }
        if self.host.has_method(of.ty, name)? {
            let ty = Ty::new(TyKind::Bound(of.ty, name.into()));
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
        let what = format!("{}.{name}", of.ty);
        if let Some(found) =
            self.resolve(&what, Operation::Member(of.ty, MemberRole::Method, name), &all)?
        {
            return Ok(Some(found));
        }
        // A template of attributes may have answered with a method.
        let receiver = Args::of(vec![of.clone()]);
        let candidates =
            self.candidates(Operation::Member(of.ty, MemberRole::Get, name), &receiver)?;
        match choose(&what, &candidates)?.map(|it| it.answer) {
            Some(Resolution::Method(method)) => {
                let found = self.resolve(&what, Operation::Bound(method), &all)?;
                match found {
                    Some(found) => Ok(Some(found)),
                    None => {
                        let error = Error::typing(format!(
                            "no overload takes {}",
                            self.call_text(&what, &all)
                        ));
                        Err(self.with_declined(error))
                    }
                }
            }
            _ => Ok(None),
        }
    }

    /// The result of a method that is called on a class or type itself.
    pub(super) fn class_method(
        &mut self,
        receiver: &Typed,
        class: Obj,
        name: &str,
        args: &Args,
    ) -> Result<Typed> {
        let mut all = args.clone();
        all.positional.insert(0, receiver.clone());
        let what = format!("{}.{name}", self.host.describe(class));
        if let Some(found) = self.resolve(&what, Operation::Class(class, name), &all)? {
            return Ok(found);
        }
        let error = Error::typing(format!("no overload takes {}", self.call_text(&what, args)));
        Err(self.with_declined(error))
    }

    pub(super) fn overloaded_set_attribute(
        &mut self,
        of: &Typed,
        name: &str,
        value: &Typed,
    ) -> Result<bool> {
        let args = Args::of(vec![of.clone(), value.clone()]);
        if self.resolve(name, Operation::Member(of.ty, MemberRole::Set, name), &args)?.is_some() {
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
        Ok(self.resolve(name, Operation::Member(of.ty, MemberRole::Delete, name), &args)?.is_some())
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
            if let Some(object) = self.host.builtin(name)?
                && let Some(found) = self.resolve(name, Operation::Object(object), &args)?
            {
                return self.truth(&found);
            }
        }
        let class = match &*value.ty {
            TyKind::User(user) => self.host.class_name(user.object),
            _ => value.ty.to_string(),
        };
        Err(Error::typing(format!(
            "{} has no truth value: register lower_cast({class}, types.Boolean)",
            value.ty
        )))
    }
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
