//! The resolver, without Python: a call is a list of descriptions.

use opwright_runtime::resolve::{
    ABSENT, Accepts, Binding, Describe, Keywords, Kind, OverloadSet, Parameter, Signature,
    VARIADIC, account, explain,
};

const fn param(name: &'static str, kind: Kind, required: bool) -> Parameter {
    Parameter { name, kind, nullable: false, required, size: 0, aliases: &[] }
}

const fn signature(text: &'static str, params: &'static [Parameter], positional: u8) -> Signature {
    Signature { text, params, positional, variadic: false, deprecated: false }
}

/// `max` has the overloads that people confuse most.
static MAX: OverloadSet = OverloadSet::new(
    "max",
    &[
        signature("max(Tensor input)", &[param("input", Kind::Tensor, true)], 1),
        signature(
            "max(Tensor input, Tensor other)",
            &[param("input", Kind::Tensor, true), param("other", Kind::Tensor, true)],
            2,
        ),
        signature(
            "max(Tensor input, int dim, bool keepdim=False)",
            &[
                param("input", Kind::Tensor, true),
                Parameter { aliases: &["axis"], ..param("dim", Kind::Int, true) },
                Parameter { aliases: &["keepdims"], ..param("keepdim", Kind::Bool, false) },
            ],
            3,
        ),
    ],
);

static VIEW: OverloadSet = OverloadSet::new(
    "view",
    &[Signature {
        variadic: true,
        ..signature("view(tuple[int] size)", &[param("size", Kind::SymInt.list(), true)], 1)
    }],
);

const TENSOR: Accepts = Accepts::of(&[Kind::Tensor]);
const INT: Accepts = Accepts::of(&[Kind::Int, Kind::SymInt]);
const INTS: Accepts = Accepts::of(&[Kind::SymInt.list()]);
const BOOL: Accepts = Accepts::of(&[Kind::Bool]);
const STR: Accepts = Accepts::of(&[Kind::Str]);

struct Names(&'static [&'static str]);

impl Keywords for Names {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn find(&self, param: &Parameter) -> Option<usize> {
        let position = |name: &str| self.0.iter().position(|it| *it == name);
        position(param.name).or_else(|| param.aliases.iter().find_map(|it| position(it)))
    }
}

/// The overload that takes the call, and where its arguments went.
#[track_caller]
fn check(
    function: &OverloadSet,
    positional: &[Accepts],
    keywords: &[(&'static str, Accepts)],
    expected: Option<(usize, &[u8])>,
) {
    let names: Vec<&'static str> = keywords.iter().map(|it| it.0).collect();
    let accepts: Vec<Accepts> =
        positional.iter().copied().chain(keywords.iter().map(|it| it.1)).collect();
    let names = Names(names.leak());
    let mut binding = Binding::EMPTY;
    let fits = binding.resolve(function.signatures, positional.len(), &accepts, &names);
    let found = fits.then(|| {
        let params = function.signatures[binding.overload].params.len();
        (binding.overload, &binding.slots[..params])
    });
    assert_eq!(found, expected);
}

#[test]
fn the_first_overload_that_fits_takes_the_call() {
    check(&MAX, &[TENSOR], &[], Some((0, &[0])));
    check(&MAX, &[TENSOR, TENSOR], &[], Some((1, &[0, 1])));
    check(&MAX, &[TENSOR, INT], &[], Some((2, &[0, 1, ABSENT])));
    check(&MAX, &[TENSOR, INT, BOOL], &[], Some((2, &[0, 1, 2])));
    check(&MAX, &[TENSOR, STR], &[], None);
}

#[test]
fn keywords_and_aliases_fill_slots() {
    check(&MAX, &[TENSOR], &[("other", TENSOR)], Some((1, &[0, 1])));
    check(&MAX, &[], &[("dim", INT), ("input", TENSOR)], Some((2, &[1, 0, ABSENT])));
    check(&MAX, &[TENSOR], &[("axis", INT), ("keepdims", BOOL)], Some((2, &[0, 1, 2])));
    check(&MAX, &[TENSOR], &[("dim", INT), ("axis", INT)], None);
    check(&MAX, &[TENSOR, INT], &[("dim", INT)], None);
    check(&MAX, &[TENSOR], &[("axes", INT)], None);
}

#[test]
fn one_list_may_be_spread() {
    check(&VIEW, &[INTS], &[], Some((0, &[0])));
    check(&VIEW, &[INT, INT], &[], Some((0, &[VARIADIC])));
    check(&VIEW, &[INT], &[], Some((0, &[VARIADIC])));
    check(&VIEW, &[], &[("size", INTS)], Some((0, &[0])));
    check(&VIEW, &[INTS, INT], &[], None);
    check(&VIEW, &[STR], &[], None);
}

struct Plain(&'static [&'static str]);

impl Describe for Plain {
    fn argument(&self, arg: usize, text: &mut String) {
        text.push_str(&format!("argument{arg} (shown)"));
    }

    fn type_name(&self, arg: usize, text: &mut String) {
        text.push_str(&format!("argument{arg}"));
    }

    fn keyword(&self, keyword: usize) -> &str {
        self.0[keyword]
    }

    fn detail(&self, _: usize, param: &Parameter, text: &mut String) {
        if param.name == "size" {
            text.push_str("; try another");
        }
    }

    fn resembles(&self, _: usize, kind: Kind) -> bool {
        kind == Kind::Int
    }
}

#[track_caller]
fn check_message(
    function: &OverloadSet,
    positional: &[Accepts],
    keywords: &'static [&'static str],
    expected: &str,
) {
    let mut accepts = positional.to_vec();
    accepts.resize(positional.len() + keywords.len(), INT);
    let (names, describe) = (Names(keywords), Plain(keywords));
    let text = explain(function, positional.len(), &accepts, &names, &describe);
    assert_eq!(text, expected.trim_matches('\n'));
}

#[test]
fn the_nearest_overload_is_explained_first() {
    check_message(
        &MAX,
        &[TENSOR, STR],
        &[],
        "
max(): argument 'dim' (position 2) must be int, not argument1 (shown)
  max(Tensor input, int dim, bool keepdim=False)
other overloads:
  max(input, other): 'other' must be Tensor, not argument1
  max(input): takes 1 positional argument, not 2
",
    );
}

#[test]
fn a_lack_is_told() {
    check_message(
        &MAX,
        &[],
        &["dim"],
        "
max() missing 1 required argument: 'input'
  max(Tensor input, int dim, bool keepdim=False)
other overloads:
  max(input): has no 'dim'
  max(input, other): has no 'dim'
",
    );
}

#[test]
fn a_keyword_that_is_nearly_right_gets_its_name() {
    check_message(
        &MAX,
        &[TENSOR],
        &["axsi"],
        "
max() got an unexpected keyword argument 'axsi'; did you mean 'axis',
    another name of 'dim'?
  max(Tensor input, int dim, bool keepdim=False)
other overloads:
  max(input): has no 'axsi'
  max(input, other): has no 'axsi'
",
    );
}

#[test]
fn what_was_given_twice_is_said_with_both_places() {
    check_message(
        &VIEW,
        &[INTS],
        &["size"],
        "
view() got multiple values for argument 'size': position 1 and
    keyword 'size'
  view(tuple[int] size)
",
    );
}

#[test]
fn arguments_that_are_no_list_together() {
    check_message(
        &VIEW,
        &[INT, STR],
        &[],
        "
view(): argument 'size' must be ints or a tuple of ints, but position
    2 is argument1 (shown)
  view(tuple[int] size)
",
    );
    check_message(
        &VIEW,
        &[STR],
        &[],
        "
view(): argument 'size' (position 1) must be ints or a tuple of ints,
    not argument0 (shown); try another
",
    );
}

#[test]
fn an_account_tells_of_all_overloads() {
    let accepts = [TENSOR, INT];
    let names = Names(&[]);
    let mut binding = Binding::EMPTY;
    assert!(binding.resolve(MAX.signatures, 2, &accepts, &names));
    assert_eq!(
        account(&MAX, &binding, 2, &accepts, &names, &Plain(&[]), &["a note".to_owned()]),
        "\
max() takes this overload:
  max(Tensor input, int dim, bool keepdim=False)
    input = argument0 (shown)
    dim = argument1 (shown)
    a note
other overloads:
  max(input): takes 1 positional argument, not 2
  max(input, other): 'other' must be Tensor, not argument1"
    );
}
