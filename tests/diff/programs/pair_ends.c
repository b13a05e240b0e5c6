/* Both ends of each pair are updated, each pair once: forces by Newton's third law, degrees of a graph. */
#include <pencil.h>

int forces(int n, const int x[static const restrict n], int f[static const restrict n], int cut) {
    int energy = 0;
#pragma scop
    for (int i = 0; i < n; i++) f[i] = 0;
    for (int i = 0; i < n - 1; i++)
        for (int j = i + 1; j < n; j++) {
            int d = (x[i] & 255) - (x[j] & 255);
            if (d * d < cut) {
                energy += d & 7;
                f[i] += d;
                f[j] -= d;
            }
        }
#pragma endscop
    return energy;
}

typedef struct { unsigned in, out; } Degree;

void degrees(int n, const unsigned char a[static const restrict n][n], Degree d[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            d[i].in += a[i][j];
            d[j].in += a[j][i] & 3;
            d[i].out += a[j][i];
            d[j].out += a[i][j];
        }
#pragma endscop
}

void of_frames(int frames, int n, const int x[static const restrict frames][n], int f[static const restrict frames][n]) {
#pragma scop
    for (int t = 0; t < frames; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                f[t][i] += x[t][i] ^ x[t][j];
                f[t][j] += x[t][i] & x[t][j];
            }
#pragma endscop
}
// sizes: n=0,1,2,33,70 frames=0,3 cut=900
