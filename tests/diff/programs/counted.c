/* Counts and sums as people write them: what is changed is counted, columns by a condition on each element, unsigned
 * values into a signed counter, the largest absolute value by `fabs`. */
// sizes: n=0,1,33,5001 m=0,1,40 k=1,9
#include <math.h>
#include <stdint.h>

int replaced(int n, const int a[static const restrict n], int b[static const restrict n]) {
    int c = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (b[i] != a[i]) {
            b[i] = a[i];
            c++;
        }
#pragma endscop
    return c;
}

/* The element before the first one is not there; the count comes first. */
int clipped(int n, int b[static const restrict n], const int a[static const restrict n], long moved[static const restrict 1]) {
    int c = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i > 0 && a[i - 1] < 0 && b[i] < a[i - 1]) {
            c++;
            moved[0] += b[i] - a[i - 1];
            b[i] = a[i - 1];
        } else if (b[i] > 100) {
            b[i] = 100;
            moved[0]++;
        } else {
            b[i]++;
        }
    }
#pragma endscop
    return c;
}

/* The assignment of k-means: labels that change are counted, or only told. */
int assigned(int n, int k, const float x[static const restrict n][2], const float centre[static const restrict k][2],
             int label[static const restrict n], int again[static const restrict 1]) {
    int changed = 0;
#pragma scop
    again[0] = 0;
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        int at = -1;
        for (int j = 0; j < k; j++) {
            float d = 0;
            for (int c = 0; c < 2; c++) d += (x[i][c] - centre[j][c]) * (x[i][c] - centre[j][c]);
            if (d < best) {
                best = d;
                at = j;
            }
        }
        if (label[i] != at) {
            label[i] = at;
            changed++;
            again[0] = 1;
        }
    }
#pragma endscop
    return changed;
}

/* A count for each column under a condition on the element; `continue`; an else; a condition that keeps inside. */
void by_column(int n, int m, const int q[static const restrict n][m], const uint8_t on[static const restrict n][m],
               int high[static const restrict m], int low[static const restrict m], long sum[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            if (q[i][k] > 20) high[k]++;
            else low[k]++;
            if (!(on[i][k] & 1)) continue;
            sum[k] += q[i][k];
        }
#pragma endscop
}

void few_elements(int n, int m, const int q[static const restrict n], const int used[static const restrict 40],
                  int count[static const restrict m], int upper[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 40; k++) {
            if (k < m && q[i] % 5 == used[k] % 5) count[k]++;
            if (k >= i % 7 && k < m) upper[k] += q[i];
        }
#pragma endscop
}

/* Bits and bytes into signed counters, rows too. */
int bits(int n, const uint32_t v[static const restrict n], int columns[static const restrict 32],
         long wide[static const restrict 1]) {
    int s = 0;
#pragma scop
    for (int k = 0; k < 32; k++) columns[k] = 0;
    wide[0] = 0;
    for (int i = 0; i < n; i++) {
        s += v[i] >> 24;
        s -= v[i] & 1u;
        for (int k = 0; k < 32; k++) columns[k] += v[i] >> k & 1;
        wide[0] += (uint64_t)v[i] * 3;
    }
#pragma endscop
    return s;
}

void rows_of_bits(int n, int m, const uint32_t v[static const restrict n][m], int s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++) s[i] += v[i][j] & 1;
    }
#pragma endscop
}

float largest(int n, const float x[static const restrict n], float least[static const restrict 1]) {
    float m = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (fabs(x[i]) > m) m = fabs(x[i]);
        least[0] = -floor(x[i]) < least[0] ? -floor(x[i]) : least[0];
    }
#pragma endscop
    return m;
}

/* A value that is added to a total, to its row and to its column. */
void totals(int n, int m, const int x[static const restrict n][m], long row[static const restrict n],
            long column[static const restrict m], long all[static const restrict 1]) {
#pragma scop
    all[0] = 0;
    for (int j = 0; j < m; j++) column[j] = 0;
    for (int i = 0; i < n; i++) {
        row[i] = 0;
        for (int j = 0; j < m; j++) {
            const long v = x[i][j] * 2;
            row[i] += v;
            column[j] += v;
            all[0] += v & 7;
        }
    }
#pragma endscop
}

/* The condition is on a variable that is changed under it. */
int held_back(int n, const short a[static const restrict n], short o[static const restrict n]) {
    int high = 0, low = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int v = a[i] * 3;
        if (v > 300) { v = 300; high++; }
        if (v < -300) { v = -300; low++; }
        o[i] = v;
    }
#pragma endscop
    return high * 1000 + low;
}
