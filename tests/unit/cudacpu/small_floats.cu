// The roundings of the 16-bit types, one call per table of values, for a comparison with exact arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> static void from_double(const double *x, unsigned short *o, int n) {
  for (int i = 0; i < n; i++) o[i] = T(x[i]).bits;
}
template <class T> static void fused(const unsigned short *a, unsigned short *o, int n) {
  const T *v = (const T *)a;
  for (int i = 0; i < n; i++) o[i] = __hfma(v[3 * i], v[3 * i + 1], v[3 * i + 2]).bits;
}
template <class T> static void to_float(float *o) {
  for (int i = 0; i < 65536; i++) { T v; v.bits = (unsigned short)i; o[i] = (float)v; }
}
extern "C" {
void half_from_double(const double *x, unsigned short *o, int n) { from_double<__half>(x, o, n); }
void bfloat16_from_double(const double *x, unsigned short *o, int n) { from_double<__nv_bfloat16>(x, o, n); }
void half_fused(const unsigned short *a, unsigned short *o, int n) { fused<__half>(a, o, n); }
void bfloat16_fused(const unsigned short *a, unsigned short *o, int n) { fused<__nv_bfloat16>(a, o, n); }
void half_to_float(float *o) { to_float<__half>(o); }
void bfloat16_to_float(float *o) { to_float<__nv_bfloat16>(o); }
unsigned short half_from_integer(long long x) { return __ll2half_rn(x).bits; }
unsigned short bfloat16_from_integer(long long x) { return __ll2bfloat16_rn(x).bits; }
}
