//! Types of results as entries of operators say them: `[T; n, m], [T; m, k] -> [T; n, k]`.
//!
//! Before the arrow stands what is said of each parameter that is a tensor, a dtype and dimensions,
//! behind it the same of each result. Names stand for the same everywhere.

/// One way to say it; several are tried in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeRule {
    /// One for each parameter that is a tensor, in order.
    pub items: Vec<TensorRule>,
    /// One for each result.
    pub results: Vec<ResultRule>,
}

/// What is said of a parameter that is a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TensorRule {
    /// Nothing.
    Any,
    /// Its dtype and its dimensions, if it is given.
    Tensor(Element, Vec<DimExpr>, bool),
}

/// What is said of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultRule {
    /// A tensor.
    One(Element, Vec<DimExpr>),
    /// A list of as many as a parameter has dimensions.
    Each(Element, Vec<DimExpr>, String),
}

/// A dtype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// The name of a dtype, or one that stands for the same wherever it stands.
    Name(String),
    /// The dtype that all of these are promoted to.
    Promote(Vec<String>),
    /// The default dtype for what has no fractions.
    Float(String),
    /// That of the parts of complex numbers.
    Real(String),
    /// The default dtype.
    Default,
}

/// A dimension, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DimExpr {
    /// A number.
    Is(i64),
    /// The same wherever the name stands.
    Name(String),
    /// Anything.
    Unknown,
    /// As many unknown ones as a group has.
    Unknowns(String),
    /// Any number of dimensions, broadcast wherever the name stands.
    Group(String),
    /// The value of a parameter, or those of a list.
    Value(String),
    /// The number of dimensions of a parameter.
    Rank(String),
    /// Both together.
    Sum(Box<DimExpr>, Box<DimExpr>),
    /// One times the other.
    Product(Box<DimExpr>, Box<DimExpr>),
    /// The first ones if the parameter is true, or given.
    If(Vec<DimExpr>, String, Vec<DimExpr>),
}

/// The patterns of a text, which `|` stands between.
///
/// ```
/// use opwright_formula::types::{DimExpr, parse};
///
/// let types = parse("[T; *s] -> [i64; ?, $rank(self)]")?;
/// assert_eq!(types.len(), 1);
/// assert!(parse("[T; n -> [T; n]").is_err());
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
///
/// What is wrong with it.
pub fn parse(text: &str) -> Result<Vec<TypeRule>, String> {
    text.split('|').map(|it| Parser { rest: it }.pattern()).collect()
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn pattern(mut self) -> Result<TypeRule, String> {
        let mut items = Vec::new();
        while !self.take("->") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(self.item()?);
        }
        let mut results = Vec::new();
        if self.take("(") {
            while !self.take(")") {
                if !results.is_empty() {
                    self.expect(",")?;
                }
                results.push(self.returned()?);
            }
        } else {
            results.push(self.returned()?);
        }
        match self.rest.trim() {
            "" => Ok(TypeRule { items, results }),
            rest => Err(format!("`{rest}` is too much")),
        }
    }

    fn item(&mut self) -> Result<TensorRule, String> {
        if self.take("_") {
            return Ok(TensorRule::Any);
        }
        let (element, dims) = self.bracket()?;
        let is_optional = self.take("?");
        Ok(TensorRule::Tensor(element, dims, is_optional))
    }

    fn returned(&mut self) -> Result<ResultRule, String> {
        let (element, dims) = self.bracket()?;
        if !self.take("*") {
            return Ok(ResultRule::One(element, dims));
        }
        let rank = self.name()?;
        if rank != "rank" {
            return Err(format!("expected `rank`, not `{rank}`"));
        }
        Ok(ResultRule::Each(element, dims, self.parenthesis()?))
    }

    fn bracket(&mut self) -> Result<(Element, Vec<DimExpr>), String> {
        self.expect("[")?;
        let element = self.element()?;
        self.expect(";")?;
        let dims = self.dims()?;
        self.expect("]")?;
        Ok((element, dims))
    }

    fn element(&mut self) -> Result<Element, String> {
        let name = self.name()?;
        if name == "default" {
            return Ok(Element::Default);
        }
        match name {
            "float" => self.parenthesis().map(Element::Float),
            "real" => self.parenthesis().map(Element::Real),
            "promote" => {
                self.expect("(")?;
                let mut names = vec![self.name()?.to_owned()];
                while self.take(",") {
                    names.push(self.name()?.to_owned());
                }
                self.expect(")")?;
                Ok(Element::Promote(names))
            }
            name => Ok(Element::Name(name.to_owned())),
        }
    }

    fn dims(&mut self) -> Result<Vec<DimExpr>, String> {
        let mut dims = Vec::new();
        if self.rest.trim_start().starts_with(']') {
            return Ok(dims);
        }
        loop {
            dims.push(self.dim()?);
            if self.take("if") {
                self.expect("$")?;
                let param = self.name()?.to_owned();
                self.expect("else")?;
                let otherwise = self.dims()?;
                return Ok(vec![DimExpr::If(dims, param, otherwise)]);
            }
            if !self.take(",") {
                return Ok(dims);
            }
        }
    }

    fn dim(&mut self) -> Result<DimExpr, String> {
        let first = self.atom()?;
        if self.take("+") {
            return Ok(DimExpr::Sum(Box::new(first), Box::new(self.atom()?)));
        }
        if self.take("*") {
            return Ok(DimExpr::Product(Box::new(first), Box::new(self.atom()?)));
        }
        Ok(first)
    }

    fn atom(&mut self) -> Result<DimExpr, String> {
        if self.take("?") {
            // A product has a name before it.
            let is_group = self.take("*");
            return if is_group {
                Ok(DimExpr::Unknowns(self.name()?.to_owned()))
            } else {
                Ok(DimExpr::Unknown)
            };
        }
        if self.take("*") {
            return Ok(DimExpr::Group(self.name()?.to_owned()));
        }
        if self.take("$") {
            let name = self.name()?;
            if name == "rank" {
                return self.parenthesis().map(DimExpr::Rank);
            }
            let name = name.to_owned();
            self.take("...");
            return Ok(DimExpr::Value(name));
        }
        let word = self.name()?;
        match word.parse() {
            Ok(number) => Ok(DimExpr::Is(number)),
            Err(_) => Ok(DimExpr::Name(word.to_owned())),
        }
    }

    fn parenthesis(&mut self) -> Result<String, String> {
        self.expect("(")?;
        let name = self.name()?.to_owned();
        self.expect(")")?;
        Ok(name)
    }

    fn name(&mut self) -> Result<&'a str, String> {
        let rest = self.rest.trim_start();
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        if end == 0 {
            return Err(format!("expected a name at `{rest}`"));
        }
        self.rest = &rest[end..];
        Ok(&rest[..end])
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        if let Some(rest) = rest {
            self.rest = rest;
        }
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            return Ok(());
        }
        Err(format!("expected `{token}` at `{}`", self.rest.trim_start()))
    }
}

impl TypeRule {
    /// The parameters whose values and ranks it uses.
    pub fn params(&self) -> Vec<&str> {
        fn of<'a>(dims: &'a [DimExpr], found: &mut Vec<&'a str>) {
            for dim in dims {
                match dim {
                    DimExpr::Value(name) | DimExpr::Rank(name) => found.push(name),
                    DimExpr::If(first, name, otherwise) => {
                        of(first, found);
                        found.push(name);
                        of(otherwise, found);
                    }
                    DimExpr::Sum(a, b) | DimExpr::Product(a, b) => {
                        of(std::slice::from_ref(a), found);
                        of(std::slice::from_ref(b), found);
                    }
                    DimExpr::Is(_)
                    | DimExpr::Name(_)
                    | DimExpr::Unknown
                    | DimExpr::Unknowns(_)
                    | DimExpr::Group(_) => {}
                }
            }
        }
        let mut found = Vec::new();
        for result in &self.results {
            match result {
                ResultRule::One(_, dims) => of(dims, &mut found),
                ResultRule::Each(_, dims, param) => {
                    of(dims, &mut found);
                    found.push(param);
                }
            }
        }
        found
    }
}
