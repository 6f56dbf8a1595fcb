//! Kernels: the Rust function behind each overload and dispatch key.
//!
//! An entry's `dispatch` names kernels; the annotated functions of the crate
//! are looked up by the overload that their attribute names and by their own
//! name. What a structured group derives from its one kernel is decided here
//! and printed by `print::rust::structured`.

mod mistakes;

use std::collections::BTreeMap;

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{Dispatch, DispatchKey, Kind, OpName, OpSet, Overload, Structured};
use opwright_schema::names;

use crate::agreement;
use crate::attribute::{FunctionRole, Subject};
use crate::codes;
use crate::dtypes::Dtype;
use crate::fn_path::FnPath;
use crate::form::syntax;
use crate::loops::Loop;
use crate::scan::{AnnotatedFunction, Scanned};

/// The kernels of one overload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernels {
    /// By the key that they are written for, of those that opwright has.
    pub by_key: BTreeMap<DispatchKey, Kernel>,
    /// The rule of a structured out overload.
    pub rule: Option<Rule>,
    /// What arguments are checked for beside a rule of the runtime.
    pub check: Option<FnPath>,
    /// Kernels for tensors in memory that are asked if that of `CPU` has nothing for
    /// their dtype.
    pub further: Vec<FnPath>,
    /// The dtypes that kernels for tensors in memory say they are for.
    pub dtypes: Vec<Dtype>,
    /// Their loops, in the order in which they are asked, if all of them have one.
    pub loops: Vec<Loop>,
    /// The kernel for tensors in memory, if it also reduces elements that are made meanwhile.
    pub reduction: Option<FnPath>,
}

/// Where a kernel comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// It is this annotated function.
    Function(FnPath),
    /// It follows from the rule of a structured out overload, and for tensors
    /// in memory from that overload's kernel; or it copies the results of a
    /// functional one; or it is a call of the operator that this one is an alias of.
    Derived {
        /// The other overload's index.
        from: usize,
    },
}

/// The rule of a structured group: from arguments to shapes and dtypes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A rule of the runtime, which looks at the tensor parameters.
    Named(String),
    /// An annotated function.
    Function(FnPath),
}

impl Kernels {
    /// Takes a function in; returns the kernel that had its key.
    fn insert(&mut self, key: &DispatchKey, function: &FnPath) -> Option<Kernel> {
        match key {
            DispatchKey::Other(_) => None,
            key => self.by_key.insert(key.clone(), Kernel::Function(function.clone())),
        }
    }

    /// Adds kernels that follow from other overloads, where there are none.
    fn derive(&mut self, derived: impl IntoIterator<Item = (DispatchKey, usize)>) {
        for (key, from) in derived {
            self.by_key.entry(key).or_insert(Kernel::Derived { from });
        }
    }

    /// The function for tensors in memory, if it is one.
    pub fn cpu(&self) -> Option<&FnPath> {
        match self.by_key.get(&DispatchKey::Cpu) {
            Some(Kernel::Function(path)) => Some(path),
            Some(Kernel::Derived { .. }) | None => None,
        }
    }

    fn none(&self) -> bool {
        *self == Kernels::default()
    }
}

/// Whether an overload is nothing but the calls that its kernel makes, which layers see in its place.
/// One in place that shows what another one returns is not: what is known of the tensor stays. Nor
/// is one that changes copies or copies a view, which know nothing of the tensors that they were made
/// from. One that writes to nothing and has formulas of its own is what these say.
pub fn is_transparent(ops: &OpSet, kernels: &[Kernels], idx: usize) -> bool {
    let overload = &ops.overloads[idx];
    let hides = overload.forward.as_ref().is_some_and(|it| {
        let target = &ops.overloads[it.target];
        let shows = overload.schema.kind() == Kind::Inplace;
        let has_formulas = || ops.derivatives.iter().any(|it| it.operator == idx);
        shows && target.schema.kind() == Kind::Functional
            || changes_copies(overload, target)
            || copies_view(overload, target)
            || overload.schema.kind() == Kind::Functional && has_formulas()
    });
    let is_composite = kernels[idx].by_key.contains_key(&DispatchKey::CompositeImplicit);
    !hides && (is_composite || overload.forward.is_some())
}

/// Finds the kernels of every overload; what is missing, superfluous or
/// ambiguous is reported. Kernels of `broken` entries, which have been
/// reported themselves, are not.
pub fn find(
    cx: &mut Diagnostics,
    ops: &OpSet,
    broken: &[OpName],
    scanned: &Scanned,
) -> Vec<Kernels> {
    let mut found = Assignment::new(ops);
    let excused = |it: &Overload| {
        let is_broken = broken.contains(&it.schema.name);
        is_broken || scanned.may_have(&it.schema.name.to_string())
    };
    found.excused = ops.overloads.iter().map(excused).collect();
    found.sort_functions(cx, broken, &scanned.functions);
    for idx in 0..ops.overloads.len() {
        found.types(cx, idx);
        found.dispatched(cx, idx);
        found.added(cx, idx);
        found.further(cx, idx);
        found.rule(cx, idx);
    }
    for idx in 0..ops.overloads.len() {
        found.shared_rule(idx);
    }
    for idx in 0..ops.overloads.len() {
        found.derived(cx, idx);
        found.agreement(cx, idx);
        found.leftover(cx, idx);
    }
    found.kernels
}

/// The kernels that the entries themselves name, taken to stand in
/// `crate::kernels`: for printing a file without the crate that has them.
pub fn assumed(ops: &OpSet) -> Vec<Kernels> {
    let mut found = Assignment::new(ops);
    for (idx, overload) in ops.overloads.iter().enumerate() {
        for dispatch in kernels_of(overload) {
            let name = names::ident(last_segment(&dispatch.kernel.value));
            let path = FnPath(vec!["kernels".to_owned(), name]);
            found.kernels[idx].insert(&dispatch.key.value, &path);
        }
        found.kernels[idx].rule = assumed_rule(overload);
    }
    let mut silent = Diagnostics::default();
    for idx in 0..ops.overloads.len() {
        found.derived(&mut silent, idx);
    }
    // Without the crate's functions, everything would be missing.
    drop(silent.finish());
    found.kernels
}

fn assumed_rule(overload: &Overload) -> Option<Rule> {
    match &overload.structured {
        Structured::Rule(name) => Some(Rule::Named(name.value.clone())),
        Structured::Function(_) => {
            let name = format!("{}_rule", overload.schema.name).replace('.', "_");
            Some(Rule::Function(FnPath(vec!["kernels".to_owned(), name])))
        }
        Structured::As(other) => {
            let name = format!("{}_rule", other.value).replace('.', "_");
            Some(Rule::Function(FnPath(vec!["kernels".to_owned(), name])))
        }
        Structured::No | Structured::Delegate(_) | Structured::Copy(_) => None,
    }
}

struct Assignment<'a> {
    ops: &'a OpSet,
    kernels: Vec<Kernels>,
    /// Annotated functions by overload.
    functions: Vec<Vec<Candidate<'a>>>,
    by_name: BTreeMap<String, usize>,
    /// Overloads whose missing kernel has a reason that has been reported.
    excused: Vec<bool>,
}

/// An annotated function, and whether something has asked for it.
struct Candidate<'a> {
    function: &'a AnnotatedFunction,
    used: bool,
}

impl<'a> Assignment<'a> {
    fn new(ops: &'a OpSet) -> Self {
        let count = ops.overloads.len();
        let names = ops.overloads.iter().map(|it| it.schema.name.to_string());
        Assignment {
            ops,
            kernels: vec![Kernels::default(); count],
            functions: (0..count).map(|_| Vec::new()).collect(),
            by_name: names.enumerate().map(|(idx, name)| (name, idx)).collect(),
            excused: vec![false; count],
        }
    }

    fn sort_functions(
        &mut self,
        cx: &mut Diagnostics,
        broken: &[OpName],
        functions: &'a [AnnotatedFunction],
    ) {
        let broken: Vec<String> = broken.iter().map(OpName::to_string).collect();
        for function in functions {
            let overload = match &function.attribute.subject {
                Subject::Entry { name, .. } => self.by_name.get(name).copied(),
                Subject::Inline { .. } | Subject::Signature(_) => self.described_by(function),
            };
            match overload {
                Some(idx) => self.functions[idx].push(Candidate { function, used: false }),
                None => self.unknown_operator(cx, &broken, function),
            }
        }
    }

    /// The overload of a function that carries its schema: of the variants that
    /// follow from it, the one that it is the kernel of.
    fn described_by(&self, function: &AnnotatedFunction) -> Option<usize> {
        let schema = function.schema.as_ref()?;
        self.ops.overloads.iter().position(|it| {
            let fills = it.schema.kind() == Kind::Out;
            it.span == schema.span && (fills || !function.form.fills())
        })
    }

    fn unknown_operator(
        &self,
        cx: &mut Diagnostics,
        broken: &[String],
        function: &AnnotatedFunction,
    ) {
        // An inline schema that is not in the set has been reported with the set.
        let Subject::Entry { name, words } = &function.attribute.subject else { return };
        if broken.contains(name) {
            return;
        }
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let mut span = function.place(first.span());
        span.range.end = function.place(last.span()).range.end;
        cx.error(codes::UNKNOWN_OPERATOR, &span, format_args!("there is no operator `{name}`"))
            .suggest(name, self.by_name.keys().map(String::as_str));
    }

    /// Before everything else: no kernel can take or return what the runtime
    /// has no type for.
    fn types(&self, cx: &mut Diagnostics, idx: usize) {
        let overload = &self.ops.overloads[idx];
        let params = overload.schema.params.iter().map(|it| &it.ty);
        let returns = overload.schema.returns.iter().map(|it| &it.ty);
        for ty in params.chain(returns).filter(|it| !it.value.base().has_values()) {
            let message = format_args!("there are no values of type `{}` here", ty.value);
            cx.error(codes::NO_SUCH_VALUE, &ty.span, message)
                .help("remove the parameter, or give it another type");
        }
    }

    /// Step 1: what the entry's `dispatch` names.
    fn dispatched(&mut self, cx: &mut Diagnostics, idx: usize) {
        let overload = &self.ops.overloads[idx];
        for dispatch in kernels_of(overload) {
            let name = last_segment(&dispatch.kernel.value);
            let wanted = self.functions[idx]
                .iter_mut()
                .find(|it| it.function.name() == name && it.function.attribute.part.is_kernel());
            let Some(candidate) = wanted else {
                if !self.excused[idx] {
                    mistakes::missing_function(cx, overload, name, &dispatch.kernel.span);
                }
                continue;
            };
            candidate.used = true;
            let path = FnPath(candidate.function.path.clone());
            mistakes::cuts(cx, &dispatch.key.value, candidate.function);
            self.kernels[idx].insert(&dispatch.key.value, &path);
        }
    }

    /// Step 2: functions that say themselves what they are for.
    fn added(&mut self, cx: &mut Diagnostics, idx: usize) {
        let overload = &self.ops.overloads[idx];
        let composite = is_composite_by_default(overload);
        for candidate in &mut self.functions[idx] {
            let function = candidate.function;
            let keys = match &function.attribute.part {
                FunctionRole::KernelFor(keys) if !candidate.used => keys.clone(),
                FunctionRole::Kernel if composite => vec![DispatchKey::CompositeImplicit],
                FunctionRole::Kernel
                | FunctionRole::KernelFor(_)
                | FunctionRole::Rule
                | FunctionRole::Check => continue,
            };
            candidate.used = true;
            for key in keys {
                let path = FnPath(function.path.clone());
                mistakes::cuts(cx, &key, function);
                let earlier = self.kernels[idx].insert(&key, &path);
                if let Some(Kernel::Function(earlier)) = earlier {
                    mistakes::two_kernels(cx, overload, function, &earlier);
                }
            }
        }
    }

    /// Step 3: further kernels for tensors in memory, told apart by their dtypes.
    fn further(&mut self, cx: &mut Diagnostics, idx: usize) {
        let overload = &self.ops.overloads[idx];
        let kernels = &mut self.kernels[idx];
        let Some(first) = kernels.cpu().cloned() else { return };
        let path = |it: &Candidate<'_>| FnPath(it.function.path.clone());
        let is_first = |it: &&Candidate<'_>| path(it) == first;
        let Some(first) = self.functions[idx].iter().find(is_first).map(|it| it.function) else {
            return;
        };
        kernels.loops.extend(Loop::of(first));
        let fills = overload.schema.kind() == Kind::Out && first.form.is_plain();
        let reduces = fills && syntax::takes_source(&first.signature);
        kernels.reduction = reduces.then(|| FnPath(first.path.clone()));
        let Some(dtypes) = first.form.dtypes() else { return };
        kernels.dtypes.extend(&dtypes.all);
        for candidate in self.functions[idx].iter_mut().filter(|it| !it.used) {
            let (FunctionRole::Kernel, Some(dtypes)) =
                (&candidate.function.attribute.part, candidate.function.form.dtypes())
            else {
                continue;
            };
            candidate.used = true;
            match dtypes.all.iter().find(|it| kernels.dtypes.contains(it)) {
                Some(dtype) => mistakes::two_of_a_dtype(cx, overload, candidate.function, *dtype),
                None => kernels.further.push(path(candidate)),
            }
            kernels.loops.extend(Loop::of(candidate.function));
            kernels.dtypes.extend(&dtypes.all);
        }
        if kernels.loops.len() <= kernels.further.len() {
            kernels.loops.clear();
        }
    }

    /// Step 4: the rule of a structured out overload.
    fn rule(&mut self, cx: &mut Diagnostics, idx: usize) {
        let overload = &self.ops.overloads[idx];
        let mut functions = self.functions[idx].iter_mut().filter(|it| it.function.has_rule());
        let rule = match &overload.structured {
            Structured::Rule(name) => {
                mistakes::named_rule(cx, overload, name);
                let candidates = self.functions[idx].iter_mut();
                let mut checks =
                    candidates.filter(|it| it.function.attribute.part == FunctionRole::Check);
                self.kernels[idx].check = checks.next().map(|it| {
                    it.used = true;
                    FnPath(it.function.path.clone())
                });
                Some(Rule::Named(name.value.clone()))
            }
            Structured::Function(span) => match functions.next() {
                Some(candidate) => {
                    candidate.used = true;
                    Some(Rule::Function(FnPath(candidate.function.path.clone())))
                }
                None => {
                    if !self.excused[idx] {
                        mistakes::missing_rule(cx, overload, span);
                    }
                    None
                }
            },
            // That one's rule may not be known yet.
            Structured::As(_) => return,
            Structured::No | Structured::Delegate(_) | Structured::Copy(_) => None,
        };
        self.kernels[idx].rule = rule;
    }

    /// The rule that a structured out overload has from another.
    fn shared_rule(&mut self, idx: usize) {
        let Structured::As(other) = &self.ops.overloads[idx].structured else { return };
        let other = self.by_name.get(&other.value.to_string());
        let Some(&other) = other else { return };
        self.kernels[idx].rule = self.kernels[other].rule.clone();
        self.kernels[idx].check = self.kernels[other].check.clone();
    }

    /// Step 5: what follows from a structured out overload.
    fn derived(&mut self, cx: &mut Diagnostics, idx: usize) {
        let overload = &self.ops.overloads[idx];
        let from = match &overload.structured {
            Structured::No => {
                let forward = overload.forward.as_ref();
                let derived = forward.map(|it| {
                    let target = &self.ops.overloads[it.target];
                    match changes_copies(overload, target) || copies_view(overload, target) {
                        true => (DispatchKey::CompositeExplicit, it.target),
                        false => (DispatchKey::CompositeImplicit, it.target),
                    }
                });
                self.kernels[idx].derive(derived);
                return;
            }
            Structured::Function(_) | Structured::Rule(_) | Structured::As(_) => idx,
            Structured::Delegate(target) => match self.by_name.get(&target.value.to_string()) {
                Some(&from) => from,
                None => return,
            },
            Structured::Copy(source) => {
                let from = self.by_name.get(&source.value.to_string());
                let derived = from.map(|&from| (DispatchKey::CompositeExplicit, from));
                self.kernels[idx].derive(derived);
                return;
            }
        };
        let named = kernels_of(overload).any(|it| it.key.value == DispatchKey::Cpu);
        if from == idx && self.kernels[idx].cpu().is_none() && !named {
            let op = &overload.schema.name;
            let message = format_args!("the structured operator `{op}` has no kernel for CPU");
            cx.error(codes::MISSING_KERNEL, &overload.span, message)
                .help("name one in its `dispatch`: its variants are derived from it");
        }
        let cpu = (from != idx).then_some((DispatchKey::Cpu, from));
        self.kernels[idx].derive(cpu.into_iter().chain([(DispatchKey::Meta, from)]));
    }

    /// Step 6: kernels take and return what the schema says.
    fn agreement(&self, cx: &mut Diagnostics, idx: usize) {
        for candidate in self.functions[idx].iter().filter(|it| it.used) {
            agreement::check(cx, &self.ops.overloads[idx], candidate.function);
        }
    }

    /// Step 7: what nobody asked for, and overloads with nothing behind them.
    fn leftover(&self, cx: &mut Diagnostics, idx: usize) {
        let overload = &self.ops.overloads[idx];
        let unused: Vec<&AnnotatedFunction> =
            self.functions[idx].iter().filter(|it| !it.used).map(|it| it.function).collect();
        for function in unused.iter().filter(|_| !self.excused[idx]) {
            mistakes::superfluous(cx, overload, function);
        }
        let wanted = kernels_of(overload).next().is_some();
        // Nobody can call what takes a value that nobody can make.
        let callable = !overload.schema.params.iter().any(|it| it.ty.value.base().is_empty());
        let derived = overload.alias_of.is_some();
        let excused = self.excused[idx] || overload.manual_kernel || derived || !callable;
        if self.kernels[idx].none() && !wanted && unused.is_empty() && !excused {
            mistakes::no_kernel(cx, overload);
        }
    }
}

/// The dispatch lines with keys that opwright has.
fn kernels_of(overload: &Overload) -> impl Iterator<Item = &Dispatch> {
    overload.dispatch.iter().filter(|it| !matches!(it.key.value, DispatchKey::Other(_)))
}

/// Whether an operator changes a copy of what it is given.
fn changes_copies(overload: &Overload, target: &Overload) -> bool {
    let writes = matches!(target.schema.kind(), Kind::Inplace | Kind::Mutable);
    overload.schema.kind() == Kind::Functional && writes
}

/// Whether an operator that is no view copies what a view returns.
pub(crate) fn copies_view(overload: &Overload, target: &Overload) -> bool {
    let functional = |it: &Overload| it.schema.kind() == Kind::Functional;
    let is_copy = target.schema.returns_views() && !overload.schema.returns_views();
    functional(overload) && functional(target) && is_copy
}

/// Without `dispatch`, the one kernel is made of other operators.
fn is_composite_by_default(overload: &Overload) -> bool {
    let derived = overload.structured != Structured::No || overload.alias_of.is_some();
    overload.dispatch.is_empty() && !derived
}

/// Upstream's kernels have C++ namespaces.
fn last_segment(kernel: &str) -> &str {
    kernel.rsplit("::").next().unwrap_or(kernel)
}
