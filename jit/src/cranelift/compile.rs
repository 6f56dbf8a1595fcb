//! From a program to executable memory: all functions declared, each translated, all linked.

use std::fmt::Display;

use cranelift_codegen::Context;
use cranelift_codegen::ir::UserFuncName;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module as _};

use super::isa;
use super::memory::{Near, Pages};
use super::translate::{Convention, EntryKind, Linked, Translation};
use crate::entry::Frame;
use crate::ir::{CallGraph, Program};

/// The entry: frame, words of the arguments, room for the words of results; not 0 if it failed.
pub(super) type EntryFn = unsafe extern "C" fn(*mut Frame, *const u64, *mut u64) -> u32;

/// A program in executable memory.
pub(super) struct CodeImage {
    /// Its entry, which lives as long as the pages.
    pub(super) entry: EntryFn,
    /// How much stack its largest function takes, if functions may nest without a limit that is
    /// known before they run.
    pub(super) margin: Option<usize>,
    _pages: Pages,
}

/// Compiles all functions of a program.
pub(super) fn compile(program: &Program, isa: &OwnedTargetIsa) -> Result<CodeImage, String> {
    let mut builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
    builder.memory_provider(Box::new(Near::new()));
    isa::provide_rounding(&mut builder);
    let mut pages = Pages::new(JITModule::new(builder));
    let module = pages.get().ok_or("the module is gone")?;
    let plan = CompilePlan::new(program, module)?;
    let mut context = Context::new();
    let mut scratch = FunctionBuilderContext::new();
    let mut largest = 0;
    for form in &plan.forms {
        let frame = plan.translate(program, module, &mut context, &mut scratch, *form)?;
        largest = largest.max(frame);
        module.define_function(plan.id(*form), &mut context).map_err(text)?;
        module.clear_context(&mut context);
    }
    module.finalize_definitions().map_err(text)?;
    let entry = module.get_finalized_function(plan.entry);
    // SAFETY: the entry was made with this signature, in the C convention of this system.
    let entry = unsafe { std::mem::transmute::<*const u8, EntryFn>(entry) };
    let margin = plan.linked.iter().any(|it| it.is_recursive).then_some(largest);
    Ok(CodeImage { entry, margin, _pages: pages })
}

/// The assembly of all functions of a program.
pub(super) fn assembly(program: &Program, isa: &OwnedTargetIsa) -> Result<String, String> {
    let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
    let mut pages = Pages::new(JITModule::new(builder));
    let module = pages.get().ok_or("the module is gone")?;
    let plan = CompilePlan::new(program, module)?;
    let mut scratch = FunctionBuilderContext::new();
    let mut out = String::new();
    for form in &plan.forms {
        let mut context = Context::new();
        context.set_disasm(true);
        plan.translate(program, module, &mut context, &mut scratch, *form)?;
        let code = context.compile(&**isa, &mut Default::default()).map_err(|it| text(it.inner))?;
        out += &format!("{}:\n", program.functions[form.function()].name);
        out += code.vcode.as_deref().unwrap_or_default();
        out.push('\n');
    }
    Ok(out)
}

/// What of a program is compiled in which form.
struct CompilePlan {
    /// The functions as others call them.
    linked: Vec<Linked>,
    /// The entry, which takes its words from memory.
    entry: cranelift_module::FuncId,
    /// The bodies to make.
    forms: Vec<EntryKind>,
}

impl CompilePlan {
    fn new(program: &Program, module: &mut JITModule) -> Result<CompilePlan, String> {
        let graph = CallGraph::new(program);
        let mut linked = Vec::with_capacity(program.functions.len());
        for (at, function) in program.functions.iter().enumerate() {
            let convention = Convention::new(function);
            let signature = convention.signature(module.isa().pointer_type());
            let id = module.declare_anonymous_function(&signature).map_err(text)?;
            let (is_recursive, polls) = (graph.is_deep[at], graph.polls[at]);
            linked.push(Linked { id, convention, is_recursive, polls });
        }
        let signature = Convention::entry_signature(module.isa());
        let entry = module.declare_function("entry", Linkage::Local, &signature).map_err(text)?;
        let is_called = graph.calls.iter().any(|it| it.contains(&0));
        // Who is called from within has one body, and the entry goes there.
        let (first, from) = if is_called { (EntryKind::Forward, 0) } else { (EntryKind::Entry, 1) };
        let forms =
            std::iter::once(first).chain((from..linked.len()).map(EntryKind::Inner)).collect();
        Ok(CompilePlan { linked, entry, forms })
    }

    fn id(&self, form: EntryKind) -> cranelift_module::FuncId {
        match form {
            EntryKind::Entry | EntryKind::Forward => self.entry,
            EntryKind::Inner(at) => self.linked[at].id,
        }
    }

    /// Writes a function into a context; at most so many bytes of stack does it take.
    fn translate(
        &self,
        program: &Program,
        module: &mut JITModule,
        context: &mut Context,
        scratch: &mut FunctionBuilderContext,
        form: EntryKind,
    ) -> Result<usize, String> {
        let id = self.id(form);
        context.func.signature = module.declarations().get_function_decl(id).signature.clone();
        context.func.name = UserFuncName::user(0, id.as_u32());
        Translation::run(program, &self.linked, module, &mut context.func, scratch, form)?;
        let slots =
            context.func.sized_stack_slots.values().map(|it| it.size as usize).sum::<usize>();
        // Each value may be kept on the stack, and is at most 16 bytes.
        Ok(16 * context.func.dfg.num_values() + slots + 1024)
    }
}

fn text(error: impl Display) -> String {
    error.to_string()
}
