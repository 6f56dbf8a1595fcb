//! What sound entries say, as the model has it.

use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::{Sources, render};
use opwright_schema::derivatives::{self, OutputDifferentiability};
use opwright_schema::group::signature;
use opwright_schema::model::{
    Default, Dispatch, DispatchKey, Gil, Group, OpSet, OptionsCategory, Origin, Passed,
    PythonModule, Span, Spanned, Structured,
};
use opwright_schema::parse::parse_schema;
use opwright_schema::types::Natives;
use opwright_schema::{Annotated, Derives, Input, load, names};

#[track_caller]
fn ops(yaml: &str) -> OpSet {
    let mut sources = Sources::new();
    let file = sources.add("crate/native_functions.yaml", yaml);
    load(&sources, &Input::yaml(file)).unwrap_or_else(|it| panic!("{}", render(&sources, &it)))
}

fn texts(items: &[Spanned<String>]) -> Vec<&str> {
    items.iter().map(|it| it.value.as_str()).collect()
}

/// `schema | kernels | how it is structured | what it calls | surfaces, operators, aliases, tags`
fn described(ops: &OpSet) -> Vec<String> {
    let overloads = ops.overloads.iter().map(|it| {
        let kernels: Vec<&str> = it.dispatch.iter().map(|it| it.kernel.value.as_str()).collect();
        let structured = match &it.structured {
            Structured::No => "no".to_owned(),
            Structured::Rule(rule) => rule.value.clone(),
            Structured::Delegate(delegate) => format!("by {}", delegate.value),
            other => format!("{other:?}"),
        };
        let called = it.forward.as_ref().map(|it| ops.overloads[it.target].schema.name.to_string());
        let surfaces = [(it.function, "function"), (it.method, "method")];
        let surfaces: Vec<&str> =
            surfaces.into_iter().filter_map(|(has, name)| has.then_some(name)).collect();
        let words = [texts(&it.python.operators), texts(&it.python.aliases), texts(&it.tags)];
        format!(
            "{} | {} | {structured} | {} | {} {}",
            it.schema,
            kernels.join(" "),
            called.unwrap_or_default(),
            surfaces.join(" "),
            words.concat().join(" "),
        )
    });
    overloads.collect()
}

#[test]
fn an_entry_has_its_formulas() {
    let own = ops("
- func: halve(Tensor self) -> Tensor
  dispatch: {CPU: halve}
  derivative:
    node: HalfBackward
    self: grad.halve()
- func: is_even(Tensor self) -> Tensor
  dispatch: {CPU: is_even}
  derivative:
    output_differentiability: [False]
");
    let [halve, even] = own.derivatives.as_slice() else { panic!("two") };
    let [(_, formulas)] = halve.formulas.as_slice() else { panic!("one key") };
    assert_eq!((halve.operator, halve.node.as_deref()), (0, Some("HalfBackward")));
    assert_eq!(formulas.backward[0].formula.text.value, "grad.halve()");
    assert_eq!((even.operator, even.node.as_deref()), (1, None));
    assert_eq!(even.outputs, OutputDifferentiability::Stated(vec![false]));
}

#[test]
fn variants_follow_from_an_entry() {
    let ops = ops("
- func: sum.Tensor(Tensor self, Tensor other) -> Tensor
  structured: elementwise
  dispatch: {CPU: sum_out}
  derive: [inplace_method, sum.out]
  variants: function, method
  tags: [core, pointwise]
  python: {operators: [__add__, __radd__], aliases: total}
- func: halve(Tensor self) -> Tensor
  structured: elementwise
  dispatch: {CPU: halve_out}
  derive: [inplace, out]
- func: hlv(Tensor self) -> Tensor
  alias_of: halve
  derive: [inplace, out]
- func: both(Tensor self, *, int k) -> (Tensor low, Tensor high)
  dispatch: {CPU: both}
  derive: out
- func: sorted.dimname(Tensor self, Dimname dim) -> Tensor
  derive: [inplace, out]
");
    assert_eq!(
        described(&ops),
        [
            "sum.Tensor(Tensor self, Tensor other) -> Tensor |  | by sum.out |  | function method __add__ __radd__ total core pointwise",
            "sum_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!) |  | by sum.out |  | method __iadd__ total_ pointwise",
            "sum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!) | sum_out | elementwise |  | function total pointwise",
            "halve(Tensor self) -> Tensor |  | by halve.out |  | function ",
            "halve_(Tensor(a!) self) -> Tensor(a!) |  | by halve.out |  | function ",
            "halve.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) | halve_out | elementwise |  | function ",
            "hlv(Tensor self) -> Tensor |  | no | halve | function ",
            "hlv_(Tensor(a!) self) -> Tensor(a!) |  | no | halve_ | function ",
            "hlv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!) |  | no | halve.out | function ",
            "both(Tensor self, *, int k) -> (Tensor low, Tensor high) | both | no |  | function ",
            "both.out(Tensor self, *, int k, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high) |  | no | both | function ",
            "sorted.dimname(Tensor self, Dimname dim) -> Tensor |  | no |  | function ",
            "sorted_.dimname(Tensor(a!) self, Dimname dim) -> Tensor(a!) |  | no |  | function ",
            "sorted.dimname_out(Tensor self, Dimname dim, *, Tensor(a!) out) -> Tensor(a!) |  | no |  | function ",
        ]
    );
}

#[test]
fn copies_follow_from_a_view() {
    let ops = ops("
- func: row.int(Tensor(a) self, int at=0) -> Tensor(a)
  dispatch: {CPU: row}
  derive: copy
  variants: function, method
  tags: core
  derivative:
    self: grad.row_backward(at)
- func: rows(Tensor(a -> *) self) -> Tensor(a)[]
  dispatch: {CPU: rows}
  derive: copy
  variants: method
  python: skip
");
    assert_eq!(
        described(&ops),
        [
            "row.int(Tensor(a) self, int at=0) -> Tensor(a) | row | no |  | function method core",
            "row_copy.int(Tensor self, int at=0) -> Tensor |  | no | row.int | function view_copy",
            "row_copy.int_out(Tensor self, int at=0, *, Tensor(a!) out) -> Tensor(a!) |  | no | row.int | function view_copy",
            "rows(Tensor(a -> *) self) -> Tensor(a)[] | rows | no |  | method ",
            "rows_copy(Tensor self) -> Tensor[] |  | no | rows | function view_copy",
            "rows_copy.out(Tensor self, *, Tensor(a!)[] out) -> () |  | no | rows | function view_copy",
        ]
    );
    let assigned = derivatives::assign(&ops);
    assert_eq!(assigned[..3], [Some(0), Some(0), None]);
}

#[test]
fn variants_of_an_alias_call_those_of_its_target() {
    let ops = ops("
- func: lift.Number(Tensor self, Tensor by) -> Tensor
  structured: elementwise
  dispatch: {CPU: lift_out}
  derive: [inplace, lift.OutNumber]
- func: __lift__.Number(Tensor self, Tensor by) -> Tensor
  alias_of: lift.Number
  derive: inplace_method
  variants: function, method
- func: square(Tensor self) -> Tensor
  alias_of: lift.Number(self, 2)
  derive: [inplace, out]
- func: both(Tensor self) -> Tensor
  dispatch: {CPU: both}
  derive: out
- func: two(Tensor self) -> Tensor
  alias_of: both
  derive: out
- func: one(Tensor self) -> Tensor
  dispatch: {CPU: one}
- func: single(Tensor self) -> Tensor
  alias_of: one
  derive: out
");
    let calls = described(&ops);
    let calls: Vec<(&str, &str)> = calls
        .iter()
        .map(|it| (it.split('(').next().unwrap_or_default(), it.split(" | ").nth(3).unwrap_or("")))
        .filter(|(_, called)| !called.is_empty())
        .collect();
    assert_eq!(
        calls,
        [
            ("__lift__.Number", "lift.Number"),
            ("__ilift__.Number", "lift_.Number"),
            ("square", "lift.Number"),
            ("square_", "lift_.Number"),
            ("square.out", "lift.OutNumber"),
            ("both.out", "both"),
            ("two", "both"),
            // Their targets have no out variant with a kernel: the results are copied.
            ("two.out", "both"),
            ("single", "one"),
            ("single.out", "one"),
        ]
    );
}

#[test]
fn an_entry_says_what_its_keys_say() {
    let ops = ops("
- func: foo.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  variants: method, function
  dispatch:
    CPU, Meta: native::foo
    CompositeExplicit: foo_anywhere
  doc: |
    First line.

    Second paragraph.
  python:
    name: oof
    operators: [__add__, __radd__]
    aliases: ofo
    keyword_aliases: {other: [x2], alpha: scale}
    numbers: true
  gil: release
  since: 0.1
  tags: [core, pointwise]
  cpp_no_default_args: ['alpha']
  device_check: NoCheck
");
    let [foo] = ops.overloads.as_slice() else { panic!("one overload") };
    assert_eq!((foo.function, foo.method), (true, true));
    assert_eq!((foo.line, foo.device_check, foo.device_guard), (2, false, true));
    let file = "native_functions.yaml".to_owned();
    assert_eq!(foo.origin, Origin::Yaml { file, section: None });
    let dispatch: Vec<_> =
        foo.dispatch.iter().map(|it| (&it.key.value, it.kernel.value.as_str())).collect();
    assert_eq!(
        dispatch,
        [
            (&DispatchKey::Cpu, "native::foo"),
            (&DispatchKey::Meta, "native::foo"),
            (&DispatchKey::CompositeExplicit, "foo_anywhere"),
        ]
    );
    assert_eq!(foo.doc, "First line.\n\nSecond paragraph.");
    assert_eq!(foo.python.name.as_ref().map(|it| it.value.as_str()), Some("oof"));
    assert_eq!(texts(&foo.python.operators), ["__add__", "__radd__"]);
    assert_eq!(texts(&foo.python.aliases), ["ofo"]);
    let aliases: Vec<_> =
        foo.python.keyword_aliases.iter().map(|(it, to)| (it.value.as_str(), texts(to))).collect();
    assert_eq!(aliases, [("other", vec!["x2"]), ("alpha", vec!["scale"])]);
    assert!(foo.python.numbers && !foo.python.skip);
    assert_eq!((foo.gil, foo.since.as_deref()), (Gil::Release, Some("0.1")));
    assert_eq!(texts(&foo.tags), ["core", "pointwise"]);
    assert_eq!(texts(&foo.no_default), ["alpha"]);
}

#[test]
fn an_entry_without_keys_has_the_usual_values() {
    let ops = ops("- func: foo(Tensor self) -> Tensor\n");
    let [foo] = ops.overloads.as_slice() else { panic!("one overload") };
    assert_eq!((foo.function, foo.method, foo.has_dispatch), (true, false, false));
    assert_eq!(foo.python_module, PythonModule::Root);
    assert_eq!((foo.gil, foo.structured.clone()), (Gil::Auto, Structured::No));
    assert!(foo.is_composite_implicit() && foo.device_check && foo.device_guard);
}

#[test]
fn options_are_told_by_name_and_parameters() {
    let ops = ops("
- func: new_foo(Tensor self) -> Tensor
  dispatch: {CPU: a}
- func: foo_like(Tensor self) -> Tensor
  dispatch: {CPU: b}
- func: foo(int n) -> Tensor
- func: bar(Tensor self) -> Tensor
- func: baz(Tensor self) -> Tensor
  category_override: factory
- func: qux(int n) -> Tensor
  category_override: dummy
");
    let categories: Vec<_> = ops.overloads.iter().map(|it| it.options).collect();
    use OptionsCategory::{Factory, Like, New, None};
    assert_eq!(categories, [New, Like, Factory, None, Factory, None]);
}

#[test]
fn a_structured_group_is_one_group() {
    let ops = ops("
- func: foo(Tensor self) -> Tensor
  structured_delegate: foo.out
- func: foo_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: foo.out
- func: foo.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: elementwise
  dispatch:
    CPU: foo_out
- func: bar(Tensor self, int x) -> Tensor
");
    let rule = match &ops.overloads[2].structured {
        Structured::Rule(rule) => rule.value.as_str(),
        other => panic!("{other:?}"),
    };
    assert_eq!(rule, "elementwise");
    let group = |functional, inplace, out| Group { functional, inplace, out, ..Group::default() };
    assert_eq!(ops.groups, [group(Some(0), Some(1), Some(2)), group(Some(3), None, None)]);
}

#[test]
fn aliases_know_what_they_pass() {
    let ops = ops("
- func: pow.Tensor_Scalar(Tensor self, Scalar exponent, *, bool quick=False) -> Tensor
  dispatch:
    CPU: pow
- func: power(Tensor self, Scalar exponent) -> Tensor
  alias_of: pow.Tensor_Scalar
- func: square(Tensor self) -> Tensor
  alias_of: pow.Tensor_Scalar(self, 2)
- func: square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  alias_of: pow.Tensor_Scalar(self, 2, True)
- func: power.Tensor(Tensor self, Tensor exponent) -> Tensor
  alias_of: pow.Tensor_Scalar
");
    use Passed::{Literal, Param, TargetDefault};
    let forward = |idx: usize| ops.overloads[idx].forward.clone().expect("an alias");
    assert!(ops.overloads[0].forward.is_none());
    assert_eq!(forward(1).target, 0);
    assert_eq!(forward(1).arguments, [Param(0), Param(1), TargetDefault]);
    assert_eq!(forward(2).arguments, [Param(0), Literal(Default::Int(2)), TargetDefault]);
    let quick = Literal(Default::Bool(true));
    assert_eq!(forward(3).arguments, [Param(0), Literal(Default::Int(2)), quick]);
    // A tensor of one element is a number.
    assert_eq!(forward(4).arguments, [Param(0), Param(1), TargetDefault]);
}

#[test]
fn deprecated_signatures_find_their_operators() {
    let ops = ops("
- func: foo(Tensor self, Tensor other, *, Scalar alpha=1, Scalar beta=2) -> Tensor
  deprecated:
  - foo(Tensor self, Scalar alpha, Tensor other) -> Tensor
  - name: foo(Tensor old, Tensor older) -> Tensor
    call: foo(older, old, 3)
");
    use Passed::{Literal, Param, TargetDefault};
    let arguments: Vec<_> = ops.deprecated.iter().map(|it| it.arguments.clone()).collect();
    assert_eq!(ops.deprecated.iter().map(|it| it.target).collect::<Vec<_>>(), [0, 0]);
    assert_eq!(
        arguments,
        [
            [Param(0), Param(2), Param(1), TargetDefault],
            [Param(1), Param(0), Literal(Default::Int(3)), TargetDefault],
        ]
    );
}

#[test]
fn annotations_are_entries_too() {
    let text = "foo(Tensor self) -> Tensor|special|CPU";
    let mut sources = Sources::new();
    let id = sources.add("src/a.rs", text);
    let place = |part: &str| {
        let start = text.find(part).expect("it is there");
        Spanned::new(part.to_owned(), Span::new(id, start..start + part.len()))
    };
    let module =
        (Spanned::new("python_module".to_owned(), place("special").span), place("special"));
    let schema = place("foo(Tensor self) -> Tensor");
    let mut cx = Diagnostics::new();
    let parsed = parse_schema(&mut cx, Natives::NONE, &schema.value, &schema.span);
    cx.finish().expect("a sound schema");
    let annotated = Annotated {
        schema: Spanned::new(parsed, schema.span),
        line: 7,
        file: "src/a.rs".to_owned(),
        options: vec![module],
        doc: " Does it.\n".to_owned(),
        dispatch: vec![Dispatch {
            key: Spanned::new(DispatchKey::CompositeImplicit, place("CPU").span),
            kernel: place("foo"),
        }],
        derives: Derives::default(),
    };
    let input = Input { annotated: vec![annotated], ..Input::default() };
    let ops = load(&sources, &input).unwrap_or_else(|it| panic!("{}", render(&sources, &it)));
    let [foo] = ops.overloads.as_slice() else { panic!("one overload") };
    assert_eq!(foo.origin, Origin::Annotation { file: "src/a.rs".to_owned() });
    assert_eq!((foo.line, foo.doc.as_str()), (7, "Does it."));
    assert_eq!(foo.python_module, PythonModule::Sub("special".to_owned()));
    assert_eq!(foo.dispatch.len(), 1);
}

#[test]
fn methods_have_names_of_their_own() {
    let ops = ops("
- func: foo.Scalar(Tensor self, Scalar x) -> Tensor
- func: foo.Tensor(Tensor self, Tensor x) -> Tensor
  variants: method
- func: foo.int_List(Tensor self, int[] x) -> Tensor
  variants: method
- func: foo_int_list(Tensor self) -> Tensor
  variants: method
  c: skip
  go: skip
- func: where.self(Tensor self) -> Tensor
  variants: method
");
    let methods = names::methods(&ops);
    let methods: Vec<_> = methods.iter().map(Option::as_deref).collect();
    let expected =
        [None, Some("foo"), Some("foo_int_list_"), Some("foo_int_list"), Some("r#where")];
    assert_eq!(methods, expected);
}

#[test]
fn signatures_compare_as_their_texts_do() {
    let ops = ops("
- func: foo.a(Tensor self, int x=1) -> Tensor
- func: foo_.a(Tensor(a!) self, int x=1) -> Tensor(a!)
- func: foo.b(Tensor self, int x=2) -> Tensor
- func: foo.c(Tensor self, *, int x=1) -> Tensor
- func: foo.d(Tensor self, int y=1) -> Tensor
- func: foo.e(Tensor self, int x=1) -> (Tensor, Tensor)
- func: bar.a(Tensor self, int x=1) -> Tensor
- func: __foo__(Tensor self, int x=1) -> Tensor
");
    for one in &ops.overloads {
        for two in &ops.overloads {
            let (one, two) = (signature(&one.schema), signature(&two.schema));
            assert_eq!(one == two, one.to_string() == two.to_string(), "{one} and {two}");
        }
    }
}
