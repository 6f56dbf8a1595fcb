//! Nodes beside the blocks of a back end: each tells what happens to it as a block of its own does.

use super::Function;
use crate::model::variable::Variable;
use crate::run::frame::Frame;
use crate::run::host::{Event, Host};
use crate::run::plan::names;
use crate::run::stopped::Stopped;

impl Function {
    /// Runs a node, and tells of its variables in its own order.
    pub(super) fn beside<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
        at: usize,
    ) -> Result<(), Box<Stopped>> {
        let node = &self.plan.steps[at].node;
        let mut entered: Vec<Variable> = Vec::new();
        for input in node.inputs().iter().filter(|it| it.as_constant().is_none()) {
            if !entered.contains(input) {
                entered.push(input.clone());
            }
        }
        let given = entered.len();
        entered.extend(node.results());
        let names = names(&entered);
        let mut count = 0;
        let done = self.told(host, frame, at, (&names, given), &mut count);
        let mut left = Ok(());
        for name in names[..count].iter().rev() {
            left = left.and(host.event(Event::Cleanup, name));
        }
        done?;
        Ok(left?)
    }

    /// Counts what was entered: the names of what is given, then those of the results.
    fn told<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
        at: usize,
        (names, given): (&[String], usize),
        count: &mut usize,
    ) -> Result<(), Box<Stopped>> {
        for name in names {
            *count += 1;
            let event = if *count > given { Event::Init } else { Event::Extract };
            host.event(event, name)?;
        }
        let step = &self.plan.steps[at];
        host.event(Event::Code, &step.name)?;
        if step.is_held() || step.work(frame) < host.threshold() {
            self.step(frame, at)?;
        } else {
            let mut done = Ok(());
            host.released(&mut || done = self.step(frame, at));
            done?;
        }
        for name in &names[given..] {
            host.event(Event::Sync, name)?;
        }
        Ok(())
    }
}
