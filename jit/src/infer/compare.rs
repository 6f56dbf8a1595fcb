//! Comparisons, and the truth of values.

use super::scope::JoinEdge;
use super::state::Infer;
use super::value::Typed;
use crate::ast::{Ast, Compare, ExprId};
use crate::error::{Error, Result};
use crate::ir::{Cond, Opcode, Value};
use crate::types::{Int, Prim, Ty, TyKind};

impl Infer<'_> {
    /// `a < b < c`: what stands in the middle is computed once, and what follows only if it counts.
    pub(super) fn comparison(
        &mut self,
        ast: &Ast,
        first: ExprId,
        rest: &[(Compare, ExprId)],
    ) -> Result<Typed> {
        let mut left = self.operand(ast, first)?;
        let mut edges: Vec<JoinEdge> = Vec::new();
        let mut last = None;
        for (at, (compare, right)) in rest.iter().enumerate() {
            let right_value = self.operand(ast, *right)?;
            let result = self.compare(*compare, &left, &right_value)?;
            left = right_value;
            if at + 1 == rest.len() {
                last = Some(result);
                break;
            }
            let truth = self.truth(&result)?;
            let (yes, no) = self.split(truth);
            let vars = self.scope().vars.clone();
            let value = Some(self.bool(false));
            edges.push(JoinEdge { block: no, vars, value });
            self.builder.enter(yes);
        }
        let Some(last) = last else { return Ok(self.bool(true)) };
        if edges.is_empty() {
            return Ok(last);
        }
        edges.extend(self.leave(Some(last)));
        self.join_with_value(edges, "comparison")?.ok_or_else(Error::unreached)
    }

    pub(super) fn compare(
        &mut self,
        compare: Compare,
        left: &Typed,
        right: &Typed,
    ) -> Result<Typed> {
        let word = match compare {
            Compare::Is | Compare::IsNot => {
                return self.identity(compare == Compare::Is, left, right);
            }
            Compare::In | Compare::NotIn => {
                return self.contains(compare == Compare::In, left, right);
            }
            Compare::Eq => Cond::Eq,
            Compare::Ne => Cond::Ne,
            Compare::Lt => Cond::Lt,
            Compare::Le => Cond::Le,
            Compare::Gt => Cond::Gt,
            Compare::Ge => Cond::Ge,
        };
        if let Some(found) = self.compare_none(word, left, right)? {
            return Ok(found);
        }
        let left = &self.unwrap(left)?;
        let right = &self.unwrap(right)?;
        if let Some(found) = self.overloaded_compare(compare, left, right)? {
            return Ok(found);
        }
        if left.ty.is_number() && right.ty.is_number() {
            let word = self.compare_numbers(word, left, right)?;
            return Ok(Typed::one(Ty::bool(), word));
        }
        if left.ty.is_array() || right.ty.is_array() {
            return self.array_compare(compare, left, right);
        }
        if let (Some(a), Some(b)) = (left.items(), right.items()) {
            return self.compare_tuples(word, &a, &b);
        }
        if let (TyKind::Text(a), TyKind::Text(b)) = (&*left.ty, &*right.ty) {
            return Ok(self.bool(word.holds(a, b)));
        }
        if let (TyKind::DType(a), TyKind::DType(b)) = (&*left.ty, &*right.ty)
            && matches!(word, Cond::Eq | Cond::Ne)
        {
            return Ok(self.bool((a == b) == (word == Cond::Eq)));
        }
        if let Some((left, right)) = self.number_operands(left, right)? {
            return self.compare(compare, &left, &right);
        }
        let error = Error::typing(format!("{} and {} do not compare", left.ty, right.ty));
        Err(self.with_declined(error))
    }

    /// A comparison of something that may be `None` for equality.
    fn compare_none(&mut self, cond: Cond, left: &Typed, right: &Typed) -> Result<Option<Typed>> {
        let has_none = |it: &Typed| matches!(*it.ty, TyKind::None | TyKind::Optional(_));
        if !matches!(cond, Cond::Eq | Cond::Ne) || !(has_none(left) || has_none(right)) {
            return Ok(None);
        }
        let (maybe, other) = if has_none(left) { (left, right) } else { (right, left) };
        if matches!(*other.ty, TyKind::None) {
            return self.identity(cond == Cond::Eq, maybe, other).map(Some);
        }
        if matches!(*maybe.ty, TyKind::None) && !has_none(other) {
            return Ok(Some(self.bool(cond == Cond::Ne)));
        }
        Ok(None)
    }

    fn identity(&mut self, is: bool, left: &Typed, right: &Typed) -> Result<Typed> {
        let (value, other) = if *right.ty == TyKind::None { (left, right) } else { (right, left) };
        let truth = match (&*value.ty, &*other.ty) {
            (TyKind::None, TyKind::None) => self.builder.bool(true),
            (TyKind::Optional(_), TyKind::None) => {
                let one = self.builder.bool(true);
                self.builder.emit(Opcode::Xor, &[value.word(), one], Prim::Bool)
            }
            (_, TyKind::None) => self.builder.bool(false),
            (TyKind::Bool, TyKind::Bool) => self.compare_numbers(Cond::Eq, left, right)?,
            _ if left == right => self.builder.bool(true),
            (TyKind::Array(_), TyKind::Array(_)) if left.ty == right.ty => {
                let mut same = self.builder.bool(true);
                for (a, b) in left.words.clone().into_iter().zip(right.words.clone()).skip(1) {
                    let equal =
                        self.builder.emit(Opcode::Cmp(Cond::Eq, false), &[a, b], Prim::Bool);
                    same = self.builder.emit(Opcode::And, &[same, equal], Prim::Bool);
                }
                same
            }
            _ if left.words.is_empty() && right.words.is_empty() => {
                self.builder.bool(left.ty == right.ty)
            }
            (TyKind::Array(_), _) | (_, TyKind::Array(_)) => self.builder.bool(false),
            _ => {
                return Err(Error::typing(format!("`is` of {} and {}: use ==", left.ty, right.ty)));
            }
        };
        if is {
            return Ok(Typed::one(Ty::bool(), truth));
        }
        let one = self.builder.bool(true);
        Ok(Typed::one(Ty::bool(), self.builder.emit(Opcode::Xor, &[truth, one], Prim::Bool)))
    }

    /// `item in of`: what is registered for it is asked, ours of arrays and ranges last.
    fn contains(&mut self, is_in: bool, item: &Typed, of: &Typed) -> Result<Typed> {
        let (item, of) = (self.made(item)?, self.made(of)?);
        let of = self.unwrap(&of)?;
        let mut found = match (self.overloaded_contains(&of, &item)?, of.items()) {
            (Some(found), _) => self.truth(&found)?,
            (None, Some(items)) => self.is_among(&item, &items)?,
            (None, None) => {
                let error = Error::typing(format!(
                    "`in` looks through tuples, arrays and ranges, not {}",
                    of.ty
                ));
                return Err(self.with_declined(error));
            }
        };
        if !is_in {
            let one = self.builder.bool(true);
            found = self.builder.emit(Opcode::Xor, &[found, one], Prim::Bool);
        }
        Ok(Typed::one(Ty::bool(), found))
    }

    /// Whether a value is equal to one of these.
    fn is_among(&mut self, item: &Typed, items: &[Typed]) -> Result<Value> {
        let mut found = self.builder.bool(false);
        for other in items {
            let equal = self.compare(Compare::Eq, item, other)?;
            let truth = self.truth(&equal)?;
            found = self.builder.emit(Opcode::Or, &[found, truth], Prim::Bool);
        }
        Ok(found)
    }

    fn compare_tuples(&mut self, cond: Cond, a: &[Typed], b: &[Typed]) -> Result<Typed> {
        if matches!(cond, Cond::Eq | Cond::Ne) {
            let mut same = self.builder.bool(a.len() == b.len());
            for (a, b) in a.iter().zip(b) {
                let equal = self.compare(Compare::Eq, a, b)?;
                let truth = self.truth(&equal)?;
                same = self.builder.emit(Opcode::And, &[same, truth], Prim::Bool);
            }
            if cond == Cond::Ne {
                let one = self.builder.bool(true);
                same = self.builder.emit(Opcode::Xor, &[same, one], Prim::Bool);
            }
            return Ok(Typed::one(Ty::bool(), same));
        }
        // From the last item: the first that differs decides.
        let is_shorter = cond.holds(&a.len(), &b.len());
        let mut result = self.builder.bool(is_shorter);
        for (a, b) in a.iter().zip(b).rev() {
            let equal = self.compare(Compare::Eq, a, b)?;
            let equal = self.truth(&equal)?;
            let decided = self.compare(strict(cond), a, b)?;
            let decided = self.truth(&decided)?;
            result = self.builder.emit(Opcode::Select, &[equal, result, decided], Prim::Bool);
        }
        Ok(Typed::one(Ty::bool(), result))
    }

    pub(super) fn compare_numbers(
        &mut self,
        cond: Cond,
        left: &Typed,
        right: &Typed,
    ) -> Result<Value> {
        let is_unsigned =
            |it: &Typed| matches!(*it.ty, TyKind::Int(Int { is_signed: false, bits: 64 }));
        if left.ty.is_integral()
            && right.ty.is_integral()
            && is_unsigned(left) != is_unsigned(right)
        {
            return Ok(self.compare_mixed(cond, left, right, is_unsigned(left)));
        }
        let ty = Ty::arithmetic(left.ty, right.ty)
            .ok_or_else(|| Error::typing(format!("{} and {} do not compare", left.ty, right.ty)))?;
        let a = self.convert(left, ty)?;
        let b = self.convert(right, ty)?;
        if ty.is_complex() {
            return self.compare_complex(cond, &a, &b);
        }
        let op = match *ty {
            TyKind::Int(int) => Opcode::Cmp(cond, int.is_signed),
            _ => Opcode::FCmp(cond),
        };
        Ok(self.builder.emit(op, &[a.word(), b.word()], Prim::Bool))
    }

    fn compare_complex(&mut self, cond: Cond, a: &Typed, b: &Typed) -> Result<Value> {
        if !matches!(cond, Cond::Eq | Cond::Ne) {
            return Err(Error::typing("complex numbers have no order"));
        }
        let real = self.builder.emit(Opcode::FCmp(cond), &[a.words[0], b.words[0]], Prim::Bool);
        let imag = self.builder.emit(Opcode::FCmp(cond), &[a.words[1], b.words[1]], Prim::Bool);
        let op = if cond == Cond::Eq { Opcode::And } else { Opcode::Or };
        Ok(self.builder.emit(op, &[real, imag], Prim::Bool))
    }

    /// A signed and an unsigned number as the numbers that they are: what is negative is less.
    fn compare_mixed(
        &mut self,
        cond: Cond,
        left: &Typed,
        right: &Typed,
        left_is_unsigned: bool,
    ) -> Value {
        let signed = if left_is_unsigned { right.word() } else { left.word() };
        let zero = self.builder.int(0);
        let is_negative =
            self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[signed, zero], Prim::Bool);
        let args = [left.word(), right.word()];
        let unsigned = self.builder.emit(Opcode::Cmp(cond, false), &args, Prim::Bool);
        let (a, b) = if left_is_unsigned { (1, 0) } else { (0, 1) };
        let if_negative = self.builder.bool(cond.holds(&a, &b));
        self.builder.emit(Opcode::Select, &[is_negative, if_negative, unsigned], Prim::Bool)
    }

    /// Whether a value counts as true.
    pub(super) fn truth(&mut self, value: &Typed) -> Result<Value> {
        match &*value.ty {
            TyKind::Bool => Ok(value.word()),
            TyKind::Int(_) | TyKind::Float(_) => Ok(self.convert(value, Ty::bool())?.word()),
            TyKind::Complex(_) => {
                let part = value.ty.real_type().prims()[0];
                let zero = self.builder.constant(0, part);
                let real =
                    self.builder.emit(Opcode::FCmp(Cond::Ne), &[value.words[0], zero], Prim::Bool);
                let imag =
                    self.builder.emit(Opcode::FCmp(Cond::Ne), &[value.words[1], zero], Prim::Bool);
                Ok(self.builder.emit(Opcode::Or, &[real, imag], Prim::Bool))
            }
            TyKind::None => Ok(self.builder.bool(false)),
            TyKind::Text(text) => Ok(self.builder.bool(!text.is_empty())),
            TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items) => {
                Ok(self.builder.bool(!items.is_empty()))
            }
            TyKind::Optional(_) => {
                let Some(inner) = value.inner() else { return Ok(value.word()) };
                let truth = self.truth(&inner)?;
                Ok(self.builder.emit(Opcode::And, &[value.word(), truth], Prim::Bool))
            }
            TyKind::Function(_) | TyKind::Closure(_) | TyKind::Module(_) | TyKind::DType(_) => {
                Ok(self.builder.bool(true))
            }
            TyKind::Array(_) => self.array_truth(value),
            TyKind::Lazy(_) => {
                let made = self.made(value)?;
                self.truth(&made)
            }
            _ => self.user_truth(value),
        }
    }
}

fn strict(cond: Cond) -> Compare {
    match cond {
        Cond::Lt | Cond::Le | Cond::Eq | Cond::Ne => Compare::Lt,
        Cond::Gt | Cond::Ge => Compare::Gt,
    }
}
