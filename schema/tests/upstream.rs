//! Upstream's own files: every operator is accepted and printed back.

mod shared;

use opwright_diagnostics::{Sources, render};
use opwright_schema::autogen::companions;
use opwright_schema::derivatives::{Formulas, Forward, ForwardRule, assign};
use opwright_schema::model::{Kind, OpSet};
use opwright_schema::{Input, load};

fn load_upstream(sources: &mut Sources) -> Option<OpSet> {
    let mut add = |name: &str| {
        let text = shared::read(&format!("upstream/{name}"))?;
        Some(sources.add(name, text))
    };
    let input = Input {
        natives: Vec::new(),
        yaml: vec![add("native_functions.yaml")?],
        tags: Some(add("tags.yaml")?),
        deprecated: Some(add("deprecated.yaml")?),
        derivatives: Some(add("derivatives.yaml")?),
        annotated: Vec::new(),
        gradients: Vec::new(),
        ..Input::default()
    };
    Some(load(sources, &input).unwrap_or_else(|errors| {
        panic!("{} errors\n{}", errors.len(), render(sources, &errors[..errors.len().min(60)]))
    }))
}

#[test]
fn every_operator_is_accepted_and_printed_back() {
    let mut sources = Sources::new();
    let Some(ops) = load_upstream(&mut sources) else { return };
    assert_eq!(ops.overloads.len(), 2658);
    for overload in &ops.overloads {
        assert_eq!(overload.schema.to_string(), sources.text(&overload.span));
    }
    assert_eq!(ops.deprecated.len(), 44);
}

#[test]
fn operators_fall_into_upstreams_kinds() {
    let mut sources = Sources::new();
    let Some(ops) = load_upstream(&mut sources) else { return };
    let count = |kind| ops.overloads.iter().filter(|it| it.schema.kind() == kind).count();
    let kinds = [Kind::Functional, Kind::Out, Kind::Inplace, Kind::Mutable, Kind::Scratch];
    assert_eq!(kinds.map(count), [1649, 658, 342, 9, 0]);
}

#[test]
fn operators_fall_into_upstreams_groups() {
    let mut sources = Sources::new();
    let Some(ops) = load_upstream(&mut sources) else { return };
    let (mut complete, mut singletons, mut generated) = (0, 0, 0);
    for group in &ops.groups {
        let companions = companions(&ops.overloads, group);
        generated += companions.len();
        match group.is_complete() || !companions.is_empty() {
            true => complete += 1,
            false => singletons += group.members().count(),
        }
    }
    assert_eq!((complete, singletons, generated), (1130, 606, 474 + 39));
}

#[test]
fn every_formula_matches_an_operator() {
    let mut sources = Sources::new();
    let Some(ops) = load_upstream(&mut sources) else { return };
    assert_eq!(ops.derivatives.len(), 676);
    let formulas = || ops.derivatives.iter().flat_map(|it| &it.formulas).map(|(_, it)| it);
    let forward = |rule: &ForwardRule| {
        formulas().flat_map(|it| &it.forward).filter(|it| it.rule == *rule).count()
    };
    assert_eq!(forward(&ForwardRule::AutoLinear), 121);
    assert_eq!(forward(&ForwardRule::AutoElementWise), 83);
    let backward = || formulas().flat_map(|it| &it.backward);
    assert_eq!(backward().filter(|it| it.not_implemented).count(), 50);
    assert_eq!(backward().filter(|it| !it.not_implemented).count(), 718);
    let written = |it: &&Forward| matches!(it.rule, ForwardRule::Formula(_));
    assert_eq!(formulas().flat_map(|it| &it.forward).filter(written).count(), 253);
    let without = formulas().filter(|it| **it == Formulas::default()).count();
    assert_eq!(without, 35);
    let assigned = assign(&ops);
    assert!(assigned.iter().flatten().count() > ops.derivatives.len());
}
