// sizes: n=0,1,33,2003 m=1,5,40 f=3
// Where the initialisation, the old value and the users of indirect results stand; kept rows in every place.
#include <pencil.h>
static void zero(int *p) { *p = 0; }
static void fzero(float *p) { *p = 0; }
static int add(int a, int b) { return a + b; }
static float fadd(float a, float b) { return a + b; }

void old_value(int n, int m, const int label[static const restrict n], int hist[static const restrict m],
               int old[static const restrict m]) {
    for (int b = 0; b < m; b++) old[b] = hist[b];
    for (int b = 0; b < m; b++) __pencil_reduction_var_init(&hist[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&hist[label[i]], 1, add);
    for (int b = 0; b < m; b++) old[b] -= hist[b];
}
void one_loop(int n, int m, const int label[static const restrict n], int hist[static const restrict m],
              int old[static const restrict m]) {
    for (int b = 0; b < m; b++) {
        old[b] = hist[b];
        __pencil_reduction_var_init(&hist[b], zero);
    }
    for (int i = 0; i < n; i++) __pencil_reduction(&hist[label[i]], i, add);
}
void kept_last(int n, int m, const int label[static const restrict n], const float v[static const restrict n][3],
               float sum[static const restrict m][3]) {
    for (int b = 0; b < m; b++)
        for (int k = 0; k < 3; k++) __pencil_reduction_var_init(&sum[b][k], fzero);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) __pencil_reduction(&sum[label[i]][k], v[i][k], fadd);
}
void kept_middle(int f, int n, int m, const int label[static const restrict n], const float v[static const restrict f][n],
                 float sum[static const restrict f][2][m]) {
    for (int k = 0; k < f; k++)
        for (int b = 0; b < m; b++) {
            __pencil_reduction_var_init(&sum[k][0][b], fzero);
            __pencil_reduction_var_init(&sum[k][1][b], fzero);
        }
    for (int k = 0; k < f; k++)
        for (int i = 0; i < n; i++) {
            __pencil_reduction(&sum[k][0][label[i]], v[k][i], fadd);
            if (v[k][i] > 0) __pencil_reduction(&sum[k][1][label[n - 1 - i]], v[k][i] * v[k][i], fadd);
        }
}
void kept_triangle(int f, int n, const int label[static const restrict n], int hist[static const restrict f][f][n]) {
    for (int p = 0; p < f; p++)
        for (int q = 0; q <= p; q++)
            for (int b = 0; b < n; b++) __pencil_reduction_var_init(&hist[p][q][b], zero);
    for (int p = 0; p < f; p++)
        for (int q = 0; q <= p; q++)
            for (int i = q; i < n; i++) __pencil_reduction(&hist[p][q][label[i]], p + 1, add);
}
void prologue(int n, int m, const float scale[static const restrict 2], const int label[static const restrict n],
              const float v[static const restrict n], float sum[static const restrict m]) {
    for (int b = 0; b < m; b++) __pencil_reduction_var_init(&sum[b], fzero);
    float factor = scale[0] * scale[1];
    for (int i = 0; i < n; i++) __pencil_reduction(&sum[label[i]], factor * v[i], fadd);
}
void chained(int n, int m, const int label[static const restrict n], const int next[static const restrict m],
             int hist[static const restrict m], int second[static const restrict m]) {
    for (int b = 0; b < m; b++) __pencil_reduction_var_init(&hist[b], zero);
    for (int b = 0; b < m; b++) __pencil_reduction_var_init(&second[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&hist[label[i]], 1, add);
    for (int b = 0; b < m; b++) __pencil_reduction(&second[next[b]], hist[b], add);
}
float with_scalars(int n, int m, const int label[static const restrict n], const float v[static const restrict n],
                   float sum[static const restrict m]) {
    float total, weight;
    __pencil_reduction_var_init(&total, fzero);
    __pencil_reduction_var_init(&weight, fzero);
    for (int b = 0; b < m; b++) __pencil_reduction_var_init(&sum[b], fzero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&sum[label[i]], v[i], fadd);
        __pencil_reduction(&total, v[i], fadd);
        __pencil_reduction(&weight, v[i] * v[i], fadd);
    }
    for (int b = 0; b < m; b++) sum[b] = sum[b] - total;
    return total + weight;
}
void inner_loops(int n, int m, const int label[static const restrict n], const float v[static const restrict n],
                 float big[static const restrict n], float sum[static const restrict m]) {
    for (int b = 0; b < m; b++) __pencil_reduction_var_init(&sum[b], fzero);
    for (int i = 0; i < n; i++) {
        big[i] = v[i] * 2;
        float half = v[i] / 2;
        for (int k = 0; k < 4; k++) __pencil_reduction(&sum[label[i]], half + k, fadd);
        for (int k = 0; k < 3; k++) if (k < i) __pencil_reduction(&sum[label[n - 1 - i]], half - k, fadd);
        __pencil_reduction(&sum[label[i]], 1.0f, fadd);
    }
}
void nearest(int n, int m, const float x[static const restrict n], const float centre[static const restrict m],
             int count[static const restrict m]) {
    for (int b = 0; b < m; b++) __pencil_reduction_var_init(&count[b], zero);
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = 1e30f;
        for (int b = 0; b < m; b++) {
            float d = x[i] - centre[b];
            if (d * d < least) { least = d * d; best = b; }
        }
        __pencil_reduction(&count[best], 1, add);
    }
}
void scatter(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
             int c[static const restrict n + m]) {
    for (int i = 0; i < n + m; i++) __pencil_reduction_var_init(&c[i], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) __pencil_reduction(&c[i + j], a[i] * b[j], add);
}
void scaled(int f, int n, int m, const float scale[static const restrict f], const int label[static const restrict n],
            const float v[static const restrict n], float sum[static const restrict m][f],
            float other[static const restrict f][m]) {
    for (int b = 0; b < m; b++)
        for (int p = 0; p < f; p++) {
            __pencil_reduction_var_init(&sum[b][p], fzero);
            __pencil_reduction_var_init(&other[p][b], fzero);
        }
    for (int p = 0; p < f; p++) {
        float s = scale[p] * scale[0];
        for (int i = 0; i < n; i++) __pencil_reduction(&sum[label[i]][p], s * v[i], fadd);
    }
    for (int p = 0; p < f; p++) {
        float s = scale[p] + scale[0];
        for (int i = 0; i < n; i++) __pencil_reduction(&other[p][label[i]], s * v[i], fadd);
    }
}
