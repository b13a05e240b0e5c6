// System headers and what GNU C they bring, beside a region.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <stdbool.h>
#include <assert.h>
#include <time.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdarg.h>
#include <sys/time.h>
#include <inttypes.h>
#ifdef __PENCIL__
static const int factor = 2;
#else
static const int factor = 2;
#endif
static __inline__ __attribute__((always_inline)) int twice(int x) { return factor * x; }
extern int puts_again(const char *__restrict a) __asm__("puts") __attribute__((__nothrow__, __leaf__));
typedef __builtin_va_list my_list;
static int talk(const char *format, ...) { my_list list; va_start(list, format); int r = vprintf(format, list); va_end(list); return r; }
__extension__ typedef long long wide;
void f(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = twice(a[i]);
#pragma endscop
}
int main(void)
{
    int a[8]; bool ok = true; uint8_t b = UINT8_MAX; struct timespec ts; struct timeval tv;
    double complex z = 1.0 + 2.0 * I;
    for (int i = 0; i < 8; i++) a[i] = i;
    f(8, a);
    assert(a[1] == 2);
    clock_gettime(CLOCK_MONOTONIC, &ts); gettimeofday(&tv, NULL);
    puts_again("again");
    talk("%d %s %g %d %d\n", a[7], strerror(errno), creal(z), isdigit('3') != 0, (int)sizeof(wide));
    printf("%" PRId64 " %d %u %d\n", (int64_t)3, ok, b, DBL_MAX > M_PI);
    return __builtin_expect(0, 0);
}
