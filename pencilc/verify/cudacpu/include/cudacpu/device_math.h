// Arithmetic intrinsics. What depends on rounding modes uses the default mode of the CPU, to nearest even.
#pragma once
#include "atomics.h"
#include "warp.h"

template <class T> static __forceinline__ T __ldg(const T *p) { return *p; }
template <class T> static __forceinline__ T __ldcg(const T *p) { return *p; }
template <class T> static __forceinline__ T __ldca(const T *p) { return *p; }
template <class T> static __forceinline__ T __ldcs(const T *p) { return *p; }
template <class T> static __forceinline__ T __ldlu(const T *p) { return *p; }
template <class T> static __forceinline__ T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T> static __forceinline__ void __stwb(T *p, cc_same<T> v) { *p = v; }
template <class T> static __forceinline__ void __stcg(T *p, cc_same<T> v) { *p = v; }
template <class T> static __forceinline__ void __stcs(T *p, cc_same<T> v) { *p = v; }
template <class T> static __forceinline__ void __stwt(T *p, cc_same<T> v) { *p = v; }

#define CC_MINMAX(A, B, R)                                                 \
  static inline constexpr R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; } \
  static inline constexpr R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
CC_MINMAX(int, int, int)
CC_MINMAX(unsigned, unsigned, unsigned)
CC_MINMAX(int, unsigned, unsigned)
CC_MINMAX(unsigned, int, unsigned)
CC_MINMAX(long, long, long)
CC_MINMAX(unsigned long, unsigned long, unsigned long)
CC_MINMAX(long, unsigned long, unsigned long)
CC_MINMAX(unsigned long, long, unsigned long)
CC_MINMAX(long long, long long, long long)
CC_MINMAX(unsigned long long, unsigned long long, unsigned long long)
CC_MINMAX(long long, unsigned long long, unsigned long long)
CC_MINMAX(unsigned long long, long long, unsigned long long)
#undef CC_MINMAX
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline double min(float a, double b) { return fmin(a, b); }
static inline double max(float a, double b) { return fmax(a, b); }
static inline double min(double a, float b) { return fmin(a, b); }
static inline double max(double a, float b) { return fmax(a, b); }
static inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
static inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
static inline long long llmin(long long a, long long b) { return min(a, b); }
static inline long long llmax(long long a, long long b) { return max(a, b); }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
static inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
static inline double cc_sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
static inline double cc_cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
#define sinpi cc_sinpi   // newer C libraries declare these names themselves
#define cospi cc_cospi
#define sinpif(x) ((float)cc_sinpi(x))
#define cospif(x) ((float)cc_cospi(x))
static inline float __saturatef(float x) { return !(x > 0.0f) ? 0.0f : x > 1.0f ? 1.0f : x; }

// Macros, because functions would clash with the C library's own hidden declarations of these names.
#define __expf expf
#define __exp10f(x) powf(10.0f, x)
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __powf powf
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __sincosf sincosf

#define CC_ROUNDED(T, P, SQRT, FMA)                                                   \
  static inline T __##P##add_rn(T a, T b) { return a + b; }                           \
  static inline T __##P##sub_rn(T a, T b) { return a - b; }                           \
  static inline T __##P##mul_rn(T a, T b) { return a * b; }                           \
  static inline T __##P##div_rn(T a, T b) { return a / b; }                           \
  static inline T __##P##rcp_rn(T a) { return (T)1 / a; }                             \
  static inline T __##P##sqrt_rn(T a) { return SQRT(a); }
CC_ROUNDED(float, f, sqrtf, fmaf)
CC_ROUNDED(double, d, sqrt, fma)
#undef CC_ROUNDED
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __frsqrt_rn(float a) { return 1.0f / sqrtf(a); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float fdividef(float a, float b) { return a / b; }

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++) r |= (x >> i & 1u) << (31 - i);
  return r;
}
static inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)((((uint64_t)hi << 32 | lo) << (s & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)(((uint64_t)hi << 32 | lo) >> (s & 31));
}
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  uint64_t both = (uint64_t)b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) r |= (unsigned)(both >> (s >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return r;
}
static inline int __dp4a(int a, int b, int c) {
  unsigned r = (unsigned)c;
  for (int i = 0; i < 32; i += 8) r += (unsigned)((int)(int8_t)((unsigned)a >> i) * (int8_t)((unsigned)b >> i));
  return (int)r;
}
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}
static inline int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static inline int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
static inline unsigned __sad(int a, int b, unsigned c) { return (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c; }

static inline int __float_as_int(float x) { return cc_from_bits<int>(cc_to_bits(x)); }
static inline unsigned __float_as_uint(float x) { return cc_from_bits<unsigned>(cc_to_bits(x)); }
static inline float __int_as_float(int x) { return cc_from_bits<float>(cc_to_bits(x)); }
static inline float __uint_as_float(unsigned x) { return cc_from_bits<float>(cc_to_bits(x)); }
static inline long long __double_as_longlong(double x) { return cc_from_bits<long long>(cc_to_bits(x)); }
static inline double __longlong_as_double(long long x) { return cc_from_bits<double>(cc_to_bits(x)); }
static inline int __double2hiint(double x) { return (int)(cc_to_bits(x) >> 32); }
static inline int __double2loint(double x) { return (int)cc_to_bits(x); }
static inline double __hiloint2double(int hi, int lo) { return cc_from_bits<double>((uint64_t)(unsigned)hi << 32 | (unsigned)lo); }

// GPU conversions saturate and turn NaN into 0; C's are undefined there.
template <class I, class F> static inline I cc_saturate(F x, I low, I high) {
  if (x != x) return 0;
  if (x <= (F)low) return low;
  return x >= (F)high ? high : (I)x;
}
static inline int __float2int_rz(float x) { return cc_saturate<int>(x, INT32_MIN, INT32_MAX); }
static inline int __float2int_rn(float x) { return cc_saturate<int>(rintf(x), INT32_MIN, INT32_MAX); }
static inline int __float2int_rd(float x) { return cc_saturate<int>(floorf(x), INT32_MIN, INT32_MAX); }
static inline int __float2int_ru(float x) { return cc_saturate<int>(ceilf(x), INT32_MIN, INT32_MAX); }
static inline unsigned __float2uint_rz(float x) { return cc_saturate<unsigned>(x, 0u, UINT32_MAX); }
static inline unsigned __float2uint_rn(float x) { return cc_saturate<unsigned>(rintf(x), 0u, UINT32_MAX); }
static inline int __double2int_rz(double x) { return cc_saturate<int>(x, INT32_MIN, INT32_MAX); }
static inline int __double2int_rn(double x) { return cc_saturate<int>(rint(x), INT32_MIN, INT32_MAX); }
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline double __int2double_rn(int x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }
