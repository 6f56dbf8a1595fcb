//! Signature tables that the generator prints for every bound function.

use super::accepts::Accepts;
use super::kind::Kind;

/// So many arguments at most are looked up at once.
const FEW: usize = 4;

/// A Python function or method: a name and its overloads in try order.
#[derive(Debug)]
pub struct OverloadSet {
    /// The name that messages show.
    pub name: &'static str,
    /// The overloads, the first that fits wins.
    pub signatures: &'static [Signature],
    /// For each number of arguments below [`FEW`], which signature takes as many tensors, without a
    /// word of warning.
    of_tensors: [Option<u8>; FEW],
}

/// One overload.
#[derive(Debug)]
pub struct Signature {
    /// As messages show it: `add(Tensor input, Tensor other, *, Number alpha=1)`.
    pub text: &'static str,
    /// The parameters, positional ones first; a method's receiver is not among them.
    pub params: &'static [Parameter],
    /// How many of them may be given by position.
    pub positional: u8,
    /// The only positional parameter is a list of integers that may also be
    /// given as separate arguments: `t.view(2, 3)`.
    pub variadic: bool,
    /// An older signature that still works and warns.
    pub deprecated: bool,
}

impl OverloadSet {
    /// A function with these overloads.
    pub const fn new(name: &'static str, signatures: &'static [Signature]) -> OverloadSet {
        let mut of_tensors = [None; FEW];
        let mut count = 0;
        while count < FEW {
            of_tensors[count] = first_of_tensors(signatures, count);
            count += 1;
        }
        OverloadSet { name, signatures, of_tensors }
    }

    /// The first signature that takes so many arguments in order, all of them
    /// [tensors](Accepts::TENSOR), if that is known and it is not deprecated.
    #[inline(always)]
    pub fn of_tensors(&self, count: usize) -> Option<usize> {
        self.of_tensors.get(count).copied().flatten().map(usize::from)
    }

    /// The signatures that readers are shown, in try order: those without names
    /// of dimensions, or all if all have them.
    pub fn shown(&self) -> impl Iterator<Item = &'static Signature> + use<> {
        let all = self.signatures.iter().all(Signature::takes_names);
        self.signatures.iter().filter(move |it| all || !it.takes_names())
    }
}

/// Nothing where a signature in front takes its arguments in several ways.
const fn first_of_tensors(signatures: &[Signature], count: usize) -> Option<u8> {
    let mut at = 0;
    while at < signatures.len() && at <= u8::MAX as usize {
        if signatures[at].variadic {
            return None;
        }
        if signatures[at].takes_tensors(count) {
            return if signatures[at].deprecated { None } else { Some(at as u8) };
        }
        at += 1;
    }
    None
}

impl Signature {
    /// Whether it takes so many arguments in order, all of them tensors.
    const fn takes_tensors(&self, count: usize) -> bool {
        let mut at = 0;
        while at < self.params.len() {
            let param = &self.params[at];
            let fits = if at < count { Accepts::TENSOR.kind(param.kind) } else { !param.required };
            if !fits {
                return false;
            }
            at += 1;
        }
        count <= self.positional as usize
    }

    /// Whether it is for dimensions with names, which there are not.
    pub fn takes_names(&self) -> bool {
        self.params
            .iter()
            .any(|it| it.kind == Kind::Dimname || it.kind.element() == Some(Kind::Dimname))
    }
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// The keyword.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Whether `None` counts as "not given".
    pub nullable: bool,
    /// Whether it has no default.
    pub required: bool,
    /// To how many elements a single integer is repeated; 0 if it is not.
    pub size: u8,
    /// Further keywords for it.
    pub aliases: &'static [&'static str],
}

impl Parameter {
    /// Whether `name` is this parameter's keyword or one of its aliases.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}
