// What is converted back to a narrower type wraps: the least of wider values is none, and a counter begins again.
// sizes: n=0,1,2,7,33,300
#include <pencil.h>

unsigned char least(int n, const int a[static const restrict n]) {
    unsigned char x = 250;
#pragma scop
    for (int i = 0; i < n; i++) x = min(x, a[i]);
#pragma endscop
    return x;
}

// With members, bins and casts; a wider type is no narrower one.
typedef struct { short most; _Bool any; long all; } Kept;

Kept greatest(int n, const int a[static const restrict n], const unsigned char b[static const restrict n],
              unsigned char h[static const restrict 16], const short c[static const restrict n]) {
    Kept k = {-5, 0, -9};
    short same = -7;
#pragma scop
    for (int i = 0; i < n; i++) {
        k.most = (short)max(k.most, a[i]);
        k.any = max(k.any, a[i]);
        k.all = max(k.all, a[i]);
        same = imax(same, c[i]);
        h[b[i] & 15] = max(h[b[i] & 15], a[i]);
    }
#pragma endscop
    k.all += same;
    return k;
}

unsigned counted(int n, int k, const unsigned char first[static const restrict n + 1],
                 unsigned o[static const restrict 8]) {
    unsigned s = 0, t = 0, u = 0, v = 0;
#pragma scop
    for (unsigned char i = n; i < 250; i += 77) s += i + 1u;
    for (unsigned i = n; i < 4290000000u; i += 1000000007) t += i + 1u;
    for (signed char i = n; i < 120; i += 51) o[i & 7] += 3u + i;
    for (unsigned char j = first[n]; j < 250; j += 7) u += j;
    for (unsigned char j = first[n] & 3; j < (k & 63); j += 3) v += j;
#pragma endscop
    return s + 3 * t + 5 * u + 7 * v;
}
