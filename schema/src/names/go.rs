//! Names in Go.
//!
//! | schema | Go |
//! |---|---|
//! | `log_softmax.int`, the first of its base name | `LogSoftmax` |
//! | `max`, `max.dim`, in any order | `Max`, `MaxDim` |
//! | `where`, not the first of its base name, and not of `self` | `WhereDefault` |
//! | `add_.Tensor`, whose functional variant is `Add` | `AddI` |
//! | `max.dim_max`, whose functional variant is `MaxDim` | `MaxDimOut` |
//! | `__and__.Tensor`, `_softmax` | `DunderAnd`, `InternalSoftmax` |
//! | `squeeze`, `squeeze.dims` | both `Squeeze`, with any number of integers |
//! | `fft_rfft`, `rms_norm`, `isnan` | `FFTRFFT`, `RMSNorm`, `IsNaN` |
//! | parameter `half_to_float`, `LU_pivots`, `type`, `min` | `halfToFloat`, `luPivots`, `typ`, `minimum` |
//! | parameter `self`, a `Tensor`, an `Interval` | `t`, `i` |
//! | field `half_to_float`, `id` | `HalfToFloat`, `ID` |
//!
//! An entry may say another base name, which holds for all overloads of it that say none, and
//! another overload name.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{BaseName, Group, Kind, OpName, Overload, Param, Type};
use crate::types::Values;

/// What no parameter can be called: keywords, what every package knows, and what wrappers use.
const WORDS: &str = "\
    C adopt adoptAll adoptStorage any append as bool break byte cap case chan clear close cmp \
    comparable complex complex128 complex64 const continue copy default defer delete deviceOf \
    dtypeOf else err error fallthrough false float32 float64 for func given go goto handles if \
    imag import int int64 interface iota keep layoutOf len lent make map max memoryFormatOf min must \
    new nil o only opts opwright or package panic pointer print println range real return \
    runtime unsafe scalarOf scalarPointer scalars select string struct switch takeInts takeText true \
    type var";

/// What Go programmers write for some of these; the others have `Value` at their end.
const INSTEAD: &str = "\
    cap=capacity err=failure func=fn imag=imagPart len=length max=maximum min=minimum package=pkg \
    real=realPart string=str type=typ";

/// What wrappers call values on their way: one of these letters, and a number.
const LOCALS: &str = "bcghnprv";

/// Words whose letters stand for words: of this field, and those that linters for Go know.
const INITIALISMS: &str = "\
    aa acl api ascii bce bmm c2c c2r cpu css ctc dft dns eof fft fft2 fftn gcd gpu gru guid hfft hfft2 \
    hfftn html http https id ifft ifft2 ifftn ihfft ihfft2 ihfftn io ip irfft irfft2 irfftn json kl lcm \
    ldl lhs lr lstm lu mlp mm mse mv nd nll nn ok pca qps qr r2c ram rfft rfft2 rfftn rgb rhs rms rnn rpc \
    sgd sla smtp sql ssh svd tbc tcp tls ttl udp ui uid uri url utf8 uuid vm xml xsrf xss";

/// Words that are written together, and hold such words or letters of their own.
const COMPOUNDS: &str = "\
    adamw=AdamW addbmm=AddBMM addmm=AddMM addmv=AddMV allclose=AllClose baddbmm=BAddBMM fftfreq=FFTFreq \
    fftshift=FFTShift ifftshift=IFFTShift isclose=IsClose isfinite=IsFinite isin=IsIn isinf=IsInf isnan=IsNaN \
    isneginf=IsNegInf isposinf=IsPosInf isreal=IsReal istft=ISTFT matmul=MatMul nan=NaN nanmean=NaNMean \
    nanmedian=NaNMedian nanquantile=NaNQuantile nansum=NaNSum randn=RandN rfftfreq=RFFTFreq \
    stft=STFT svdvals=SVDVals";

/// The function of an overload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoName {
    /// What it is called.
    pub name: String,
    /// The overload with `self` alone whose function calls this one, too, by index.
    pub part_of: Option<usize>,
}

/// What each overload is called in Go, by index; none for those whose entries say so.
pub fn go_functions(overloads: &[Overload], groups: &[Group]) -> Vec<Option<GoName>> {
    let own = own_names(overloads, groups);
    let mut functions: Vec<Option<GoName>> =
        own.iter().map(|it| it.clone().map(|name| GoName { name, part_of: None })).collect();
    for (one, many) in families(overloads) {
        if let (Some(name), true) = (own[one].clone(), own[many].is_some()) {
            functions[many] = Some(GoName { name, part_of: Some(one) });
        }
    }
    functions
}

/// The name of each overload if none shared one.
fn own_names(overloads: &[Overload], groups: &[Group]) -> Vec<Option<String>> {
    let functional = functional_variants(overloads, groups);
    // What Go has no types for takes no name away.
    let own = (0..overloads.len()).filter(|it| is_in_go(&overloads[*it]));
    let mut own: Vec<usize> = own.filter(|it| functional[*it].is_none()).collect();
    // What is generated for a group stands where its first member does.
    let mut places: Vec<usize> = (0..overloads.len()).collect();
    for group in groups {
        let first = group.members().min().unwrap_or_default();
        group.members().for_each(|it| places[it] = first);
    }
    own.sort_by_key(|it| (!is_plain(&overloads[*it]), places[*it]));
    let (fresh, others): (Vec<usize>, Vec<usize>) =
        own.into_iter().partition(|it| ending(overloads[*it].schema.kind()).is_empty());
    let mut given = Given { said: said_bases(overloads), ..Given::default() };
    let mut names: Vec<Option<String>> = vec![None; overloads.len()];
    for at in fresh {
        names[at] = Some(given.name(&overloads[at]));
    }
    for (at, overload) in overloads.iter().enumerate() {
        let of = functional[at].filter(|_| is_in_go(overload));
        if let Some(of) = of.and_then(|it| names[it].clone()) {
            let name = format!("{of}{}", ending(overload.schema.kind()));
            given.taken.insert(name.clone());
            names[at] = Some(name);
        }
    }
    for at in others {
        names[at] = Some(given.name(&overloads[at]));
    }
    for (name, overload) in names.iter_mut().zip(overloads) {
        name.take_if(|_| overload.go.skip);
    }
    names
}

/// The functional variant that each overload is named after, by index.
fn functional_variants(overloads: &[Overload], groups: &[Group]) -> Vec<Option<usize>> {
    let mut functional = vec![None; overloads.len()];
    for group in groups {
        let variant = group.functional.filter(|it| is_in_go(&overloads[*it]));
        for member in group.members().filter(|it| overloads[*it].schema.kind() != Kind::Mutable) {
            functional[member] = variant.filter(|it| *it != member);
        }
    }
    functional
}

/// Whether an overload has the plain name, wherever it stands: it has no name of its own, and is of
/// `self` as the others are.
fn is_plain(overload: &Overload) -> bool {
    let schema = &overload.schema;
    schema.name.overload.is_empty() && schema.params.first().is_some_and(is_self)
}

/// Whether Go has types for everything that an overload takes and returns.
fn is_in_go(overload: &Overload) -> bool {
    let schema = &overload.schema;
    let types = schema.params.iter().map(|it| &it.ty).chain(schema.returns.iter().map(|it| &it.ty));
    types.into_iter().all(|it| it.value.base().row().foreign.is_some())
}

/// The names that were given so far.
#[derive(Default)]
struct Given {
    /// What entries say.
    said: BTreeMap<BaseKey, String>,
    /// Base names with a first overload, and what that writes to.
    begun: BTreeSet<(String, &'static str)>,
    taken: BTreeSet<String>,
}

impl Given {
    fn name(&mut self, overload: &Overload) -> String {
        let schema = &overload.schema;
        let base = self.said.get(&base_of(&schema.name)).cloned();
        let base = base.unwrap_or_else(|| go_base(&schema.name));
        let end = ending(schema.kind());
        let is_first = self.begun.insert((base.clone(), end));
        // Two operators without overload names have nothing else to be called.
        let has_no_other = end.is_empty() && schema.name.overload.is_empty();
        let is_free = has_no_other || !self.taken.contains(&format!("{base}{end}"));
        let name = format!("{base}{}{end}", overload_part(overload, is_first && is_free));
        self.taken.insert(name.clone());
        name
    }
}

/// What base names are said to be, by what they are.
fn said_bases(overloads: &[Overload]) -> BTreeMap<BaseKey, String> {
    let mut said = BTreeMap::new();
    for overload in overloads {
        if let Some(name) = &overload.go.name {
            said.entry(base_of(&overload.schema.name)).or_insert_with(|| name.value.clone());
        }
    }
    said
}

/// The name of what overloads share, whatever they write to.
type BaseKey = (Option<String>, String, bool, bool);

fn base_of(name: &OpName) -> BaseKey {
    let BaseName { root, dunder, functional, inplace: _ } = &name.base;
    (name.namespace.clone(), root.clone(), *dunder, *functional)
}

/// The base name of an operator in Go, if no entry says another.
pub fn go_base(name: &OpName) -> String {
    let BaseName { root, dunder, functional, .. } = &name.base;
    let namespace = name.namespace.as_deref().filter(|it| *it != "aten");
    let words = [
        namespace.map(camel),
        dunder.then(|| "Dunder".to_owned()),
        root.starts_with('_').then(|| "Internal".to_owned()),
        Some(camel(root)),
        functional.then(|| "Functional".to_owned()),
    ];
    words.into_iter().flatten().collect()
}

fn overload_part(overload: &Overload, is_first: bool) -> String {
    match (&overload.go.overload, overload.schema.name.overload.as_str()) {
        (Some(said), _) => said.value.clone(),
        (None, _) if is_first => String::new(),
        (None, "") => "Default".to_owned(),
        (None, name) => camel(name),
    }
}

fn ending(kind: Kind) -> &'static str {
    match kind {
        Kind::Functional | Kind::Mutable => "",
        Kind::Inplace => "I",
        Kind::Out => "Out",
        Kind::Scratch => "Scratch",
    }
}

/// `dim_IntList` as `DimIntList`, `rms_norm` as `RMSNorm`.
fn camel(words: &str) -> String {
    words.split(['_', '.']).map(capitalized).collect()
}

fn capitalized(word: &str) -> String {
    if let Some(compound) = listed(COMPOUNDS, word) {
        return compound.to_owned();
    }
    if INITIALISMS.split(' ').any(|it| it == word) {
        return word.to_ascii_uppercase();
    }
    let mut letters = word.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Overloads that take `self` alone, and those of their base names that take any number of integers
/// besides.
fn families(overloads: &[Overload]) -> Vec<(usize, usize)> {
    let mut alone: BTreeMap<(Option<&str>, &BaseName), usize> = BTreeMap::new();
    let key = |it: usize| {
        let name = &overloads[it].schema.name;
        (name.namespace.as_deref(), &name.base)
    };
    for (at, overload) in overloads.iter().enumerate() {
        if matches!(&overload.schema.params[..], [only] if is_self(only)) {
            alone.entry(key(at)).or_insert(at);
        }
    }
    let mut families: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, overload) in overloads.iter().enumerate() {
        let is_list =
            matches!(&overload.schema.params[..], [own, list] if is_self(own) && is_integers(list));
        let Some(one) = alone.get(&key(at)).filter(|_| is_list) else { continue };
        let types = |it: usize| {
            let returns = overloads[it].schema.returns.iter();
            returns.map(|it| it.ty.value.clone()).collect::<Vec<Type>>()
        };
        if types(*one) == types(at) {
            families.entry(*one).or_insert(at);
        }
    }
    families.into_iter().collect()
}

fn is_self(param: &Param) -> bool {
    param.name.value == "self" && matches!(&param.ty.value, Type::Base(_))
}

/// Whether a parameter is a list of integers that every call gives.
pub fn is_integers(param: &Param) -> bool {
    let element = match &param.ty.value {
        Type::List(element, _) => {
            matches!(&**element, Type::Base(it) if it.row().values == Values::Int)
        }
        Type::Base(_) | Type::Optional(_) => false,
    };
    element && param.default.is_none() && !param.writes()
}

/// The name of a parameter.
pub fn go_param(name: &str) -> String {
    let mut words = name.split('_').filter(|it| !it.is_empty());
    let first = uncapitalized(words.next().unwrap_or("it"));
    let name = first + &camel(&words.collect::<Vec<_>>().join("_"));
    if let Some(instead) = listed(INSTEAD, &name) {
        return instead.to_owned();
    }
    let number = name.strip_prefix(|it| LOCALS.contains(it)).unwrap_or_default();
    let is_local = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
    match is_word(&name) || is_local {
        true => format!("{name}Value"),
        false => name,
    }
}

/// The first word of a parameter: `LU` as `lu`.
fn uncapitalized(word: &str) -> String {
    match word.bytes().any(|it| it.is_ascii_lowercase()) {
        true => {
            let mut letters = word.chars();
            let first = letters.next().map(|it| it.to_ascii_lowercase());
            first.into_iter().chain(letters).collect()
        }
        false => word.to_ascii_lowercase(),
    }
}

/// What a value of a type is called that methods are of, or that is `self` in a schema: `t` for `Tensor`, `ts` for
/// `[]Tensor`.
pub fn go_receiver(ty: &str) -> String {
    let letter = ty.chars().find(char::is_ascii_alphabetic).unwrap_or('x').to_ascii_lowercase();
    let name = if ty.starts_with("[]") { format!("{letter}s") } else { letter.to_string() };
    if is_word(&name) { "x".to_owned() } else { name }
}

/// What stands for a word in a list.
fn listed(list: &'static str, word: &str) -> Option<&'static str> {
    let mut rows = list.split(' ').filter_map(|it| it.split_once('='));
    rows.find(|(it, _)| *it == word).map(|(_, instead)| instead)
}

fn is_word(name: &str) -> bool {
    WORDS.split(' ').any(|it| it == name)
}

/// The name of a field of options.
pub fn go_field(name: &str) -> String {
    camel(name)
}

#[cfg(test)]
mod tests {
    use opwright_diagnostics::Sources;

    use super::*;
    use crate::{Input, OpSet, load};

    fn read(text: &str) -> OpSet {
        let mut sources = Sources::new();
        let id = sources.add("test.yaml", text.to_owned());
        load(&sources, &Input::yaml(id)).expect("sound entries")
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let ops = read(text);
        let functions = go_functions(&ops.overloads, &ops.groups);
        let names: Vec<String> =
            functions.into_iter().map(|it| it.map_or("-".into(), |it| it.name)).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn the_first_overload_has_the_plain_name() {
        let text = "\
- func: shift_far.Tensor(Tensor self, Tensor by) -> Tensor
- func: shift_far.dim_IntList(Tensor self, int[]? dim) -> Tensor
- func: shift_far(Tensor by) -> Tensor
- func: shift_far_.Tensor(Tensor(a!) self, Tensor by) -> Tensor(a!)
- func: shift_far.out(Tensor by, *, Tensor(a!) out) -> Tensor(a!)
- func: my::shift_near(Tensor self) -> Tensor
- func: __or__.Tensor(Tensor self, Tensor by) -> Tensor
- func: _turn(Tensor self) -> Tensor
- func: bend.Scalar(Tensor self, Scalar by) -> Tensor
  go: skip
- func: bend.far(Tensor self) -> Tensor
- func: bend_far.two(Tensor self) -> Tensor
";
        let names = [
            "ShiftFar",
            "ShiftFarDimIntList",
            "ShiftFarDefault",
            "ShiftFarI",
            "ShiftFarDefaultOut",
            "MyShiftNear",
            "DunderOr",
            "InternalTurn",
            "-",
            "BendFar",
            "BendFarTwo",
        ];
        check(text, &names);
    }

    #[test]
    fn overloads_that_are_not_in_go_take_no_names() {
        let text = "\
- func: press.dimname(Tensor self, Dimname dim) -> Tensor
- func: press.by(Tensor self, int dim, int by) -> Tensor
- func: press(Tensor self, int dim) -> Tensor
- func: press.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)
- func: press.far(Tensor self) -> Tensor
";
        check(text, &["-", "PressBy", "Press", "PressOut", "PressFar"]);
    }

    #[test]
    fn entries_say_other_names() {
        let text = "\
- func: aa(Tensor self) -> Tensor
  go: AA
- func: aa.dim_IntList(Tensor self, int[1]? dim) -> Tensor
  go: {overload: Dims}
- func: aa.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
";
        check(text, &["AA", "AADims", "AAOut"]);
    }

    #[test]
    fn none_or_some_integers_are_one_function() {
        let text = "\
- func: press(Tensor self) -> Tensor
- func: press.dim(Tensor self, int dim) -> Tensor
- func: press.dims(Tensor self, int[] dim) -> Tensor
- func: press_(Tensor(a!) self) -> Tensor(a!)
- func: press_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)
- func: press.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)
";
        check(text, &["Press", "PressDim", "Press", "PressI", "PressI", "PressDimsOut"]);
    }

    #[test]
    fn parameters_are_no_words_of_go() {
        let table = [
            ("half_to_float", "halfToFloat"),
            ("type", "typ"),
            ("min", "minimum"),
            ("range", "rangeValue"),
            ("LU_pivots", "luPivots"),
            ("A", "a"),
            ("C", "c"),
            ("r0", "r0Value"),
            ("mat2", "mat2"),
            ("x1", "x1"),
            ("user_id", "userID"),
        ];
        for (schema, go) in table {
            assert_eq!(go_param(schema), go);
        }
        assert_eq!((go_field("pin_memory"), go_field("a")), ("PinMemory".into(), "A".into()));
        assert_eq!((go_field("id"), go_field("base_lr")), ("ID".into(), "BaseLR".into()));
    }

    #[test]
    fn values_of_types_have_one_letter() {
        for (ty, name) in [
            ("Tensor", "t"),
            ("[]Tensor", "ts"),
            ("*Labelled", "l"),
            ("Opener", "x"),
            ("Scalar", "s"),
        ] {
            assert_eq!(go_receiver(ty), name);
        }
    }

    #[test]
    fn letters_that_stand_for_words_are_capitals() {
        for (words, name) in [
            ("fft_irfft2", "FFTIRFFT2"),
            ("rms_norm", "RMSNorm"),
            ("isnan_all", "IsNaNAll"),
            ("nan_to_num", "NaNToNum"),
            ("nanmedian", "NaNMedian"),
            ("nanquantile", "NaNQuantile"),
            ("isreal", "IsReal"),
            ("isneginf", "IsNegInf"),
            ("linalg_lu_factor", "LinalgLUFactor"),
            ("randn_like", "RandNLike"),
            ("lute", "Lute"),
            ("Fft", "Fft"),
        ] {
            assert_eq!(camel(words), name);
        }
    }
}
