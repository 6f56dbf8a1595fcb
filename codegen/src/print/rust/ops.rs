//! Prints the Rust side: a module per base name, a marker per overload with
//! its kernel table and its entry point.
//!
//! ```text
//! /// Overloads of `add`.
//! pub mod add {
//!     use crate::ops::__runtime as rt;
//!     /// `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
//!     ///
//!     /// native_functions.yaml:12
//!     pub enum Tensor {}
//!     impl rt::Op for Tensor {
//!         type Kernel = fn(&Tensor, &Tensor, Scalar) -> Result<Tensor>;
//!         const NAME: &'static str = "add.Tensor";
//!         const SCHEMA: &'static str = "add.Tensor(Tensor self, ...) -> Tensor";
//!         fn kernels() -> &'static KernelTable<Self::Kernel> {
//!             type __Table = KernelTable<<Tensor as Op>::Kernel>;
//!             static KERNELS: __Table = __Table::new(<Tensor as Op>::NAME).with(DispatchKey::Cpu, cpu);
//!             &KERNELS
//!         }
//!     }
//!     impl Tensor {
//!         /// Calls `add.Tensor`.
//!         pub fn call(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> { .. }
//!     }
//! }
//! ```

use opwright_schema::derivatives::assign;
use opwright_schema::dispatch_key::{Fills, KeyRow, ROWS};
use opwright_schema::model::{DispatchKey, Kind, OpSet, Role};
use opwright_schema::names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::formula::{Differentiability, Gradient};
use crate::kernels::{Kernel, Kernels, Rule, is_transparent};
use crate::print::rust::boxed::Boxed;
use crate::print::rust::call::call;
use crate::print::rust::calls::{Calls, runs};
use crate::print::rust::doc::{description, doc};
use crate::print::rust::lint::schema_names;
use crate::print::rust::path::{by_base_name, constant};
use crate::print::rust::rows::{self, Rows};
use crate::print::rust::trees::Trees;
use crate::print::rust::{composite, gradient, materialize, methods, rewrites, structured};
use crate::types::{fn_pointer, ident, parameter, result, runtime, use_runtime};

/// Everything of `generated.rs` that belongs in `crate::ops`.
///
/// `runtime` is the path under which the crate knows the runtime.
pub fn print(
    ops: &OpSet,
    kernels: &[Kernels],
    gradients: &[Option<Gradient>],
    runtime: &TokenStream,
    rows: Rows,
) -> TokenStream {
    let calls = Calls::new(ops, kernels, gradients);
    let (boxed, trees) = (Boxed::new(ops, &calls.paths()), Trees::new(ops, gradients));
    let (known, assigned) = (Differentiability::of(ops, kernels, gradients), assign(ops));
    let is_of_author = runtime.to_string().contains("__facade");
    let modules = by_base_name(ops).into_iter().map(|(name, members)| {
        let (calls, boxed, trees) = (&calls, &boxed, &trees);
        let (known, assigned) = (known.as_slice(), assigned.as_slice());
        let printer = OperatorPrinter {
            ops,
            kernels,
            gradients,
            known,
            assigned,
            calls,
            boxed,
            trees,
            rows,
            is_of_author,
        };
        printer.module(&name, &members)
    });
    let methods = methods::print(ops);
    let table = rows::table(ops, rows);
    let rewrites = rewrites::table(&ops.rewrites, rows.condition().as_ref());
    let (calls, boxed) = (calls.module(), boxed.module(rows.condition()));
    let trees = trees.module(rows.condition());
    quote! {
        #[doc(hidden)]
        pub use #runtime as __runtime;
        #(#modules)*
        #methods
        #calls
        #boxed
        #trees
        #table
        #rewrites
    }
}

struct OperatorPrinter<'a> {
    ops: &'a OpSet,
    kernels: &'a [Kernels],
    gradients: &'a [Option<Gradient>],
    known: &'a [Differentiability],
    /// The entry with formulas of each overload, if it has one.
    assigned: &'a [Option<usize>],
    calls: &'a Calls,
    boxed: &'a Boxed,
    trees: &'a Trees,
    rows: Rows,
    /// The crate is not one of the project, whose composites a test looks at.
    is_of_author: bool,
}

impl OperatorPrinter<'_> {
    /// Whether an overload writes to its arguments, and no gradient goes through what is written.
    fn writes_unrecorded(&self, idx: usize) -> bool {
        let overload = &self.ops.overloads[idx];
        matches!(overload.schema.kind(), Kind::Inplace | Kind::Mutable)
            && !is_transparent(self.ops, self.kernels, idx)
            && runs(overload, &self.kernels[idx])
    }

    fn module(&self, base: &str, members: &[usize]) -> TokenStream {
        let name = ident(&names::ident(base));
        let about = doc(&format!("Overloads of `{base}`."));
        let markers = members.iter().map(|&idx| self.marker(idx));
        let (naming, runtime) = (schema_names(), use_runtime());
        quote! {
            #about
            #naming
            pub mod #name {
                #runtime
                #(#markers)*
            }
        }
    }

    fn marker(&self, idx: usize) -> TokenStream {
        let overload = &self.ops.overloads[idx];
        let marker = ident(&names::marker(&overload.schema.name));
        let about = doc(&description(overload));
        let op = self.op(idx);
        let rule = self.rule(idx);
        let call = call(overload, &self.calls.call(idx));
        let known = self.known.get(idx).copied().unwrap_or(Differentiability::Nowhere);
        let formulas = self.trees.formulas(idx);
        let row = rows::row(self.ops, self.kernels, idx, self.boxed, known, &formulas, self.rows);
        let gradient = self.gradients.get(idx).and_then(Option::as_ref);
        let derived = gradient.and_then(|it| it.derived.as_ref());
        let derived = derived.map(|it| gradient::derived(overload, it));
        quote! {
            #about
            pub enum #marker {}
            #op
            #rule
            #call
            #row
            #derived
        }
    }

    fn op(&self, idx: usize) -> TokenStream {
        let overload = &self.ops.overloads[idx];
        let marker = ident(&names::marker(&overload.schema.name));
        let (name, schema) = (overload.schema.name.to_string(), overload.schema.to_string());
        let kernel = fn_pointer(&overload.schema);
        let (trait_, table) = (runtime("Op"), runtime("KernelTable"));
        let kernels = &self.kernels[idx];
        let shared = self.calls.handed_on(idx);
        let derived = structured::print(self.ops, self.kernels, idx, &shared);
        let gradient = self.gradients.get(idx).and_then(Option::as_ref);
        let recorded = match (self.calls.layer(idx), gradient) {
            (Some(shared), it) => {
                let backward = self.calls.backward(idx);
                Some(gradient::handed_on(overload, it, &shared, backward.as_ref()))
            }
            (None, _) if self.writes_unrecorded(idx) => {
                Some(gradient::unrecorded(overload, self.assigned[idx].is_some()))
            }
            (None, _) => None,
        };
        let layer = recorded.is_some().then(|| quote!(.with(rt::DispatchKey::Autograd, autograd)));
        let slots = ROWS.iter().filter_map(|row| {
            let kernel = kernels.by_key.get(&row.key)?;
            Some(self.slot(idx, row, kernel))
        });
        quote! {
            impl #trait_ for #marker {
                type Kernel = #kernel;
                const NAME: &'static ::core::primitive::str = #name;
                const SCHEMA: &'static ::core::primitive::str = #schema;
                fn kernels() -> &'static #table<Self::Kernel> {
                    #derived
                    #recorded
                    type __Table = #table<<#marker as #trait_>::Kernel>;
                    static KERNELS: __Table =
                        __Table::new(<#marker as #trait_>::NAME) #(#slots)* #layer;
                    &KERNELS
                }
            }
        }
    }

    /// A kernel on its way into the table: one for a key, or a composite, which
    /// fills the slots that are left. The out overload of a structured group
    /// owns the kernel that its derived one calls.
    fn slot(&self, idx: usize, row: &KeyRow, kernel: &Kernel) -> TokenStream {
        let kernels = &self.kernels[idx];
        let is_asked = kernels.rule.is_some() || !kernels.further.is_empty();
        let path = match kernel {
            Kernel::Function(path) if row.key != DispatchKey::Cpu || !is_asked => {
                let kernel = constant(path, "KERNEL");
                let schema = &self.ops.overloads[idx].schema;
                // What a composite returns is what its last call does.
                let around = match row.fills {
                    Fills::All if self.is_of_author => composite::kernel(schema, &kernel),
                    Fills::All => None,
                    Fills::Own(_) | Fills::Backends => materialize::kernel(schema, &kernel),
                };
                around.unwrap_or(kernel)
            }
            Kernel::Function(_) | Kernel::Derived { .. } => {
                structured::function(row).to_token_stream()
            }
        };
        match row.fills {
            Fills::Own(key) => {
                let (keys, key) = (runtime("DispatchKey"), ident(&format!("{key:?}")));
                quote!(.with(#keys::#key, #path))
            }
            Fills::Backends => quote!(.explicit(#path)),
            Fills::All => quote!(.implicit(#path)),
        }
    }

    /// The types of rule and check, for groups of which one is a function.
    fn rule(&self, idx: usize) -> Option<TokenStream> {
        let Kernels { rule, check, .. } = &self.kernels[idx];
        if !matches!(rule, Some(Rule::Function(_))) && check.is_none() {
            return None;
        }
        let overload = &self.ops.overloads[idx];
        let marker = ident(&names::marker(&overload.schema.name));
        let inputs = overload.schema.params.iter().filter(|it| it.role != Role::Out);
        let types: Vec<_> = inputs.map(parameter).collect();
        let (ok, checked) = (result(&structured::specs(overload)), result(&quote!(())));
        let trait_ = runtime("StructuredOp");
        let dtype = runtime("DType");
        let dtypes: Vec<_> = self.kernels[idx].dtypes.iter().map(|it| it.path()).collect();
        let dtypes = (!dtypes.is_empty())
            .then(|| quote!(const DTYPES: &'static [#dtype] = &[#(#dtypes),*];));
        Some(quote! {
            impl #trait_ for #marker {
                type Rule = fn(#(#types),*) -> #ok;
                type Check = fn(#(#types),*) -> #checked;
                #dtypes
            }
        })
    }
}
