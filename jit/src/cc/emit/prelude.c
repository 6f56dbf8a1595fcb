__attribute__((visibility("default"))) const char opw_key_1[] = OPW_KEY;

typedef __INT8_TYPE__ i8;
typedef __INT16_TYPE__ i16;
typedef __INT32_TYPE__ i32;
typedef __INT64_TYPE__ i64;
typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;

/* Elements may lie anywhere. */
#define ELEMENT(type) typedef type type##_at __attribute__((aligned(1), may_alias))
ELEMENT(i8);
ELEMENT(i16);
ELEMENT(i32);
ELEMENT(i64);
ELEMENT(u8);
ELEMENT(u16);
ELEMENT(u32);
ELEMENT(float);
ELEMENT(double);

/* What is known here of the frame of a call. */
typedef struct {
    u32 budget, depth;
    __UINTPTR_TYPE__ stack_limit;
} frame;

typedef void fail_fn(frame *, u64, const u64 *, __SIZE_TYPE__);
typedef void note_fn(frame *, u64);
typedef void owner_fn(frame *, u64);
typedef u32 external_fn(frame *, const u64 *, u64 *);
typedef float from_half_fn(u64);
typedef u64 to_half_fn(float);
typedef float one_float_fn(float);
typedef float two_float_fn(float, float);
typedef double one_double_fn(double);
typedef double two_double_fn(double, double);

#define LIKELY(truth) __builtin_expect(!!(truth), 1)
#define INLINE static inline __attribute__((always_inline))

INLINE i64 double_word(double x) { i64 word; __builtin_memcpy(&word, &x, 8); return word; }
INLINE double word_double(i64 word) { double x; __builtin_memcpy(&x, &word, 8); return x; }
INLINE i64 float_word(float x) { u32 word; __builtin_memcpy(&word, &x, 4); return word; }
INLINE float word_float(i64 word) { u32 low = (u32)word; float x; __builtin_memcpy(&x, &low, 4); return x; }

/* The instruction traps for the least by -1. */
INLINE i64 int_div(i64 a, i64 b) { return b == -1 ? -a : a / b; }
INLINE i64 int_rem(i64 a, i64 b) { return b == -1 ? 0 : a % b; }
INLINE i64 is_above_floor(i64 remainder, i64 b) { return (remainder != 0) & ((remainder ^ b) < 0); }
INLINE i64 floor_div(i64 a, i64 b)
{
    i64 quotient = int_div(a, b);
    return quotient - is_above_floor(a - quotient * b, b);
}
INLINE i64 floor_mod(i64 a, i64 b)
{
    i64 remainder = int_rem(a, b);
    return is_above_floor(remainder, b) ? remainder + b : remainder;
}
INLINE i64 int_pow(i64 base, i64 exponent)
{
    i64 result = 1;
    for (u64 left = exponent; left; left >>= 1, base *= base)
        if (left & 1) result *= base;
    return result;
}
INLINE i64 int_gcd(i64 a, i64 b)
{
    u64 x = a < 0 ? -(u64)a : a, y = b < 0 ? -(u64)b : b;
    while (y) { u64 rest = x % y; x = y; y = rest; }
    return x;
}

/* Out of range saturates, and what is no number is 0. */
INLINE i64 double_int(double x)
{
    if (x >= 0x1p63) return __INT64_MAX__;
    if (x >= -0x1p63) return (i64)x;
    return x == x ? -__INT64_MAX__ - 1 : 0;
}
INLINE i64 double_uint(double x)
{
    if (x >= 0x1p64) return -1;
    return x > 0 ? (u64)x : 0;
}
