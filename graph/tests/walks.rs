//! Ways through graphs, copies and replacements, pictures: with Ops that are no operators.

use std::fmt;
use std::slice::from_ref;
use std::sync::Arc;

use opwright_graph::print::{Shown, dot, svg, tree};
use opwright_graph::{
    Apply, Custom, GraphError, Results, Variable, ancestors, copied, custom, equal_computations,
    extent, inputs, item, nodes, replaced, shape, specified,
};
use opwright_runtime::DType;
use opwright_runtime::op::Value;
use opwright_runtime::types::{Plain, TensorType, TypeRef};

/// A function of any inputs, whose result is like the first.
struct Call(&'static str);

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Custom for Call {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Call>().is_some_and(|it| it.0 == self.0)
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Ok(Results::from_iter([inputs[0].clone()]))
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, GraphError> {
        Ok(Some(vec![inputs[0].ty().clone()]))
    }
}

fn call(name: &'static str, inputs: &[&Variable]) -> Variable {
    let types = vec![inputs[0].ty().clone()];
    let inputs = inputs.iter().map(|it| (*it).clone()).collect();
    Variable::output(custom(Arc::new(Call(name)), inputs, types, None), 0)
}

fn vector(name: &str, extent: Option<i64>) -> Variable {
    Variable::new(TensorType::new(DType::Float64, [extent]).shared(), Some(name))
}

fn text(variable: &Variable, types: bool, depth: Option<usize>) -> String {
    let shown = Shown { types, shape: false, ids: true, depth, order: None };
    tree(from_ref(variable), &shown)
}

#[test]
fn what_was_shown_is_not_opened_again() {
    let x = vector("x", None);
    let e = call("exp", &[&x]);
    let expected = "\
mul [id A]
 ├─ exp [id B]
 │  └─ x [id C]
 └─ exp [id B]
    └─ ···
";
    let product = call("mul", &[&e, &e]);
    assert_eq!(text(&product, false, None), expected);
    assert_eq!(text(&product, false, Some(1)), "mul [id A]\n");
    assert_eq!(text(&e, true, Some(1)), "exp [id A] <TensorType(float64, (?,))>\n");
}

#[test]
fn constants_show_their_values() {
    let constant = |value| Variable::constant(Arc::new(Plain::Double), value, None);
    let x = vector("x", None);
    let sum = call("add", &[&x, &constant(Value::Float(2.0))]);
    assert_eq!(text(&sum, false, None), "add [id A]\n ├─ x [id B]\n └─ 2.0 [id C]\n");
}

#[test]
fn what_is_specified_is_shown() {
    let x = vector("x", None);
    let ty = TensorType::new(DType::Float64, [Some(2)]).shared();
    let known = specified(&x, &ty, None).expect("types that have values in common");
    assert_eq!(text(&known, false, None), "specify_shape{shape=(2,)} [id A]\n └─ x [id B]\n");
    assert!(specified(&known, &ty, None).is_ok_and(|it| it == known));
}

#[test]
fn pictures_have_a_shape_for_each_node_and_leaf() {
    let x = vector("x<&>", None);
    let sum = call("add", &[&call("exp", &[&x]), &x]);
    let picture = dot(from_ref(&sum));
    assert!(picture.starts_with("digraph"));
    assert_eq!(picture.matches("->").count(), 3);
    assert_eq!(picture.matches("shape=box").count(), 2);
    let picture = svg(&[sum]);
    assert_eq!(picture.matches("<rect").count(), 2);
    assert_eq!(picture.matches("<ellipse").count(), 1);
    assert!(picture.contains("x&lt;&amp;&gt;"));
}

#[test]
fn replacements_narrow_types() {
    let (x, y) = (vector("x", None), vector("y", None));
    let kept = call("exp", &[&y]);
    let sum = call("add", &[&call("exp", &[&x]), &kept]);
    let narrow = vector("w", Some(4));
    let made = replaced(&[sum.clone(), kept.clone()], &[(x.clone(), narrow.clone())]);
    let made = made.expect("types that fit");
    assert_eq!(made[0].ty().to_string(), "TensorType(float64, (4,))");
    assert_eq!(made[1], kept);
    assert_eq!(inputs(&made[..1]), [narrow, y]);
    // A wider one is found to be narrow enough when it runs.
    let wide = vector("v", None);
    let x = vector("x", Some(2));
    let made = replaced(&[call("exp", &[&x])], &[(x.clone(), wide)]).expect("types that fit");
    assert_eq!(made[0].ty().to_string(), "TensorType(float64, (2,))");
    let matrix = Variable::new(TensorType::new(DType::Float64, [None, None]).shared(), None);
    assert!(replaced(&[sum], &[(x, matrix)]).is_err());
}

#[test]
fn copies_compute_the_same_of_others() {
    let x = vector("x", None);
    let y = call("exp", &[&x]);
    let (leaves, made) = copied(from_ref(&x), from_ref(&y));
    assert_ne!(made[0], y);
    assert_eq!(inputs(&made), leaves);
    assert!(!equal_computations(&made, from_ref(&y)));
    assert!(equal_computations(&[call("exp", &[&x])], from_ref(&y)));
    assert!(!equal_computations(&[call("log", &[&x])], &[y]));
}

#[test]
fn extents_are_integers() {
    let x = Variable::new(TensorType::new(DType::Float64, [Some(2), None]).shared(), Some("x"));
    let shape = shape(&x, None).expect("a tensor has a shape");
    assert_eq!(shape.ty().to_string(), "int64[2]");
    let last = item(&shape, -1, None).expect("two extents");
    assert!(equal_computations(&[last], &[extent(&x, 1, None).expect("a dimension")]));
    assert!(extent(&x, 2, None).is_err() && item(&shape, 2, None).is_err());
}

/// A chain of so many nodes over `x`.
fn chain(x: &Variable, length: usize) -> Variable {
    let op: Arc<dyn Custom> = Arc::new(Call("next"));
    (0..length).fold(x.clone(), |so_far, _| {
        let types = vec![so_far.ty().clone()];
        Variable::output(custom(op.clone(), vec![so_far], types, None), 0)
    })
}

// Nothing here is recursive.
#[test]
fn a_chain_of_a_million_nodes_is_built_walked_and_dropped() {
    let end = chain(&vector("x", None), 1_000_000);
    assert_eq!(nodes(&[], from_ref(&end)).len(), 1_000_000);
    assert!(text(&end, false, Some(3)).ends_with("next [id C]\n"));
}

#[test]
fn long_chains_are_replaced_and_compared() {
    let x = vector("x", None);
    let (end, other) = (chain(&x, 20_000), chain(&x, 20_000));
    assert_eq!(ancestors(from_ref(&end)).len(), 20_001);
    assert!(equal_computations(from_ref(&end), &[other]));
    let replaced = replaced(&[end], &[(x, vector("y", Some(3)))]).expect("types that fit");
    assert_eq!(replaced[0].ty().to_string(), "TensorType(float64, (3,))");
}
