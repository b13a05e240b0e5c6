// sizes: n=0,1,33,300 lo=0,5 hi=0,9,300
// All integer and floating types; counters and subscripts that wrap.
#include <pencil.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>

typedef unsigned char uchar;
void converted(size_t n, const uchar a[static const restrict n], uint16_t b[static const restrict n], int64_t c[static const restrict n], bool d[static const restrict n], signed char e[static const restrict n], short s[static const restrict n], unsigned long long u[static const restrict n], double z[static const restrict n]) {
#pragma scop
    for (size_t i = 0; i < n; i++) {
        b[i] = (uint16_t)(a[i] * 300);
        c[i] = (int64_t)a[i] << 33;
        d[i] = a[i] & 3;
        e[i] = (signed char)(a[i] + 100);
        s[i] = -a[i];
        u[i] = ~(unsigned long long)a[i] >> 3;
        z[i] = a[i] / 3.0;
    }
#pragma endscop
}

void rotated(unsigned n, int a[static const restrict n]) {
#pragma scop
    for (unsigned i = 0; i < n; i++) a[(i + n - 1) % n] = 1;
#pragma endscop
}
void wrapping(unsigned char n, int a[static const restrict 256]) {
#pragma scop
    for (int i = 0; i < 256; i++) a[i] = 0;
    for (int i = 0; i < 256; i++) a[(unsigned char)(i + n)] += i;
#pragma endscop
}
void stepped(unsigned short lo, unsigned short hi, int a[static const restrict 70000]) {
#pragma scop
    for (unsigned short i = lo; i < hi; i += 3) a[i] = i;
#pragma endscop
}
