// Constants that become other numbers as they are converted; nvcc warns of those that are not written out.
// sizes: n=0,1,40 big=0,3
#include <stddef.h>

void smallest(int n, size_t big, const unsigned a[static const restrict n][4], unsigned b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned best = -1;
        for (int j = 0; j < 4; j++)
            if (a[i][j] < best)
                best = a[i][j];
        b[i] = big == -1 ? 0 : best;
    }
#pragma endscop
}

void bits(int n, const int a[static const restrict n], unsigned u[static const restrict n],
          long long w[static const restrict n], unsigned char c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        u[i] |= -8;
        long long x = 0xFFFFFFFFFFFFFFFF;
        w[i] = x + (a[i] & 7);
        c[i] = -1;
        if (u[i] == -1)
            u[i] = 0;
    }
#pragma endscop
}
