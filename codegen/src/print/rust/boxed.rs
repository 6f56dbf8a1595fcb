//! Prints a table through which tests call every overload by its name, with values of one type.
//!
//! Expands to, for each overload:
//!
//! ```text
//! Operator {
//!     name: "sum.dim_IntList",
//!     schema: "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False) -> Tensor",
//!     params: &[
//!         Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
//!         ..
//!     ],
//!     results: &[Slot::new("", Type::Tensor, "", false)],
//!     in_place: None,
//!     out: Some("sum.IntList_out"),
//!     call: |__values| {
//!         let [__0, __1, __2] = Value::exactly(__values)?;
//!         Ok(Value::of(crate::ops::sum::dim_IntList::call(
//!             __0.tensor()?,
//!             __1.optional(|__it| __it.list(1, Value::int))?.as_deref(),
//!             __2.boolean()?,
//!         )?))
//!     },
//! },
//! ```

use opwright_schema::model::{
    AliasTarget, Annotation, BaseType, Default, OpSet, Param, Role, Schema, Type,
};
use opwright_schema::names;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::literal;
use crate::types::ident;

/// The table, as the item `OPERATORS`. `operators` is the path of the module that has the
/// overloads, `runtime` that of the runtime.
///
/// Overloads with a parameter of a type that has no values are left out.
pub fn print(ops: &OpSet, operators: &TokenStream, runtime: &TokenStream) -> TokenStream {
    let printer = Printer { ops, operators, runtime };
    let rows = (0..ops.overloads.len()).filter_map(|it| printer.row(it));
    quote! {
        /// Every operator of this crate, as tests call it.
        #[allow(unreachable_pub, reason = "it is as public as the module around it")]
        pub static OPERATORS: &[#runtime::testing::Operator] = {
            #[allow(unused_imports, reason = "there may be no operators, or none with parameters")]
            use #runtime::testing::{Operator, Param, Slot, Type, Value};
            #[allow(unused_imports, reason = "the same")]
            use ::core::{option::Option::{None, Some}, result::Result::Ok};
            &[#(#rows),*]
        };
    }
}

struct Printer<'a> {
    ops: &'a OpSet,
    operators: &'a TokenStream,
    runtime: &'a TokenStream,
}

impl Printer<'_> {
    fn row(&self, idx: usize) -> Option<TokenStream> {
        let schema = &self.ops.overloads[idx].schema;
        let (name, text) = (schema.name.to_string(), schema.to_string());
        let params = schema.params.iter().map(|it| self.param(it)).collect::<Option<Vec<_>>>()?;
        let results = schema.returns.iter().map(|it| {
            let name = it.name.as_ref().map_or("", |it| &it.value);
            slot(name, &it.ty.value, it.annotation.as_ref().map(|it| &it.value))
        });
        let results = results.collect::<Option<Vec<_>>>()?;
        let group = self.ops.groups.iter().find(|it| it.functional == Some(idx));
        let in_place = self.form(group.and_then(|it| it.inplace));
        let out = self.form(group.and_then(|it| it.out));
        let call = self.call(schema)?;
        Some(quote! {
            Operator {
                name: #name,
                schema: #text,
                params: &[#(#params),*],
                results: &[#(#results),*],
                in_place: #in_place,
                out: #out,
                call: #call,
            }
        })
    }

    /// The name of another form of the operator.
    fn form(&self, idx: Option<usize>) -> TokenStream {
        match idx {
            Some(idx) => {
                let name = self.ops.overloads[idx].schema.name.to_string();
                quote!(Some(#name))
            }
            None => quote!(None),
        }
    }

    fn call(&self, schema: &Schema) -> Option<TokenStream> {
        let locals: Vec<Ident> =
            (0..schema.params.len()).map(|at| format_ident!("__{at}")).collect();
        let arguments = schema.params.iter().zip(&locals);
        let arguments: Vec<TokenStream> = arguments
            .map(|(param, local)| argument(&param.ty.value, param.writes(), local))
            .collect::<Option<_>>()?;
        let operators = self.operators;
        let module = ident(&names::module(&schema.name));
        let marker = ident(&names::marker(&schema.name));
        Some(quote! {
            |__values| {
                let [#(#locals),*] = Value::exactly(__values)?;
                Ok(Value::of(#operators::#module::#marker::call(#(#arguments),*)?))
            }
        })
    }

    fn param(&self, param: &Param) -> Option<TokenStream> {
        let ty = &param.ty.value;
        let slot = slot(&param.name.value, ty, param.annotation.as_ref().map(|it| &it.value))?;
        let default = match &param.default {
            Some(default) => {
                let value = self.default_value(&default.value)?;
                quote!(Some(|| #value))
            }
            None => quote!(None),
        };
        let is_out = param.role == Role::Out;
        Some(quote!(Param::new(#slot, #default, #is_out)))
    }

    fn default_value(&self, default: &Default) -> Option<TokenStream> {
        Some(match default {
            Default::None => quote!(Value::None),
            Default::Bool(value) => quote!(Value::Bool(#value)),
            Default::Int(value) => quote!(Value::Int(#value)),
            Default::Float(value, _) => quote!(Value::Float(#value)),
            Default::IntList(values) => quote!(Value::List(::std::vec![#(Value::Int(#values)),*])),
            Default::Str(text, _) => {
                let text = literal::unescape(text);
                quote!(Value::Str(::std::string::String::from(#text)))
            }
            Default::Name(name) => self.named_value(name)?,
        })
    }

    /// The value of a name in the schema language: of a dtype, a memory format, a reduction.
    fn named_value(&self, name: &str) -> Option<TokenStream> {
        if let Some(number) = literal::reduction(name) {
            return Some(quote!(Value::Int(#number)));
        }
        let (of, variant) = literal::named(name)?;
        let (of, variant) = (format_ident!("{of}"), format_ident!("{variant}"));
        let runtime = self.runtime;
        Some(quote!(Value::#of(#runtime::#of::#variant)))
    }
}

fn slot(name: &str, ty: &Type, annotation: Option<&Annotation>) -> Option<TokenStream> {
    let ty = value_type(ty)?;
    let sets = annotation.map(alias_sets).unwrap_or_default();
    let writes = annotation.is_some_and(|it| it.write);
    Some(quote!(Slot::new(#name, #ty, #sets, #writes)))
}

/// The letters before and after the arrow.
fn alias_sets(annotation: &Annotation) -> String {
    let mut sets: String = annotation.before.iter().collect();
    match &annotation.after {
        Some(AliasTarget::Sets(letters)) => sets.extend(letters),
        Some(AliasTarget::Wildcard) => sets.push('*'),
        None => {}
    }
    sets
}

/// The variant of the runtime's `Type`.
fn value_type(ty: &Type) -> Option<TokenStream> {
    Some(match ty {
        Type::Base(base) => {
            let (variant, _) = base_type(base)?;
            let variant = format_ident!("{variant}");
            quote!(Type::#variant)
        }
        Type::Optional(inner) => {
            let inner = value_type(inner)?;
            quote!(Type::Optional(&#inner))
        }
        Type::List(element, _) => {
            let element = value_type(element)?;
            quote!(Type::List(&#element))
        }
    })
}

/// The variant of the runtime's `Type`, and the method of its `Value` that reads it.
fn base_type(base: &BaseType) -> Option<(&'static str, &'static str)> {
    Some(match base {
        BaseType::Tensor => ("Tensor", "tensor"),
        BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex => ("Int", "int"),
        BaseType::Bool | BaseType::SymBool => ("Bool", "boolean"),
        BaseType::Float => ("Float", "float"),
        BaseType::Scalar => ("Scalar", "scalar"),
        BaseType::Str => ("Str", "text"),
        BaseType::ScalarType => ("DType", "dtype"),
        BaseType::Layout => ("Layout", "layout"),
        BaseType::Device => ("Device", "device"),
        BaseType::MemoryFormat => ("MemoryFormat", "memory_format"),
        BaseType::Generator => ("Generator", "generator"),
        BaseType::Storage => ("Storage", "storage"),
        BaseType::Dimname
        | BaseType::DimVector
        | BaseType::QScheme
        | BaseType::Stream
        | BaseType::GraphModule
        | BaseType::Class(_) => return None,
    })
}

/// What the overload takes, from the value `local`.
fn argument(ty: &Type, mutable: bool, local: &Ident) -> Option<TokenStream> {
    Some(match ty {
        Type::Base(BaseType::Tensor) if mutable => quote!(#local.tensor_mut()?),
        Type::Optional(_) if mutable => quote!(#local.optional_tensor_mut()?),
        Type::List(..) if mutable => quote!(&mut #local.tensors_mut()?),
        Type::Base(base) => {
            let read = reader(base)?;
            quote!(#local.#read()?)
        }
        Type::Optional(inner) => match &**inner {
            Type::Base(base) => {
                let read = reader(base)?;
                quote!(#local.optional(Value::#read)?)
            }
            Type::List(element, size) => {
                let (read, size) = (element_reader(element)?, repeats(*size));
                quote!(#local.optional(|__it| __it.list(#size, #read))?.as_deref())
            }
            Type::Optional(_) => return None,
        },
        Type::List(element, size) => {
            let (read, size) = (element_reader(element)?, repeats(*size));
            quote!(&#local.list(#size, #read)?)
        }
    })
}

/// To how many elements a single value is repeated.
fn repeats(size: Option<u32>) -> Literal {
    Literal::u32_unsuffixed(size.unwrap_or(1))
}

fn element_reader(element: &Type) -> Option<TokenStream> {
    match element {
        Type::Base(base) => {
            let read = reader(base)?;
            Some(quote!(Value::#read))
        }
        Type::Optional(inner) => match &**inner {
            Type::Base(base) => {
                let read = reader(base)?;
                Some(quote!(|__it| __it.optional(Value::#read)))
            }
            Type::Optional(_) | Type::List(..) => None,
        },
        Type::List(..) => None,
    }
}

fn reader(base: &BaseType) -> Option<Ident> {
    base_type(base).map(|(_, reader)| format_ident!("{reader}"))
}
