// A loop of each pair of points, whose value is reduced again: in tiles, folded behind each of them, as people write it.
// sizes: n=1,17,150 m=0,40,300 d=0,3,20 b=2
#include <limits.h>
#include <math.h>
#include <pencil.h>

typedef struct { float value; int index; } Best;
typedef struct { float v[3]; int at[3]; } Three;

static void nothing(Best *b) { b->value = INFINITY; b->index = INT_MAX; }
static Best candidate(float v, int i) { Best b; b.value = v; b.index = i; return b; }
static Best smaller(Best a, Best b) { return a.value < b.value || (a.value == b.value && a.index < b.index) ? a : b; }
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void least(int *v) { *v = INT_MIN; }
static int larger(int a, int b) { return a > b ? a : b; }
static void none(Three *t) { for (int k = 0; k < 3; k++) { t->v[k] = INFINITY; t->at[k] = INT_MAX; } }
static Three one(float v, int at) {
    Three t;
    for (int k = 0; k < 3; k++) { t.v[k] = k ? INFINITY : v; t.at[k] = k ? INT_MAX : at; }
    return t;
}
static Three merged(Three a, Three b) {
    Three r;
    int i = 0, j = 0;
    for (int k = 0; k < 3; k++) {
        if (a.v[i] < b.v[j] || (a.v[i] == b.v[j] && a.at[i] < b.at[j])) { r.v[k] = a.v[i]; r.at[k] = a.at[i]; i++; }
        else { r.v[k] = b.v[j]; r.at[k] = b.at[j]; j++; }
    }
    return r;
}

// The nearest one by an operator on structs.
void by_structs(int n, int m, int d, const float x[static const restrict n][d], const float c[static const restrict m][d],
                int label[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        Best best;
        __pencil_reduction_var_init(&best, nothing);
        for (int j = 0; j < m; j++) {
            float dist = 0.0f;
            for (int k = 0; k < d; k++) {
                float t = x[i][k] - c[j][k];
                dist += t * t;
            }
            __pencil_reduction(&best, candidate(dist, j), smaller);
        }
        label[i] = best.index;
    }
#pragma endscop
}

// Coordinates outside, a batch, a start value of each pair, conditions on data and places, two reductions at once.
void in_layers(int b, int n, int d, const float x[static const restrict b][d][n], const int used[static const restrict n],
               int near[static const restrict b][n], float sum[static const restrict b][n]) {
#pragma scop
    for (int l = 0; l < b; l++)
        for (int i = 0; i < n; i++) {
            Three best;
            float all;
            __pencil_reduction_var_init(&best, none);
            __pencil_reduction_var_init(&all, zero);
            for (int j = 0; j < n; j++) {
                float dist = 0.25f * (float)used[j];
                for (int k = 0; k < d; k++)
                    dist += fabsf(x[l][k][i] - x[l][k][j]);
                if (used[j] & 1 && i != j)
                    __pencil_reduction(&best, one(dist, j), merged);
                __pencil_reduction(&all, dist, add);
            }
            near[l][i] = best.at[0] ^ best.at[2];
            sum[l][i] = all;
        }
#pragma endscop
}

// As plain C chooses it, with the distances stored too; the last of equally near ones.
void as_plain_c(int n, int m, const int x[static const restrict n][4], const int c[static const restrict m][4],
                int distance[static const restrict n][m], int label[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 1000000000;
        label[i] = -1;
        for (int j = 0; j < m; j++) {
            int dist = 0;
            for (int k = 0; k < 4; k++)
                dist += (x[i][k] - c[j][k]) * (x[i][k] - c[j][k]) % 8;
            distance[i][j] = dist;
            if (dist <= best) {
                best = dist;
                label[i] = j;
            }
        }
    }
#pragma endscop
}

// The largest product only, operands of other types, both across.
void largest(int n, int m, int d, const short x[static const restrict d][n], const unsigned char c[static const restrict d][m],
             int most[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&most[i], least);
        for (int j = 0; j < m; j++) {
            int product = j % 3;
            for (int k = 0; k < d; k++)
                product = product / 2 + x[k][i] % 100 * c[k][j];
            __pencil_reduction(&most[i], product, larger);
        }
    }
#pragma endscop
}

// Pairs of one set: no box, so that it stays as it was.
void of_pairs(int n, int d, const double x[static const restrict n][d], double near[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double best = HUGE_VAL;
        for (int j = 0; j < i; j++) {
            double dist = 0.0;
            for (int k = 0; k < d; k++)
                dist += fabs(x[i][k] - x[j][k]);
            best = fmin(best, dist);
        }
        near[i] = best;
    }
#pragma endscop
}
