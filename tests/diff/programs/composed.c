// Stages of different shapes below the same rows, in one kernel with a block for each row.
// sizes: rows=0,3,5,9 n=0,1,33,130 m=1,31,67 count=0,2
#include <math.h>
#include <pencil.h>

struct place {
    float value;
    int at;
};

static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static void none(struct place *v) {
    v->value = -INFINITY;
    v->at = -1;
}
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static struct place better(struct place a, struct place b) {
    return a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b;
}
static struct place place_of(float value, int at) {
    struct place p = {value, at};
    return p;
}

// The scores of a row, the best of them, and what it is worth in another direction; an output in between.
void best_score(int rows, int n, int m, const float q[static const restrict rows][m],
                const float k[static const restrict rows][n][m], float score[static const restrict rows][n],
                float out[static const restrict rows][m], int at[static const restrict rows]) {
    for (int r = 0; r < rows; r++) {
        struct place best;
        for (int i = 0; i < n; i++) {
            float dot;
            __pencil_reduction_var_init(&dot, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&dot, q[r][j] * k[r][i][j], add);
            score[r][i] = dot * 0.5f;
        }
        __pencil_reduction_var_init(&best, none);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&best, place_of(score[r][i], i), better);
        at[r] = best.at;
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&out[r][j], zero);
            for (int i = 0; i < n; i++)
                __pencil_reduction(&out[r][j], (score[r][i] - best.value) * k[r][i][j], add);
        }
    }
}

// Two rows around, a triangle of sums inside, lower bounds above zero.
void triangles(int rows, int n, const float x[static const restrict rows][7][n], float y[static const restrict rows][7]) {
    float sums[rows][7][n];
    for (int r = 1; r < rows; r++)
        for (int t = 2; t < 7; t++) {
            for (int i = 0; i < n; i++) {
                __pencil_reduction_var_init(&sums[r][t][i], zero);
                for (int j = 0; j <= i; j++)
                    __pencil_reduction(&sums[r][t][i], x[r][t][j], add);
            }
            __pencil_reduction_var_init(&y[r][t], lowest);
            for (int i = 1; i < n; i++)
                __pencil_reduction(&y[r][t], sums[r][t][i] - sums[r][t][i - 1], larger);
        }
}

// Products of small matrices one after the other, and the sum of all elements of the last.
void chain(int rows, int n, int m, const float a[static const restrict rows][n][m],
           const float b[static const restrict rows][m][n], float trace[static const restrict rows]) {
    float c[rows][n][n];
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                __pencil_reduction_var_init(&c[r][i][j], zero);
                for (int k = 0; k < m; k++)
                    __pencil_reduction(&c[r][i][j], a[r][i][k] * b[r][k][j], add);
            }
        __pencil_reduction_var_init(&trace[r], zero);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                __pencil_reduction(&trace[r], c[r][i][j] - 0.5f * c[r][j][i], add);
    }
}

// Rounds on the host; what a round leaves in memory the next one reads; a stage that some rows do not have.
void rounds(int rows, int n, int m, int count, const float w[static const restrict rows][m][n],
             float v[static const restrict rows][n], float norm[static const restrict rows],
            float scale[static const restrict rows]) {
    for (int t = 0; t < count; t++) {
        for (int r = 0; r < rows; r++) {
            float u[m], largest;
            for (int j = 0; j < m; j++) {
                __pencil_reduction_var_init(&u[j], zero);
                for (int i = 0; i < n; i++)
                    __pencil_reduction(&u[j], w[r][j][i] * v[r][i] * scale[r], add);
            }
            __pencil_reduction_var_init(&largest, lowest);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&largest, fabsf(u[j]), larger);
            norm[r] = largest;
            if (r % 2 == 0)
                for (int i = 0; i < n; i++) {
                    float back;
                    __pencil_reduction_var_init(&back, zero);
                    for (int j = 0; j < m; j++)
                        __pencil_reduction(&back, w[r][j][i] * u[j], add);
                    v[r][i] = largest > 0.0f ? back / largest : 0.0f;
                }
        }
        for (int r = 0; r < rows; r++)
            scale[r] = norm[rows - 1 - r] > 1.0f ? 0.5f : 1.0f;
    }
}
