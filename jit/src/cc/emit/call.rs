//! Calls, and all that fails: checks, exceptions, questions whether to stop.

use super::addresses::Callback;
use super::function::FunctionPrinter;
use super::words::params;
use crate::callbacks;
use crate::entry::MAX_DEPTH;
use crate::ir::{ExternalCallee, ExternalFn, Inst, RuntimeCall, SiteId, Value};
use crate::native::NativeEntry;
use crate::types::Prim;

impl FunctionPrinter<'_> {
    /// Fails unless the first operand is true; the others are what the message shows.
    pub(super) fn check(&mut self, site: SiteId, inst: &Inst) {
        // All tests of a loop that was inspected hold.
        if self.counted.as_ref().is_some_and(|it| it.inspection.is_some()) {
            return;
        }
        let truth = self.truth(inst.args[0]);
        self.line(format_args!("if (!LIKELY({truth})) {{"));
        self.raise(site, &inst.args[1..]);
        self.line("}");
    }

    /// The index counted from the start, or a failure. An extent is not negative, so that one
    /// comparison without signs serves for both ends; indices from the end are the rare case.
    pub(super) fn check_index(&mut self, site: SiteId, inst: &Inst) {
        let [index, extent] = [0, 1].map(|at| self.as_type(inst.args[at], Prim::Int));
        if self.counted.as_ref().is_some_and(|it| it.checked.contains(&inst.results[0])) {
            return self.define(inst, &index, Prim::Int);
        }
        self.line(format_args!("if (!LIKELY((u64){index} < (u64){extent})) {{"));
        self.line(format_args!(
            "if ({index} >= 0 || (u64)({index} + {extent}) >= (u64){extent}) {{"
        ));
        self.raise(site, &inst.args);
        self.line("}");
        self.define(inst, &format!("({index} + {extent})"), Prim::Int);
        self.line("} else {");
        self.define(inst, &index, Prim::Int);
        self.line("}");
    }

    /// Notes that a site failed, with the words of its message, and returns so.
    pub(super) fn raise(&mut self, site: SiteId, shown: &[Value]) {
        let words = self.words(shown);
        let (row, place, count) = (Callback::Fail as u32, self.place(site), shown.len());
        self.line(format_args!(
            "{{ u64 w[] = {{ {words} }}; ((fail_fn *)t[{row}])(frame, {place}, w, {count}); }}"
        ));
        self.fail();
    }

    fn fail(&mut self) {
        self.fails = true;
        self.line("goto failed;");
    }

    fn place(&self, site: SiteId) -> String {
        // Programs have fewer functions than there are numbers for.
        let function = u32::try_from(self.number).unwrap_or(u32::MAX);
        format!("{:#x}", callbacks::place(function, site))
    }

    /// Calls what notes a place in the frame, and returns that something failed.
    fn fail_at(&mut self, note: Callback, site: SiteId) {
        self.line(format_args!("((note_fn *)t[{}])(frame, {});", note as u32, self.place(site)));
        self.fail();
    }

    /// Values as the items of an array of words, which is not empty.
    fn words(&mut self, values: &[Value]) -> String {
        let words: Vec<String> = values.iter().map(|it| self.as_type(*it, Prim::Int)).collect();
        if words.is_empty() { "0".to_owned() } else { words.join(", ") }
    }

    /// Asks whether to stop if so many back edges are left and that is none.
    pub(super) fn ask_if_due(&mut self, left: &str, site: SiteId) {
        let (row, place) = (Callback::Poll as u32, self.place(site));
        self.line(format_args!("if (!LIKELY({left})) {{"));
        self.line(format_args!("((note_fn *)t[{row}])(frame, {place});"));
        self.line("if (!(budget = frame->budget)) {");
        self.fail();
        self.line("}");
        self.line("}");
    }

    /// Counts references to an owner; arguments and constants are not counted.
    pub(super) fn owner(&mut self, count: Callback, inst: &Inst) {
        let owner = self.as_type(inst.args[0], Prim::Int);
        let row = count as u32;
        self.line(format_args!("if (({owner} & 3) == 2) ((owner_fn *)t[{row}])(frame, {owner});"));
    }

    /// A call, which may fail.
    pub(super) fn call(&mut self, call: RuntimeCall, site: SiteId, inst: &Inst) {
        match call {
            RuntimeCall::Function(id) => self.call_function(id.0 as usize, site, inst),
            RuntimeCall::External(at) => self.call_external(at as usize, site, inst),
        }
    }

    fn call_function(&mut self, callee: usize, site: SiteId, inst: &Inst) {
        if self.graph.is_deep[self.number] {
            self.check_depth(site);
        }
        let function = &self.program.functions[callee];
        let args: String = inst
            .args
            .iter()
            .zip(params(function))
            .map(|(arg, prim)| format!(", {}", self.as_type(*arg, prim)))
            .collect();
        let polls = self.graph.polls[callee];
        if polls {
            self.store_budget();
        }
        self.line("{");
        self.line(format_args!("result{callee} it = f{callee}(frame, t, depth + 1{args});"));
        if polls {
            self.load_budget();
        }
        self.line("if (!LIKELY(!it.failed)) {");
        self.fail_at(Callback::Trace, site);
        self.line("}");
        for (at, (result, prim)) in inst.results.iter().zip(function.result.prims()).enumerate() {
            self.define_value(*result, &format!("it.r{at}"), prim);
        }
        self.line("}");
    }

    /// Fails if one call more would nest too deeply, by number or by what is left of the stack.
    fn check_depth(&mut self, site: SiteId) {
        self.line(format_args!(
            "if (!LIKELY((__UINTPTR_TYPE__)__builtin_frame_address(0) > frame->stack_limit && \
             depth < {MAX_DEPTH})) {{"
        ));
        self.fail_at(Callback::FailDepth, site);
        self.line("}");
    }

    fn call_external(&mut self, at: usize, site: SiteId, inst: &Inst) {
        self.line("{");
        self.line(format_args!("u64 out[{}];", inst.results.len().max(1)));
        match self.program.externals[at].callee {
            ExternalCallee::Own(function) => self.call_own(function, site, inst),
            ExternalCallee::Native(entry) => self.call_native(entry, site, inst),
        }
        for (at, result) in inst.results.iter().enumerate() {
            self.define_value(*result, &format!("((i64)out[{at}])"), Prim::Int);
        }
        self.line("}");
    }

    fn call_own(&mut self, function: ExternalFn, site: SiteId, inst: &Inst) {
        let words = self.words(&inst.args);
        let function = function as *const ();
        let function = self.address(function.expose_provenance() as u64, "external_fn");
        self.store_budget();
        self.line(format_args!("u64 in[] = {{ {words} }};"));
        self.line(format_args!("u32 failed = {function}(frame, in, out);"));
        self.load_budget();
        self.line("if (!LIKELY(!failed)) {");
        self.fail_at(Callback::Trace, site);
        self.line("}");
    }

    /// A call of a function of another library: with its arguments in registers, if it can be entered so.
    fn call_native(&mut self, entry: NativeEntry, site: SiteId, inst: &Inst) {
        let (words, direct) = entry.addresses();
        let (function, passed) = match direct {
            Some(address) => {
                let prims = inst.args.iter().map(|it| register(self.function.prim(*it)));
                let prims: Vec<Prim> = prims.collect();
                let types: String =
                    prims.iter().map(|it| format!("{}, ", register_type(*it))).collect();
                let ty = format!("__typeof__(u32 ({types}u64 *, native_failure *))");
                let pairs = inst.args.iter().zip(&prims);
                let passed: String =
                    pairs.map(|(arg, prim)| self.as_type(*arg, *prim) + ", ").collect();
                (self.address(address as u64, &ty), passed)
            }
            None => {
                let given = self.words(&inst.args);
                self.line(format_args!("u64 in[] = {{ {given} }};"));
                (self.address(words as u64, "native_fn"), "in, ".to_owned())
            }
        };
        self.line("native_failure why;");
        self.line(format_args!("if (!LIKELY(!{function}({passed}out, &why))) {{"));
        let (row, place) = (Callback::FailNative as u32, self.place(site));
        self.line(format_args!("((fail_native_fn *)t[{row}])(frame, {place}, &why);"));
        self.fail();
        self.line("}");
    }
}

/// What a value is passed in: floats as they are, all others as words.
fn register(prim: Prim) -> Prim {
    match prim {
        Prim::F32 | Prim::F64 => prim,
        Prim::Bool | Prim::Int | Prim::Owner | Prim::Ptr => Prim::Int,
    }
}

fn register_type(prim: Prim) -> &'static str {
    match prim {
        Prim::F32 => "float",
        Prim::F64 => "double",
        Prim::Bool | Prim::Int | Prim::Owner | Prim::Ptr => "u64",
    }
}
