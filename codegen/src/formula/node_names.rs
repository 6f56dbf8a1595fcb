//! Names of nodes.

use std::collections::HashMap;

use opwright_schema::model::{OpSet, Overload};

/// The name of the nodes of each entry: `MulBackward0`. If it does not say another one, the number
/// counts the entries of one base name, in the order of the file.
pub(super) fn node_names(ops: &OpSet) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let names = ops.derivatives.iter().map(|it| {
        let base = ops.overloads[it.operator].schema.name.base.to_string();
        let camel = camel(base.trim_matches('_'));
        let count = counts.entry(camel.clone()).or_default();
        let name = format!("{camel}Backward{count}").replace("ForwardBackward", "Backward");
        *count += 1;
        it.node.clone().unwrap_or(name)
    });
    names.collect()
}

/// The number of the nodes of an overload without an entry: behind those of its base name.
pub(super) fn count_of(ops: &OpSet, overload: &Overload) -> usize {
    let base = |it: &Overload| camel(it.schema.name.base.to_string().trim_matches('_'));
    let same = ops.derivatives.iter().map(|it| &ops.overloads[it.operator]);
    same.filter(|it| base(it) == base(overload)).count()
}

/// `log1p`: `Log1P`. A letter is a capital unless one stands before it.
pub(super) fn camel(name: &str) -> String {
    let mut camel = String::new();
    let mut is_inside = false;
    for ch in name.chars() {
        if ch != '_' {
            camel.push(if is_inside { ch } else { ch.to_ascii_uppercase() });
        }
        is_inside = ch.is_ascii_alphabetic();
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::camel;

    #[test]
    fn capitals_begin_words() {
        assert_eq!(camel("log_softmax"), "LogSoftmax");
        assert_eq!(camel("log1p"), "Log1P");
        assert_eq!(camel("avg_pool2d"), "AvgPool2D");
    }
}
