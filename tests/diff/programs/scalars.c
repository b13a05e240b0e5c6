// sizes: n=0,1,5,33,300 m=0,1,40
// Scalars that are assigned again: parameters, clamped coordinates, narrow types that wrap.
#include <pencil.h>

void scaled(int n, float s, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    s = s * 2;
    for (int i = 0; i < n; i++) b[i] = a[i] * s;
#pragma endscop
}
float shortened(int n, int m, float s, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    if (m > n) m = n;
    for (int i = 0; i < m; i++) b[i] = a[i];
#pragma endscop
    s = s + 1;
    return s;
}

void clamped(int n, int m, const float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int x = j + 1;
            if (x >= m) x = m - 1;
            int y = i - 1;
            if (y < 0) y = 0;
            b[i][j] = a[y][x];
        }
#pragma endscop
}
void bounded(int n, float a[static const restrict n]) {
#pragma scop
    int lo = 0, hi = n;
    if (n > 10) { lo = 2; hi = n - 2; }
    else lo = 1;
    for (int i = lo; i < hi; i++) a[i] = i;
    lo = lo + 1;
    for (int i = lo; i < hi; i++) a[i] *= 2;
#pragma endscop
}

unsigned char wrapped(int n, const unsigned char a[static const restrict n], unsigned char b[static const restrict n], short c[static const restrict n]) {
    unsigned char s = 250;
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned char t = a[i];
        t += 200; t++; t = -t; t <<= 1;
        b[i] = t;
        c[i] = a[i] * 1000;
        unsigned u = a[i]; u -= 300; 
        c[i] ^= u;
        c[i] += 1.7;
    }
#pragma endscop
    s += 10;
    return s;
}
