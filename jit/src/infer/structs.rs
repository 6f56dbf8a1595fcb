//! Structs: their members as words, and in memory.
//!
//! A mutable struct is an object in memory: its value is the owner and the address, and behind them
//! the words of what it refers to, its arrays, which compiled code reads and never replaces. One that
//! is frozen is its members, behind the owner of the object that it came from. Members that are
//! structs lie in place: a mutable one is a part of the memory of the struct around it.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::ir::{self, Value, ValueList};
use crate::layout::offset_of;
use crate::types::{Obj, Prim, Representation, Ty, TyKind, User};

impl Infer<'_> {
    /// A member of a struct, by name.
    pub(super) fn member(&mut self, of: &Typed, name: &str) -> Result<Option<Typed>> {
        let TyKind::User(user) = &*of.ty else { return Ok(None) };
        let Some(at) = user.members.iter().position(|(it, _)| **it == *name) else {
            return Ok(None);
        };
        self.member_at(of, at).map(Some)
    }

    pub(super) fn member_at(&mut self, of: &Typed, at: usize) -> Result<Typed> {
        let types = match &*of.ty {
            TyKind::User(user) => member_types(user),
            _ => of.ty.items().unwrap_or_default().to_vec(),
        };
        if at >= types.len() {
            return Err(Error::typing(format!("{} has no member {at}", of.ty)));
        }
        let Some((form, skipped)) = form_of(of.ty) else { return Ok(of.part(&types, at)) };
        if form == Representation::Reference {
            let address = self.member_address(of, &types, at);
            let before: usize = types[..at].iter().map(|it| it.referred().len()).sum();
            let mut referred = &of.words[2 + before..];
            return Ok(self.load_member(of.words[0], address, types[at], &mut referred));
        }
        let before: usize = types[..at].iter().map(Ty::width).sum::<usize>() + skipped;
        Ok(Typed::new(types[at], of.words[before..before + types[at].width()].into()))
    }

    fn member_address(&mut self, of: &Typed, types: &[Ty], at: usize) -> Value {
        self.further(of.words[1], offset_of(types, at))
    }

    fn further(&mut self, address: Value, bytes: i64) -> Value {
        let offset = self.builder.int(bytes);
        self.builder.emit(ir::Opcode::Offset, &[address, offset], Prim::Ptr)
    }

    /// What lies at an address within the memory of an owner; arrays are taken from what it refers to.
    fn load_member(
        &mut self,
        owner: Value,
        address: Value,
        ty: Ty,
        referred: &mut &[Value],
    ) -> Typed {
        let mut words = ValueList::new();
        match (&*ty, form_of(ty)) {
            (TyKind::Array(_), _) => words.extend(taken(referred, ty.width())),
            (TyKind::User(_), Some((Representation::Reference, _))) => {
                words.extend([owner, address]);
                words.extend(taken(referred, ty.referred().len()));
            }
            (TyKind::User(user), _) => {
                let frozen = usize::from(user.form == Representation::Frozen);
                words.extend((0..frozen).map(|_| self.builder.constant(0, Prim::Owner)));
                let types = member_types(user);
                words.extend(self.load_members(owner, address, &types, referred));
            }
            (TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items), _) => {
                words.extend(self.load_members(owner, address, items, referred));
            }
            _ => return self.load(address, ty),
        }
        Typed::new(ty, words)
    }

    fn load_members(
        &mut self,
        owner: Value,
        address: Value,
        types: &[Ty],
        referred: &mut &[Value],
    ) -> ValueList {
        let mut words = ValueList::new();
        for (at, ty) in types.iter().enumerate() {
            let place = self.further(address, offset_of(types, at));
            words.extend(self.load_member(owner, place, *ty, referred).words);
        }
        words
    }

    /// Writes a value of a member's type to memory, but for arrays, which the value of the struct has.
    fn store_member(&mut self, address: Value, ty: Ty, value: &Typed) -> Result<()> {
        let types = match &*ty {
            TyKind::Array(_) => return Ok(()),
            TyKind::User(user) => member_types(user),
            TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items) => items.to_vec(),
            _ => return self.store(address, ty, value),
        };
        // All is read before anything is written: the value may lie where it is written to.
        let members: Result<Vec<Typed>> =
            (0..types.len()).map(|at| self.member_at(value, at)).collect();
        for (at, member) in members?.iter().enumerate() {
            let place = self.further(address, offset_of(&types, at));
            self.store_member(place, types[at], member)?;
        }
        Ok(())
    }

    /// Writes a member of an object in memory; false if it is none.
    pub(super) fn set_member(&mut self, of: &Typed, name: &str, value: &Typed) -> Result<bool> {
        let TyKind::User(user) = &*of.ty else { return Ok(false) };
        let Some(at) = user.members.iter().position(|(it, _)| **it == *name) else {
            return Ok(false);
        };
        if user.form != Representation::Reference {
            return Err(Error::typing(format!(
                "values of {} are copies: the attribute '{name}' cannot be set",
                of.ty
            )));
        }
        let types = member_types(user);
        if !types[at].referred().is_empty() {
            return Err(Error::typing(format!(
                "the member '{name}' of {} holds an array: compiled code writes to its elements, and \
                 Python replaces it",
                of.ty
            )));
        }
        self.check_is_not_frozen(of, name)?;
        let value = self.cast(value, types[at])?;
        let address = self.member_address(of, &types, at);
        self.store_member(address, types[at], &value)?;
        Ok(true)
    }

    /// An object that a name is frozen to is read only, as arrays are.
    fn check_is_not_frozen(&self, of: &Typed, name: &str) -> Result<()> {
        let owner = self.builder.function.constant(of.words[0]);
        match owner.map(crate::entry::Owner::of) {
            Some(crate::entry::Owner::Constant(_)) => Err(Error::typing(format!(
                "the attribute '{name}' of a {} that is frozen cannot be set: pass it as an argument",
                of.ty
            ))),
            _ => Ok(()),
        }
    }

    /// A struct of these members.
    pub(super) fn structure(&mut self, ty: Ty, members: &[Typed]) -> Result<Typed> {
        let TyKind::User(user) = &*ty else {
            return Err(Error::typing(format!("{ty} is no struct")));
        };
        let mut cast = Vec::with_capacity(members.len());
        for (member, (_, wanted)) in members.iter().zip(&user.members) {
            let member = self.made(member)?;
            cast.push(self.cast(&member, *wanted)?);
        }
        if user.form == Representation::Reference {
            return self.new_object(ty, &cast);
        }
        let mut words = ValueList::new();
        if user.form == Representation::Frozen {
            words.push(self.builder.constant(0, Prim::Owner));
        }
        words.extend(cast.iter().flat_map(|it| it.words.iter().copied()));
        Ok(Typed::new(ty, words))
    }

    /// An object in memory of the program's own.
    fn new_object(&mut self, ty: Ty, members: &[Typed]) -> Result<Typed> {
        let types: Vec<Ty> = members.iter().map(|it| it.ty).collect();
        let size = self.builder.int(offset_of(&types, types.len()).max(1));
        let bytes = self.empty_array(Ty::int(8, false), &[size])?;
        let mut words: ValueList = bytes.words[..2].into();
        members.iter().for_each(|it| referred_words(it, &mut words));
        let object = Typed::new(ty, words);
        for (at, member) in members.iter().enumerate() {
            let address = self.member_address(&object, &types, at);
            self.store_member(address, types[at], member)?;
        }
        Ok(object)
    }

    /// Makes a struct of its class's arguments.
    pub(super) fn construct(&mut self, ty: Ty, class: Obj, args: Args) -> Result<Typed> {
        let TyKind::User(user) = &*ty else { return Err(Error::typing("no struct")) };
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

fn member_types(user: &User) -> Vec<Ty> {
    user.members.iter().map(|(_, it)| *it).collect()
}

/// How a struct is kept, and how many words are in front of its members.
fn form_of(ty: Ty) -> Option<(Representation, usize)> {
    match &*ty {
        TyKind::User(user) => Some((user.form, usize::from(user.form == Representation::Frozen))),
        _ => None,
    }
}

fn taken(from: &mut &[Value], count: usize) -> ValueList {
    let (own, rest) = from.split_at(count);
    *from = rest;
    own.into()
}

/// Appends the words of the arrays in a value.
fn referred_words(value: &Typed, words: &mut ValueList) {
    match &*value.ty {
        TyKind::Array(_) => words.extend(value.words.iter().copied()),
        TyKind::User(user) if user.form == Representation::Reference => {
            words.extend(value.words[2..].iter().copied());
        }
        TyKind::User(user) => {
            let types = member_types(user);
            let skipped = usize::from(user.form == Representation::Frozen);
            let mut rest = &value.words[skipped..];
            for ty in types {
                referred_words(&Typed::new(ty, taken(&mut rest, ty.width())), words);
            }
        }
        _ => value.items().into_iter().flatten().for_each(|it| referred_words(&it, words)),
    }
}
