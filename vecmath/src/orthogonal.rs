//! Orthogonal polynomials: by their recurrences (DLMF, 18.9), those of Chebyshev of higher degrees by
//! angles between -1 and 1 and by areas beyond. Errors: those of the recurrences, a few ULP of the greatest
//! value between -1 and 1 for each degree.
//!
//! The degree is the whole part of a number: of what is negative the polynomial is 0.

/// Chebyshev's polynomials of a higher degree are calculated by angles.
const MOST_INSIDE: i64 = 6;
/// The same beyond -1 and 1, where the recurrence loses nothing.
const MOST_OUTSIDE: i64 = 64;
/// Recurrences of a higher degree would take too long; the result is NaN.
const MOST_STEPS: i64 = 1 << 24;
/// The same of Hermite's polynomials, which are infinite but near their zeros.
const MOST_OF_HERMITE: i64 = 512;

/// A polynomial of this degree, or 0 if there is none.
#[inline(always)]
fn of_degree(n: f64, polynomial: impl FnOnce(i64) -> f64) -> f64 {
    if n > -1.0 { polynomial(n as i64) } else { 0.0 }
}

/// The last of a sequence: `next` makes it of the degree of the last one, that one and the one before.
#[inline(always)]
fn recurrence(n: i64, first: f64, second: f64, next: impl Fn(f64, f64, f64) -> f64) -> f64 {
    if n == 0 {
        return first;
    }
    let (mut before, mut last) = (first, second);
    for degree in 1..n {
        (before, last) = (last, next(degree as f64, last, before));
        if last.is_nan() {
            break;
        }
    }
    last
}

/// The same where degrees may be high.
#[inline(always)]
fn long_recurrence(n: i64, first: f64, second: f64, next: impl Fn(f64, f64, f64) -> f64) -> f64 {
    if n > MOST_STEPS { f64::NAN } else { recurrence(n, first, second, next) }
}

/// -1 to the power of the degree.
fn alternating(n: i64) -> f64 {
    if n % 2 == 0 { 1.0 } else { -1.0 }
}

/// A family of Chebyshev's polynomials, in the angle whose cosine is the argument and for it, and in
/// the area whose hyperbolic cosine it is.
struct Family {
    /// Of degree one, the factor of the argument being two.
    shift: f64,
    /// At 1 and at -1, where it alternates, as factors of the degree and what is added to these.
    ends: [(f64, f64); 2],
    inside: fn(f64, f64) -> f64,
    /// Above 1, and below -1 where it alternates.
    outside: [fn(f64, f64) -> f64; 2],
}

const FIRST: Family = Family {
    shift: 0.0,
    ends: [(0.0, 1.0), (0.0, 1.0)],
    inside: |n, angle| (n * angle).cos(),
    outside: [|n, area| (n * area).cosh(); 2],
};

const SECOND: Family = Family {
    shift: 0.0,
    ends: [(1.0, 1.0), (1.0, 1.0)],
    inside: |n, angle| ((n + 1.0) * angle).sin() / angle.sin(),
    outside: [|n, area| ((n + 1.0) * area).sinh() / area.sinh(); 2],
};

const THIRD: Family = Family {
    shift: -1.0,
    ends: [(0.0, 1.0), (2.0, 1.0)],
    inside: |n, angle| ((n + 0.5) * angle).cos() / (0.5 * angle).cos(),
    outside: [cosines, sines],
};

const FOURTH: Family = Family {
    shift: 1.0,
    ends: [(2.0, 1.0), (0.0, 1.0)],
    inside: |n, angle| ((n + 0.5) * angle).sin() / (0.5 * angle).sin(),
    outside: [sines, cosines],
};

fn cosines(n: f64, area: f64) -> f64 {
    ((n + 0.5) * area).cosh() / (0.5 * area).cosh()
}

fn sines(n: f64, area: f64) -> f64 {
    ((n + 0.5) * area).sinh() / (0.5 * area).sinh()
}

impl Family {
    fn at(&self, x: f64, n: i64) -> f64 {
        let (size, degree) = (x.abs(), n as f64);
        let (side, sign) = if x < 0.0 { (1, alternating(n)) } else { (0, 1.0) };
        if size == 1.0 {
            let (factor, rest) = self.ends[side];
            return sign * (factor * degree + rest);
        }
        if size < 1.0 && n > MOST_INSIDE {
            return (self.inside)(degree, x.acos());
        }
        if size > 1.0 && n > MOST_OUTSIDE {
            let more = size - 1.0;
            let area = (more + more.sqrt() * (size + 1.0).sqrt()).ln_1p();
            return sign * (self.outside[side])(degree, area);
        }
        let twice = 2.0 * x;
        // That of the first family lacks a factor of two.
        let second = if self.is_first() { x } else { twice + self.shift };
        recurrence(n, 1.0, second, |_, last, before| twice * last - before)
    }

    fn is_first(&self) -> bool {
        self.shift == 0.0 && self.ends[0].0 == 0.0
    }
}

macro_rules! chebyshev {
    ($($(#[$about:meta])* $name:ident $shifted:ident $family:ident;)*) => {$(
        $(#[$about])*
        pub fn $name(x: f64, n: f64) -> f64 {
            of_degree(n, |n| $family.at(x, n))
        }

        #[doc = concat!("As [`", stringify!($name), "`], of `2 * x - 1`.")]
        pub fn $shifted(x: f64, n: f64) -> f64 {
            of_degree(n, |n| $family.at(x + x - 1.0, n))
        }
    )*};
}

chebyshev! {
    /// Chebyshev's polynomial of the first kind, `cos(n * angle)` where `x` is the cosine of an angle.
    chebyshev_t shifted_chebyshev_t FIRST;
    /// That of the second kind, `sin((n + 1) * angle) / sin(angle)`.
    chebyshev_u shifted_chebyshev_u SECOND;
    /// That of the third kind, `cos((n + 1/2) * angle) / cos(angle / 2)`.
    chebyshev_v shifted_chebyshev_v THIRD;
    /// That of the fourth kind, `sin((n + 1/2) * angle) / sin(angle / 2)`.
    chebyshev_w shifted_chebyshev_w FOURTH;
}

/// Hermite's polynomial, as physics has it: NaN beyond degree 512.
pub fn hermite_h(x: f64, n: f64) -> f64 {
    of_degree(n, |n| {
        let twice = 2.0 * x;
        if n > MOST_OF_HERMITE {
            return f64::NAN;
        }
        recurrence(n, 1.0, twice, |k, last, before| twice * last - 2.0 * k * before)
    })
}

/// Hermite's polynomial, as probability has it: NaN beyond degree 512.
pub fn hermite_he(x: f64, n: f64) -> f64 {
    of_degree(n, |n| {
        if n > MOST_OF_HERMITE {
            return f64::NAN;
        }
        recurrence(n, 1.0, x, |k, last, before| x * last - k * before)
    })
}

/// Laguerre's polynomial: NaN beyond degree 2^24.
pub fn laguerre_l(x: f64, n: f64) -> f64 {
    of_degree(n, |n| {
        if x == 0.0 {
            return 1.0;
        }
        let next = |k, last, before| ((2.0 * k + 1.0 - x) * last - k * before) / (k + 1.0);
        long_recurrence(n, 1.0, 1.0 - x, next)
    })
}

/// Legendre's polynomial: NaN beyond degree 2^24.
pub fn legendre_p(x: f64, n: f64) -> f64 {
    of_degree(n, |n| {
        if x.abs() == 1.0 {
            return if x > 0.0 { 1.0 } else { alternating(n) };
        }
        let next = |k, last, before| ((2.0 * k + 1.0) * x * last - k * before) / (k + 1.0);
        long_recurrence(n, 1.0, x, next)
    })
}

#[cfg(test)]
mod tests {
    use super::{chebyshev_t, chebyshev_u, chebyshev_v, chebyshev_w, hermite_h, legendre_p};

    #[test]
    fn angles_and_areas_continue_recurrences() {
        for polynomial in [chebyshev_t, chebyshev_u, chebyshev_v, chebyshev_w] {
            for (x, n) in
                [(0.7, 7.0), (-0.2, 8.0), (0.999, 40.0), (1.01, 65.0), (-1.02, 66.0), (-1.5, 65.0)]
            {
                let step = 2.0 * x * polynomial(x, n) - polynomial(x, n - 1.0);
                let error = (polynomial(x, n + 1.0) - step).abs();
                assert!(error < 1e-11 * (1.0 + step.abs()), "{x} {n}: {error:e}");
            }
        }
    }

    #[test]
    fn degrees_end() {
        assert_eq!(chebyshev_t(0.5, -1.0), 0.0);
        assert_eq!(chebyshev_t(0.5, -0.5), 1.0);
        assert_eq!(legendre_p(-1.0, 1e18), 1.0);
        assert!(legendre_p(0.5, 1e18).is_nan() && hermite_h(0.5, 513.0).is_nan());
        assert_eq!(chebyshev_t(f64::NAN, 0.0), 1.0);
        assert!(chebyshev_u(f64::NAN, 1e18).is_nan());
    }
}
