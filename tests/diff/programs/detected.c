// sizes: n=0,1,33,1009 m=1,17
// Reductions in plain code: nobody has marked them.
#include <pencil.h>
#include <math.h>

int total(int n, const int a[static const restrict n]) {
#pragma scop
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
#pragma endscop
}

// The old values enter once; the loop over i is walked for both.
void both(int n, int m, const int a[static const restrict n][m], int s[static const restrict m],
          long r[static const restrict n], int least[static const restrict 1]) {
#pragma scop
    for (int j = 0; j < m; j++) s[j] = 7;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            s[j] -= a[i][j];
            r[i] += 2 * (long)a[i][j];
            if (a[i][j] < least[0]) least[0] = a[i][j];
        }
#pragma endscop
}

// What must stay as it is.
void none(int n, const int a[static const restrict n], int s[static const restrict n], int t[static const restrict 2]) {
#pragma scop
    for (int i = 1; i < n; i++) s[i] += s[i - 1] & 255;
    for (int i = 1; i < n; i++) t[0] -= t[0] & a[i];
    for (int i = 1; i < n; i++) if (t[1] < 1000) t[1] += a[i] & 15;
    for (int i = 0; i < n; i++) s[i] += a[i];
#pragma endscop
}

float largest(int n, const float a[static const restrict n], unsigned char mask[static const restrict n]) {
#pragma scop
    float most = -1;
    unsigned char bits = 0;
    for (int i = 0; i < n; i++) {
        most = fmaxf(most, a[i]);
        if (mask[i]) bits |= mask[i];
    }
    for (int i = 0; i < n; i++) mask[i] = bits;
    return most;
#pragma endscop
}
