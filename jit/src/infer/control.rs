//! Branches and loops.

use super::flow::take_binding;
use super::scope::{Binding, JoinEdge, LoopFrame};
use super::state::{Infer, MAX_WIDENINGS};
use super::value::Typed;
use crate::ast::{Ast, Compare, Expr, ExprId, Literal, Name, Stmt};
use crate::error::{Error, Result};
use crate::ir::{Block, Opcode, Terminator, Trap, Value, ValueList};
use crate::liveness;
use crate::types::{Prim, Ty};

/// What a local is at the head of a loop.
#[derive(Clone, Copy, PartialEq)]
struct Carried {
    slot: u32,
    /// Its type, once something was assigned.
    ty: Option<Ty>,
    /// Whether something may be missing.
    is_partial: bool,
}

/// A loop that is written: what is done in each turn.
pub(super) trait LoopBody {
    /// Words of its own that it carries, as they are at first.
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>>;

    /// Whether there is another turn; none if there always is.
    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<Option<Value>>;

    /// What is done in a turn.
    fn body(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<()>;

    /// Its own words in the next turn.
    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<ValueList>;
}

impl Infer<'_> {
    pub(super) fn branch(
        &mut self,
        ast: &Ast,
        test: ExprId,
        then: &[Stmt],
        other: &[Stmt],
    ) -> Result<()> {
        let truth = self.condition(ast, test)?;
        match self.builder.function.constant(truth) {
            Some(1) => return self.block(ast, then),
            Some(_) => return self.block(ast, other),
            None => {}
        }
        if self.is_dead {
            return Ok(());
        }
        let (yes, no) = self.split(truth);
        let before = self.scope().vars.clone();
        self.builder.enter(yes);
        self.narrow(ast, test, true);
        self.block(ast, then)?;
        let mut edges: Vec<JoinEdge> = self.leave(None).into_iter().collect();
        self.builder.enter(no);
        self.scope_mut().vars = before;
        self.is_dead = false;
        self.narrow(ast, test, false);
        self.block(ast, other)?;
        edges.extend(self.leave(None));
        self.join(edges)
    }

    /// Ends the block with two ways on.
    pub(super) fn split(&mut self, truth: Value) -> (Block, Block) {
        let (yes, _) = self.builder.add_block([]);
        let (no, _) = self.builder.add_block([]);
        self.builder.end(Terminator::Branch(
            truth,
            (yes, ValueList::new()),
            (no, ValueList::new()),
        ));
        (yes, no)
    }

    /// A local that may be `None` is its inner value where a test says that it is there.
    pub(super) fn narrow(&mut self, ast: &Ast, test: ExprId, truth: bool) {
        match ast.expr(test) {
            Expr::Compare(left, rest) => {
                let [(compare, right)] = rest.as_slice() else { return };
                let is_there = match compare {
                    Compare::Is => !truth,
                    Compare::IsNot => truth,
                    _ => return,
                };
                let (Expr::Name(Name::Local(slot)), Expr::Literal(Literal::None)) =
                    (ast.expr(*left), ast.expr(*right))
                else {
                    return;
                };
                self.narrow_local(*slot, is_there);
            }
            Expr::Unary(crate::ast::Unary::Not, inner) => self.narrow(ast, *inner, !truth),
            Expr::Logical(is_and, items) if *is_and == truth => {
                items.iter().for_each(|it| self.narrow(ast, *it, truth));
            }
            _ => {}
        }
    }

    fn narrow_local(&mut self, slot: u32, is_there: bool) {
        let binding = &mut self.scope_mut().vars[slot as usize];
        if let Binding::Set(value) = binding
            && let Some(inner) = value.inner()
        {
            *binding = Binding::Set(if is_there { inner } else { Typed::none() });
        }
    }

    pub(super) fn while_loop(
        &mut self,
        ast: &Ast,
        test: ExprId,
        body: &[Stmt],
        other: &[Stmt],
    ) -> Result<()> {
        let scope = self.scope();
        let code = scope.code.clone();
        let function = code.ast.function(scope.function);
        let carried = liveness::carried(ast, function, Some(test), body, None);
        let mut turn = WhileTurn { ast, test, body };
        self.write_loop(ast, carried, &mut turn, other)
    }

    /// Writes a loop, again with wider types as long as its turns change them.
    pub(super) fn write_loop(
        &mut self,
        ast: &Ast,
        carried: Vec<u32>,
        turn: &mut dyn LoopBody,
        other: &[Stmt],
    ) -> Result<()> {
        if self.is_dead {
            return Ok(());
        }
        let own = turn.start(self)?;
        let entry = self.scope().vars.clone();
        let mut carried: Vec<Carried> =
            carried.into_iter().map(|slot| at_entry(&entry[slot as usize], slot)).collect();
        let mark = self.builder.mark();
        let returns = self.scope().returns.len();
        for _ in 0..=MAX_WIDENINGS {
            let wider = self.try_loop(ast, &carried, &own, turn, other)?;
            let Some(wider) = wider else { return Ok(()) };
            carried = wider;
            self.builder.rewind(&mark);
            let scope = self.scope_mut();
            scope.vars = entry.clone();
            scope.returns.truncate(returns);
            scope.loops.pop();
            self.is_dead = false;
        }
        Err(Error::typing("the types of a loop do not settle: give variables one type before it"))
    }

    /// Writes a loop; what it carries if that is wider than was assumed, and nothing was finished.
    fn try_loop(
        &mut self,
        ast: &Ast,
        carried: &[Carried],
        own: &[(Value, Prim)],
        turn: &mut dyn LoopBody,
        other: &[Stmt],
    ) -> Result<Option<Vec<Carried>>> {
        let (header, own_words) = self.enter_loop(carried, own)?;
        self.scope_mut().loops.push(LoopFrame::default());
        let entry = self.scope().vars.clone();
        let test = turn.test(self, &own_words)?;
        let exit = match test.map(|it| (it, self.builder.function.constant(it))) {
            None | Some((_, Some(1))) => None,
            Some((truth, _)) => {
                let (inside, outside) = self.split(truth);
                self.builder.enter(outside);
                let vars = self.scope().vars.clone();
                self.builder.enter(inside);
                Some(JoinEdge { block: outside, vars, value: None })
            }
        };
        turn.body(self, &own_words)?;
        let last = self.leave(None);
        let mut continues = std::mem::take(&mut self.frame().continues);
        continues.extend(last);
        self.join(continues)?;
        if !self.is_dead {
            let vars = &self.scope().vars;
            let mut wider = Vec::with_capacity(carried.len());
            for it in carried {
                wider.push(widened(it, &vars[it.slot as usize])?);
            }
            if wider != carried {
                return Ok(Some(wider));
            }
            self.close_loop(carried, &own_words, header, turn, &entry)?;
        }
        let breaks = self.scope_mut().loops.pop().map(|it| it.breaks).unwrap_or_default();
        self.after_loop(ast, exit, breaks, other)?;
        Ok(None)
    }

    fn frame(&mut self) -> &mut LoopFrame {
        self.scope_mut().loops.last_mut().expect("a loop is being typed")
    }

    /// Jumps to the head of a loop, and enters it.
    fn enter_loop(
        &mut self,
        carried: &[Carried],
        own: &[(Value, Prim)],
    ) -> Result<(Block, ValueList)> {
        let mut args: ValueList = own.iter().map(|(value, _)| *value).collect();
        let mut prims: Vec<Prim> = own.iter().map(|(_, prim)| *prim).collect();
        for it in carried {
            let Some(ty) = it.ty else { continue };
            let binding = self.scope().vars[it.slot as usize].clone();
            args.extend(self.binding_words(&binding, ty, it.is_partial)?);
            prims.extend(ty.prims());
            prims.extend(it.is_partial.then_some(Prim::Bool));
        }
        let (header, params) = self.builder.add_block(prims);
        self.builder.end(Terminator::Jump((header, args)));
        self.builder.enter(header);
        let (own_words, mut rest) = params.split_at(own.len());
        for it in carried {
            let binding = match it.ty {
                Some(ty) => take_binding(&mut rest, ty, it.is_partial),
                None => Binding::Unset,
            };
            self.scope_mut().vars[it.slot as usize] = binding;
        }
        Ok((header, own_words.into()))
    }

    fn close_loop(
        &mut self,
        carried: &[Carried],
        own: &[Value],
        header: Block,
        turn: &mut dyn LoopBody,
        entry: &[Binding],
    ) -> Result<()> {
        self.drop_uncarried(carried, entry);
        let mut args = turn.next(self, own)?;
        for it in carried {
            let Some(ty) = it.ty else { continue };
            let binding = self.scope().vars[it.slot as usize].clone();
            args.extend(self.binding_words(&binding, ty, it.is_partial)?);
        }
        let site = self.builder.site(Trap::Call);
        self.builder.push(Opcode::Poll(site), &[], []);
        self.builder.end(Terminator::Jump((header, args)));
        let (nowhere, _) = self.builder.add_block([]);
        self.builder.enter(nowhere);
        self.is_dead = true;
        Ok(())
    }

    /// Drops what a turn bound and the next one does not get.
    fn drop_uncarried(&mut self, carried: &[Carried], entry: &[Binding]) {
        let vars = self.scope().vars.clone();
        for (slot, (now, before)) in vars.iter().zip(entry).enumerate() {
            let is_carried = carried.iter().any(|it| it.slot as usize == slot);
            if !is_carried && now != before {
                self.release_binding(now);
            }
        }
    }

    fn after_loop(
        &mut self,
        ast: &Ast,
        exit: Option<JoinEdge>,
        breaks: Vec<JoinEdge>,
        other: &[Stmt],
    ) -> Result<()> {
        let mut edges = Vec::new();
        if let Some(exit) = exit {
            self.join(vec![exit])?;
            self.block(ast, other)?;
            edges.extend(self.leave(None));
        }
        edges.extend(breaks);
        self.join(edges)
    }
}

fn at_entry(binding: &Binding, slot: u32) -> Carried {
    let (ty, is_partial) = match binding {
        Binding::Unset | Binding::Clash(..) => (None, false),
        Binding::Set(value) => (Some(value.ty), false),
        Binding::Maybe(value, _) => (Some(value.ty), true),
    };
    Carried { slot, ty, is_partial }
}

/// What a local is at the head of a loop after a turn.
fn widened(before: &Carried, after: &Binding) -> Result<Carried> {
    let (ty, is_partial) = match after {
        Binding::Unset => return Ok(Carried { is_partial: before.ty.is_some(), ..*before }),
        Binding::Set(value) => (value.ty, before.is_partial || before.ty.is_none()),
        Binding::Maybe(value, _) => (value.ty, true),
        Binding::Clash(a, b) => return Err(clash(*a, *b)),
    };
    let common = match before.ty {
        None => ty,
        Some(before) => super::cast::unify(before, ty).ok_or_else(|| clash(before, ty))?,
    };
    Ok(Carried { slot: before.slot, ty: Some(common), is_partial })
}

fn clash(a: Ty, b: Ty) -> Error {
    Error::typing(format!("cannot unify {a} and {b}: a variable changes its type in a loop"))
}

struct WhileTurn<'a> {
    ast: &'a Ast,
    test: ExprId,
    body: &'a [Stmt],
}

impl LoopBody for WhileTurn<'_> {
    fn start(&mut self, _infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>> {
        Ok(Vec::new())
    }

    fn test(&mut self, infer: &mut Infer<'_>, _own: &[Value]) -> Result<Option<Value>> {
        infer.statement(|infer| infer.condition(self.ast, self.test)).map(Some)
    }

    fn body(&mut self, infer: &mut Infer<'_>, _own: &[Value]) -> Result<()> {
        infer.narrow(self.ast, self.test, true);
        infer.block(self.ast, self.body)
    }

    fn next(&mut self, _infer: &mut Infer<'_>, _own: &[Value]) -> Result<ValueList> {
        Ok(ValueList::new())
    }
}
