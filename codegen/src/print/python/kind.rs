//! Prints the tables that the resolver reads: a signature and its parameters.

use opwright_schema::model::{self, BaseType, Type};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::signature::{Function, Param, Section, Signature};

/// One signature's table.
pub(super) fn signature(function: &Function, signature: &Signature) -> TokenStream {
    let text = text(function, signature);
    let params = signature.params.iter().map(param);
    let positional = Literal::usize_unsuffixed(signature.positional());
    let (variadic, deprecated) = (signature.varargs, signature.deprecated);
    quote! {
        rt::resolve::Signature {
            text: #text,
            params: &[#(#params),*],
            positional: #positional,
            variadic: #variadic,
            deprecated: #deprecated,
        }
    }
}

fn param(param: &Param) -> TokenStream {
    let name = &param.name;
    let kind = format_ident!("{}", kind(param));
    let nullable = param.nullable || param.default == Some(model::Default::None);
    let required = param.required();
    let size = Literal::u32_unsuffixed(repeat(&param.ty));
    let aliases = &param.aliases;
    quote! {
        rt::resolve::Param {
            name: #name,
            kind: rt::resolve::Kind::#kind,
            nullable: #nullable,
            required: #required,
            size: #size,
            aliases: &[#(#aliases),*],
        }
    }
}

/// To how many elements a single value is repeated.
fn repeat(ty: &Type) -> u32 {
    match ty {
        Type::List(_, Some(size)) => *size,
        Type::List(_, None) | Type::Base(_) => 0,
        Type::Optional(inner) => repeat(inner),
    }
}

/// The resolver's kind of a parameter.
fn kind(param: &Param) -> &'static str {
    match &param.ty {
        Type::Base(BaseType::Tensor) if param.numbers => "TensorOrNumber",
        Type::Base(base) => base_kind(base),
        Type::Optional(inner) => kind_of(inner),
        Type::List(element, size) => list_kind(element, size.is_some()),
    }
}

fn kind_of(ty: &Type) -> &'static str {
    match ty {
        Type::Base(base) => base_kind(base),
        Type::Optional(inner) => kind_of(inner),
        Type::List(element, size) => list_kind(element, size.is_some()),
    }
}

fn base_kind(base: &BaseType) -> &'static str {
    match base {
        BaseType::Tensor => "Tensor",
        BaseType::Int | BaseType::DeviceIndex => "Int",
        BaseType::SymInt => "SymInt",
        BaseType::Bool | BaseType::SymBool => "Bool",
        BaseType::Float => "Float",
        BaseType::Scalar => "Scalar",
        BaseType::Str => "Str",
        BaseType::ScalarType => "DType",
        BaseType::Layout => "Layout",
        BaseType::Device => "Device",
        BaseType::MemoryFormat => "MemoryFormat",
        BaseType::Generator => "Generator",
        BaseType::Dimname => "Dimname",
        BaseType::DimVector => "IntList",
        BaseType::QScheme => "QScheme",
        BaseType::Storage => "Storage",
        BaseType::Stream => "Stream",
        BaseType::GraphModule | BaseType::Class(_) => "Object",
    }
}

fn list_kind(element: &Type, sized: bool) -> &'static str {
    match element {
        Type::Optional(inner) if matches!(**inner, Type::Base(BaseType::Tensor)) => {
            "OptionalTensorList"
        }
        Type::Optional(inner) => list_kind(inner, sized),
        Type::Base(BaseType::Tensor) => "TensorList",
        Type::Base(BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex) if sized => {
            "IntListOrInt"
        }
        Type::Base(BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex) => "IntList",
        Type::Base(BaseType::Float) => "FloatList",
        Type::Base(BaseType::Bool | BaseType::SymBool) => "BoolList",
        Type::Base(BaseType::Scalar) => "ScalarList",
        Type::Base(BaseType::Dimname) => "DimnameList",
        Type::Base(
            BaseType::Str
            | BaseType::ScalarType
            | BaseType::Layout
            | BaseType::Device
            | BaseType::MemoryFormat
            | BaseType::Generator
            | BaseType::DimVector
            | BaseType::QScheme
            | BaseType::Storage
            | BaseType::Stream
            | BaseType::GraphModule
            | BaseType::Class(_),
        )
        | Type::List(..) => "Object",
    }
}

/// As messages show it: `add(Tensor input, Number alpha=1, *, Tensor out=None)`.
pub(super) fn text(function: &Function, signature: &Signature) -> String {
    let mut parts = Vec::new();
    let mut keyword_only = false;
    for param in &signature.params {
        if param.section != Section::Positional && !keyword_only {
            keyword_only = true;
            parts.push("*".to_owned());
        }
        let default = param.default.as_ref().map_or(String::new(), |it| format!("={it}"));
        parts.push(format!("{} {}{default}", shown(param), param.name));
    }
    format!("{}({})", function.name, parts.join(", "))
}

fn shown(param: &Param) -> String {
    let base = match kind(param) {
        "TensorOrNumber" => "Tensor|Number",
        "Scalar" => "Number",
        "TensorList" => "tuple[Tensor]",
        "OptionalTensorList" => "tuple[Tensor|None]",
        "IntList" => "tuple[int]",
        "IntListOrInt" => "int|tuple[int]",
        "FloatList" => "tuple[float]",
        "BoolList" => "tuple[bool]",
        "ScalarList" => "tuple[Number]",
        "DimnameList" => "tuple[name]",
        "Int" | "SymInt" => "int",
        "Float" => "float",
        "Bool" => "bool",
        "Str" => "str",
        "DType" => "dtype",
        "Layout" => "layout",
        "Device" => "device",
        "MemoryFormat" => "memory_format",
        "Dimname" => "name",
        "Object" => "object",
        other => other,
    };
    let none = param.nullable && param.section == Section::Positional;
    if none { format!("{base}|None") } else { base.to_owned() }
}
