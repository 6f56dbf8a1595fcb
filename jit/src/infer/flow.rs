//! Joins: what locals are bound to where ways through a function meet.

use super::scope::{Binding, JoinEdge};
use super::state::Infer;
use super::value::Typed;
use super::value::zeros;
use crate::error::{Error, Result};
use crate::ir::{Block, Terminator, Value, ValueList};
use crate::types::{Prim, Ty};

/// What a local is at a join.
enum Joined {
    /// The same on all ways.
    Same(Binding),
    /// A value of a type, which may be missing on some ways.
    Phi(Ty, bool),
}

impl Infer<'_> {
    /// The way from here to a join; what follows is never reached. None if this is not either.
    pub(super) fn leave(&mut self, value: Option<Typed>) -> Option<JoinEdge> {
        if self.is_dead {
            return None;
        }
        let edge = JoinEdge { block: self.builder.block(), vars: self.scope().vars.clone(), value };
        self.is_dead = true;
        let (nowhere, _) = self.builder.add_block([]);
        self.builder.enter(nowhere);
        Some(edge)
    }

    pub(super) fn return_value(&mut self, value: Typed) {
        if self.is_dead {
            return;
        }
        self.retain(&value);
        self.release_scope();
        if let Some(edge) = self.leave(Some(value)) {
            self.scope_mut().returns.push(edge);
        }
    }

    /// Goes on where all these ways meet.
    pub(super) fn join(&mut self, edges: Vec<JoinEdge>) -> Result<()> {
        match edges.len() {
            0 => self.is_dead = true,
            1 => self.resume(edges),
            _ => {
                let joined = join_vars(&edges);
                let (block, vars) = self.join_block(&edges, joined, None)?;
                self.builder.enter(block);
                self.scope_mut().vars = vars;
                self.is_dead = false;
            }
        }
        Ok(())
    }

    fn resume(&mut self, edges: Vec<JoinEdge>) {
        for edge in edges {
            self.builder.enter(edge.block);
            self.scope_mut().vars = edge.vars;
            self.is_dead = false;
        }
    }

    /// Goes on where ways with values meet, with the type that holds all of them.
    pub(super) fn join_values(
        &mut self,
        edges: Vec<JoinEdge>,
        what: &str,
    ) -> Result<Option<Typed>> {
        let mut common: Option<Ty> = None;
        for value in edges.iter().filter_map(|it| it.value.as_ref()) {
            common = Some(match common {
                None => value.ty,
                Some(ty) => self.unify(ty, value.ty).ok_or_else(|| {
                    Error::typing(format!("cannot unify {ty} and {} at a {what}", value.ty))
                })?,
            });
        }
        let Some(ty) = common else {
            self.is_dead = true;
            return Ok(None);
        };
        if let [edge] = edges.as_slice() {
            self.builder.enter(edge.block);
            self.is_dead = false;
            return Ok(edge.value.clone());
        }
        let (block, params) = self.builder.add_block(ty.prims());
        for edge in edges {
            self.builder.enter(edge.block);
            if let Some(value) = &edge.value {
                let value = self.cast(value, ty)?;
                self.builder.end(Terminator::Jump((block, value.words)));
            }
        }
        self.builder.enter(block);
        self.is_dead = false;
        Ok(Some(Typed::new(ty, params)))
    }

    /// As [`Infer::join`] within an expression, with a value.
    pub(super) fn join_with_value(
        &mut self,
        edges: Vec<JoinEdge>,
        what: &str,
    ) -> Result<Option<Typed>> {
        let Some(first) = edges.first() else {
            self.is_dead = true;
            return Ok(None);
        };
        let is_settled = edges.iter().all(|it| it.vars == first.vars);
        if is_settled {
            let vars = first.vars.clone();
            let value = self.join_values(edges, what)?;
            self.scope_mut().vars = vars;
            return Ok(value);
        }
        // A name was assigned within: its binding is joined like a statement's, the value beside it.
        let joined = join_vars(&edges);
        let mut ty = None;
        for value in edges.iter().filter_map(|it| it.value.as_ref()) {
            ty = match ty {
                None => Some(value.ty),
                Some(ty) => self.unify(ty, value.ty),
            };
        }
        let ty =
            ty.ok_or_else(|| Error::typing(format!("types do not go together at a {what}")))?;
        let (block, vars) = self.join_block(&edges, joined, Some(ty))?;
        self.builder.enter(block);
        self.is_dead = false;
        let width = ty.width();
        let params = &self.builder.function.block(block).params;
        let words = params[params.len() - width..].into();
        self.scope_mut().vars = vars;
        Ok(Some(Typed::new(ty, words)))
    }

    fn join_block(
        &mut self,
        edges: &[JoinEdge],
        joined: Vec<Joined>,
        value: Option<Ty>,
    ) -> Result<(Block, Vec<Binding>)> {
        let mut args: Vec<ValueList> = vec![ValueList::new(); edges.len()];
        let mut prims: Vec<Prim> = Vec::new();
        for (slot, joined) in joined.iter().enumerate() {
            let Joined::Phi(ty, is_partial) = joined else { continue };
            prims.extend(ty.prims());
            prims.extend(is_partial.then_some(Prim::Bool));
            for (edge, args) in edges.iter().zip(&mut args) {
                self.builder.enter(edge.block);
                args.extend(self.binding_words(&edge.vars[slot], *ty, *is_partial)?);
            }
        }
        if let Some(ty) = value {
            prims.extend(ty.prims());
            for (edge, args) in edges.iter().zip(&mut args) {
                self.builder.enter(edge.block);
                if let Some(value) = &edge.value {
                    args.extend(self.cast(value, ty)?.words);
                }
            }
        }
        let (block, params) = self.builder.add_block(prims);
        for (edge, args) in edges.iter().zip(args) {
            self.builder.enter(edge.block);
            self.builder.end(Terminator::Jump((block, args)));
        }
        let mut rest = &params[..];
        let vars = joined
            .into_iter()
            .map(|joined| match joined {
                Joined::Same(binding) => binding,
                Joined::Phi(ty, is_partial) => take_binding(&mut rest, ty, is_partial),
            })
            .collect();
        Ok((block, vars))
    }

    /// The words of a binding as a parameter takes them.
    pub(super) fn binding_words(
        &mut self,
        binding: &Binding,
        ty: Ty,
        is_partial: bool,
    ) -> Result<ValueList> {
        let (mut words, flag) = match binding {
            Binding::Set(value) => (self.cast(value, ty)?.words, self.builder.bool(true)),
            Binding::Maybe(value, flag) => (self.cast(value, ty)?.words, *flag),
            Binding::Unset | Binding::Clash(..) => {
                (zeros(&mut self.builder, ty), self.builder.bool(false))
            }
        };
        if is_partial {
            words.push(flag);
        }
        Ok(words)
    }
}

/// The binding whose words come next among parameters.
pub(super) fn take_binding(rest: &mut &[Value], ty: Ty, is_partial: bool) -> Binding {
    let (words, after) = rest.split_at(ty.width());
    *rest = after;
    let value = Typed::new(ty, words.into());
    if !is_partial {
        return Binding::Set(value);
    }
    let (flag, after) = rest.split_at(1);
    *rest = after;
    Binding::Maybe(value, flag[0])
}

fn join_vars(edges: &[JoinEdge]) -> Vec<Joined> {
    let count = edges.first().map_or(0, |it| it.vars.len());
    (0..count).map(|slot| join_var(edges, slot)).collect()
}

fn join_var(edges: &[JoinEdge], slot: usize) -> Joined {
    let first = &edges[0].vars[slot];
    if edges.iter().all(|it| it.vars[slot] == *first) {
        return Joined::Same(first.clone());
    }
    let mut ty: Option<Ty> = None;
    let mut is_partial = false;
    for edge in edges {
        let found = match &edge.vars[slot] {
            Binding::Set(value) => value.ty,
            Binding::Maybe(value, _) => {
                is_partial = true;
                value.ty
            }
            Binding::Unset => {
                is_partial = true;
                continue;
            }
            Binding::Clash(a, b) => return Joined::Same(Binding::Clash(*a, *b)),
        };
        ty = match ty {
            None => Some(found),
            Some(before) => match super::cast::unify(before, found) {
                Some(common) => Some(common),
                // An error only if it is read.
                None => return Joined::Same(Binding::Clash(before, found)),
            },
        };
    }
    match ty {
        None => Joined::Same(Binding::Unset),
        Some(ty) => Joined::Phi(ty, is_partial),
    }
}
