// The least and the greatest with what belongs to it, as plain C chooses it: a reduction, with the result of the loop.
// sizes: n=0,1,7,70 m=1,33
#include <float.h>
#include <limits.h>
#include <math.h>

// The usual form: of equal values the first one.
int first_of_all(int n, const float a[static const restrict n]) {
    int where;
#pragma scop
    where = -1;
    float best = INFINITY;
    for (int i = 0; i < n; i++)
        if (a[i] < best) {
            best = a[i];
            where = i;
        }
#pragma endscop
    return where;
}

// Values that are no numbers are never taken, and nothing is where all are none.
int among_odd_ones(int n, const int a[static const restrict n]) {
    float best;
    int where;
#pragma scop
    best = FLT_MAX;
    where = -7;
    for (int i = 0; i < n; i++) {
        float value = a[i] % 3 == 0 ? NAN : a[i] % 5 == 0 ? -0.0f : a[i] % 7 == 0 ? 0.0f : (float)(a[i] & 15);
        if (value < best) {
            where = i;
            best = value;
        }
    }
#pragma endscop
    return 2 * where + (signbit(best) != 0);
}

// The last one of each row, in arrays; the start values are those of the caller.
void last_of_rows(int n, int m, const float a[static const restrict n][m], float best[static const restrict n],
                  int where[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] >= best[i]) {
                best[i] = a[i][j];
                where[i] = j;
            }
#pragma endscop
}

// Downwards, with whole numbers, what is set being more than the place, and conditions around.
void downwards(int n, int m, const int a[static const restrict m][n], const unsigned char used[static const restrict m],
               long long best[static const restrict n], int key[static const restrict n],
               double weight[static const restrict n]) {
#pragma scop
    for (int j = 0; j < n; j++) {
        long long top = LLONG_MIN;
        int found = 0;
        double w = 0.5;
        for (int i = m - 1; i >= 0; i--) {
            int code = 3 * i + used[i];
            double half = 0.25 * used[i];
            if (used[i] % 4 && top < a[i][j]) {
                top = a[i][j];
                found = code;
                w = half;
            }
        }
        best[j] = top;
        key[j] = found;
        weight[j] = w;
    }
#pragma endscop
}

// Two loops: the best place of a picture, for each of a batch; of equal ones the first in the order of the loops.
void of_planes(int n, int m, const unsigned char a[static const restrict n][m][m], int y[static const restrict n],
               int x[static const restrict n], int value[static const restrict n]) {
#pragma scop
    for (int p = 0; p < n; p++) {
        int best = -1, by = 0, bx = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                int v = a[p][i][j] / 16;
                if (i != j && v > best) {
                    best = v;
                    by = i;
                    bx = j;
                }
            }
        y[p] = by;
        x[p] = bx;
        value[p] = best;
    }
#pragma endscop
}

// What the rest of the loop reads stays in order.
void running(int n, const float a[static const restrict n], int where[static const restrict n]) {
#pragma scop
    float best = INFINITY;
    int at = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < best) {
            best = a[i];
            at = i;
        }
        where[i] = at;
    }
#pragma endscop
}

// Three of them in one loop, and a value that is set from memory, which is read behind it, at the place that was found.
void two(int n, const float a[static const restrict n], const int next[static const restrict n],
         int result[static const restrict 3]) {
#pragma scop
    float low = 1.0f, high = -1.0f;
    int first = -1, last = -1, other = -1;
    float third = 0.5f;
    for (int i = 0; i < n; i++) {
        if (a[i] < low) {
            low = a[i];
            first = i;
        }
        if (a[i] > high) {
            high = a[i];
            last = i;
        }
        if (a[i] < third) {
            third = a[i];
            other = next[i];
        }
    }
    result[0] = first;
    result[1] = last;
    result[2] = other;
#pragma endscop
}
