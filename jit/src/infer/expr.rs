//! Expressions.

use super::scope::{Binding, JoinEdge};
use super::state::Infer;
use super::value::Typed;
use crate::ast::{Ast, Expr, ExprId, Literal, Name, Unary};
use crate::error::{Error, Result};
use crate::host::Frozen;
use crate::ir::{Opcode, Trap, Value, ValueList};
use crate::types::{Prim, Ty, TyKind};

impl Infer<'_> {
    /// An expression, whose elements are computed if it is an array.
    pub(super) fn expr(&mut self, ast: &Ast, id: ExprId) -> Result<Typed> {
        let value = self.operand(ast, id)?;
        self.made(&value).map_err(|it| self.placed(it, ast.span(id)))
    }

    /// An expression as an operand: what it computes for each element may be computed later.
    pub(super) fn operand(&mut self, ast: &Ast, id: ExprId) -> Result<Typed> {
        let span = ast.span(id);
        self.set_place(span);
        let typed = self.expr_at(ast, id).map_err(|it| self.placed(it, span))?;
        // What comes next belongs to this expression again.
        self.set_place(span);
        Ok(typed)
    }

    fn expr_at(&mut self, ast: &Ast, id: ExprId) -> Result<Typed> {
        match ast.expr(id) {
            Expr::Literal(literal) => self.literal(literal),
            Expr::Name(name) => self.name(name),
            Expr::Tuple(items) => {
                let items = self.exprs(ast, items)?;
                Ok(Typed::tuple(&items))
            }
            Expr::Unary(op, operand) => {
                let operand = self.operand(ast, *operand)?;
                self.unary(*op, &operand)
            }
            Expr::Binary(op, left, right) => {
                let left = self.operand(ast, *left)?;
                let right = self.operand(ast, *right)?;
                self.set_place(ast.span(id));
                self.binary(*op, &left, &right)
            }
            Expr::Logical(is_and, items) => self.logical(ast, *is_and, items),
            Expr::Compare(first, rest) => self.comparison(ast, *first, rest),
            Expr::Conditional(test, then, other) => self.conditional(ast, *test, *then, *other),
            Expr::Named(name, value) => {
                let value = self.expr(ast, *value)?;
                match name {
                    Name::Local(slot) => {
                        let before = self.scope().vars[*slot as usize].clone();
                        if let Binding::Set(before) | Binding::Maybe(before, _) = before {
                            self.hold_for_statement(&before);
                        }
                        self.set_local(*slot, value.clone());
                    }
                    Name::Outer(..) | Name::Free(_) => {
                        return Err(Error::unsupported("`:=` assigns locals only"));
                    }
                }
                Ok(value)
            }
            Expr::Call(call) => self.call(ast, call, ast.span(id)),
            Expr::Attribute(of, name) => {
                let of = self.expr(ast, *of)?;
                self.set_place(ast.span(id));
                self.attribute(&of, name)
            }
            Expr::Subscript(of, index) => {
                let of = self.expr(ast, *of)?;
                let index = self.expr(ast, *index)?;
                self.set_place(ast.span(id));
                self.item(&of, &index)
            }
            Expr::Slice(parts) => {
                let mut items = Vec::with_capacity(3);
                for part in parts {
                    items.push(match part {
                        Some(part) => self.expr(ast, *part)?,
                        None => Typed::none(),
                    });
                }
                let types: Vec<Ty> = items.iter().map(|it| it.ty).collect();
                let words = items.iter().flat_map(|it| it.words.iter().copied()).collect();
                Ok(Typed::new(Ty::new(TyKind::Slice(types.into())), words))
            }
            Expr::Lambda(function) => self.closure(ast, *function),
            Expr::Formatted(items) => {
                let items = self.exprs(ast, items)?;
                let types: Vec<Ty> = items.iter().map(|it| it.ty).collect();
                let words = items.iter().flat_map(|it| it.words.iter().copied()).collect();
                Ok(Typed::new(Ty::new(TyKind::Formatted(types.into())), words))
            }
        }
    }

    pub(super) fn exprs(&mut self, ast: &Ast, items: &[ExprId]) -> Result<Vec<Typed>> {
        items.iter().map(|it| self.expr(ast, *it)).collect()
    }

    fn literal(&mut self, literal: &Literal) -> Result<Typed> {
        Ok(match literal {
            Literal::Int(number) => {
                let (ty, bits) = match (i64::try_from(*number), u64::try_from(*number)) {
                    (Ok(number), _) => (Ty::int64(), number.cast_unsigned()),
                    (_, Ok(number)) => (Ty::uint64(), number),
                    _ => return Err(Error::typing(format!("{number} has more than 64 bits"))),
                };
                Typed::one(ty, self.builder.constant(bits, Prim::Int))
            }
            Literal::Float(number) => self.float(*number),
            Literal::Imaginary(number) => {
                let real = self.float(0.0).word();
                let imag = self.float(*number).word();
                Typed::new(Ty::complex128(), ValueList::from_slice(&[real, imag]))
            }
            Literal::Bool(truth) => self.bool(*truth),
            Literal::None => Typed::none(),
            Literal::Text(text) => Typed::fact(Ty::text(text)),
            Literal::Ellipsis => Typed::fact(Ty::ellipsis()),
        })
    }

    pub(super) fn float(&mut self, number: f64) -> Typed {
        Typed::one(Ty::float64(), self.builder.constant(number.to_bits(), Prim::F64))
    }

    pub(super) fn int(&mut self, number: i64) -> Typed {
        Typed::one(Ty::int64(), self.builder.int(number))
    }

    pub(super) fn bool(&mut self, truth: bool) -> Typed {
        Typed::one(Ty::bool(), self.builder.bool(truth))
    }

    fn name(&mut self, name: &Name) -> Result<Typed> {
        match name {
            Name::Local(slot) => self.local(*slot),
            Name::Outer(levels, slot) => self.outer(*levels, *slot),
            Name::Free(name) => {
                let host = self.scope().host;
                match self.host.global(host, name)? {
                    Some(frozen) => self.frozen(&frozen),
                    None => Err(Error::typing(format!("name '{name}' is not defined"))),
                }
            }
        }
    }

    /// What a local is bound to, which may fail at run time.
    pub(super) fn local(&mut self, slot: u32) -> Result<Typed> {
        let scope = self.scope();
        let binding = scope.vars[slot as usize].clone();
        let name = scope.code.ast.function(scope.function).locals[slot as usize].clone();
        self.bound(binding, &name)
    }

    fn bound(&mut self, binding: Binding, name: &std::sync::Arc<str>) -> Result<Typed> {
        match binding {
            Binding::Set(value) => Ok(value),
            Binding::Maybe(value, flag) => {
                self.builder.check(flag, Trap::Unbound(name.clone()), &[]);
                Ok(value)
            }
            Binding::Unset => {
                Err(Error::typing(format!("local variable '{name}' is read before it is assigned")))
            }
            Binding::Clash(a, b) => Err(Error::typing(format!(
                "cannot unify {a} and {b} for '{name}': it has another type on another way here"
            ))),
        }
    }

    fn outer(&mut self, levels: u32, slot: u32) -> Result<Typed> {
        let mut at = self.scopes.len() - 1;
        for _ in 0..levels {
            at = self.scopes[at].parent.ok_or_else(|| Error::typing("a scope has ended"))?;
        }
        let scope = &self.scopes[at];
        let binding = scope.vars[slot as usize].clone();
        let name = scope.code.ast.function(scope.function).locals[slot as usize].clone();
        self.bound(binding, &name)
    }

    /// A value that was known before the function is typed.
    pub(super) fn frozen(&mut self, frozen: &Frozen) -> Result<Typed> {
        Ok(match frozen {
            Frozen::Number(ty, bits) => {
                let words = ty
                    .prims()
                    .iter()
                    .zip(bits)
                    .map(|(prim, bits)| self.builder.constant(*bits, *prim))
                    .collect();
                Typed::new(*ty, words)
            }
            Frozen::None => Typed::none(),
            Frozen::Tuple(items) => {
                let items: Result<Vec<Typed>> = items.iter().map(|it| self.frozen(it)).collect();
                Typed::tuple(&items?)
            }
            Frozen::Fact(ty) => Typed::fact(*ty),
            Frozen::Array(ty, object, address, numbers) => {
                let mut words = ValueList::new();
                words.push(self.held(*object));
                words.push(self.builder.constant(*address, Prim::Ptr));
                words.extend(numbers.iter().map(|it| self.builder.int(*it)));
                Typed::new(*ty, words)
            }
            Frozen::Struct(ty, members) => {
                let members: Result<Vec<Typed>> =
                    members.iter().map(|it| self.frozen(it)).collect();
                self.structure(*ty, &members?)?
            }
            Frozen::Lowered(ty, lowering) => self.lowered(*lowering, Vec::new(), *ty)?,
            Frozen::Object(ty, object, bits) => {
                let owner = self.held(*object);
                let prims = ty.prims();
                let rest = bits.iter().zip(&prims[1..]);
                let words = std::iter::once(owner)
                    .chain(rest.map(|(bits, prim)| self.builder.constant(*bits, *prim)))
                    .collect();
                Typed::new(*ty, words)
            }
        })
    }

    /// The owner word of an object that lives as long as the program.
    fn held(&mut self, object: crate::types::Obj) -> Value {
        self.program.held.push(object);
        let owner = crate::entry::constant_owner(self.program.held.len() - 1);
        self.builder.constant(owner, Prim::Owner)
    }

    /// The truth of an expression.
    pub(super) fn condition(&mut self, ast: &Ast, test: ExprId) -> Result<Value> {
        let value = self.expr(ast, test)?;
        self.truth(&value).map_err(|it| self.placed(it, ast.span(test)))
    }

    fn logical(&mut self, ast: &Ast, is_and: bool, items: &[ExprId]) -> Result<Typed> {
        let mut edges: Vec<JoinEdge> = Vec::new();
        let mut last = None;
        for (at, item) in items.iter().enumerate() {
            let value =
                if at == 0 { self.expr(ast, *item)? } else { self.way(|it| it.expr(ast, *item))? };
            if at + 1 == items.len() {
                last = Some(value);
                break;
            }
            let truth = self.truth(&value)?;
            if let Some(known) = self.builder.function.constant(truth) {
                if (known == 1) == is_and {
                    continue;
                }
                last = Some(value);
                break;
            }
            let (yes, no) = self.split(truth);
            let (goes_on, ends) = if is_and { (yes, no) } else { (no, yes) };
            let vars = self.scope().vars.clone();
            self.builder.enter(ends);
            if at == 0 {
                self.retain(&value);
            }
            self.builder.enter(goes_on);
            if at > 0 {
                self.drop_value(&value);
            }
            edges.push(JoinEdge { block: ends, vars, value: Some(value) });
            self.narrow(ast, *item, is_and);
        }
        if edges.is_empty() {
            let last = last.ok_or_else(|| Error::typing("nothing to compare"))?;
            if items.len() > 1 {
                self.keep_for_statement(&last);
            }
            return Ok(last);
        }
        edges.extend(self.leave(last));
        self.joined(edges, "logical operator")
    }

    fn conditional(
        &mut self,
        ast: &Ast,
        test: ExprId,
        then: ExprId,
        other: ExprId,
    ) -> Result<Typed> {
        let truth = self.condition(ast, test)?;
        match self.builder.function.constant(truth) {
            Some(1) => return self.expr(ast, then),
            Some(_) => return self.expr(ast, other),
            None => {}
        }
        let (yes, no) = self.split(truth);
        let before = self.scope().vars.clone();
        self.builder.enter(yes);
        self.narrow(ast, test, true);
        let value = self.way(|it| it.expr(ast, then))?;
        let mut edges: Vec<JoinEdge> = self.leave(Some(value)).into_iter().collect();
        self.builder.enter(no);
        self.scope_mut().vars = before;
        self.is_dead = false;
        self.narrow(ast, test, false);
        let value = self.way(|it| it.expr(ast, other))?;
        edges.extend(self.leave(Some(value)));
        self.joined(edges, "conditional expression")
    }

    /// Where ways with values meet; a value of no type where none is reached.
    fn joined(&mut self, edges: Vec<JoinEdge>, what: &str) -> Result<Typed> {
        let value = self.join_with_value(edges, what)?.ok_or_else(Error::unreached)?;
        self.keep_for_statement(&value);
        Ok(value)
    }

    pub(super) fn unary(&mut self, op: Unary, operand: &Typed) -> Result<Typed> {
        if op == Unary::Not {
            let operand = &self.made(operand)?;
            let truth = self.truth(operand)?;
            let one = self.builder.bool(true);
            let not = self.builder.emit(Opcode::Xor, &[truth, one], Prim::Bool);
            return Ok(Typed::one(Ty::bool(), not));
        }
        let operand = self.unwrap(operand)?;
        let name = match op {
            Unary::Neg => "neg",
            Unary::Pos => "pos",
            Unary::Invert | Unary::Not => "invert",
        };
        if let Some(found) = self.overloaded_unary(name, &operand)? {
            return Ok(found);
        }
        if operand.ty.is_array() {
            return self.array_unary(op, &operand);
        }
        if let Some(numbers) = self.as_numbers(&super::bind::Args::of(vec![operand.clone()]))? {
            return self.number_unary(op, &numbers.positional[0]);
        }
        self.number_unary(op, &operand).map_err(|it| self.with_declined(it))
    }
}
