//! Conditional compilation: items that are compiled, by their `#[cfg(...)]`.

use std::collections::BTreeSet;

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The configuration that a crate is compiled with, as far as build scripts
/// know it. Never `test`: a build script runs once for library and tests.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `unix`, `feature="simd"`.
    options: BTreeSet<String>,
}

impl Config {
    /// From the variables that cargo sets for a build script.
    pub fn from_variables(variables: impl Iterator<Item = (String, String)>) -> Self {
        let mut options = BTreeSet::new();
        for (variable, value) in variables {
            let Some(name) = variable.strip_prefix("CARGO_CFG_") else { continue };
            let name = name.to_lowercase();
            for value in value.split(',').filter(|it| !it.is_empty()) {
                options.insert(format!("{name}={value:?}"));
            }
            options.insert(name);
        }
        Config { options }
    }

    /// That of a build for this machine, without any feature.
    pub fn of_host() -> Self {
        let named = |name: &str, value: &str| format!("{name}={value:?}");
        let options = [
            std::env::consts::FAMILY.to_owned(),
            named("target_family", std::env::consts::FAMILY),
            named("target_os", std::env::consts::OS),
            named("target_arch", std::env::consts::ARCH),
            named("target_pointer_width", &usize::BITS.to_string()),
            named("target_endian", if cfg!(target_endian = "big") { "big" } else { "little" }),
        ];
        Config { options: BTreeSet::from(options) }
    }

    /// Whether an item with these attributes is compiled.
    pub fn compiles(&self, attrs: &[Attribute]) -> bool {
        attrs
            .iter()
            .filter(|it| it.path().is_ident("cfg"))
            .filter_map(|it| it.parse_args::<Meta>().ok())
            .all(|predicate| self.holds(&predicate))
    }

    /// What `#[cfg_attr(predicate, ...)]` puts in its place.
    pub fn applied(&self, attr: &Attribute) -> Vec<Meta> {
        let parts = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        let mut parts = parts.unwrap_or_default().into_iter();
        match parts.next() {
            Some(predicate) if self.holds(&predicate) => parts.collect(),
            _ => Vec::new(),
        }
    }

    fn holds(&self, predicate: &Meta) -> bool {
        match predicate {
            Meta::Path(path) => path.get_ident().is_some_and(|it| self.has(&it.to_string())),
            Meta::NameValue(pair) => match (pair.path.get_ident(), &pair.value) {
                (Some(name), Expr::Lit(value)) => match &value.lit {
                    Lit::Str(value) => self.has(&format!("{name}={:?}", value.value())),
                    _ => false,
                },
                _ => false,
            },
            Meta::List(list) => {
                let inner = list
                    .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                    .unwrap_or_default();
                let mut inner = inner.iter().map(|it| self.holds(it));
                match list.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("any") => inner.any(|it| it),
                    Some("not") => !inner.all(|it| it),
                    _ => inner.all(|it| it),
                }
            }
        }
    }

    fn has(&self, option: &str) -> bool {
        // `cfg(true)` and `cfg(false)` are words of their own.
        option == "true" || self.options.contains(option)
    }
}

#[cfg(test)]
mod tests {
    use super::Config;
    use syn::{ItemFn, parse_str};

    #[test]
    fn predicates() {
        let variables = [("CARGO_CFG_UNIX", ""), ("CARGO_CFG_FEATURE", "fast,simd")];
        let config =
            Config::from_variables(variables.into_iter().map(|(k, v)| (k.into(), v.into())));
        for (predicate, expected) in [
            ("unix", true),
            ("test", false),
            ("not(test)", true),
            ("feature = \"simd\"", true),
            ("feature = \"slow\"", false),
            ("any(windows, feature = \"fast\")", true),
            ("all(unix, not(feature = \"fast\"))", false),
        ] {
            let item: ItemFn = parse_str(&format!("#[cfg({predicate})] fn f() {{}}")).unwrap();
            assert_eq!(config.compiles(&item.attrs), expected, "{predicate}");
        }
    }
}
