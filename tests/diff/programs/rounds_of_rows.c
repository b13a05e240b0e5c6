/* A sequential loop inside of independent rows, with parallel work in each round: the block that has a row does all of
   its rounds, and what one leaves for the next stays in shared memory. */
#include <math.h>
#include <pencil.h>

#define STEPS 100
#define N 20

static void little(float *v) { *v = 1e-3f; }
static void zerof(float *v) { *v = 0.0f; }
static float addf(float a, float b) { return a + b; }

/* A tree of prices for each option, in an array that is as long as the source says. */
void binomial(int n, const float price[static const restrict n], const float strike[static const restrict n],
              const float years[static const restrict n], float rate, float vol, float out[static const restrict n])
{
#pragma scop
    for (int o = 0; o < n; o++) {
        float call[STEPS + 1];
        float dt = fabsf(years[o]) / STEPS + 0.01f;
        float vs = (fabsf(vol) + 0.1f) * sqrtf(dt);
        float up = expf(vs), down = expf(-vs);
        float grown = expf(rate * dt);
        float pu = (grown - down) / (up - down);
        float df = expf(-rate * dt);
        for (int i = 0; i <= STEPS; i++) {
            float p = price[o] * expf(vs * (2 * i - STEPS)) - strike[o];
            call[i] = p > 0 ? p : 0;
        }
        for (int t = STEPS; t > 0; t--)
            for (int i = 0; i < t; i++)
                call[i] = df * (pu * call[i + 1] + (1 - pu) * call[i]);
        out[o] = call[0];
    }
#pragma endscop
}

/* Two arrays of the row, whose length and whose number of rounds are known at run time. */
void explicit_steps(int n, int m, int steps, const float sigma[static const restrict n], float strike,
                    float out[static const restrict n])
{
    __pencil_assume(m >= 2);
#pragma scop
    for (int o = 0; o < n; o++) {
        float v[m], w[m];
        for (int j = 0; j < m; j++)
            v[j] = j * 2.0f > strike ? j * 2.0f - strike : 0.0f;
        for (int t = 0; t < steps; t++) {
            for (int j = 1; j < m - 1; j++)
                w[j] = v[j] + 0.1f * sigma[o] * (v[j + 1] - 2.0f * v[j] + v[j - 1]);
            for (int j = 1; j < m - 1; j++)
                v[j] = w[j];
        }
        out[o] = v[m / 2];
    }
#pragma endscop
}

/* The forward algorithm of hidden Markov models: sums over states in each round, and one more for their scale. */
void forward(int sequences, int states, const float start[static const restrict states],
             const float moves[static const restrict states][states],
             const float emits[static const restrict states][4],
             const int seen[static const restrict sequences][9],
             float likelihood[static const restrict sequences])
{
    __pencil_assume(states >= 1);
#pragma scop
    for (int s = 0; s < sequences; s++) {
        float alpha[states], next[states];
        float log_scale = 0.0f;
        for (int j = 0; j < states; j++)
            alpha[j] = fabsf(start[j]) * fabsf(emits[j][seen[s][0] & 3]);
        for (int t = 1; t < 9; t++) {
            float total;
            __pencil_reduction_var_init(&total, little);
            for (int j = 0; j < states; j++) {
                float sum;
                __pencil_reduction_var_init(&sum, zerof);
                for (int i = 0; i < states; i++)
                    __pencil_reduction(&sum, alpha[i] * fabsf(moves[i][j]), addf);
                next[j] = sum * fabsf(emits[j][seen[s][t] & 3]);
                __pencil_reduction(&total, next[j], addf);
            }
            for (int j = 0; j < states; j++)
                alpha[j] = next[j] / total;
            log_scale += logf(total);
        }
        likelihood[s] = log_scale;
    }
#pragma endscop
}

/* LU of many small matrices, in place in memory. */
void lu(int count, float a[static const restrict count][N][N])
{
#pragma scop
    for (int b = 0; b < count; b++)
        for (int k = 0; k < N; k++) {
            for (int i = k + 1; i < N; i++)
                a[b][i][k] /= fabsf(a[b][k][k]) + 1.0f;
            for (int i = k + 1; i < N; i++)
                for (int j = k + 1; j < N; j++)
                    a[b][i][j] -= a[b][i][k] * a[b][k][j];
        }
#pragma endscop
}

/* Of a triangle, what is read and what is written is no box. */
void cholesky(int count, float a[static const restrict count][N][N])
{
#pragma scop
    for (int b = 0; b < count; b++)
        for (int k = 0; k < N; k++) {
            a[b][k][k] = sqrtf(fabsf(a[b][k][k]) + 1.0f);
            for (int i = k + 1; i < N; i++)
                a[b][i][k] /= a[b][k][k];
            for (int j = k + 1; j < N; j++)
                for (int i = j; i < N; i++)
                    a[b][i][j] -= a[b][i][k] * a[b][j][k];
        }
#pragma endscop
}

/* What a condition keeps from being written stays as it was. */
void perhaps(int rows, int n, const int keep[static const restrict rows][n], int last[static const restrict rows][n])
{
    __pencil_assume(rows <= 1009);
#pragma scop
    for (int r = 0; r < rows; r++) {
        int v[n], w[n];
        for (int i = 0; i < n; i++)
            v[i] = i;
        for (int t = 0; t < 12; t++) {
            for (int i = 1; i < n - 1; i++)
                w[i] = (v[i - 1] + 3 * v[i + 1]) & 255;
            for (int i = 1; i < n - 1; i++)
                v[i] = w[i];
            for (int i = 1; i < n - 1; i++)
                if ((keep[r][i] & 15) > t)
                    last[r][i] = (last[r][n - 1 - i] & 255) + w[i] + 100 * t;
        }
    }
#pragma endscop
}

/* Power iteration for each matrix: two reductions and a vector scaled by one of them in each round. */
void power(int count, int n, const float m[static const restrict count][n][n],
           float vectors[static const restrict count][n], float values[static const restrict count])
{
#pragma scop
    for (int b = 0; b < count; b++) {
        float x[n], y[n];
        float norm = 0.0f;
        for (int i = 0; i < n; i++)
            x[i] = 1.0f;
        for (int r = 0; r < 5; r++) {
            for (int i = 0; i < n; i++) {
                float sum;
                __pencil_reduction_var_init(&sum, zerof);
                for (int j = 0; j < n; j++)
                    __pencil_reduction(&sum, m[b][i][j] * x[j], addf);
                y[i] = sum;
            }
            float square;
            __pencil_reduction_var_init(&square, zerof);
            for (int i = 0; i < n; i++)
                __pencil_reduction(&square, y[i] * y[i], addf);
            norm = sqrtf(square) + 1e-3f;
            for (int i = 0; i < n; i++)
                x[i] = y[i] / norm;
        }
        for (int i = 0; i < n; i++)
            vectors[b][i] = x[i];
        values[b] = norm;
    }
#pragma endscop
}

/* The loop is outside of the rows in the source, and nothing leads from one row to another. */
void smoothed(int rows, int n, float a[static const restrict rows][n],
              float b[static const restrict rows][n])
{
    __pencil_assume(rows <= 1009);
#pragma scop
    for (int t = 0; t < 9; t++) {
        for (int r = 0; r < rows; r++)
            for (int i = 1; i < n - 1; i++)
                b[r][i] = 0.25f * a[r][i - 1] + 0.5f * a[r][i] + 0.25f * a[r][i + 1];
        for (int r = 0; r < rows; r++)
            for (int i = 1; i < n - 1; i++)
                a[r][i] = b[r][i];
    }
#pragma endscop
}

/* The same inside of a loop whose rounds need all rows. */
void coupled(int rows, int n, float a[static const restrict rows][n],
             float mean[static const restrict n])
{
    __pencil_assume(rows >= 1 && rows <= 1009);
#pragma scop
    for (int k = 0; k < 3; k++) {
        for (int r = 0; r < rows; r++) {
            float x[n];
            for (int i = 0; i < n; i++)
                x[i] = 0.5f * a[r][i] + 0.25f * mean[i];
            for (int t = 0; t < 4; t++) {
                for (int i = 1; i < n; i += 2)
                    x[i] = 0.5f * (x[i - 1] + x[i]);
                for (int i = 2; i < n; i += 2)
                    x[i] = 0.5f * (x[i - 1] + x[i]);
            }
            for (int i = 0; i < n; i++)
                a[r][i] = x[i];
        }
        for (int i = 0; i < n; i++) {
            float sum;
            __pencil_reduction_var_init(&sum, zerof);
            for (int r = 0; r < rows; r++)
                __pencil_reduction(&sum, a[r][i], addf);
            mean[i] = sum / rows;
        }
    }
#pragma endscop
}

/* Grids that are too small for tiles of several steps. */
void grids(int count, float a[static const restrict count][8][9], float b[static const restrict count][8][9])
{
#pragma scop
    for (int g = 0; g < count; g++)
        for (int t = 0; t < 3; t++) {
            for (int i = 1; i < 7; i++)
                for (int j = 1; j < 8; j++)
                    b[g][i][j] = 0.5f * (a[g][i][j - 1] + a[g][i - 1][j]);
            for (int i = 1; i < 7; i++)
                for (int j = 1; j < 8; j++)
                    a[g][i][j] = b[g][i][j];
        }
#pragma endscop
}

/* Elimination with the row that data choose; the rows of a round begin at its number. */
struct largest {
    float value;
    int place;
};
static void smallest(struct largest *l) { l->value = -1.0f; l->place = 1000000; }
static struct largest larger(struct largest a, struct largest b)
{
    return a.value > b.value || (a.value == b.value && a.place < b.place) ? a : b;
}
void pivoted(int count, int n, float a[static const restrict count][n][n], int order[static const restrict count][n])
{
    __pencil_assume(n >= 1 && n <= 20 && count <= 500);
#pragma scop
    for (int b = 0; b < count; b++)
        for (int k = 0; k < n; k++) {
            struct largest p;
            __pencil_reduction_var_init(&p, smallest);
            for (int i = k; i < n; i++) {
                struct largest c;
                c.value = fabsf(a[b][i][k]);
                c.place = i;
                __pencil_reduction(&p, c, larger);
            }
            int row = p.place < n ? p.place : k;
            order[b][k] = row;
            for (int j = 0; j < n; j++) {
                float t = a[b][k][j];
                a[b][k][j] = a[b][row][j];
                a[b][row][j] = t;
            }
            for (int i = k + 1; i < n; i++)
                for (int j = n - 1; j > k; j--)
                    a[b][i][j] -= 0.25f * a[b][k][j];
        }
#pragma endscop
}

/* Sums in their order, by rows and by columns, in each round. */
void in_order(int count, int n, float a[static const restrict count][n][n], float s[static const restrict count][n],
              float z[static const restrict count])
{
    __pencil_assume(n >= 1 && n <= 60 && count <= 1000);
#pragma scop
    for (int o = 0; o < count; o++)
        for (int t = 0; t < 3; t++) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    s[o][i] += a[o][i][j];
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    s[o][j] += a[o][i][j] * 0.5f;
            for (int i = 0; i < n; i++)
                z[o] += s[o][i];
        }
#pragma endscop
}

/* Rows that share elements of which one row writes some and the other one the rest, as data have it. */
void halves(int n, int m, const int who[static const restrict m], float a[static const restrict n][m])
{
    __pencil_assume(m >= 3 && m <= 64 && n <= 500);
#pragma scop
#pragma pencil independent
    for (int o = 0; o < 2 * n; o++)
        for (int t = 0; t < 3; t++) {
            float w[m];
            for (int i = 0; i < m; i++)
                w[i] = t + i;
            for (int i = 1; i < m - 1; i++)
                if ((who[i] & 1) == o % 2)
                    a[o / 2][i] = a[o / 2][i] * 0.5f + w[i - 1] + w[i + 1];
        }
#pragma endscop
}
