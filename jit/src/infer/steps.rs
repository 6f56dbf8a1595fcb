//! Lowerings: the tape that a user's function noted, with its branches, loops and variables.
//!
//! Values are numbered by the steps that make them, after the arguments. A branch or loop reaches
//! from its step to the `end` that belongs to it; what is made within is not there after it, but for
//! variables, which have one type for good and become parameters of the blocks where ways meet.

use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::host::LoweringStep;
use crate::ir::{Block, Cond, Opcode, Terminator, Trap, Value, ValueList};
use crate::types::{Obj, Prim, Ty};

/// A lowering that is written.
struct Tape<'s> {
    steps: &'s [LoweringStep],
    /// How many values come before those of the steps.
    args: usize,
    /// The values by number, as long as they are there.
    values: Vec<Option<Typed>>,
    /// The variables, and the numbers of the steps that made them.
    variables: Vec<(usize, Typed)>,
}

impl Infer<'_> {
    /// Runs the steps of a lowering over arguments; its result is of a type.
    pub(super) fn lowered(&mut self, lowering: Obj, args: Vec<Typed>, result: Ty) -> Result<Typed> {
        let noted = self.host.steps(lowering)?;
        let mut tape = Tape {
            steps: &noted.steps,
            args: args.len(),
            values: args.into_iter().map(Some).collect(),
            variables: Vec::new(),
        };
        tape.values.resize(tape.args + noted.steps.len(), None);
        self.run_steps(&mut tape, 0, noted.steps.len())?;
        let found = tape.value(noted.result)?;
        let result = self.as_result(&found, result)?;
        self.hold_for_statement(&result);
        tape.variables.iter().for_each(|(_, it)| self.drop_value(it));
        Ok(result)
    }

    fn run_steps(&mut self, tape: &mut Tape<'_>, from: usize, to: usize) -> Result<()> {
        let mut at = from;
        while at < to {
            let step = &tape.steps[at];
            let operands: Result<Vec<Typed>> =
                step.args.iter().map(|it| tape.operand(*it)).collect();
            let operands = operands?;
            match &*step.name {
                "if" => {
                    let end = tape.end_of(at);
                    self.run_branch(tape, &operands[0], at + 1, end)?;
                    at = end;
                }
                "for" => {
                    let end = tape.end_of(at);
                    self.run_loop(tape, &operands[0], at, end)?;
                    at = end;
                }
                "variable" => {
                    self.retain(&operands[0]);
                    tape.variables.push((tape.args + at, operands[0].clone()));
                }
                "get" => {
                    let value = tape.variable(step)?.clone();
                    self.hold_for_statement(&value);
                    tape.values[tape.args + at] = Some(value);
                }
                "set" => {
                    let before = tape.variable(step)?.clone();
                    let value = self.cast(&operands[1], before.ty)?;
                    self.retain(&value);
                    self.drop_value(&before);
                    *tape.variable(step)? = value;
                }
                _ => tape.values[tape.args + at] = Some(self.step(step, &operands)?),
            }
            at += 1;
        }
        Ok(())
    }

    /// Runs steps if a value is true.
    fn run_branch(
        &mut self,
        tape: &mut Tape<'_>,
        test: &Typed,
        from: usize,
        to: usize,
    ) -> Result<()> {
        let truth = self.truth(test)?;
        let before = tape.words();
        let (inside, outside) = self.split(truth);
        let (after, params) = self.builder.add_block(tape.prims());
        self.builder.enter(outside);
        self.builder.end(Terminator::Jump((after, before)));
        self.builder.enter(inside);
        self.run_part(tape, from, to)?;
        self.builder.end(Terminator::Jump((after, tape.words())));
        self.builder.enter(after);
        tape.close(from, to, &params);
        Ok(())
    }

    /// Runs steps as often as a number says; the step of the loop itself is the number of the turn.
    fn run_loop(
        &mut self,
        tape: &mut Tape<'_>,
        count: &Typed,
        step: usize,
        to: usize,
    ) -> Result<()> {
        let count = self.convert(count, Ty::int64())?.word();
        let zero = self.builder.int(0);
        let prims = std::iter::once(Prim::Int).chain(tape.prims());
        let (head, params) = self.builder.add_block(prims);
        self.jump_with(head, zero, tape);
        self.builder.enter(head);
        let turn = params[0];
        tape.take(&params[1..]);
        let goes_on = self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[turn, count], Prim::Bool);
        let (inside, outside) = self.split(goes_on);
        self.builder.enter(inside);
        tape.values[tape.args + step] = Some(Typed::one(Ty::int64(), turn));
        self.run_part(tape, step + 1, to)?;
        let one = self.builder.int(1);
        let next = self.builder.emit(Opcode::Add, &[turn, one], Prim::Int);
        let site = self.builder.site(Trap::Call);
        self.builder.push(Opcode::Poll(site), &[], []);
        self.jump_with(head, next, tape);
        self.builder.enter(outside);
        tape.close(step, to, &params[1..]);
        Ok(())
    }

    /// Runs the steps of a branch or loop, whose variables end with it.
    fn run_part(&mut self, tape: &mut Tape<'_>, from: usize, to: usize) -> Result<()> {
        self.statement(|infer| infer.run_steps(tape, from, to))?;
        let first = tape.args + from;
        let inner = tape.variables.iter().position(|(made, _)| *made >= first);
        for (_, value) in tape.variables.drain(inner.unwrap_or(tape.variables.len())..) {
            self.drop_value(&value);
        }
        Ok(())
    }

    fn jump_with(&mut self, head: Block, turn: Value, tape: &Tape<'_>) {
        let words: ValueList = std::iter::once(turn).chain(tape.words()).collect();
        self.builder.end(Terminator::Jump((head, words)));
    }
}

impl Tape<'_> {
    fn value(&self, number: usize) -> Result<Typed> {
        let found = self.values.get(number).cloned().flatten();
        found.ok_or_else(|| {
            Error::typing(
                "a lowering uses a value that is not there: one that is made in if_then, if_else or \
                 for_range ends with it; set a builder.variable(...) there",
            )
        })
    }

    /// The value of an operand; a variable has none of its own.
    fn operand(&self, number: usize) -> Result<Typed> {
        match self.variables.iter().find(|(it, _)| *it == number) {
            Some((_, value)) => Ok(value.clone()),
            None => self.value(number),
        }
    }

    fn variable(&mut self, step: &LoweringStep) -> Result<&mut Typed> {
        let number = step.args.first().copied();
        let found = self.variables.iter_mut().find(|(it, _)| Some(*it) == number);
        found.map(|(_, value)| value).ok_or_else(|| {
            Error::typing("a variable is used outside of the branch or loop that it was made in")
        })
    }

    /// The step that ends the branch or loop of a step.
    fn end_of(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for (at, step) in self.steps.iter().enumerate().skip(start) {
            match &*step.name {
                "if" | "for" => depth += 1,
                "end" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.steps.len()
    }

    fn prims(&self) -> Vec<Prim> {
        self.variables.iter().flat_map(|(_, it)| it.ty.prims()).collect()
    }

    fn words(&self) -> ValueList {
        self.variables.iter().flat_map(|(_, it)| it.words.iter().copied()).collect()
    }

    /// Has the variables be these words.
    fn take(&mut self, words: &[Value]) {
        let mut rest = words;
        for (_, value) in &mut self.variables {
            let (own, after) = rest.split_at(value.words.len());
            value.words = own.into();
            rest = after;
        }
    }

    /// Ends a branch or loop, after which variables are these words.
    fn close(&mut self, from: usize, to: usize, words: &[Value]) {
        for at in from..to {
            self.values[self.args + at] = None;
        }
        self.take(words);
    }
}
