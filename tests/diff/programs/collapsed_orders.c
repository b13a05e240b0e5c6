// Kept loops in every place among the reduced ones, and a few elements of each point: few rows and columns, which many
// threads share.
// sizes: h=0,3,40 w=1,3 x=28 y=5 n=0,1,33,4000
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

// What is summed is stored on the way; one row for each value of the second loop.
void stored(int h, int w, int x, int y, const float in[static const restrict h][w][x][y], float e[static const restrict h][w][x][y],
            float r[static const restrict w]) {
#pragma scop
    for (int j = 0; j < w; j++) __pencil_reduction_var_init(&r[j], zero);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            for (int k = 0; k < x; k++)
                for (int l = 0; l < y; l++) e[i][j][k][l] = in[i][j][k][l] * 2 + 1;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            for (int k = 0; k < x; k++)
                for (int l = 0; l < y; l++) __pencil_reduction(&r[j], e[i][j][k][l], add);
#pragma endscop
}

void second_and_fourth(int h, int w, int x, int y, const float in[static const restrict h][w][x][y], float r[static const restrict w][y]) {
#pragma scop
    for (int j = 0; j < w; j++)
        for (int l = 0; l < y; l++) {
            __pencil_reduction_var_init(&r[j][l], zero);
            for (int i = 0; i < h; i++)
                for (int k = 0; k < x; k++) __pencil_reduction(&r[j][l], in[i][j][k][l], add);
        }
#pragma endscop
}

void fourth(int h, int w, int x, int y, const float in[static const restrict h][w][x][y], float r[static const restrict y]) {
#pragma scop
    for (int l = 0; l < y; l++) __pencil_reduction_var_init(&r[l], zero);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            for (int k = 0; k < x; k++)
                for (int l = 0; l < y; l++) __pencil_reduction(&r[l], in[i][j][k][l], add);
#pragma endscop
}

void first(int h, int w, int x, int y, const float in[static const restrict h][w][x][y], float r[static const restrict h]) {
#pragma scop
    for (int i = 0; i < h; i++) {
        __pencil_reduction_var_init(&r[i], zero);
        for (int j = 0; j < w; j++)
            for (int k = 0; k < x; k++)
                for (int l = 0; l < y; l++) __pencil_reduction(&r[i], in[i][j][k][l], add);
    }
#pragma endscop
}

void six_of_each(int n, const float x[static const restrict n][2][3], float y[static const restrict n][2][3]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++) y[i][a][b] = x[i][a][b] * 2 + 1;
#pragma endscop
}

void six_sums(int n, const float x[static const restrict n][2][3], float r[static const restrict 2][3]) {
#pragma scop
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 3; b++) {
            __pencil_reduction_var_init(&r[a][b], zero);
            for (int i = 0; i < n; i++) __pencil_reduction(&r[a][b], x[i][a][b], add);
        }
#pragma endscop
}

void sums_of_six(int n, const float x[static const restrict n][2][3], float r[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&r[i], zero);
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++) __pencil_reduction(&r[i], x[i][a][b], add);
    }
#pragma endscop
}

void two_sums(int n, const float x[static const restrict n][2][3], float r[static const restrict 2]) {
#pragma scop
    for (int a = 0; a < 2; a++) __pencil_reduction_var_init(&r[a], zero);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++) __pencil_reduction(&r[a], x[i][a][b], add);
#pragma endscop
}

void three_sums(int n, const float x[static const restrict n][2][3], float r[static const restrict 3]) {
#pragma scop
    for (int b = 0; b < 3; b++) __pencil_reduction_var_init(&r[b], zero);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++) __pencil_reduction(&r[b], x[i][a][b], add);
#pragma endscop
}
