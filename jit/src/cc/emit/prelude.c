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

/* Why a function of another library failed. */
typedef struct {
    u32 kind, len;
    u8 text[248];
} native_failure;

typedef void fail_fn(frame *, u64, const u64 *, __SIZE_TYPE__);
typedef void note_fn(frame *, u64);
typedef void fail_native_fn(frame *, u64, const native_failure *);
typedef u32 native_fn(const u64 *, u64 *, native_failure *);
typedef void owner_fn(frame *, u64);
typedef u32 external_fn(frame *, const u64 *, u64 *);
typedef float from_half_fn(u64);
typedef u64 to_half_fn(float);
typedef float one_float_fn(float);
typedef float two_float_fn(float, float);
typedef double one_double_fn(double);
typedef double two_double_fn(double, double);
typedef void floats_fn(float *, const float *, __SIZE_TYPE__);
typedef void doubles_fn(double *, const double *, __SIZE_TYPE__);

#define LIKELY(truth) __builtin_expect(!!(truth), 1)
#define INLINE static inline __attribute__((always_inline))

INLINE i64 double_word(double x) { i64 word; __builtin_memcpy(&word, &x, 8); return word; }
INLINE double word_double(i64 word) { double x; __builtin_memcpy(&x, &word, 8); return x; }
INLINE i64 float_word(float x) { u32 word; __builtin_memcpy(&word, &x, 4); return word; }
INLINE float word_float(i64 word) { u32 low = (u32)word; float x; __builtin_memcpy(&x, &low, 4); return x; }

/* A sum that is computed in order: vectors of its terms would not help. */
#if defined(__x86_64__) && defined(__GNUC__)
#define IN_ORDER(sum) __asm__("" : "+x"(sum))
#else
#define IN_ORDER(sum)
#endif

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

/* Out of range saturates, and NaN is 0. What is cast has no -0.0: GCC 12 takes a double that is cast to
   an integer and back for its trunc, which has the sign of -0.5. */
INLINE i64 double_int(double x)
{
    if (x >= 0x1p63) return __INT64_MAX__;
    if (x >= -0x1p63) return (i64)(__builtin_trunc(x) + 0.0);
    return x == x ? -__INT64_MAX__ - 1 : 0;
}
INLINE i64 double_uint(double x)
{
    if (x >= 0x1p64) return -1;
    return x > 0 ? (u64)x : 0;
}

/* Functions of real numbers that loops call by name. The entry notes where they are: the same in each
   call, so that it does not matter which of several threads does. */
#define KNOW(name, one, more) \
    __atomic_store_n(&name##_one, (void *)(one), __ATOMIC_RELAXED); \
    __atomic_store_n(&name##_more, (void *)(more), __ATOMIC_RELAXED)
#define FUNCTION(name, type, one_type, more_type) \
    static one_type *name##_one; \
    static more_type *name##_more; \
    INLINE void name##_at_once(type *x, const type *y, __SIZE_TYPE__ count) \
    { __atomic_load_n(&name##_more, __ATOMIC_RELAXED)(x, y, count); }
#define ONE(name) (__atomic_load_n(&name##_one, __ATOMIC_RELAXED))
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define HIDDEN __attribute__((visibility("hidden")))
#define BY_VECTORS __attribute__((simd("notinbranch"), const)) HIDDEN
#define OF_ONE(name, type, isa, count) \
    HIDDEN type##_##isa _ZGV##isa##N##count##v_##name(type##_##isa x) \
    { name##_at_once((type *)&x, (type *)&x, count); return x; }
#define OF_TWO(name, type, isa, count) \
    HIDDEN type##_##isa _ZGV##isa##N##count##vv_##name(type##_##isa x, type##_##isa y) \
    { name##_at_once((type *)&x, (type *)&y, count); return x; }
typedef double double_b __attribute__((vector_size(16), may_alias));
typedef float float_b __attribute__((vector_size(16), may_alias));
typedef double double_c __attribute__((vector_size(32), may_alias));
typedef float float_c __attribute__((vector_size(32), may_alias));
typedef double_c double_d;
typedef float_c float_d;
typedef double double_e __attribute__((vector_size(64), may_alias));
typedef float float_e __attribute__((vector_size(64), may_alias));
#if defined(__AVX512F__)
#define EACH_DOUBLE(of, name) of(name, double, b, 2) of(name, double, c, 4) of(name, double, d, 4) of(name, double, e, 8)
#define EACH_FLOAT(of, name) of(name, float, b, 4) of(name, float, c, 8) of(name, float, d, 8) of(name, float, e, 16)
#elif defined(__AVX__)
#define EACH_DOUBLE(of, name) of(name, double, b, 2) of(name, double, c, 4) of(name, double, d, 4)
#define EACH_FLOAT(of, name) of(name, float, b, 4) of(name, float, c, 8) of(name, float, d, 8)
#else
#define EACH_DOUBLE(of, name) of(name, double, b, 2)
#define EACH_FLOAT(of, name) of(name, float, b, 4)
#endif
/* Calls go to the name, of which a compiler that saw the body would make vectors itself. */
#define CALLED_ONE(name, type) \
    BY_VECTORS type name(type); \
    HIDDEN type name##_alone(type) __asm__(#name); \
    type name##_alone(type x) { return ONE(name)(x); }
#define CALLED_TWO(name, type) \
    BY_VECTORS type name(type, type); \
    HIDDEN type name##_alone(type, type) __asm__(#name); \
    type name##_alone(type x, type y) { return ONE(name)(x, y); }
#else
#define EACH_DOUBLE(of, name)
#define EACH_FLOAT(of, name)
#define CALLED_ONE(name, type) INLINE type name(type x) { return ONE(name)(x); }
#define CALLED_TWO(name, type) INLINE type name(type x, type y) { return ONE(name)(x, y); }
#endif
#define ONE_DOUBLE(name) FUNCTION(name, double, one_double_fn, doubles_fn) CALLED_ONE(name, double) EACH_DOUBLE(OF_ONE, name)
#define ONE_FLOAT(name) FUNCTION(name, float, one_float_fn, floats_fn) CALLED_ONE(name, float) EACH_FLOAT(OF_ONE, name)
#define TWO_DOUBLE(name) FUNCTION(name, double, two_double_fn, doubles_fn) CALLED_TWO(name, double) EACH_DOUBLE(OF_TWO, name)
#define TWO_FLOAT(name) FUNCTION(name, float, two_float_fn, floats_fn) CALLED_TWO(name, float) EACH_FLOAT(OF_TWO, name)
