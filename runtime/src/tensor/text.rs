//! Tensors as text: aligned columns, short however large the tensor is.

use super::Tensor;
use crate::iterate::load;
use crate::lock::Lock;
use crate::{DType, Element, Result, Scalar, buffer, dispatch};

/// How tensors are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most digits behind the point.
    pub precision: usize,
    /// A tensor of more elements is shown in part.
    pub threshold: usize,
    /// How many elements are then shown at each end of a dimension.
    pub edgeitems: usize,
    /// Where lines are broken.
    pub linewidth: usize,
    /// Whether numbers are shown with an exponent; if nobody says so, it depends on them.
    pub sci_mode: Option<bool>,
}

impl Options {
    /// What holds before anybody says something else.
    pub const DEFAULT: Options =
        Options { precision: 4, threshold: 1000, edgeitems: 3, linewidth: 80, sci_mode: None };

    /// The options of the process.
    pub fn current() -> Options {
        *CURRENT.lock()
    }

    /// Makes these the options of the process.
    pub fn set(self) {
        *CURRENT.lock() = self;
    }
}

static CURRENT: Lock<Options> = Lock::new(Options::DEFAULT);

/// More digits are never exact.
const MOST_DIGITS: usize = 1100;

impl Tensor {
    /// What Python's `repr` shows of a tensor of this class.
    ///
    /// # Errors
    ///
    /// `Memory` if there is none for the text.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2, 2], &[1.0, 2.5, -3.0, 4.0])?;
    /// let text = "tensor([[ 1.0,  2.5],\n        [-3.0,  4.0]], dtype=float64, shape=(2, 2))";
    /// assert_eq!(x.to_text("Tensor")?, text);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn to_text(&self, class: &str) -> Result<String> {
        let options = Options::current();
        let start = if class == "Tensor" { "tensor" } else { class };
        let indent = start.chars().count() + 1;
        let body = match self.device().is_meta() {
            true => "...".to_owned(),
            false => body(self, indent, options)?,
        };
        let end = self.properties();
        let last = body.rsplit('\n').next().unwrap_or_default().len();
        let last = if body.contains('\n') { last } else { last + indent };
        let fits = last + 2 + end.chars().count() < options.linewidth;
        let between = if fits { ", ".to_owned() } else { format!(",\n{}", " ".repeat(indent)) };
        let mut out = String::new();
        for part in [start, "(", &body, &between, &end, ")"] {
            put(&mut out, part)?;
        }
        Ok(out)
    }

    /// What stands behind the elements.
    fn properties(&self) -> String {
        let mut out = format!("dtype={}, shape={}", self.dtype().name(), tuple(self.shape()));
        if self.device().is_meta() {
            out += &format!(", device={}", self.device());
        }
        if let Some(edge) = self.grad_fn() {
            out += &format!(", grad_fn=<{}>", edge.node.name());
        } else if self.requires_grad() {
            out += ", requires_grad=True";
        }
        out
    }
}

/// Sizes as Python shows them.
fn tuple(sizes: &[i64]) -> String {
    match sizes {
        [only] => format!("({only},)"),
        sizes => {
            let all: Vec<String> = sizes.iter().map(i64::to_string).collect();
            format!("({})", all.join(", "))
        }
    }
}

fn put(out: &mut String, text: &str) -> Result<()> {
    let missing = |_| crate::Error::memory("not enough memory for a text");
    out.try_reserve(text.len()).map_err(missing)?;
    out.push_str(text);
    Ok(())
}

fn body(tensor: &Tensor, indent: usize, options: Options) -> Result<String> {
    if tensor.numel() == 0 {
        return Ok("[]".to_owned());
    }
    let edge = edge(tensor.shape(), options);
    let values = shown(tensor, edge)?;
    let style = match tensor.dtype() {
        DType::UInt64 => Style::UInt64,
        _ => Style::of(&values, options),
    };
    let mut width = 0;
    for value in &values {
        width = width.max(style.show(*value).len());
    }
    let mut writer =
        ElementWriter { shape: tensor.shape(), edge, values: values.iter(), style, width, options };
    let mut out = String::new();
    match tensor.ndim() {
        0 => writer.element(&mut out)?,
        _ => writer.nested(&mut out, 0, indent)?,
    }
    Ok(out)
}

/// How many elements are shown at each end of a dimension, if not all are.
fn edge(shape: &[i64], options: Options) -> Option<usize> {
    let count = |most: i64| {
        shape.iter().fold(1_usize, |all, &size| {
            all.saturating_mul(usize::try_from(size.min(most)).unwrap_or(0))
        })
    };
    if count(i64::MAX) <= options.threshold {
        return None;
    }
    // Many dimensions are many corners.
    let most = options.threshold.max(Options::DEFAULT.threshold);
    let (mut low, mut high) = (0, options.edgeitems);
    while low < high {
        let middle = high - (high - low) / 2;
        let at_both_ends = i64::try_from(middle).unwrap_or(i64::MAX).saturating_mul(2);
        match count(at_both_ends) <= most {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    Some(low)
}

/// The indices of a dimension that are shown, and whether there is a gap behind the first half.
fn indices(size: usize, edge: Option<usize>) -> (usize, Option<usize>) {
    match edge {
        Some(edge) if size > edge.saturating_mul(2) => (edge, Some(size - edge)),
        _ => (size, None),
    }
}

/// The elements that are shown, in their order.
fn shown(tensor: &Tensor, edge: Option<usize>) -> Result<Vec<Scalar>> {
    let mut values = Vec::new();
    let size = tensor.dtype().size() as i64;
    let strides: Vec<i64> = tensor.strides().iter().map(|it| it * size).collect();
    dispatch!(tensor.dtype(), "to_text", all, |T| {
        // SAFETY: `walk` reaches elements of the tensor, which are of type `T`.
        let read = |at: *const u8| unsafe { load::<T>(at) };
        walk(tensor.shape(), &strides, edge, tensor.data_ptr(), &mut |at| {
            let value = read(at);
            // The bits of one that no `Scalar` holds.
            let is_wide = T::DTYPE == DType::UInt64;
            let value = if is_wide { Scalar::Int(value.as_i64()) } else { value.into_scalar() };
            buffer::push(&mut values, value)
        })
    })?;
    Ok(values)
}

/// Calls a function for the address of each element that is shown.
fn walk(
    shape: &[i64],
    strides: &[i64],
    edge: Option<usize>,
    at: *const u8,
    visit: &mut dyn FnMut(*const u8) -> Result<()>,
) -> Result<()> {
    let ([size, shape @ ..], [stride, strides @ ..]) = (shape, strides) else { return visit(at) };
    let size = usize::try_from(*size).unwrap_or(0);
    let (first, last) = indices(size, edge);
    for index in (0..first).chain(last.unwrap_or(size)..size) {
        let at = at.wrapping_offset(*stride as isize * index as isize);
        walk(shape, strides, edge, at, visit)?;
    }
    Ok(())
}

/// Writes elements between brackets.
struct ElementWriter<'a> {
    shape: &'a [i64],
    edge: Option<usize>,
    values: std::slice::Iter<'a, Scalar>,
    style: Style,
    width: usize,
    options: Options,
}

impl ElementWriter<'_> {
    fn element(&mut self, out: &mut String) -> Result<()> {
        let text = self.values.next().map_or(String::new(), |it| self.style.show(*it));
        put(out, &format!("{text:>width$}", width = self.width))
    }

    /// The elements or blocks of a dimension, `None` for a gap.
    fn parts(&self, dim: usize) -> impl Iterator<Item = Option<usize>> + use<> {
        let size = usize::try_from(self.shape[dim]).unwrap_or(0);
        let (first, last) = indices(size, self.edge);
        let gap = last.map(|_| None);
        (0..first).map(Some).chain(gap).chain((last.unwrap_or(size)..size).map(Some))
    }

    /// Nested brackets; the innermost lists are wrapped.
    fn nested(&mut self, out: &mut String, dim: usize, indent: usize) -> Result<()> {
        let (indent, depth) = (indent + 1, self.shape.len() - dim);
        put(out, "[")?;
        if depth == 1 {
            self.wrapped(out, dim, indent)?;
            return put(out, "]");
        }
        // Blocks of more dimensions stand farther apart.
        let between = format!(",{}{}", "\n".repeat(depth - 1), " ".repeat(indent));
        for (at, part) in self.parts(dim).enumerate() {
            if at > 0 {
                put(out, &between)?;
            }
            match part {
                None => put(out, "...")?,
                Some(_) => self.nested(out, dim + 1, indent)?,
            }
        }
        put(out, "]")
    }

    /// Elements, separated by commas, on as many lines as they need.
    fn wrapped(&mut self, out: &mut String, dim: usize, indent: usize) -> Result<()> {
        let mut parts = self.parts(dim).peekable();
        let mut line = 0;
        while let Some(part) = parts.next() {
            let mut item = String::new();
            match part {
                None => put(&mut item, "...")?,
                Some(_) => self.element(&mut item)?,
            }
            if parts.peek().is_some() {
                put(&mut item, ",")?;
            }
            if line > 0 && indent + line + 1 + item.len() > self.options.linewidth {
                put(out, "\n")?;
                put(out, &" ".repeat(indent))?;
                line = 0;
            } else if line > 0 {
                put(out, " ")?;
                line += 1;
            }
            put(out, &item)?;
            line += item.len();
        }
        Ok(())
    }
}

/// How all elements of a tensor are shown.
enum Style {
    Plain,
    /// Integers whose bits are those of `i64`.
    UInt64,
    Float(Float),
    /// Both parts have a style of their own.
    Complex(Float, Float),
}

/// As many digits as the number needs that needs most, up to the precision.
#[derive(Clone, Copy)]
struct Float {
    digits: usize,
    has_exponent: bool,
}

impl Style {
    fn of(values: &[Scalar], options: Options) -> Style {
        let complex = || values.iter().map(|it| it.to_complex());
        match values.first() {
            Some(Scalar::Complex(_)) => Style::Complex(
                Float::of(complex().map(|it| it.re), options),
                Float::of(complex().map(|it| it.im), options),
            ),
            Some(Scalar::Float(_)) => Style::Float(Float::of(complex().map(|it| it.re), options)),
            _ => Style::Plain,
        }
    }

    fn show(&self, value: Scalar) -> String {
        match (self, value) {
            (Style::Plain, Scalar::Bool(true)) => "True".to_owned(),
            (Style::Plain, Scalar::Bool(false)) => "False".to_owned(),
            (Style::UInt64, Scalar::Int(bits)) => (bits as u64).to_string(),
            (Style::Plain | Style::UInt64, value) => value.to_string(),
            (Style::Float(style), value) => style.show(value.to_complex().re),
            (Style::Complex(real, imaginary), value) => {
                let value = value.to_complex();
                let sign = if value.im.is_sign_negative() { '-' } else { '+' };
                format!("{}{sign}{}j", real.show(value.re), imaginary.show(value.im.abs()))
            }
        }
    }
}

impl Float {
    fn of(values: impl Iterator<Item = f64> + Clone, options: Options) -> Float {
        let finite = values.filter(|it| it.is_finite());
        let has_exponent = options.sci_mode.unwrap_or_else(|| wants_exponent(finite.clone()));
        let precision = options.precision.min(MOST_DIGITS);
        let needed = |value| needed(&fixed(value, precision, has_exponent));
        let digits = finite.map(needed).max().unwrap_or(0);
        Float { digits, has_exponent }
    }

    fn show(self, value: f64) -> String {
        if value.is_nan() {
            return "nan".to_owned();
        }
        let text = fixed(value, self.digits, self.has_exponent);
        match (value.is_finite() && self.digits == 0, self.has_exponent) {
            (true, true) => text.replace('e', ".e"),
            (true, false) => text + ".",
            (false, _) => text,
        }
    }
}

/// Whether numbers are too different for one place of the point.
fn wants_exponent(finite: impl Iterator<Item = f64> + Clone) -> bool {
    let sizes = finite.filter(|it| *it != 0.0).map(f64::abs);
    let (largest, smallest) =
        (sizes.clone().fold(0.0, f64::max), sizes.fold(f64::INFINITY, f64::min));
    largest > 0.0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1e3)
}

/// A number with so many digits behind the point; an exponent has two digits and a sign.
fn fixed(value: f64, digits: usize, has_exponent: bool) -> String {
    if !has_exponent || !value.is_finite() {
        return format!("{value:.digits$}");
    }
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |it| ('-', it));
    format!("{mantissa}e{sign}{exponent:0>2}")
}

/// The digits behind the point that are not zeros at the end.
fn needed(text: &str) -> usize {
    let mantissa = text.split('e').next().unwrap_or_default();
    mantissa.split_once('.').map_or(0, |(_, digits)| digits.trim_end_matches('0').len())
}
