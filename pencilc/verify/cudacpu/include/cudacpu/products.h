// What tensor cores add to a sum.
//
// Note [Sums of tensor cores]: products of 16-bit floats are exact. Eight of them are added to the sum at a time: all nine
// are aligned to the largest, cut off one bit below the last one of a float, added, and cut off again. NVIDIA does not
// say how; this is what was found on an A100 (Fasi, Higham, Mikaitis, Pranesh 2021), and newer ones keep more bits. Those of
// tf32 are exact too, and four are added at a time.
#pragma once
#include "device.h"

// See Note [Sums of tensor cores].
template <int COUNT, int TOGETHER> CC_UNWATCHED float cc_add_exact(const float *a, const float *b, float sum) {
  for (int k = 0; k < COUNT; k += TOGETHER) {
    double terms[TOGETHER + 1] = {sum}, largest = fabs((double)sum), plain = sum;
    for (int i = 0; i < TOGETHER; i++) {
      terms[i + 1] = (double)a[k + i] * b[k + i];
      plain += terms[i + 1];
      if (fabs(terms[i + 1]) > largest) largest = fabs(terms[i + 1]);
    }
    if (!(fabs(plain) < INFINITY) || largest == 0) {
      sum = (float)plain;
      continue;
    }
    const int exponent = ilogb(largest) < -126 ? -126 : ilogb(largest);
    double total = 0;
    for (double term : terms) total += trunc(ldexp(term, 24 - exponent));
    total = ldexp(total, exponent - 24);
    sum = (float)total;
    if (fabs((double)sum) > fabs(total)) sum = nextafterf(sum, 0.0f);
  }
  return sum;
}
static inline float cc_add_products(const float *a, const float *b, float sum) { return cc_add_exact<16, 8>(a, b, sum); }
CC_UNWATCHED static int cc_add_products(const int *a, const int *b, int sum) {
  unsigned total = (unsigned)sum;
  for (int k = 0; k < 16; k++) total += (unsigned)(a[k] * b[k]);
  return (int)total;
}
