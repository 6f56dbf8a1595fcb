//! A call of [`callbacks::poll`] that leaves all registers as they are.
//!
//! Made once, and never freed: what saves the registers is the same for all programs.

use std::sync::OnceLock;

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, InstBuilder as _, Signature};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::Module as _;

use super::isa;
use crate::callbacks;

/// The address of the call.
///
/// # Errors
///
/// Text if this process cannot run machine code made in it.
pub(super) fn poll() -> Result<usize, String> {
    static POLL: OnceLock<Result<usize, String>> = OnceLock::new();
    POLL.get_or_init(|| make(&isa::host()?)).clone()
}

fn make(isa: &OwnedTargetIsa) -> Result<usize, String> {
    let names = cranelift_module::default_libcall_names();
    let mut module = JITModule::new(JITBuilder::with_isa(isa.clone(), names));
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params.extend([AbiParam::new(I64); 2]);
    let id = module.declare_anonymous_function(&signature).map_err(text)?;
    let mut context = Context::new();
    context.func.signature = signature.clone();
    let mut scratch = FunctionBuilderContext::new();
    let mut to = FunctionBuilder::new(&mut context.func, &mut scratch);
    let start = to.create_block();
    to.append_block_params_for_function_params(start);
    to.switch_to_block(start);
    let args = to.block_params(start).to_vec();
    signature.call_conv = isa.default_call_conv();
    let signature = to.import_signature(signature);
    let address = to.ins().iconst(I64, callbacks::poll as *const () as i64);
    to.ins().call_indirect(signature, address, &args);
    to.ins().return_(&[]);
    to.seal_all_blocks();
    to.finalize(module.target_config());
    module.define_function(id, &mut context).map_err(text)?;
    module.finalize_definitions().map_err(text)?;
    Ok(module.get_finalized_function(id).expose_provenance())
}

fn text(error: cranelift_module::ModuleError) -> String {
    error.to_string()
}
