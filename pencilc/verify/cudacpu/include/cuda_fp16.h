// Stands in for NVIDIA's header of the same name: half precision, 5 exponent and 10 fraction bits.
#pragma once
#include "cuda_runtime.h"
#include "cudacpu/small_float.h"

struct __half_raw { unsigned short x; };
struct __half {
  uint16_t bits;
  __half() = default;
  __forceinline__ __half(float x) : bits(cc_small_from<5, 10>(x)) {}
  __forceinline__ __half(double x) : bits(cc_small_from<5, 10>(x)) {}
  __forceinline__ __half(__half_raw raw) : bits(raw.x) {}
  __forceinline__ operator float() const { return cc_small_to_float<5, 10>(bits); }
  __forceinline__ operator bool() const { return (bits & 0x7fff) != 0; }
#define CC_SMALL_NAME __half
#define CC_SMALL_E 5
#define CC_SMALL_F 10
  CC_SMALL_INTEGERS(CC_SMALL_MEMBERS)
  CC_SMALL_CHARACTERS
#undef CC_SMALL_NAME
#undef CC_SMALL_E
#undef CC_SMALL_F
};
CC_SMALL_OPERATORS(__half)
CC_SMALL_PAIR(__half, __half2)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

static __forceinline__ __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
static __forceinline__ __half2 make_half2(__half a, __half b) { return __half2(a, b); }
static __forceinline__ __half __float2half(float x) { return __half(x); }
static __forceinline__ __half __float2half_rn(float x) { return __half(x); }
static __forceinline__ __half __double2half(double x) { return __half(x); }
static __forceinline__ float __half2float(__half x) { return (float)x; }
static __forceinline__ __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
static __forceinline__ __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
static __forceinline__ __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
static __forceinline__ float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
static __forceinline__ __half2 __half2half2(__half x) { return __half2(x, x); }
static __forceinline__ __half __low2half(__half2 v) { return v.x; }
static __forceinline__ __half __high2half(__half2 v) { return v.y; }
static __forceinline__ unsigned short __half_as_ushort(__half x) { return x.bits; }
static __forceinline__ short __half_as_short(__half x) { return (short)x.bits; }
static __forceinline__ __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
static __forceinline__ __half __short_as_half(short bits) { return __half(__half_raw{(unsigned short)bits}); }
static __forceinline__ __half __short2half_rn(short x) { return __half(x); }
static __forceinline__ __half __ushort2half_rn(unsigned short x) { return __half(x); }
static __forceinline__ __half __int2half_rn(int x) { return __half(x); }
static __forceinline__ __half __uint2half_rn(unsigned x) { return __half(x); }
static __forceinline__ __half __ll2half_rn(long long x) { return __half(x); }
static __forceinline__ __half __ull2half_rn(unsigned long long x) { return __half(x); }
static __forceinline__ int __half2int_rz(__half x) { return (int)x; }
static __forceinline__ int __half2int_rn(__half x) { return cc_small_to_integer<int>(rintf((float)x)); }
static __forceinline__ unsigned __half2uint_rz(__half x) { return (unsigned)x; }
static __forceinline__ unsigned __half2uint_rn(__half x) { return cc_small_to_integer<unsigned>(rintf((float)x)); }
static __forceinline__ long long __half2ll_rz(__half x) { return (long long)x; }
static __forceinline__ short __half2short_rz(__half x) { return (short)x; }
CC_CLASS_ATOMIC_ADD(__half)
CC_CLASS_ATOMIC_ADD(__half2)
