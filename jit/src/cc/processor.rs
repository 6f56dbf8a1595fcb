//! Processor identity: code for all that one processor can do runs on no other.

use std::sync::OnceLock;

/// Text that is the same for processors that can do the same; none if it is not known here.
pub(super) fn features() -> Option<&'static str> {
    static FEATURES: OnceLock<Option<String>> = OnceLock::new();
    FEATURES.get_or_init(|| described(&std::fs::read_to_string("/proc/cpuinfo").ok()?)).as_deref()
}

/// The lines of the first processor that say which one it is, and what it can do.
fn described(text: &str) -> Option<String> {
    const NAMES: [&str; 11] = [
        "vendor_id",
        "cpu family",
        "model",
        "flags",
        "CPU implementer",
        "CPU architecture",
        "CPU variant",
        "CPU part",
        "Features",
        "isa",
        "cpu",
    ];
    let first = text.lines().take_while(|it| !it.trim().is_empty());
    let known =
        first.filter(|it| it.split_once(':').is_some_and(|(name, _)| NAMES.contains(&name.trim())));
    let found: Vec<&str> = known.collect();
    (!found.is_empty()).then(|| found.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::described;

    #[test]
    fn keeps_what_a_processor_can_do() {
        let text = "processor\t: 0\nmodel\t\t: 85\ncpu MHz\t\t: 2593.9\nflags\t\t: fpu avx2\n\n\
                    processor\t: 1\nmodel\t\t: 86\n";
        assert_eq!(described(text).as_deref(), Some("model\t\t: 85\nflags\t\t: fpu avx2"));
        assert_eq!(described(""), None);
    }
}
