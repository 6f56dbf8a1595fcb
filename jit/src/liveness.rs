//! Liveness of locals: which a loop carries from one turn to the next, or out of it.
//!
//! A local that every turn assigns before it is read, and that nothing outside reads, need not be
//! known at the head of the loop, so its type there need not be guessed.

use crate::ast::{AssignTarget, Ast, Expr, ExprId, FunctionDef, FunctionId, Name, Stmt, StmtKind};

/// The locals that a loop assigns, and whose values at its head may be read.
pub(crate) fn carried(
    ast: &Ast,
    function: &FunctionDef,
    test: Option<ExprId>,
    body: &[Stmt],
    target: Option<&AssignTarget>,
) -> Vec<u32> {
    let count = function.locals.len();
    let mut assigned = vec![false; count];
    assigned_in(ast, body, &mut assigned);
    if let Some(target) = target {
        mark_target(target, &mut assigned);
    }
    if let Some(test) = test {
        named_in(ast, test, &mut assigned);
    }
    let mut total = Reads::new(ast, count);
    total.block(&function.body);
    let mut within = Reads::new(ast, count);
    within.block(body);
    test.into_iter().for_each(|it| within.expr(it, 0));
    let mut exposure = Exposure { reads: Reads::new(ast, count), exposed: vec![false; count] };
    let mut known = vec![false; count];
    test.into_iter().for_each(|it| exposure.read(it, &known));
    if let Some(target) = target {
        exposure.target(target, &known);
        mark_target(target, &mut known);
    }
    exposure.block(body, Some(known));
    let is_carried = |slot: usize| {
        assigned[slot] && (exposure.exposed[slot] || total.counts[slot] > within.counts[slot])
    };
    (0..count).filter(|slot| is_carried(*slot)).filter_map(|it| u32::try_from(it).ok()).collect()
}

fn mark_target(target: &AssignTarget, assigned: &mut [bool]) {
    match target {
        AssignTarget::Name(slot) => assigned[*slot as usize] = true,
        AssignTarget::Tuple(items) => items.iter().for_each(|it| mark_target(it, assigned)),
        AssignTarget::Subscript(..) | AssignTarget::Attribute(..) => {}
    }
}

fn assigned_in(ast: &Ast, body: &[Stmt], assigned: &mut [bool]) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign(targets, _) => targets.iter().for_each(|it| mark_target(it, assigned)),
            StmtKind::Augment(target, _, _) | StmtKind::Annotate(target, _, _) => {
                mark_target(target, assigned);
            }
            StmtKind::For(target, _, body, other) => {
                mark_target(target, assigned);
                assigned_in(ast, body, assigned);
                assigned_in(ast, other, assigned);
            }
            StmtKind::While(_, body, other) | StmtKind::If(_, body, other) => {
                assigned_in(ast, body, assigned);
                assigned_in(ast, other, assigned);
            }
            StmtKind::Def(slot, _) => assigned[*slot as usize] = true,
            _ => {}
        }
        expressions(stmt, &mut |it| named_in(ast, it, assigned));
    }
}

fn named_in(ast: &Ast, expr: ExprId, assigned: &mut [bool]) {
    if let Expr::Named(Name::Local(slot), _) = ast.expr(expr) {
        assigned[*slot as usize] = true;
    }
    children(ast.expr(expr), &mut |it| named_in(ast, it, assigned));
}

/// How often each local is read.
struct Reads<'a> {
    ast: &'a Ast,
    counts: Vec<usize>,
}

impl<'a> Reads<'a> {
    fn new(ast: &'a Ast, count: usize) -> Reads<'a> {
        Reads { ast, counts: vec![0; count] }
    }

    fn block(&mut self, body: &[Stmt]) {
        self.nested(body, 0);
    }

    fn nested(&mut self, body: &[Stmt], depth: u32) {
        for stmt in body {
            expressions(stmt, &mut |it| self.expr(it, depth));
            match &stmt.kind {
                StmtKind::Augment(AssignTarget::Name(slot), _, _) if depth == 0 => {
                    self.counts[*slot as usize] += 1;
                }
                StmtKind::Def(_, function) => self.function(*function, depth + 1),
                _ => {}
            }
            inner_blocks(stmt, &mut |it| self.nested(it, depth));
        }
    }

    fn function(&mut self, function: FunctionId, depth: u32) {
        let function = self.ast.function(function);
        function.params.iter().filter_map(|it| it.default).for_each(|it| self.expr(it, depth - 1));
        self.nested(&function.body, depth);
    }

    fn expr(&mut self, expr: ExprId, depth: u32) {
        match self.ast.expr(expr) {
            Expr::Name(Name::Local(slot)) if depth == 0 => self.counts[*slot as usize] += 1,
            Expr::Name(Name::Outer(levels, slot)) if *levels == depth => {
                self.counts[*slot as usize] += 1;
            }
            Expr::Lambda(function) => self.function(*function, depth + 1),
            other => children(other, &mut |it| self.expr(it, depth)),
        }
    }
}

/// Which locals a body may read before it assigns them.
struct Exposure<'a> {
    reads: Reads<'a>,
    exposed: Vec<bool>,
}

impl Exposure<'_> {
    fn read(&mut self, expr: ExprId, known: &[bool]) {
        self.reads.counts.fill(0);
        self.reads.expr(expr, 0);
        self.expose(known);
    }

    fn expose(&mut self, known: &[bool]) {
        for (slot, count) in self.reads.counts.iter().enumerate() {
            self.exposed[slot] |= *count > 0 && !known[slot];
        }
    }

    fn target(&mut self, target: &AssignTarget, known: &[bool]) {
        match target {
            AssignTarget::Name(_) => {}
            AssignTarget::Tuple(items) => items.iter().for_each(|it| self.target(it, known)),
            AssignTarget::Subscript(of, index) => {
                self.read(*of, known);
                self.read(*index, known);
            }
            AssignTarget::Attribute(of, _) => self.read(*of, known),
        }
    }

    /// What is assigned after a block for sure; none if its end is never reached.
    fn block(&mut self, body: &[Stmt], mut known: Option<Vec<bool>>) -> Option<Vec<bool>> {
        for stmt in body {
            let now = known?;
            known = self.stmt(stmt, now);
        }
        known
    }

    fn stmt(&mut self, stmt: &Stmt, mut known: Vec<bool>) -> Option<Vec<bool>> {
        expressions(stmt, &mut |it| self.read(it, &known));
        match &stmt.kind {
            StmtKind::Return(_) | StmtKind::Raise(_) | StmtKind::Break | StmtKind::Continue => None,
            StmtKind::If(_, then, other) => {
                let a = self.block(then, Some(known.clone()));
                let b = self.block(other, Some(known));
                both(a, b)
            }
            StmtKind::For(target, _, body, other) => {
                let mut inner = known.clone();
                mark_target(target, &mut inner);
                self.block(body, Some(inner));
                self.block(other, Some(known.clone()));
                Some(known)
            }
            StmtKind::While(_, body, other) => {
                self.block(body, Some(known.clone()));
                self.block(other, Some(known.clone()));
                Some(known)
            }
            StmtKind::Assign(targets, _) => {
                for target in targets {
                    self.target(target, &known);
                    mark_target(target, &mut known);
                }
                Some(known)
            }
            StmtKind::Augment(target, _, _) => {
                if let AssignTarget::Name(slot) = target {
                    self.exposed[*slot as usize] |= !known[*slot as usize];
                }
                mark_target(target, &mut known);
                Some(known)
            }
            StmtKind::Annotate(target, _, Some(_)) => {
                mark_target(target, &mut known);
                Some(known)
            }
            StmtKind::Def(slot, function) => {
                self.reads.counts.fill(0);
                self.reads.function(*function, 1);
                self.expose(&known);
                known[*slot as usize] = true;
                Some(known)
            }
            _ => Some(known),
        }
    }
}

fn both(a: Option<Vec<bool>>, b: Option<Vec<bool>>) -> Option<Vec<bool>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a && b).collect()),
        (a, b) => a.or(b),
    }
}

/// The expressions of a statement itself, without those of statements within.
fn expressions(stmt: &Stmt, visit: &mut dyn FnMut(ExprId)) {
    match &stmt.kind {
        StmtKind::Return(value) => value.iter().for_each(|it| visit(*it)),
        StmtKind::Assign(targets, value) => {
            visit(*value);
            targets.iter().for_each(|it| target_expressions(it, visit));
        }
        StmtKind::Augment(target, _, value) => {
            visit(*value);
            target_expressions(target, visit);
        }
        StmtKind::Annotate(target, _, value) => {
            value.iter().for_each(|it| visit(*it));
            target_expressions(target, visit);
        }
        StmtKind::For(target, iterable, _, _) => {
            visit(*iterable);
            target_expressions(target, visit);
        }
        StmtKind::While(test, _, _) | StmtKind::If(test, _, _) => visit(*test),
        StmtKind::Raise(value) | StmtKind::Expr(value) | StmtKind::Delete(value, _) => {
            visit(*value)
        }
        StmtKind::Assert(test, message) => {
            visit(*test);
            message.iter().for_each(|it| visit(*it));
        }
        StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Def(..) => {}
    }
}

fn target_expressions(target: &AssignTarget, visit: &mut dyn FnMut(ExprId)) {
    match target {
        AssignTarget::Name(_) => {}
        AssignTarget::Tuple(items) => items.iter().for_each(|it| target_expressions(it, visit)),
        AssignTarget::Subscript(of, index) => {
            visit(*of);
            visit(*index);
        }
        AssignTarget::Attribute(of, _) => visit(*of),
    }
}

fn inner_blocks(stmt: &Stmt, visit: &mut dyn FnMut(&[Stmt])) {
    match &stmt.kind {
        StmtKind::For(_, _, body, other)
        | StmtKind::While(_, body, other)
        | StmtKind::If(_, body, other) => {
            visit(body);
            visit(other);
        }
        _ => {}
    }
}

/// The expressions within an expression, but not those of functions within.
fn children(expr: &Expr, visit: &mut dyn FnMut(ExprId)) {
    match expr {
        Expr::Literal(_) | Expr::Name(_) | Expr::Lambda(_) => {}
        Expr::Tuple(items) | Expr::Logical(_, items) | Expr::Formatted(items) => {
            items.iter().for_each(|it| visit(*it));
        }
        Expr::Unary(_, a) | Expr::Named(_, a) | Expr::Attribute(a, _) => visit(*a),
        Expr::Binary(_, a, b) | Expr::Subscript(a, b) => {
            visit(*a);
            visit(*b);
        }
        Expr::Compare(first, rest) => {
            visit(*first);
            rest.iter().for_each(|(_, it)| visit(*it));
        }
        Expr::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|it| visit(*it)),
        Expr::Call(call) => {
            visit(call.callee);
            call.positional.iter().for_each(|(it, _)| visit(*it));
            call.keywords.iter().for_each(|(_, it)| visit(*it));
        }
        Expr::Slice(parts) => parts.iter().flatten().for_each(|it| visit(*it)),
    }
}
