// The nearest one as plain C chooses it, of equal ones the first, the last, or the first of a loop that goes down.
// sizes: n=0,1,33,140 m=0,1,31,150 d=1,9 iterations=2
#include <math.h>
#include <pencil.h>

void last(int n, int m, int d, const float x[static const restrict n][d], const float c[static const restrict m][d], int out[static const restrict n], float how[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = INFINITY; int where = -1;
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = 0; k < d; k++) { float t = x[i][k] - c[j][k]; s += t * t; }
            if (s <= best) { best = s; where = j; }
        }
        out[i] = where; how[i] = best;
    }
#pragma endscop
}
void down(int n, int m, int d, const float x[static const restrict n][d], const float c[static const restrict m][d], int out[static const restrict n], float how[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = INFINITY; int where = -1;
        for (int j = m - 1; j >= 0; j--) {
            float s = 0.0f;
            for (int k = 0; k < d; k++) { float t = x[i][k] - c[j][k]; s += t * t; }
            if (s < best) { best = s; where = j; }
        }
        out[i] = where; how[i] = best;
    }
#pragma endscop
}
void most(int n, int m, int d, const int x[static const restrict n][d], const int c[static const restrict m][d], int out[static const restrict n], int how[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 0, where = 0;
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int k = 0; k < d; k++) s += x[i][k] * c[j][k];
            if (best < s) { where = j; best = s; }
        }
        out[i] = where; how[i] = best;
    }
#pragma endscop
}
void steps(int iterations, int n, int m, int d, const float x[static const restrict n][d], float c[static const restrict m][d], int out[static const restrict n]) {
#pragma scop
    for (int t = 0; t < iterations; t++) {
        for (int i = 0; i < n; i++) {
            float best = INFINITY; int where = 0;
            for (int j = 0; j < m; j++) {
                float s = 0.0f;
                for (int k = 0; k < d; k++) { float u = x[i][k] - c[j][k]; s += u * u; }
                if (s < best) { best = s; where = j; }
            }
            out[i] = where;
        }
        for (int j = 0; j < m; j++)
            for (int k = 0; k < d; k++)
                c[j][k] = 0.5f * c[j][k];
    }
#pragma endscop
}
void start(int n, int m, int d, const double x[static const restrict n][d], const double c[static const restrict m][d], long out[static const restrict n], double how[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double best = how[i]; long where = out[i];
        for (int j = 0; j < m; j += 2) {
            double s = 0.0;
            for (int k = 0; k < d; k++) { double t = x[i][k] - c[j][k]; s += t * t; }
            if (s < best) { best = s; where = 10 * j; }
        }
        out[i] = where; how[i] = best;
    }
#pragma endscop
}
