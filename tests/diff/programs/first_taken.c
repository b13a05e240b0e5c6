/* Best elements without a value to begin with: the first one is taken whatever it is. */
#include <stdlib.h>

int largest(int n, const int x[static const restrict n], int value[static const restrict 1]) {
    int at = -1, best;
    value[0] = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (at < 0 || x[i] > best) {
            best = x[i];
            at = i;
        }
    if (at >= 0) value[0] = best;
#pragma endscop
    return at;
}

/* The last of equal ones, of some elements; what was there before may be better. */
void smallest(int n, const long x[static const restrict n], const int on[static const restrict n], int start,
              int where[static const restrict 1], long least[static const restrict 1]) {
#pragma scop
    where[0] = start % 3 - 1;
    least[0] = start;
    for (int i = 0; i < n; i++)
        if (on[i] & 1 && (x[i] <= least[0] || where[0] == -1)) {
            least[0] = x[i];
            where[0] = i;
        }
#pragma endscop
}

/* For each row, with a flag. */
void rows(int n, int m, const unsigned x[static const restrict n][m], unsigned best[static const restrict n],
          int at[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int found = 0, place = 0;
        unsigned top = 0;
        for (int j = 0; j < m; j++)
            if (!found || x[i][j] < top) {
                found = 1;
                top = x[i][j];
                place = j;
            }
        best[i] = top;
        at[i] = found ? place : -1;
    }
#pragma endscop
}

/* What does not stay set is no such choice. */
int not_for_good(int n, const int x[static const restrict n]) {
    int at = -1, best = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (at < 0 || x[i] > best) {
            best = x[i];
            at = i % 3 - 1;
        }
#pragma endscop
    return at;
}

/* The place alone. */
int place(int n, const int x[static const restrict n]) {
    int k = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (k < 0 || x[i] > x[k]) k = i;
#pragma endscop
    return k;
}

int last_place(int n, const int x[static const restrict n][2], int k) {
#pragma scop
    k = k % 2 - 1;
    if (k >= n) k = -1;
    for (int i = 0; i < n; i++)
        if (x[i][0] + x[i][1] <= x[k < 0 ? 0 : k][0] || k == -1) k = i;
    for (int i = 0; i < n; i++)
        if (abs(x[i][1]) < abs(x[k][1]) || k == -1) k = i;
#pragma endscop
    return k;
}
