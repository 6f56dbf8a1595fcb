//! Prints formulas as data: for each overload whose formulas call nothing but what has a row.
//!
//! ```text
//! mod __trees {
//!     use crate::ops::__runtime as rt;
//!     use rt::op::*;
//!     static CALLED0: Operator = <crate::ops::mul::Tensor as Described>::ROW;
//!     static CALLED1: Operator = <crate::ops::cos::Default_ as Described>::ROW;
//!     // A function: rows that lead to formulas which lead to rows would never be done.
//!     pub(super) fn formulas0() -> &'static Formulas {
//!         static FORMULAS: Formulas = Formulas(&[Formula {
//!             params: &[0],
//!             tree: Tree::Call(
//!                 &CALLED0,
//!                 &[Tree::Grad(0), Tree::Call(&CALLED1, &[Tree::Param(0)])],
//!             ),
//!         }]);
//!         &FORMULAS
//!     }
//! }
//! ```
//!
//! A helper is a row as well, of an operator that calls others:
//!
//! ```text
//!     static CALLED2: Operator = Operator {
//!         name: "angle_backward",
//!         params: &[Param::new(Slot::new("", Type::Tensor)), ..],
//!         call: |__values| {
//!             let [__value0, __value1] = values::<2>(__values)?;
//!             let __arg0 = read::<Tensor>(__value0)?;
//!             let __arg1 = read::<Tensor>(__value1)?;
//!             crate::elementwise::complex_numbers::angle_backward::HELPER(__arg0, __arg1)?.values()
//!         },
//!         gradient: Gradient::Composed,
//!         ..
//!     };
//! ```

use std::collections::BTreeMap;

use opwright_schema::model::{Kind, OpSet, Type};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::formula::{Called, Gradient, Tree};
use crate::helper::Helper;
use crate::print::rust::reading::Reading;
use crate::print::rust::rows::value_type;
use crate::ty::Ty;
use crate::types::use_runtime;

/// The formulas of a crate, and which of them are an overload's.
pub(super) struct Trees {
    called: Vec<TokenStream>,
    formulas: Vec<TokenStream>,
    by_overload: BTreeMap<usize, usize>,
}

impl Trees {
    pub(super) fn new(ops: &OpSet, gradients: &[Option<Gradient>]) -> Trees {
        let (called, formulas) = (Vec::new(), Vec::new());
        let mut trees = Trees { called, formulas, by_overload: BTreeMap::new() };
        let (mut calls, mut known) = (BTreeMap::new(), BTreeMap::new());
        for (idx, gradient) in gradients.iter().enumerate() {
            let Some(gradient) = gradient else { continue };
            let is_functional = ops.overloads[idx].schema.kind() == Kind::Functional;
            let printed = is_functional.then(|| trees.printed(gradient, &mut calls)).flatten();
            let Some(printed) = printed else { continue };
            let number = *known.entry(printed.to_string()).or_insert_with(|| {
                trees.formulas.push(printed);
                trees.formulas.len() - 1
            });
            trees.by_overload.insert(idx, number);
        }
        trees
    }

    /// The formulas of an overload, for its row.
    pub(super) fn formulas(&self, idx: usize) -> TokenStream {
        match self.by_overload.get(&idx) {
            Some(number) => {
                let name = formulas_name(*number);
                quote!(::core::option::Option::Some(crate::ops::__trees::#name))
            }
            None => quote!(::core::option::Option::None),
        }
    }

    /// All of them; nothing if there are none.
    pub(super) fn module(&self, condition: Option<TokenStream>) -> Option<TokenStream> {
        let called = self.called.iter().enumerate().map(|(number, row)| {
            let name = called_name(number);
            quote!(static #name: Operator = #row;)
        });
        let formulas = self.formulas.iter().enumerate().map(|(number, formulas)| {
            let name = formulas_name(number);
            quote! {
                pub(super) fn #name() -> &'static Formulas {
                    static FORMULAS: Formulas = #formulas;
                    &FORMULAS
                }
            }
        });
        let runtime = use_runtime();
        (!self.formulas.is_empty()).then(|| {
            quote! {
                #condition
                #[allow(clippy::approx_constant, reason = "formulas write numbers out")]
                mod __trees {
                    #runtime
                    use rt::op::*;
                    #(#called)*
                    #(#formulas)*
                }
            }
        })
    }

    /// The formulas, if all are data.
    fn printed(
        &mut self,
        gradient: &Gradient,
        calls: &mut BTreeMap<String, Option<usize>>,
    ) -> Option<TokenStream> {
        let mut formulas = Vec::new();
        for part in &gradient.parts {
            // What nobody has written is reported by whoever runs it recorded.
            let tree = self.tree(part.tree.as_ref()?, calls)?;
            let params = part.inputs.iter().map(|it| gradient.inputs[*it].param);
            let params = params.map(Literal::usize_unsuffixed);
            formulas.push(quote!(Formula { params: &[#(#params),*], tree: #tree }));
        }
        Some(quote!(Formulas(&[#(#formulas),*])))
    }

    fn tree(
        &mut self,
        tree: &Tree,
        calls: &mut BTreeMap<String, Option<usize>>,
    ) -> Option<TokenStream> {
        let mut all = |parts: &[Tree]| -> Option<Vec<TokenStream>> {
            parts.iter().map(|it| self.tree(it, calls)).collect()
        };
        Some(match tree {
            Tree::Leaf(tokens) => tokens.clone(),
            Tree::Asked(question, of) => {
                let of = self.tree(of, calls)?;
                quote!(Tree::Asked(Question::#question, &#of))
            }
            Tree::Number(sign, parts) => {
                let (sign, parts) = (format_ident!("{sign}"), all(parts)?);
                quote!(Tree::Number(Sign::#sign, &[#(#parts),*]))
            }
            Tree::If(parts) => {
                let parts = all(parts)?;
                quote!(Tree::If(&[#(#parts),*]))
            }
            Tree::List(parts) => {
                let parts = all(parts)?;
                quote!(Tree::List(&[#(#parts),*]))
            }
            Tree::Call(called, args) => {
                let args = all(args)?;
                let row = called_name(self.called(called, calls)?);
                quote!(Tree::Call(&#row, &[#(#args),*]))
            }
        })
    }

    /// The number of what is called; none if it has no row.
    fn called(
        &mut self,
        called: &Called,
        calls: &mut BTreeMap<String, Option<usize>>,
    ) -> Option<usize> {
        *calls.entry(called.key()).or_insert_with(|| {
            let row = match called {
                Called::Overload(path) => quote!(<#path as Described>::ROW),
                Called::Helper(helper) => helper_row(helper)?,
            };
            self.called.push(row);
            Some(self.called.len() - 1)
        })
    }
}

fn called_name(number: usize) -> Ident {
    format_ident!("CALLED{number}")
}

fn formulas_name(number: usize) -> Ident {
    format_ident!("formulas{number}")
}

/// The row of a helper; none if there are no values of one of its types.
fn helper_row(helper: &Helper) -> Option<TokenStream> {
    let types = helper.params.iter().map(|it| match it {
        Ty::Of(ty) => Some(ty),
        _ => None,
    });
    let types = types.collect::<Option<Vec<_>>>()?;
    let reading = Reading::new(types.iter().enumerate().map(|(at, ty)| (at, *ty, false)))?;
    let (statements, arguments) = (reading.statements(), &reading.passed);
    let params = types.iter().map(|ty| {
        let ty = value_type(ty, &quote!(Type))?;
        Some(quote!(Param::new(Slot::new("", #ty))))
    });
    let params = params.collect::<Option<Vec<_>>>()?;
    let results = match &helper.returns {
        Ty::Of(ty) => vec![result(ty)?],
        Ty::Tuple(types) => types.iter().map(result).collect::<Option<Vec<_>>>()?,
        _ => return None,
    };
    let (name, path) = (helper.name(), helper.tokens());
    let none = quote!(::core::option::Option::None);
    Some(quote! {{
        fn call(__values: &mut [Value]) -> rt::Result<Results> {
            #statements
            rt::ok(#path(#(#arguments),*)).values()
        }
        Operator {
            name: #name,
            schema: #name,
            params: &[#(#params),*],
            results: &[#(#results),*],
            tags: &[],
            functional: #none,
            in_place: #none,
            out: #none,
            call,
            types: #none,
            inner_loop: #none,
            reduction: #none,
            gradient: Gradient::Composed,
            formulas: #none,
        }
    }})
}

fn result(ty: &Type) -> Option<TokenStream> {
    let ty = value_type(ty, &quote!(Type))?;
    Some(quote!(Slot::new("", #ty)))
}
