//! `tags.yaml`: the tags that operators may carry.

use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::source::Sources;

use crate::codes;
use crate::keys::Keys;
use crate::model::{SourceId, Spanned};
use crate::parse::is_identifier;
use crate::yaml;

/// Tags that are known without a file.
pub const BUILT_IN: [&str; 16] = [
    "core",
    "cudagraph_unsafe",
    "data_dependent_output",
    "dynamic_output_shape",
    "flexible_layout",
    "generated",
    "inplace_view",
    "maybe_aliasing_or_mutating",
    "needs_contiguous_strides",
    "needs_exact_strides",
    "needs_fixed_stride_order",
    "nondeterministic_bitwise",
    "nondeterministic_seeded",
    "pointwise",
    "pt2_compliant_tag",
    "view_copy",
];

/// The names that a file declares.
pub fn read(cx: &mut Diagnostics, sources: &Sources, id: SourceId) -> Vec<String> {
    let mut names: Vec<Spanned<String>> = Vec::new();
    for node in yaml::entries(cx, sources, id) {
        let Some(mut keys) = Keys::open(cx, &node, "the declaration of a tag") else { continue };
        let start = keys.start();
        let name = keys.take("tag");
        if let Some(field) = keys.take("desc") {
            field.string(cx);
        }
        keys.finish(cx, &["tag", "desc"]);
        let Some(name) = name else {
            cx.error(codes::TAGS_FILE, &start, "this declaration has no `tag`")
                .help("it holds the name: `tag: name`");
            continue;
        };
        let Some(name) = name.string(cx) else { continue };
        if !is_identifier(&name.value) {
            let message = format!("`{}` is not the name of a tag", name.value);
            cx.error(codes::TAGS_FILE, &name.span, message)
                .help("a name consists of letters, digits and `_`");
        } else if let Some(first) = names.iter().find(|it| it.value == name.value) {
            let message = format!("tag `{}` is declared twice", name.value);
            cx.error(codes::TAGS_FILE, &name.span, message)
                .also(&first.span, "first here")
                .help("remove one of them");
        } else {
            names.push(name);
        }
    }
    names.into_iter().map(|it| it.value).collect()
}
