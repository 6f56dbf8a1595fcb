//! From the tree of a formula to Rust.

use std::fmt::Display;
use std::ops::Range;

use opwright_diagnostics::diag::Diagnostics;
use opwright_formula::{BinaryOperator, Expr, ExprKind, Name, Path, Prefix};
use opwright_schema::derivatives::Backward;
use opwright_schema::model::Type;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::callables::Callables;
use super::model::{GradientFormula, Place};
use super::numbers::{arithmetic, as_number, numbers, of_number, wider};
use super::pick::pick;
use super::property::{Property, asks, integer};
use super::scope::{Current, Scope, constant};
use super::tree::{Called, Tree};
use super::value::FormulaValue;
use crate::codes;
use crate::ty::Ty;

/// What one formula is translated with.
pub(super) struct Translator<'t, 'a> {
    pub(super) cx: &'t mut Diagnostics,
    pub(super) callables: &'t Callables<'a>,
    pub(super) scope: &'t mut Scope<'a>,
    pub(super) formula: &'t Backward,
}

impl Translator<'_, '_> {
    /// What is printed for the formula; nothing if there is a mistake in it, which is reported.
    pub(super) fn part(&mut self) -> Option<GradientFormula> {
        let params = &self.formula.inputs;
        let mut current = self.scope.current(params);
        let place = match params.as_slice() {
            [only] if self.scope.is_list(*only) => Place::List,
            [_] => Place::One,
            _ => Place::Tuple,
        };
        let (value, tree) = match self.formula.not_implemented {
            true => (None, None),
            false => {
                let (value, tree) = self.value(place, &mut current)?;
                (Some(value), tree)
            }
        };
        let Current { inputs, reads } = current;
        Some(GradientFormula { inputs, reads: reads.into_iter().collect(), value, tree, place })
    }

    /// Where nothing can be made of the formula, there is an error.
    fn value(
        &mut self,
        place: Place,
        current: &mut Current,
    ) -> Option<(TokenStream, Option<Tree>)> {
        let errors = self.cx.error_count();
        let value = self.placed(place, current);
        let range = &self.formula.formula.expr.range;
        let is_told = self.cx.is_wrong_within(&self.formula.formula.place(range.clone()));
        if value.is_none() && self.cx.error_count() == errors && !is_told {
            self.error(range, "nothing can be made of this formula", "write a helper");
        }
        value
    }

    fn placed(
        &mut self,
        place: Place,
        current: &mut Current,
    ) -> Option<(TokenStream, Option<Tree>)> {
        let expr = &self.formula.formula.expr;
        let value = match &self.formula.function {
            Some(function) => self.gradient_function(function, current)?,
            None => self.expr(expr, current)?,
        };
        let gradient = Ty::optional(Ty::TENSOR);
        let (found, tree) = (value.ty.clone(), value.tree.clone());
        let (wanted, converted) = match place {
            // A number would be taken for a tensor without dimensions.
            Place::One if value.ty.is_number() => (gradient, None),
            Place::One => (gradient.clone(), value.convert(&gradient)),
            Place::List if value.ty == Ty::Absent => {
                (gradient, Some(quote!(::std::vec::Vec::new())))
            }
            Place::List if value.ty == Ty::list(Ty::TENSOR) => {
                let owned = value.into_owned();
                let some = quote!(::core::option::Option::Some);
                (gradient, Some(quote!((#owned).into_iter().map(#some).collect())))
            }
            Place::List => {
                let wanted = Ty::list(gradient);
                (wanted.clone(), value.convert(&wanted))
            }
            Place::Tuple => {
                let Ty::Of(one) = gradient else { return None };
                let wanted = Ty::Tuple(vec![one; current.inputs.len()]);
                (wanted.clone(), value.convert(&wanted))
            }
        };
        if converted.is_none() {
            let own = self.formula.function.as_ref();
            if let Some(function) = own.and_then(|it| self.callables.function(it)) {
                let message = format_args!("`{}` returns {found}", function.name);
                self.cx
                    .error(codes::GRADIENT, &function.returns, message)
                    .also(&self.formula.formula.text.span, "named here")
                    .help(format_args!(
                        "the gradient is of type {wanted}: one for each of its inputs"
                    ));
                return None;
            }
            let help = format!("the gradient is of type {wanted}");
            self.error(&expr.range, format_args!("this is of type {found}"), help);
        }
        Some((converted?, tree))
    }

    fn error(&mut self, range: &Range<usize>, message: impl Display, help: impl Display) {
        let place = self.formula.formula.place(range.clone());
        self.cx.error(codes::FORMULA, &place, message).help(help);
    }

    fn expr(&mut self, expr: &Expr, current: &mut Current) -> Option<FormulaValue> {
        match &expr.kind {
            ExprKind::Int(number) => Some(FormulaValue::literal(*number)),
            ExprKind::Float(number) => {
                let tree = Tree::float(*number);
                let number = Literal::f64_suffixed(*number);
                Some(FormulaValue::owned(Ty::FLOAT, quote!(#number)).with(tree))
            }
            ExprKind::Str(text) => {
                Some(FormulaValue::lent(Ty::STR, quote!(#text)).with(Tree::string(text)))
            }
            ExprKind::Name(path) => self.name(path, expr, current),
            ExprKind::Call { function, args, .. } => self.call(expr, function, args, current),
            ExprKind::Method { object, name, args } => self.method(object, name, args, current),
            ExprKind::Index { object, index } => self.index(expr, object, index, current),
            ExprKind::Prefix { prefix, operand } => self.prefix(expr, *prefix, operand, current),
            ExprKind::Binary { operator, left, right } => {
                self.binary(expr, *operator, left, right, current)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, current)
            }
            ExprKind::List(parts) => Some(FormulaValue::braces(self.all(parts, current)?)),
            ExprKind::Keyword { .. } => {
                self.error(&expr.range, "arguments have no names in formulas", "leave it out");
                None
            }
            ExprKind::Lambda { .. } => {
                self.error(&expr.range, "there are no functions in formulas", "write a helper");
                None
            }
        }
    }

    fn all(&mut self, exprs: &[Expr], current: &mut Current) -> Option<Vec<FormulaValue>> {
        let values: Vec<_> = exprs.iter().map(|it| self.expr(it, current)).collect();
        values.into_iter().collect()
    }

    fn name(&mut self, path: &Path, expr: &Expr, current: &mut Current) -> Option<FormulaValue> {
        let found = match path.plain() {
            Some(name) => self.scope.name(&name.text, current).or_else(|| constant(&name.text)),
            None => constant(&path.last().text),
        };
        // A name that the operator does not have has been reported as the file was read.
        let place = self.formula.formula.place(expr.range.clone());
        if found.is_none() && !self.cx.is_wrong_within(&place) {
            let message = format_args!("`{path}` is no value here");
            self.error(&expr.range, message, "formulas use inputs, outputs and their gradients");
        }
        found
    }

    fn call(
        &mut self,
        expr: &Expr,
        function: &Path,
        args: &[Expr],
        current: &mut Current,
    ) -> Option<FormulaValue> {
        let name = function.last().text.as_str();
        if let (Some(asked), [only]) = (asks(expr), args) {
            let property = Property::of_call(name);
            let saved = match &property {
                Some(it) => self.scope.property(asked, it, current),
                None => {
                    Property::of_list(name).and_then(|it| self.scope.of_list(asked, it, current))
                }
            };
            if saved.is_some() {
                return saved;
            }
            let value = self.expr(only, current)?;
            if let (Some(property), true) = (property, value.ty.is_tensor()) {
                return Some(property.asked(&value.argument()).with(property.tree(value.tree)));
            }
        }
        match (name, args) {
            ("tuple" | "Tensor", []) => {
                let tree = Tree::leaf(quote!(Tree::Absent));
                return Some(FormulaValue::lent(Ty::Absent, quote!()).with(tree));
            }
            ("wrap_opt_if", [value, _]) => return self.expr(value, current),
            ("is_enabled", []) => {
                return Some(FormulaValue::owned(Ty::BOOL, quote!(rt::autograd::is_recording())));
            }
            _ => {}
        }
        let values = self.all(args, current)?;
        if let [number] = values.as_slice()
            && let Some(value) = of_number(name, number)
        {
            return Some(value);
        }
        self.function(function.last().range.clone(), name, None, &values)
    }

    fn method(
        &mut self,
        object: &Expr,
        name: &Name,
        args: &[Expr],
        current: &mut Current,
    ) -> Option<FormulaValue> {
        let property = Property::of_method(&name.text, args);
        if let (Some(property), Some(asked)) = (&property, object.name())
            && let Some(saved) = self.scope.property(&asked.text, property, current)
        {
            return Some(saved);
        }
        let value = self.expr(object, current)?;
        if let (Some(property), true) = (property, value.ty.is_tensor()) {
            return Some(property.asked(&value.argument()).with(property.tree(value.tree)));
        }
        let values = self.all(args, current)?;
        if let Some(answer) = question(&value, &name.text, &values) {
            return Some(answer);
        }
        self.function(name.range.clone(), &name.text, Some(&value), &values)
    }

    /// The call of a helper or of an operator.
    fn function(
        &mut self,
        range: Range<usize>,
        name: &str,
        object: Option<&FormulaValue>,
        args: &[FormulaValue],
    ) -> Option<FormulaValue> {
        let plain = name.strip_suffix("_symint").unwrap_or(name);
        let given = || object.into_iter().chain(args).map(|it| it.ty.to_string());
        if let Some(helper) = self.callables.helper(plain) {
            let values: Vec<&FormulaValue> = object.into_iter().chain(args).collect();
            let passed: Option<Vec<_>> = (values.len() == helper.params.len())
                .then(|| {
                    let pairs = values.iter().zip(&helper.params);
                    pairs.map(|(value, ty)| Some(value.pass(ty)?.0)).collect()
                })
                .flatten();
            if let Some(passed) = passed {
                let path = helper.tokens();
                let trees = values.iter().map(|it| it.tree.clone());
                let tree = Tree::call(Some(Called::Helper(helper.clone())), trees);
                let call = quote!(rt::ok(#path(#(#passed),*)));
                return Some(FormulaValue::owned(helper.returns.clone(), call).with(tree));
            }
            let given: Vec<String> = given().collect();
            let message = format!("`{plain}` does not take ({})", given.join(", "));
            self.error(&range, message, format_args!("it is `{}`", helper.shown()));
            return None;
        }
        // Who writes to what nobody else has makes something new as well.
        let functional = plain.trim_end_matches('_');
        let found = pick(self.callables, plain, object, args)
            .or_else(|| pick(self.callables, functional, object, args));
        if found.is_some() {
            return found;
        }
        let overloads = self.callables.overloads(functional);
        let known: Vec<String> =
            overloads.iter().map(|it| format!("`{}`", it.overload.schema)).collect();
        let place = self.formula.formula.place(range);
        if known.is_empty() {
            let message = format!("there is no operator or helper `{plain}`");
            let finding = self.cx.error(codes::UNKNOWN_CALL, &place, message);
            if let Some(function) = self.callables.plain(plain) {
                finding
                    .also(function, "the crate has this function")
                    .help("write `#[gradient_helper]` above it, so that formulas can call it");
            } else {
                let finding = finding.suggest(plain, self.callables.names());
                self.callables.suggest_others(finding);
            }
        } else {
            let given: Vec<String> = given().collect();
            let message = format!("no overload of `{functional}` takes ({})", given.join(", "));
            self.cx
                .error(codes::FORMULA, &place, message)
                .help(format_args!("there are {}", known.join(", ")));
        }
        None
    }

    fn index(
        &mut self,
        expr: &Expr,
        object: &Expr,
        index: &Expr,
        current: &mut Current,
    ) -> Option<FormulaValue> {
        if let (Some(name), Some(at)) = (object.name(), integer(index))
            && let Ok(at) = usize::try_from(at)
        {
            match name.text.as_str() {
                "grads" => return Some(self.scope.gradient_of(at)),
                "grad_input_mask" => {
                    let Some(input) = current.inputs.get(at) else {
                        let count = current.inputs.len();
                        let message = format_args!("there is no `grad_input_mask[{at}]`");
                        let help = format_args!("this formula is for {count} inputs");
                        self.error(&expr.range, message, help);
                        return None;
                    };
                    let tree = self.scope.wanted(*input);
                    return Some(
                        FormulaValue::owned(Ty::BOOL, quote!(__call.wants(#input))).with(tree),
                    );
                }
                _ => {}
            }
        }
        let (object, index) = (self.expr(object, current)?, self.expr(index, current)?);
        let (Some(element), Some((at, _))) = (object.ty.element(), index.pass(&Ty::INT)) else {
            let message = format_args!("{} has no elements", object.ty);
            self.error(&expr.range, message, "index a list by a number");
            return None;
        };
        let list = object.argument();
        Some(FormulaValue::lent(element, quote!(rt::ok(rt::autograd::element(#list, #at)))))
    }

    fn prefix(
        &mut self,
        expr: &Expr,
        prefix: Prefix,
        operand: &Expr,
        current: &mut Current,
    ) -> Option<FormulaValue> {
        if let Some(number) = integer(expr) {
            return Some(FormulaValue::literal(number));
        }
        let value = self.expr(operand, current)?;
        match prefix {
            Prefix::Neg if value.ty.is_number() => {
                let ty = arithmetic(&value.ty, &value.ty);
                let tokens = as_number(&value, &ty);
                let tree = Tree::number("Mul", [Tree::int(-1), value.tree]);
                Some(FormulaValue::owned(ty, quote!((-#tokens))).with(tree))
            }
            Prefix::Neg => self.sign(expr, "__neg__", &[value]),
            Prefix::Not if value.ty == Ty::BOOL => {
                let tokens = value.argument();
                let tree = Tree::number("Not", [value.tree]);
                Some(FormulaValue::owned(Ty::BOOL, quote!((!#tokens))).with(tree))
            }
            Prefix::Not => self.sign(expr, "__invert__", &[value]),
            Prefix::Deref => self.unwrapped(expr, &value),
        }
    }

    /// `*x`, what an optional holds.
    fn unwrapped(&mut self, expr: &Expr, value: &FormulaValue) -> Option<FormulaValue> {
        let Some(inner) = value.ty.inner() else {
            let message = format_args!("{} holds nothing else", value.ty);
            self.error(&expr.range, message, "`*` stands before something optional");
            return None;
        };
        let lent = value.argument();
        let absent = quote!(rt::Error::runtime("a formula uses a value that is absent"));
        let tree = value.tree.clone();
        Some(FormulaValue::lent(inner, quote!((#lent).ok_or_else(|| #absent)?)).with(tree))
    }

    fn binary(
        &mut self,
        expr: &Expr,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
        current: &mut Current,
    ) -> Option<FormulaValue> {
        let (left, right) = (self.expr(left, current)?, self.expr(right, current)?);
        if left.ty.is_number() && right.ty.is_number() {
            let value = numbers(operator, &left, &right);
            if value.is_none() {
                let sign = operator.sign();
                let message =
                    format_args!("`{sign}` does not stand between {} and {}", left.ty, right.ty);
                self.error(&expr.range, message, "write a helper");
            }
            return value;
        }
        let word = match operator {
            BinaryOperator::Add => "__add__",
            BinaryOperator::Sub => "__sub__",
            BinaryOperator::Mul => "__mul__",
            BinaryOperator::Div => "__truediv__",
            BinaryOperator::Rem => "__mod__",
            BinaryOperator::Eq => "__eq__",
            BinaryOperator::Ne => "__ne__",
            BinaryOperator::Lt => "__lt__",
            BinaryOperator::Gt => "__gt__",
            BinaryOperator::Le => "__le__",
            BinaryOperator::Ge => "__ge__",
            BinaryOperator::BitAnd | BinaryOperator::And => "__and__",
            BinaryOperator::BitOr | BinaryOperator::Or => "__or__",
        };
        self.sign(expr, word, &[left, right])
    }

    /// A sign between values of which one is a tensor.
    fn sign(&mut self, expr: &Expr, word: &str, values: &[FormulaValue]) -> Option<FormulaValue> {
        let mut names = self.callables.of_sign(word).iter();
        let found = names.find_map(|it| pick(self.callables, it, None, values));
        if found.is_none() {
            let types: Vec<String> = values.iter().map(|it| it.ty.to_string()).collect();
            let message = format_args!("no operator does this with {}", types.join(" and "));
            let place = self.formula.formula.place(expr.range.clone());
            let finding = self
                .cx
                .error(codes::FORMULA, &place, message)
                .help(format_args!("one would say `operators: [{word}]`"));
            self.callables.suggest_others(finding);
        }
        found
    }

    fn conditional(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        current: &mut Current,
    ) -> Option<FormulaValue> {
        let asked = self.expr(condition, current)?;
        let (first, second) = (self.expr(then, current)?, self.expr(otherwise, current)?);
        if asked.ty != Ty::BOOL {
            let message = format_args!("this is of type {}", asked.ty);
            self.error(&condition.range, message, "a condition is a `bool`");
            return None;
        }
        let Some(ty) = common(&first.ty, &second.ty) else {
            let message = format_args!("one is of type {}, the other of {}", first.ty, second.ty);
            self.error(&otherwise.range, message, "let both be of one type");
            return None;
        };
        let types = [first.ty.to_string(), second.ty.to_string()];
        let trees = [&asked, &first, &second].map(|it| it.tree.clone());
        let tree = trees.into_iter().collect::<Option<Vec<_>>>().map(Tree::If);
        let (Some(first), Some(second)) = (first.convert(&ty), second.convert(&ty)) else {
            let message = format_args!("one is of type {}, the other of {}", types[0], types[1]);
            self.error(&otherwise.range, message, "let both be of one type");
            return None;
        };
        let asked = asked.argument();
        Some(FormulaValue::owned(ty, quote!(if #asked { #first } else { #second })).with(tree))
    }
}

/// The type of what is one or the other.
fn common(first: &Ty, second: &Ty) -> Option<Ty> {
    let gradient = Ty::optional(Ty::TENSOR);
    if first == second {
        return Some(first.clone());
    }
    match (first, second) {
        (Ty::Absent | Ty::Nothing, other) | (other, Ty::Absent | Ty::Nothing) => match other {
            Ty::Tuple(parts) => {
                let Ty::Of(one) = gradient else { return None };
                Some(Ty::Tuple(vec![one; parts.len()]))
            }
            Ty::Of(Type::Optional(_)) => Some(other.clone()),
            other => Some(Ty::optional(other.clone())),
        },
        (Ty::Tuple(_), Ty::Tuple(parts)) => {
            let Ty::Of(one) = gradient else { return None };
            Some(Ty::Tuple(vec![one; parts.len()]))
        }
        (Ty::Braces, other) | (other, Ty::Braces) => Some(other.clone()),
        (one, other) if one.is_tensor() && *other == gradient => Some(gradient),
        (one, other) if other.is_tensor() && *one == gradient => Some(gradient),
        (one, other) if one.is_tensor() && other.is_number() => Some(Ty::TENSOR),
        (one, other) if one.is_number() && other.is_tensor() => Some(Ty::TENSOR),
        (one, other) if one.is_number() && other.is_number() => Some(wider(one, other)),
        _ => None,
    }
}

/// A question about a value other than a tensor, or about whether it is there.
fn question(value: &FormulaValue, name: &str, args: &[FormulaValue]) -> Option<FormulaValue> {
    let lent = value.argument();
    let is = |tokens| Some(FormulaValue::owned(Ty::BOOL, tokens));
    let tree = || value.tree.clone();
    let of = |sign| Tree::number(sign, [value.tree.clone()]);
    match (name, args) {
        ("defined" | "has_value", []) if value.ty.inner().is_some() => is(quote!(#lent.is_some())),
        ("defined" | "has_value", []) => is(quote!(true)),
        ("value", []) => {
            let inner = value.ty.inner()?;
            let absent = quote!(rt::Error::runtime("a formula uses a value that is absent"));
            let value =
                FormulaValue::lent(inner, quote!((#lent).ok_or_else(|| #absent)?)).with(tree());
            Some(value)
        }
        ("value_or", [other]) => {
            let inner = value.ty.inner()?;
            let (other, _) = other.pass(&inner)?;
            Some(FormulaValue::lent(inner, quote!((#lent).unwrap_or(#other))))
        }
        ("is_complex", []) if value.ty.is_tensor() => {
            let tree = Tree::asked(quote!(IsComplex), tree());
            Some(is(quote!(#lent.dtype().is_complex_number()))?.with(tree))
        }
        ("requires_grad", []) if value.ty.is_tensor() => is(quote!(#lent.requires_grad())),
        ("isComplex", []) if value.ty == Ty::SCALAR => {
            Some(is(quote!(#lent.is_complex_number()))?.with(of("IsComplex")))
        }
        ("equal", [other]) if value.ty == Ty::SCALAR && other.ty.is_number() => {
            numbers(BinaryOperator::Eq, value, other)
        }
        ("toDouble" | "toFloat", []) if value.ty.is_number() => {
            Some(FormulaValue::owned(Ty::FLOAT, as_number(value, &Ty::FLOAT)).with(tree()))
        }
        ("toComplexDouble" | "guard_int", []) => Some(value.clone()),
        ("conj", []) if value.ty == Ty::SCALAR => {
            Some(FormulaValue::owned(Ty::SCALAR, quote!(#lent.conj())).with(of("Conj")))
        }
        ("size", []) if value.ty.element().is_some() => {
            Some(FormulaValue::owned(Ty::INT, quote!((#lent.len() as i64))))
        }
        ("empty", []) if value.ty.element().is_some() => is(quote!(#lent.is_empty())),
        ("back", []) => {
            let element = value.ty.element()?;
            Some(FormulaValue::lent(
                element,
                quote!(rt::ok(rt::autograd::element(#lent, #lent.len() as i64 - 1))),
            ))
        }
        _ => None,
    }
}
