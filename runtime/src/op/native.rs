//! Values of types that a crate brings along.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A type of a crate's own that schemas name: one with `#[native_type]`, for which the build script
/// says this.
pub trait NativeType: Any + Clone + Send + Sync {
    /// Its name in schemas.
    const NAME: &'static str;
}

/// A value of such a type.
#[derive(Clone)]
pub struct Native {
    name: &'static str,
    value: Arc<dyn Any + Send + Sync>,
}

impl Native {
    /// This one.
    pub fn new<T: NativeType>(value: T) -> Native {
        Native { name: T::NAME, value: Arc::new(value) }
    }

    /// An object of the host's language, of a type that only the host knows.
    pub fn of_host(object: impl Any + Send + Sync) -> Native {
        Native { name: "object", value: Arc::new(object) }
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
        self.name
    }

    /// The value, if it is of this type.
    pub fn get<T: NativeType>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }

    /// The value itself, if it is of this type; a copy if others have it, too.
    pub fn take<T: NativeType>(self) -> Option<T> {
        let value = self.value.downcast::<T>().ok()?;
        Some(Arc::try_unwrap(value).unwrap_or_else(|it| T::clone(&it)))
    }
}

/// What it holds need not be shown.
impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
