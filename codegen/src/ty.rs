//! Types of the parts of a formula.

use std::fmt;

use opwright_schema::model::{BaseType, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The type of a part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// One of the schema language, without what only Python tells apart.
    Of(Type),
    /// Several results of one call.
    Tuple(Vec<Type>),
    /// The gradients of several inputs, all of which are absent.
    Absent,
    /// None of an optional.
    Nothing,
    /// `{a, b}`, before it is known what is wanted.
    Braces,
    /// What a tensor is like: shape, dtype, device.
    Metadata,
    /// How a tensor lies.
    Geometry,
    /// The shapes of tensors.
    Shapes,
}

/// The type of plain numbers, be they symbolic, or of a fixed number of them.
fn plain(ty: &Type) -> Type {
    match ty {
        Type::Base(BaseType::SymInt | BaseType::DeviceIndex) => Type::Base(BaseType::Int),
        Type::Base(BaseType::SymBool) => Type::Base(BaseType::Bool),
        Type::Base(base) => Type::Base(base.clone()),
        Type::Optional(inner) => Type::Optional(Box::new(plain(inner))),
        Type::List(element, _) => Type::List(Box::new(plain(element)), None),
    }
}

impl Ty {
    pub(crate) const TENSOR: Ty = Ty::Of(Type::Base(BaseType::Tensor));
    pub(crate) const INT: Ty = Ty::Of(Type::Base(BaseType::Int));
    pub(crate) const FLOAT: Ty = Ty::Of(Type::Base(BaseType::Float));
    pub(crate) const BOOL: Ty = Ty::Of(Type::Base(BaseType::Bool));
    pub(crate) const SCALAR: Ty = Ty::Of(Type::Base(BaseType::Scalar));
    pub(crate) const STR: Ty = Ty::Of(Type::Base(BaseType::Str));
    pub(crate) const DTYPE: Ty = Ty::Of(Type::Base(BaseType::ScalarType));

    pub(crate) fn of(ty: &Type) -> Ty {
        Ty::Of(plain(ty))
    }

    pub(crate) fn base(base: BaseType) -> Ty {
        Ty::Of(Type::Base(base))
    }

    pub(crate) fn list(element: Ty) -> Ty {
        match element {
            Ty::Of(ty) => Ty::Of(Type::List(Box::new(ty), None)),
            other => other,
        }
    }

    pub(crate) fn optional(inner: Ty) -> Ty {
        match inner {
            Ty::Of(ty) => Ty::Of(Type::Optional(Box::new(ty))),
            other => other,
        }
    }

    /// What an optional may hold.
    pub(crate) fn inner(&self) -> Option<Ty> {
        match self {
            Ty::Of(Type::Optional(inner)) => Some(Ty::Of((**inner).clone())),
            _ => None,
        }
    }

    /// What a list holds.
    pub(crate) fn element(&self) -> Option<Ty> {
        match self {
            Ty::Of(Type::List(element, _)) => Some(Ty::Of((**element).clone())),
            _ => None,
        }
    }

    pub(crate) fn is_tensor(&self) -> bool {
        *self == Ty::TENSOR
    }

    pub(crate) fn is_optional_tensor(&self) -> bool {
        self.inner().is_some_and(|it| it.is_tensor())
    }

    /// Whether it is a number, or a truth value, which is one.
    pub(crate) fn is_number(&self) -> bool {
        [Ty::INT, Ty::FLOAT, Ty::BOOL, Ty::SCALAR].contains(self)
    }

    /// Whether values of it are passed as they are.
    pub(crate) fn is_copied(&self) -> bool {
        match self {
            Ty::Of(Type::Base(base)) => base.row().is_copied,
            Ty::Of(Type::Optional(inner)) => Ty::Of((**inner).clone()).is_copied(),
            _ => false,
        }
    }

    /// Whether a type of a crate's own is in it.
    pub(crate) fn has_native(&self) -> bool {
        fn has(ty: &Type) -> bool {
            match ty {
                Type::Base(base) => matches!(base, BaseType::Native(_)),
                Type::Optional(inner) | Type::List(inner, _) => has(inner),
            }
        }
        match self {
            Ty::Of(ty) => has(ty),
            Ty::Tuple(parts) => parts.iter().any(has),
            Ty::Absent | Ty::Nothing | Ty::Braces => false,
            Ty::Metadata | Ty::Geometry | Ty::Shapes => false,
        }
    }

    /// What turns an owned value into an argument.
    pub(crate) fn lend(&self, owned: &TokenStream) -> TokenStream {
        match self {
            _ if self.is_copied() => quote!(#owned),
            Ty::Of(Type::Optional(inner)) => match &**inner {
                Type::Base(BaseType::Tensor) => quote!((#owned).as_ref()),
                _ => quote!((#owned).as_deref()),
            },
            Ty::Of(Type::List(element, _)) => match &**element {
                Type::Base(BaseType::Tensor) => quote!(&*rt::autograd::refs(&(#owned))),
                Type::Optional(inner) if inner.is_tensor() => {
                    quote!(&*rt::autograd::optional_refs(&(#owned)))
                }
                _ => quote!(&*(#owned)),
            },
            _ => quote!(&(#owned)),
        }
    }

    /// What turns an argument into an owned value.
    pub(crate) fn own(&self, lent: &TokenStream) -> TokenStream {
        match self {
            _ if self.is_copied() => quote!(#lent),
            Ty::Of(Type::Optional(inner)) => match &**inner {
                Type::List(..) => quote!((#lent).map(<[_]>::to_vec)),
                _ => quote!((#lent).cloned()),
            },
            Ty::Of(Type::List(element, _)) => match &**element {
                Type::Base(BaseType::Tensor) => {
                    quote!((#lent).iter().copied().cloned().collect::<::std::vec::Vec<_>>())
                }
                Type::Optional(inner) if inner.is_tensor() => {
                    quote!((#lent).iter().map(|it| it.cloned()).collect::<::std::vec::Vec<_>>())
                }
                _ => quote!((#lent).to_vec()),
            },
            Ty::Of(Type::Base(BaseType::Str)) => quote!((#lent).to_owned()),
            _ => quote!(::core::clone::Clone::clone(#lent)),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Of(ty) => write!(f, "{ty}"),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "({})", parts.join(", "))
            }
            Ty::Absent => f.write_str("no gradients"),
            Ty::Nothing => f.write_str("nothing"),
            Ty::Braces => f.write_str("{...}"),
            Ty::Metadata => f.write_str("options"),
            Ty::Geometry => f.write_str("geometry"),
            Ty::Shapes => f.write_str("shapes"),
        }
    }
}
