//! Short-time Fourier transforms: of windows of a signal, and signals from them.

use opwright_macros::native_op;
use opwright_runtime::{FftNorm, PaddingMode, Result, Scalar, Tensor, buffer, ensure, fail};

use crate::gradient::{constants, to};
use crate::ops::{self, TensorOps};

/// How the frames of a signal lie.
struct Frames {
    n_fft: i64,
    hop_length: i64,
    /// The weights of a frame.
    window: Option<Tensor>,
    norm: Option<FftNorm>,
}

impl Frames {
    fn new(
        what: &str,
        n_fft: i64,
        hop_length: Option<i64>,
        win_length: Option<i64>,
        window: Option<&Tensor>,
        normalized: bool,
    ) -> Result<Frames> {
        ensure!(n_fft > 0, Runtime, "{what}: expected n_fft > 0, but got n_fft={n_fft}");
        let hop_length = hop_length.unwrap_or(n_fft / 4);
        ensure!(
            hop_length > 0,
            Runtime,
            "{what}: expected hop_length > 0, but got hop_length={hop_length}"
        );
        let length = win_length.unwrap_or(n_fft);
        ensure!(
            0 < length && length <= n_fft,
            Runtime,
            "{what}: expected 0 < win_length <= n_fft, but got win_length={length}"
        );
        if let Some(window) = window {
            ensure!(
                window.shape() == [length],
                Runtime,
                "{what}: expected a 1D window tensor of size equal to win_length={length}, but got \
                 window with size {:?}",
                window.shape()
            );
        }
        // A shorter window lies in the middle.
        let before = (n_fft - length) / 2;
        let border = [before, n_fft - length - before];
        let padded =
            |it: &Tensor| ops::constant_pad_nd::Default_::call(it, &border, Scalar::Int(0));
        let window = match window {
            Some(window) => Some(padded(window)?),
            None => None,
        };
        let norm = normalized.then_some(FftNorm::Ortho);
        Ok(Frames { n_fft, hop_length, window, norm })
    }

    /// The window, or ones where a shorter one would lie.
    fn weights(&self, like: &Tensor, win_length: Option<i64>) -> Result<Tensor> {
        if let Some(window) = &self.window {
            return Ok(window.clone());
        }
        let length = win_length.unwrap_or(self.n_fft);
        let before = (self.n_fft - length) / 2;
        let is_inside = |it: i64| (before..before + length).contains(&it);
        let weights = (0..self.n_fft).map(|it| f64::from(u8::from(is_inside(it))));
        to(&constants(like, &[self.n_fft], buffer::collected(weights)?)?, like.dtype().to_real())
    }
}

#[native_op(stft.center)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn stft_center(
    self_: &Tensor,
    n_fft: i64,
    hop_length: Option<i64>,
    win_length: Option<i64>,
    window: Option<&Tensor>,
    center: bool,
    pad_mode: PaddingMode,
    normalized: bool,
    onesided: Option<bool>,
    return_complex: Option<bool>,
    align_to_window: Option<bool>,
) -> Result<Tensor> {
    let frames = Frames::new("stft", n_fft, hop_length, win_length, window, normalized)?;
    let is_complex = |it: &Tensor| it.dtype().is_complex_number();
    let is_any_complex = is_complex(self_) || window.is_some_and(is_complex);
    ensure!(
        self_.dtype().is_floating() || is_complex(self_),
        Runtime,
        "stft: expected a tensor of floating point or complex values, but got {}",
        self_.dtype()
    );
    ensure!(
        self_.ndim() == 1 || self_.ndim() == 2,
        Runtime,
        "stft: expected a 1D or 2D tensor, but got shape {:?}",
        self_.shape()
    );
    ensure!(
        !(center && align_to_window.is_some()),
        Runtime,
        "stft: align_to_window should only be set when center = false"
    );
    let onesided = onesided.unwrap_or(!is_any_complex);
    ensure!(
        !(onesided && is_any_complex),
        Runtime,
        "Cannot have onesided output if window or input is complex"
    );
    let Some(return_complex) = return_complex.or(is_any_complex.then_some(true)) else {
        fail!(
            Runtime,
            "stft requires the return_complex parameter be given for real inputs, and will further \
             require that return_complex=True in a future PyTorch release."
        )
    };
    let mut signal = if self_.ndim() == 1 { self_.unsqueeze(0)? } else { self_.clone() };
    if center {
        signal = ops::pad::Default_::call(&signal, &[n_fft / 2, n_fft / 2], pad_mode, None)?;
    }
    let length = signal.shape()[1];
    ensure!(
        n_fft <= length,
        Runtime,
        "stft: expected 0 < n_fft <= {length}, but got n_fft={n_fft}"
    );
    let mut parts = ops::unfold::Default_::call(&signal, -1, n_fft, frames.hop_length)?;
    if frames.window.is_some() || win_length.is_some_and(|it| it < n_fft) {
        parts = parts.mul(&frames.weights(&signal, win_length)?)?;
    }
    let spectrum = match onesided {
        true => ops::fft_rfft::Default_::call(&parts, None, -1, frames.norm)?,
        false => ops::fft_fft::Default_::call(&parts, None, -1, frames.norm)?,
    };
    let mut spectrum = spectrum.transpose(1, 2)?;
    if self_.ndim() == 1 {
        spectrum = ops::squeeze::dim::call(&spectrum, 0)?;
    }
    if return_complex { Ok(spectrum) } else { ops::view_as_real::Default_::call(&spectrum) }
}

/// The least envelope of windows that one divides by.
const LEAST_ENVELOPE: f64 = 1e-11;

#[native_op(istft)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn istft(
    self_: &Tensor,
    n_fft: i64,
    hop_length: Option<i64>,
    win_length: Option<i64>,
    window: Option<&Tensor>,
    center: bool,
    normalized: bool,
    onesided: Option<bool>,
    length: Option<i64>,
    return_complex: bool,
) -> Result<Tensor> {
    let frames = Frames::new("istft", n_fft, hop_length, win_length, window, normalized)?;
    ensure!(
        self_.dtype().is_complex_number(),
        Runtime,
        "istft requires a complex-valued input tensor matching the output from stft with \
         return_complex=True."
    );
    let spectrum = match self_.ndim() {
        2 => self_.unsqueeze(0)?,
        3 => self_.clone(),
        _ => fail!(
            Runtime,
            "istft: expected a tensor with 2 or 3 dimensions, but got shape {:?}",
            self_.shape()
        ),
    };
    let [frequencies, count] = [spectrum.shape()[1], spectrum.shape()[2]];
    ensure!(spectrum.numel() > 0, Runtime, "istft: input tensor cannot be empty");
    let onesided = onesided.unwrap_or(frequencies != n_fft);
    let wanted = if onesided { n_fft / 2 + 1 } else { n_fft };
    ensure!(
        frequencies == wanted,
        Runtime,
        "istft: expected the frequency dimension, the last but one, to have {wanted} elements for \
         n_fft={n_fft} and onesided={onesided}, but got {frequencies}"
    );
    ensure!(
        !(onesided && return_complex),
        Runtime,
        "istft: cannot have onesided input if the result is complex"
    );
    let mut spectrum = spectrum.transpose(1, 2)?;
    let parts = if return_complex {
        ops::fft_ifft::Default_::call(&spectrum, None, -1, frames.norm)?
    } else {
        // The second half of a real signal's spectrum follows from the first.
        spectrum = spectrum.narrow(-1, 0, n_fft / 2 + 1)?;
        ops::fft_irfft::Default_::call(&spectrum, Some(n_fft), -1, frames.norm)?
    };
    let weights = frames.weights(&parts, win_length)?;
    let parts = parts.mul(&weights)?;
    let total = frames.hop_length.saturating_mul(count - 1).saturating_add(n_fft);
    let signal = added(&parts, &frames, count, total)?;
    let squares = weights.mul(&weights)?.expand(&[1, count, n_fft])?;
    let envelope = added(&squares, &frames, count, total)?;
    let start = if center { n_fft / 2 } else { 0 };
    let end = match length {
        Some(length) => start.saturating_add(length),
        None if center => total - n_fft / 2,
        None => total,
    };
    ensure!(
        start <= end.min(total),
        Runtime,
        "istft: the result would have a negative length: of {total} elements those from {start} to \
         {end} are wanted"
    );
    let kept = end.min(total) - start;
    let (signal, envelope) = (signal.narrow(-1, start, kept)?, envelope.narrow(-1, start, kept)?);
    check_envelope(&envelope)?;
    let mut signal = signal.div(&envelope)?;
    if end > total {
        signal = ops::constant_pad_nd::Default_::call(&signal, &[0, end - total], Scalar::Int(0))?;
    }
    if self_.ndim() == 2 { ops::squeeze::dim::call(&signal, 0) } else { Ok(signal) }
}

/// Refuses windows that leave elements out; on the meta device there is nothing to check.
fn check_envelope(envelope: &Tensor) -> Result<()> {
    if envelope.device().is_meta() || envelope.numel() == 0 {
        return Ok(());
    }
    let least = ops::min::Default_::call(&envelope.detach()?.abs()?)?;
    ensure!(
        ops::_local_scalar_dense::Default_::call(&least)?.to_f64()? > LEAST_ENVELOPE,
        Runtime,
        "istft: window overlap add min: {LEAST_ENVELOPE} is not reached: some elements lie below no \
         window"
    );
    Ok(())
}

/// Frames added up where they overlap.
fn added(parts: &Tensor, frames: &Frames, count: i64, total: i64) -> Result<Tensor> {
    let batch = parts.shape()[0];
    let zeros = parts.new_zeros(&[batch, total])?;
    let (hop, size) = (frames.hop_length, frames.n_fft);
    let places = (0..count).flat_map(|frame| (0..size).map(move |it| frame * hop + it));
    let places = constants(parts, &[count * size], buffer::collected(places)?)?;
    let flat = parts.reshape(&[batch, count * size])?;
    ops::index_add::Default_::call(&zeros, -1, &places, &flat, Scalar::Int(1))
}
