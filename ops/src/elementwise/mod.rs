//! Each element of the result from the elements at its place.

pub(crate) mod arithmetic;
pub(crate) mod bessel;
pub(crate) mod clamping;
pub(crate) mod classification;
pub(crate) mod closeness;
pub(crate) mod combinations;
pub(crate) mod comparison;
pub(crate) mod complex_numbers;
pub(crate) mod division;
pub(crate) mod doubles;
pub(crate) mod exponentials;
pub(crate) mod float_bits;
pub(crate) mod float_power;
pub(crate) mod foreach;
pub(crate) mod gamma;
pub(crate) mod gradient;
pub(crate) mod logic;
pub(crate) mod nan_to_num;
pub(crate) mod normal;
pub(crate) mod polynomials;
pub(crate) mod powers;
pub(crate) mod rounding;
pub(crate) mod signs;
pub(crate) mod special_functions;
pub(crate) mod trigonometry;
