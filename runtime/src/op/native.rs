//! Boxed values of types that a crate brings along.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use crate::types::struct_descriptor::Structure;

/// A type of a crate's own that schemas name: one with `#[native_type]` or
/// `#[derive(NativeType)]`, for which the build script says this.
#[diagnostic::on_unimplemented(
    message = "the build script has not read the type `{Self}`",
    note = "it reads `#[native_type]` and `#[derive(NativeType)]`, by these names, above types of \
            modules; not in a macro, a file for `include!` or a function"
)]
pub trait NativeType: Any + Clone + Send + Sync {
    /// Its name in schemas.
    const NAME: &'static str;

    /// What `#[derive(NativeType)]` says of it, if it is derived.
    const STRUCTURE: Option<&'static Structure> = None;
}

/// What is known of a type without its values.
#[derive(Debug)]
struct About {
    name: &'static str,
    structure: Option<&'static Structure>,
}

/// Of each type one.
trait KnownTypes {
    const ABOUT: &'static About;
}

impl<T: NativeType> KnownTypes for T {
    const ABOUT: &'static About = &About { name: T::NAME, structure: T::STRUCTURE };
}

/// Of objects of the host.
static HOST: About = About { name: "object", structure: None };

/// A value of such a type.
#[derive(Clone)]
pub struct Native {
    about: &'static About,
    value: Arc<dyn Any + Send + Sync>,
}

impl Native {
    /// This one.
    pub fn new<T: NativeType>(value: T) -> Native {
        Native { about: T::ABOUT, value: Arc::new(value) }
    }

    /// A copy of this one.
    pub fn copy_of<T: NativeType>(value: &T) -> Native {
        Native::new(value.clone())
    }

    /// An object of the host's language, of a type that only the host knows.
    pub fn of_host(object: impl Any + Send + Sync) -> Native {
        Native { about: &HOST, value: Arc::new(object) }
    }

    /// The object of the host, if it is of this Rust type.
    ///
    /// ```
    /// use opwright_runtime::op::Native;
    ///
    /// let native = Native::of_host("an object");
    /// assert_eq!(native.host::<&str>(), Some(&"an object"));
    /// assert_eq!(native.host::<String>(), None);
    /// ```
    pub fn host<T: Any>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }

    /// The name of its type.
    pub fn name(&self) -> &'static str {
        self.about.name
    }

    /// What `#[derive(NativeType)]` says of its type, if it is derived.
    pub fn structure(&self) -> Option<&'static Structure> {
        self.about.structure
    }

    /// Which type of Rust it is.
    pub fn id(&self) -> TypeId {
        (*self.value).type_id()
    }

    /// Whether both are one value.
    pub fn is_same(&self, other: &Native) -> bool {
        Arc::ptr_eq(&self.value, &other.value)
    }

    /// The value, if it is of this type.
    pub fn get<T: NativeType>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }

    /// One that others hold, too.
    pub fn of_shared<T: NativeType>(value: Arc<T>) -> Native {
        Native { about: T::ABOUT, value }
    }

    /// The value as others hold it, if it is of this type.
    pub fn shared<T: NativeType>(self) -> Option<Arc<T>> {
        self.value.downcast().ok()
    }

    /// The value itself, if it is of this type; a copy if others have it, too.
    pub fn take<T: NativeType>(self) -> Option<T> {
        let value = self.shared::<T>()?;
        Some(Arc::try_unwrap(value).unwrap_or_else(|it| T::clone(&it)))
    }
}

/// What it holds need not be shown.
impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about.name)
    }
}
