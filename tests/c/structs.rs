
/// Structs for programs in C: one of each kind of field.
pub(crate) mod structs {
    use opwright::runtime::{Complex, Result, Tensor};
    use opwright::{NativeType, native_op};

    use crate::interval::Interval;

    /// An interval, whether its ends belong to it, and how many steps it has.
    #[derive(NativeType, Clone, Debug, PartialEq)]
    pub struct Band {
        pub is_open: bool,
        pub within: Interval,
        /// They are of one size.
        pub steps: i64,
    }

    /// The same band elsewhere.
    #[native_op("shift_band(Band it, float by) -> Band")]
    fn shift_band(it: &Band, by: f64) -> Result<Band> {
        let within = Interval { lo: it.within.lo + by, hi: it.within.hi + by };
        Ok(Band { within, ..it.clone() })
    }

    /// How many of the bands have steps.
    #[native_op("count_bands(Band[] all, Band[]? more=None) -> int")]
    fn count_bands(all: &[&Band], more: Option<&[&Band]>) -> Result<i64> {
        let count = |bands: &[&Band]| bands.iter().filter(|it| it.steps > 0).count() as i64;
        Ok(count(all) + more.map_or(0, count))
    }

    /// What was measured.
    #[derive(NativeType, Clone)]
    pub struct Series {
        #[field(set)]
        values: Tensor,
        #[field(set)]
        parts: Vec<Tensor>,
        #[field(set, default = None)]
        scale: Option<f64>,
        /// Where it was measured.
        #[field(set, default = None)]
        band: Option<Band>,
        #[field(set, default = None)]
        before: Option<Series2>,
    }

    /// What was measured before.
    #[derive(NativeType, Clone)]
    pub struct Series2 {
        values: Tensor,
    }

    /// A struct without fields, of which there are several handles nevertheless.
    #[derive(NativeType, Clone)]
    pub struct Nothing {}

    /// What C makes without a field that it cannot say, and one that it is not to see.
    #[derive(NativeType, Clone)]
    #[native(c = "spectrum")]
    pub struct Spectrum {
        unit: String,
        #[field(default = Complex::new(0.0, 3.0))]
        peak: Complex<f64>,
        #[field(hide_c, default = 1)]
        version: i64,
    }

    /// The amplitude of the peak.
    #[native_op("loudest(Spectrum of) -> float")]
    fn loudest(of: &Spectrum) -> Result<f64> {
        Ok(of.peak.norm() * of.version as f64)
    }

    /// How many numbers all of them have.
    #[native_op("count_values(Series[] all, Series? last=None) -> int")]
    fn count_values(all: &[&Series], last: Option<&Series>) -> Result<i64> {
        Ok(all.iter().copied().chain(last).map(|it| it.values.numel() as i64).sum())
    }
}
