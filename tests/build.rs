//! Prints a table through which the operator cases call every overload by its name.
//!
//! Expands to, for each overload:
//!
//! ```ignore
//! Operator {
//!     name: "sum.dim_IntList",
//!     params: &[
//!         Param { name: "self", default: None, tensor: true, written: false },
//!         Param {
//!             name: "keepdim",
//!             default: Some(|| Value::Bool(false)),
//!             tensor: false,
//!             written: false,
//!         },
//!     ],
//!     call: |values| {
//!         let [value0, value1] = values else { unreachable!() };
//!         opwright_ops::sum::dim_IntList::call(value0.tensor(), value1.boolean()).map(Value::of)
//!     },
//! },
//! ```

use std::path::Path;
use std::{env, fs};

use opwright_codegen::build::Build;
use opwright_codegen::types::ident;
use opwright_codegen::{file, literal};
use opwright_schema::model::{BaseType, Default, Overload, Param, Type};
use opwright_schema::names;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

fn main() {
    let library = Build::new().yaml("../native_functions.yaml").functions_of("../ops").read();
    let rows = library.ops.overloads.iter().filter_map(row);
    let table = quote! {
        /// Every overload whose arguments can be written down in a case.
        pub(super) static OPERATORS: &[Operator] = &[#(#rows),*];
    };
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("operators.rs"), file::rust(table))
        .expect("OUT_DIR is writable");
}

/// `None` if a parameter is of a type that has no values in cases.
fn row(overload: &Overload) -> Option<TokenStream> {
    let schema = &overload.schema;
    let name = schema.name.to_string();
    let params = schema.params.iter().map(param);
    let locals: Vec<Ident> =
        (0..schema.params.len()).map(|at| format_ident!("value{at}")).collect();
    let arguments: Vec<TokenStream> = schema
        .params
        .iter()
        .zip(&locals)
        .map(|(param, local)| argument(&param.ty.value, param.writes(), local))
        .collect::<Option<_>>()?;
    let module = ident(&names::module(&schema.name));
    let marker = ident(&names::marker(&schema.name));
    Some(quote! {
        Operator {
            name: #name,
            params: &[#(#params),*],
            call: |values| {
                let [#(#locals),*] = values else { unreachable!() };
                opwright_ops::#module::#marker::call(#(#arguments),*).map(Value::of)
            },
        }
    })
}

fn param(param: &Param) -> TokenStream {
    let name = &param.name.value;
    let written = param.writes();
    let default = match &param.default {
        Some(default) => {
            let value = default_value(&default.value);
            quote!(Some(|| #value))
        }
        None => quote!(None),
    };
    let tensor = param.ty.value == Type::Base(BaseType::Tensor);
    quote!(Param { name: #name, default: #default, tensor: #tensor, written: #written })
}

fn default_value(default: &Default) -> TokenStream {
    match default {
        Default::None => quote!(Value::None),
        Default::Bool(value) => quote!(Value::Bool(#value)),
        Default::Int(value) => quote!(Value::Int(#value)),
        Default::Float(value, _) => quote!(Value::Float(#value)),
        Default::IntList(values) => quote!(Value::List(vec![#(Value::Int(#values)),*])),
        Default::Str(text, _) => {
            let text = literal::unescape(text);
            quote!(Value::Str(#text.to_owned()))
        }
        Default::Name(name) => match literal::reduction(name) {
            Some(number) => quote!(Value::Int(#number)),
            None => quote!(Value::Str(#name.to_owned())),
        },
    }
}

/// From the value `local` to what the overload takes.
fn argument(ty: &Type, mutable: bool, local: &Ident) -> Option<TokenStream> {
    let read = |base| reader(base, mutable);
    Some(match ty {
        Type::Base(base) => {
            let read = read(base)?;
            quote!(#local.#read())
        }
        Type::Optional(inner) => match &**inner {
            Type::Base(base) => {
                let read = read(base)?;
                quote!(#local.given().map(Value::#read))
            }
            Type::List(element, size) => {
                let (read, size) = (element_reader(element)?, size.unwrap_or(1) as usize);
                quote!(#local.given().map(|it| it.list(#size, #read)).as_deref())
            }
            Type::Optional(_) => return None,
        },
        Type::List(..) if mutable => return None,
        Type::List(element, size) => {
            let (read, size) = (element_reader(element)?, size.unwrap_or(1) as usize);
            quote!(&#local.list(#size, #read))
        }
    })
}

fn element_reader(element: &Type) -> Option<TokenStream> {
    match element {
        Type::Base(base) => {
            let read = reader(base, false)?;
            Some(quote!(Value::#read))
        }
        Type::Optional(inner) => match &**inner {
            Type::Base(base) => {
                let read = reader(base, false)?;
                Some(quote!(|it| it.given().map(Value::#read)))
            }
            Type::Optional(_) | Type::List(..) => None,
        },
        Type::List(..) => None,
    }
}

/// The method of `Value` that reads this type.
fn reader(base: &BaseType, mutable: bool) -> Option<Ident> {
    let name = match base {
        BaseType::Tensor if mutable => "tensor_mut",
        BaseType::Tensor => "tensor",
        BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex => "int",
        BaseType::Bool | BaseType::SymBool => "boolean",
        BaseType::Float => "float",
        BaseType::Scalar => "scalar",
        BaseType::Str => "text",
        BaseType::ScalarType => "dtype",
        BaseType::Layout => "layout",
        BaseType::Device => "device",
        BaseType::MemoryFormat => "memory_format",
        BaseType::Generator => "generator",
        BaseType::Dimname
        | BaseType::DimVector
        | BaseType::QScheme
        | BaseType::Storage
        | BaseType::Stream
        | BaseType::GraphModule
        | BaseType::Class(_) => return None,
    };
    Some(format_ident!("{name}"))
}
