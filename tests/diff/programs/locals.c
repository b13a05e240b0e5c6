// sizes: n=0,1,33,65 m=0,1,40
// Local arrays, of variable extent and with initialisers.
#include <pencil.h>

void two_passes(int n, int m, const float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
    {
    float t[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) t[i][j] = a[i][j] + 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i][j] = t[i][j] * t[i][m - 1 - j];
    }
#pragma endscop
}
void weights(int n, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float w[3] = {1, 2, 1};
        float s = 0;
        for (int k = 0; k < 3; k++) s += w[k] * a[i];
        b[i] = s;
    }
#pragma endscop
}

void row_buffer(int n, int m, const float a[static const restrict n][m], float b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float t[m];
        for (int j = 0; j < m; j++) t[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++) b[i][j] = t[m - 1 - j];
    }
#pragma endscop
}
