// Stands in for NVIDIA's header of the same name: bfloat16, 8 exponent and 7 fraction bits.
#pragma once
#include "cuda_runtime.h"
#include "cudacpu/small_float.h"

struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat16 {
  uint16_t bits;
  __nv_bfloat16() = default;
  __forceinline__ __nv_bfloat16(float x) : bits(cc_small_from<8, 7>(x)) {}
  __forceinline__ __nv_bfloat16(double x) : bits(cc_small_from<8, 7>(x)) {}
  __forceinline__ __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
  __forceinline__ operator float() const { return cc_small_to_float<8, 7>(bits); }
  __forceinline__ operator bool() const { return (bits & 0x7fff) != 0; }
#define CC_SMALL_NAME __nv_bfloat16
#define CC_SMALL_E 8
#define CC_SMALL_F 7
  CC_SMALL_INTEGERS(CC_SMALL_MEMBERS)
  CC_SMALL_CHARACTERS
#undef CC_SMALL_NAME
#undef CC_SMALL_E
#undef CC_SMALL_F
};
CC_SMALL_OPERATORS(__nv_bfloat16)
CC_SMALL_PAIR(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

static __forceinline__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
static __forceinline__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
static __forceinline__ __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
static __forceinline__ __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
static __forceinline__ __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
static __forceinline__ float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
static __forceinline__ __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x)); }
static __forceinline__ __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y)); }
static __forceinline__ __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
static __forceinline__ float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2((float)v.x, (float)v.y); }
static __forceinline__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
static __forceinline__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
static __forceinline__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
static __forceinline__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
static __forceinline__ short __bfloat16_as_short(__nv_bfloat16 x) { return (short)x.bits; }
static __forceinline__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16(__nv_bfloat16_raw{bits}); }
static __forceinline__ __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)bits}); }
static __forceinline__ __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
static __forceinline__ __nv_bfloat16 __uint2bfloat16_rn(unsigned x) { return __nv_bfloat16(x); }
static __forceinline__ __nv_bfloat16 __ll2bfloat16_rn(long long x) { return __nv_bfloat16(x); }
static __forceinline__ __nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) { return __nv_bfloat16(x); }
static __forceinline__ int __bfloat162int_rz(__nv_bfloat16 x) { return (int)x; }
static __forceinline__ int __bfloat162int_rn(__nv_bfloat16 x) { return cc_small_to_integer<int>(rintf((float)x)); }
static __forceinline__ unsigned __bfloat162uint_rz(__nv_bfloat16 x) { return (unsigned)x; }
CC_CLASS_ATOMIC_ADD(__nv_bfloat16)
CC_CLASS_ATOMIC_ADD(__nv_bfloat162)
