// sizes: n=0,1,2,33 m=0,1,7,40 c=1,3 lda=40
// Flattened arrays in the ways that people write them; some whose subscripts leave their row, or may.
#include <stddef.h>
#include <pencil.h>

#define AT(i, j) ((i) * m + (j))

static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float square(const float *v) { return *v * *v; }

void scaled(int n, int m, const float a[static const restrict n * m], float b[static const restrict n * m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = 2 * a[i * m + j];
#pragma endscop
}

void blurred(int n, int m, const float a[static const restrict m * n], float b[static const restrict m * n]) {
    int x, y, at;
#pragma scop
    for (y = 1; y < n - 1; y++)
        for (x = 1; x < m - 1; x++) {
            at = y * m + x;
            b[at] = a[at] + a[(y - 1) * m + x] + a[(y + 1) * m + x] + a[y * m + x - 1] + a[y * m + (x + 1)];
        }
#pragma endscop
}

void mirrored(int n, int m, const float a[static const restrict n * m], float b[static const restrict n * m],
              float t[static const restrict m * n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            b[AT(i, j)] = a[AT(i, m - 1 - j)] + a[AT(n - 1 - i, j)] + a[(i + 1) * m - 1];
            t[j * n + i] = a[j + m * i];
        }
#pragma endscop
}

void sums(int n, int m, const float a[static const restrict n * m], float r[static const restrict n],
          float s[static const restrict m]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&r[i], zero);
        for (int j = 0; j < m; j++) {
            int at = i * m + j;
            __pencil_reduction(&r[i], a[at], add);
        }
    }
    for (int j = 0; j < m; j++)
        __pencil_reduction_var_init(&s[j], zero);
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)m; j++)
            __pencil_reduction(&s[j], a[i * m + j] * 2, add);
}

void products(int n, int m, int c, const float a[static const restrict n * m], const float b[static const restrict m * c],
              float p[static const restrict n * c]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < c; j++) {
            __pencil_reduction_var_init(&p[i * c + j], zero);
            for (int k = 0; k < m; k++)
                __pencil_reduction(&p[i * c + j], a[i * m + k] * b[k * c + j], add);
        }
}

void channels(int n, int m, int c, const float a[static const restrict n * m * c], float b[static const restrict c * n * m],
              float d[static const restrict n * m * 3]) {
#pragma scop
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) {
            for (int k = 0; k < c; k++)
                b[(k * n + y) * m + x] = a[(y * m + x) * c + k] + a[y * m * c + x * c + c - 1 - k];
            d[(y * m + x) * 3] = x;
            d[(y * m + x) * 3 + 1] = y;
            d[3 * (y * m + x) + 2] = d[3 * (y * m + x)] + 1;
        }
#pragma endscop
}

void pitched(int n, int m, int lda, const float a[static const restrict n * lda], float b[static const restrict n * lda]) {
#pragma scop
    __pencil_assume(m <= lda);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * lda + j] = a[i * lda + j] + 1;
#pragma endscop
}

void next_rows(int n, int m, const float a[static const restrict n * m], float b[static const restrict n * m],
               float c[static const restrict n * m]) {
#pragma scop
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m; j++) {
            b[i * m + j + 1] = a[i * m + j + m] + b[i * m + j];
            c[i * m + j] = square(&a[i * m + j]);
        }
#pragma endscop
}

void rows_from_data(int n, int m, const int from[static const restrict n], const float a[static const restrict n * m],
                    float b[static const restrict n * m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = a[(from[i] & 1 ? n - 1 : 0) * m + j];
#pragma endscop
}

void left_over(int n, int m, float b[static const restrict n * m]) {
#pragma scop
    float t[n * m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            t[i * m + j] = i - j;
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++)
            b[i * m + j] = t[i * m + (j < 2 ? j : j - 1)];
#pragma endscop
}

struct pixel {
    unsigned char red, green, blue;
    float weight[2];
};

// In place, member by member; the picture may be wider than what is seen of it.
void structs(int n, int m, int lda, struct pixel p[static const restrict n * lda]) {
    __pencil_assume(m <= lda);
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            p[i * lda + j].red = 255 - p[i * lda + j].red;
            p[i * lda + j].weight[1] += p[i * lda + j].weight[0] * p[i * lda + j].blue;
        }
#pragma endscop
}

// The table of a dynamic program has a row and a column more than its strings.
void edit(int n, int m, const unsigned char s[static const restrict n], const unsigned char t[static const restrict m],
          int d[static const restrict (n + 1) * (m + 1)]) {
#pragma scop
    for (int i = 0; i <= n; i++)
        d[i * (m + 1)] = i;
    for (int j = 0; j <= m; j++)
        d[j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int best = d[(i - 1) * (m + 1) + j - 1] + ((s[i - 1] & 3) != (t[j - 1] & 3));
            if (d[(i - 1) * (m + 1) + j] + 1 < best)
                best = d[(i - 1) * (m + 1) + j] + 1;
            if (d[i * (m + 1) + j - 1] + 1 < best)
                best = d[i * (m + 1) + j - 1] + 1;
            d[i * (m + 1) + j] = best;
        }
#pragma endscop
}

// A picture with a border of two all around, and its sums over rows.
void bordered(int n, int m, const float a[static const restrict (n + 4) * (m + 4)], float b[static const restrict n * m],
              float sums[static const restrict n + 4]) {
#pragma scop
    const int w = m + 4;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = a[(i + 2) * w + j + 2] - 0.25f * (a[i * w + j + 2] + a[(i + 4) * w + 2 + j] +
                                                             a[(i + 2) * w + j] + a[(i + 2) * w + j + 4]);
    for (int i = 0; i < n + 4; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j < 4 + m; j++)
            __pencil_reduction(&sums[i], a[i * w + w - 1 - j], add);
    }
#pragma endscop
}
