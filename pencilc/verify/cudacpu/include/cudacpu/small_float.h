// Floating types of 16 bits. Every conversion and operation rounds once, to nearest even, as the GPU's does.
//
// Note [Small floats]: float has more than twice the digits of either type plus two, so that +, -, *, / and sqrt may be
// taken in float and rounded again without harm. A fused multiply-add may not: its sum is rounded to odd in double,
// which keeps the information that the second rounding needs.
#pragma once
#include "device.h"
#include "warp.h"

// The bits of the number nearest to m * 2^e, ties to even; F fraction bits and E exponent bits.
template <int E, int F> static inline uint16_t cc_small_round(bool negative, uint64_t m, int e) {
  constexpr int BIAS = (1 << (E - 1)) - 1, INFINITE = ((1 << E) - 1) << F;
  uint16_t sign = (uint16_t)(negative ? 0x8000 : 0);
  if (!m) return sign;
  int exponent = 63 - __builtin_clzll(m) + e;
  int base = exponent > 1 - BIAS ? exponent : 1 - BIAS;
  int shift = base - F - e;  // bits that are lost
  uint64_t kept = shift <= 0 ? m << -shift : shift > 63 ? 0 : m >> shift;
  if (shift > 0 && shift <= 64) {
    uint64_t lost = shift == 64 ? m : m & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    kept += lost > half || (lost == half && (kept & 1));
  }
  if (exponent > BIAS) return (uint16_t)(sign | INFINITE);
  uint64_t bits = ((uint64_t)(base + BIAS - 1) << F) + kept;
  return (uint16_t)(sign | (bits > INFINITE ? INFINITE : bits));
}
template <int E, int F> static inline uint16_t cc_small_from(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, 8);
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & ((1ull << 52) - 1);
  if (exponent == 0x7ff && fraction) return 0x7fff;  // the one NaN that the GPU makes
  if (exponent == 0x7ff) return (uint16_t)((bits >> 63 ? 0x8000 : 0) | ((1 << E) - 1) << F);
  return cc_small_round<E, F>(bits >> 63, exponent ? fraction | 1ull << 52 : fraction, (exponent ? exponent : 1) - 1075);
}
template <int E, int F, class I> static inline uint16_t cc_small_from_integer(I x) {
  return cc_small_round<E, F>(x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, 0);
}
template <int E, int F> static inline float cc_small_to_float(uint16_t bits) {
  constexpr int BIAS = (1 << (E - 1)) - 1;
  int exponent = bits >> F & ((1 << E) - 1), fraction = bits & ((1 << F) - 1);
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
  if (!exponent && fraction) {
    float tiny = ldexpf((float)fraction, 1 - BIAS - F);
    return sign ? -tiny : tiny;
  }
  uint32_t moved = !exponent ? 0 : exponent == (1 << E) - 1 ? 255 : (uint32_t)(exponent - BIAS + 127);
  uint32_t wide = sign | moved << 23 | (uint32_t)fraction << (23 - F);
  float x;
  __builtin_memcpy(&x, &wide, 4);
  return x;
}
// a * b + c rounded to odd: a * b is exact in double.
static inline double cc_fused_to_odd(double a, double b, double c) {
  double p = a * b, s = p + c;
  if (!(fabs(s) < INFINITY)) return s;
  double v = s - p, error = (p - (s - v)) + (c - v);
  int64_t bits;
  __builtin_memcpy(&bits, &s, 8);
  if (error != 0 && !(bits & 1)) bits += (error > 0) == (s > 0) ? 1 : -1;
  __builtin_memcpy(&s, &bits, 8);
  return s;
}

#define CC_SMALL_INTEGERS(M) M(short) M(unsigned short) M(int) M(unsigned) M(long) M(unsigned long) M(long long) M(unsigned long long)
#define CC_SMALL_MEMBERS(I)                                                                                                  \
  __forceinline__ CC_SMALL_NAME(I x) : bits(cc_small_from_integer<CC_SMALL_E, CC_SMALL_F>(x)) {}                             \
  __forceinline__ operator I() const { return cc_small_to_integer<I>((float)*this); }
#define CC_SMALL_CHARACTERS                                                                                                  \
  __forceinline__ operator char() const { return cc_small_to_integer<char>((float)*this); }                                  \
  __forceinline__ operator signed char() const { return cc_small_to_integer<signed char>((float)*this); }                    \
  __forceinline__ operator unsigned char() const { return cc_small_to_integer<unsigned char>((float)*this); }

// GPU conversions to integers truncate, saturate, and turn NaN into 0.
template <class I> static inline I cc_small_to_integer(float x) {
  constexpr I LOW = (I)-1 < 0 ? (I)(1ull << (8 * sizeof(I) - 1)) : 0, HIGH = (I)~(uint64_t)LOW;
  if (x != x) return 0;
  if (x <= (float)LOW) return LOW;
  return x >= (float)HIGH ? HIGH : (I)x;
}

#define CC_SMALL_OPERATORS(T)                                                                                                \
  static __forceinline__ T __hadd(T a, T b) { return T((float)a + (float)b); }                                               \
  static __forceinline__ T __hsub(T a, T b) { return T((float)a - (float)b); }                                               \
  static __forceinline__ T __hmul(T a, T b) { return T((float)a * (float)b); }                                               \
  static __forceinline__ T __hdiv(T a, T b) { return T((float)a / (float)b); }                                               \
  static __forceinline__ T __hadd_rn(T a, T b) { return __hadd(a, b); }                                                      \
  static __forceinline__ T __hsub_rn(T a, T b) { return __hsub(a, b); }                                                      \
  static __forceinline__ T __hmul_rn(T a, T b) { return __hmul(a, b); }                                                      \
  static __forceinline__ T __hfma(T a, T b, T c) { return T(cc_fused_to_odd((float)a, (float)b, (float)c)); }                \
  static __forceinline__ T __hneg(T a) { a.bits ^= 0x8000; return a; }                                                       \
  static __forceinline__ T __habs(T a) { a.bits &= 0x7fff; return a; }                                                       \
  static __forceinline__ T hsqrt(T a) { return T(sqrtf((float)a)); }                                                         \
  static __forceinline__ bool __hisnan(T a) { return (float)a != (float)a; }                                                 \
  static __forceinline__ int __hisinf(T a) { return (float)a == INFINITY ? 1 : (float)a == -INFINITY ? -1 : 0; }             \
  static __forceinline__ bool __heq(T a, T b) { return (float)a == (float)b; }                                               \
  static __forceinline__ bool __hne(T a, T b) { return (float)a < (float)b || (float)a > (float)b; }                         \
  static __forceinline__ bool __hlt(T a, T b) { return (float)a < (float)b; }                                                \
  static __forceinline__ bool __hle(T a, T b) { return (float)a <= (float)b; }                                               \
  static __forceinline__ bool __hgt(T a, T b) { return (float)a > (float)b; }                                                \
  static __forceinline__ bool __hge(T a, T b) { return (float)a >= (float)b; }                                               \
  static __forceinline__ T cc_small_pick(T a, T b, bool first) { return __hisnan(a) ? b : __hisnan(b) ? a : first ? a : b; } \
  static __forceinline__ T cc_canonical(T a) { if (__hisnan(a)) a.bits = 0x7fff; return a; }                                 \
  static __forceinline__ T __hmax(T a, T b) {                                                                                \
    return cc_canonical(cc_small_pick(a, b, (float)a > (float)b || ((float)a == (float)b && !(a.bits & 0x8000))));           \
  }                                                                                                                          \
  static __forceinline__ T __hmin(T a, T b) {                                                                                \
    return cc_canonical(cc_small_pick(a, b, (float)a < (float)b || ((float)a == (float)b && a.bits & 0x8000)));              \
  }                                                                                                                          \
  static __forceinline__ T __hmax_nan(T a, T b) { return __hisnan(a) ? cc_canonical(a) : __hisnan(b) ? cc_canonical(b) : __hmax(a, b); } \
  static __forceinline__ T __hmin_nan(T a, T b) { return __hisnan(a) ? cc_canonical(a) : __hisnan(b) ? cc_canonical(b) : __hmin(a, b); } \
  static __forceinline__ T operator+(const T &a, const T &b) { return __hadd(a, b); }                                        \
  static __forceinline__ T operator-(const T &a, const T &b) { return __hsub(a, b); }                                        \
  static __forceinline__ T operator*(const T &a, const T &b) { return __hmul(a, b); }                                        \
  static __forceinline__ T operator/(const T &a, const T &b) { return __hdiv(a, b); }                                        \
  static __forceinline__ T &operator+=(T &a, const T &b) { return a = __hadd(a, b); }                                        \
  static __forceinline__ T &operator-=(T &a, const T &b) { return a = __hsub(a, b); }                                        \
  static __forceinline__ T &operator*=(T &a, const T &b) { return a = __hmul(a, b); }                                        \
  static __forceinline__ T &operator/=(T &a, const T &b) { return a = __hdiv(a, b); }                                        \
  static __forceinline__ T operator+(const T &a) { return a; }                                                               \
  static __forceinline__ T operator-(const T &a) { return __hneg(a); }                                                       \
  static __forceinline__ bool operator==(const T &a, const T &b) { return __heq(a, b); }                                     \
  static __forceinline__ bool operator!=(const T &a, const T &b) { return !__heq(a, b); }                                    \
  static __forceinline__ bool operator<(const T &a, const T &b) { return __hlt(a, b); }                                      \
  static __forceinline__ bool operator<=(const T &a, const T &b) { return __hle(a, b); }                                     \
  static __forceinline__ bool operator>(const T &a, const T &b) { return __hgt(a, b); }                                      \
  static __forceinline__ bool operator>=(const T &a, const T &b) { return __hge(a, b); }

// Pairs: the operations work on both halves.
#define CC_SMALL_PAIR(T, T2)                                                                                                 \
  struct __attribute__((aligned(4))) T2 {                                                                                    \
    T x, y;                                                                                                                  \
    T2() = default;                                                                                                          \
    __forceinline__ T2(const T &a, const T &b) : x(a), y(b) {}                                                               \
  };                                                                                                                         \
  static __forceinline__ T2 __hadd2(T2 a, T2 b) { return T2(__hadd(a.x, b.x), __hadd(a.y, b.y)); }                           \
  static __forceinline__ T2 __hsub2(T2 a, T2 b) { return T2(__hsub(a.x, b.x), __hsub(a.y, b.y)); }                           \
  static __forceinline__ T2 __hmul2(T2 a, T2 b) { return T2(__hmul(a.x, b.x), __hmul(a.y, b.y)); }                           \
  static __forceinline__ T2 __h2div(T2 a, T2 b) { return T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }                           \
  static __forceinline__ T2 __hfma2(T2 a, T2 b, T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }           \
  static __forceinline__ T2 __hmax2(T2 a, T2 b) { return T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }                           \
  static __forceinline__ T2 __hmin2(T2 a, T2 b) { return T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }                           \
  static __forceinline__ T2 __hneg2(T2 a) { return T2(__hneg(a.x), __hneg(a.y)); }                                           \
  static __forceinline__ T2 operator+(const T2 &a, const T2 &b) { return __hadd2(a, b); }                                    \
  static __forceinline__ T2 operator-(const T2 &a, const T2 &b) { return __hsub2(a, b); }                                    \
  static __forceinline__ T2 operator*(const T2 &a, const T2 &b) { return __hmul2(a, b); }                                    \
  static __forceinline__ float __low2float(T2 a) { return (float)a.x; }                                                      \
  static __forceinline__ float __high2float(T2 a) { return (float)a.y; }
