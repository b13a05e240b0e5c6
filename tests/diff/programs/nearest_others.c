// The nearest of all others: pairs that are left out are no box, by their places or by data, and distances over several
// rows.
// sizes: n=1,2,17,40 d=1,17 w=0,50
#include <math.h>
#include <pencil.h>

void other(int n, int d, const float x[static const restrict n][d], int where[static const restrict n],
           float least[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = INFINITY;
        int at = -1;
        for (int c = 0; c < n; c++) {
            if (c == i) continue;
            float s = 0;
            for (int k = 0; k < d; k++) {
                float t = x[i][k] - x[c][k];
                s += t * t;
            }
            if (s < best) {
                best = s;
                at = c;
            }
        }
        where[i] = at;
        least[i] = best;
    }
#pragma endscop
}

// What a pair that is left out would compute, or begin with, is no number.
void weighted(int n, int d, const int x[static const restrict n][d], int most[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = -1;
        for (int c = 0; c < n; c++)
            if (c != i) {
                int s = 0;
                for (int k = 0; k < d; k++) s += ((x[i][k] & 255) ^ (x[c][k] & 255)) / (c - i);
                best = max(best, s);
            }
        most[i] = best;
    }
#pragma endscop
}

void quotients(int n, int d, const int x[static const restrict n][d], int least[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 1 << 30;
        for (int c = 0; c < n; c++)
            if (c != i) {
                int s = 1000 / (c - i);
                for (int k = 0; k < d; k++) s += (x[i][k] & 255) ^ (x[c][k] & 255);
                best = min(best, s);
            }
        least[i] = best;
    }
#pragma endscop
}

// Neighbours in time are no neighbours.
void apart(int n, int d, int w, const int x[static const restrict n][d], int least[static const restrict n],
           int near[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 1 << 30, count = 0;
        for (int c = 0; c < n; c++) {
            if (c - i <= w && i - c <= w) continue;
            int s = 0;
            for (int k = 0; k < d; k++) s += (x[i][k] & 255) ^ (x[c][k] & 255);
            if (s < best) best = s;
            if (s < 100 * d) count++;
        }
        least[i] = best;
        near[i] = count;
    }
#pragma endscop
}

// Those that came before, and those with another label.
void kinds(int n, int d, const int x[static const restrict n][d], const int label[static const restrict n],
           int before[static const restrict n], int least[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float most = -1;
        for (int c = 0; c < i; c++) {
            float s = 0;
            for (int k = 0; k < d; k++) s += (float)((x[i][k] & 255) ^ (x[c][k] & 255));
            if (s > most) most = s;
        }
        before[i] = (int)most;
    }
    for (int i = 0; i < n; i++) {
        int best = 1 << 30;
        for (int c = 0; c < n; c++) {
            if ((label[c] & 3) == (label[i] & 3)) continue;
            int s = 0;
            for (int k = 0; k < d; k++) s += (x[i][k] & 255) ^ (x[c][k] & 255);
            if (s < best) best = s;
        }
        least[i] = best;
    }
#pragma endscop
}

// The place of the best match of a small picture among others.
void match(int n, int d, const int x[static const restrict n][3][d], const int t[static const restrict n + 2][3][d],
           int where[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 1 << 30, at = -1;
        for (int j = 0; j < n + 2; j++) {
            int s = 0;
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < d; q++) {
                    int e = (x[i][r][q] & 255) - (t[j][r][q] & 255);
                    s += e * e;
                }
            if (s < best) {
                best = s;
                at = j;
            }
        }
        where[i] = at;
    }
#pragma endscop
}

// A pair without a loop has a value all the same, in steps too.
void begun(int n, int d, const float x[static const restrict n][d], float least[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        for (int c = 0; c < n; c++) {
            float s = 5;
            if (c != i + 2)
                for (int k = 0; k < d; k++) s += (x[i][k] - x[c][k]) * (x[i][k] - x[c][k]);
            if (s < best) best = s;
        }
        least[i] = best;
    }
#pragma endscop
}

void begun_in_steps(int n, int d, float x[static const restrict n][d], float least[static const restrict n]) {
#pragma scop
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < n; i++) {
            float best = 1e30f;
            for (int c = 0; c < n; c++) {
                float s = 5;
                if (c != i + 2)
                    for (int k = 0; k < d; k++) s += (x[i][k] - x[c][k]) * (x[i][k] - x[c][k]);
                if (s < best) best = s;
            }
            least[i] = best;
        }
        for (int i = 0; i < n; i++) x[i][0] = x[i][0] * 0.5f + least[i] * 0.125f;
    }
#pragma endscop
}
