//! What C says of powers that are infinite or zero, and of those of what is no positive number.

use std::arch::x86_64::*;

macro_rules! special {
    (
        $name:ident $ty:ident $register:ident $mask:ident $all:ident $zero:ident $abs:ident
        $compare:ident $class:ident $round:ident $times:ident $xor:ident $mov:ident $some:ident
    ) => {
        /// `x` to the power `y`, made of that of `|x|`, which counts unless it `is_far`: then it is
        /// infinite, zero, or of what is so.
        #[target_feature(enable = "avx512f,avx512dq")]
        #[cold]
        pub(crate) fn $name(
            x: $register,
            y: $register,
            is_far: $mask,
            power: $register,
        ) -> $register {
            /// To the nearest number without digits behind the point.
            const WHOLE: i32 = 8;
            /// What is finite and negative.
            const NEGATIVE: i32 = 0x40;
            /// Minus zero and minus infinity.
            const MINUS: i32 = 0x14;

            let (zero, one) = ($zero(), $all(1.0));
            let a = $abs(x);
            // 1. What is infinite or zero, but for one to an infinite power.
            let grows = !($compare::<_CMP_GT_OQ>(a, one) ^ $compare::<_CMP_GT_OQ>(y, zero));
            let power = $mov(power, is_far, $some(grows, $all($ty::INFINITY)));
            let power = $mov(power, is_far & $compare::<_CMP_EQ_OQ>(a, one), one);
            // 2. Powers of negative numbers.
            let half = $times(y, $all(0.5));
            let is_whole = $compare::<_CMP_EQ_OQ>($round::<WHOLE>(y), y);
            let is_odd = is_whole & $compare::<_CMP_NEQ_OQ>($round::<WHOLE>(half), half);
            let is_negative = $class::<NEGATIVE>(x);
            let has_sign = is_negative | $class::<MINUS>(x);
            let power = $mov(power, has_sign & is_odd, $xor(power, $all(-0.0)));
            let power = $mov(power, is_negative & !is_whole, $all($ty::NAN));
            // 3. NaN, unless it does not matter.
            let power = $mov(power, $compare::<_CMP_UNORD_Q>(x, y), $all($ty::NAN));
            let is_one = $compare::<_CMP_EQ_OQ>(x, one) | $compare::<_CMP_EQ_OQ>(y, zero);
            $mov(power, is_one, one)
        }
    };
}

special! {
    special_pd f64 __m512d __mmask8 _mm512_set1_pd _mm512_setzero_pd _mm512_abs_pd
    _mm512_cmp_pd_mask _mm512_fpclass_pd_mask _mm512_roundscale_pd _mm512_mul_pd _mm512_xor_pd
    _mm512_mask_mov_pd _mm512_maskz_mov_pd
}
special! {
    special_ps f32 __m512 __mmask16 _mm512_set1_ps _mm512_setzero_ps _mm512_abs_ps
    _mm512_cmp_ps_mask _mm512_fpclass_ps_mask _mm512_roundscale_ps _mm512_mul_ps _mm512_xor_ps
    _mm512_mask_mov_ps _mm512_maskz_mov_ps
}
