// sizes: A=3 B=5,33 C=7 D=3,17
// Kept and reduced loops in turns.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

/* PANAMERA Figure 2d: kept and reduced loops interleaved: out[a][c] = sum over b,d in[a][b][c][d] */
void interleaved(int A, int B, int C, int D, const float in[static const restrict A][B][C][D], float out[static const restrict A][C]) {
    for (int a = 0; a < A; a++)
        for (int c = 0; c < C; c++) {
            __pencil_reduction_var_init(&out[a][c], zero);
            for (int b = 0; b < B; b++)
                for (int d = 0; d < D; d++)
                    __pencil_reduction(&out[a][c], in[a][b][c][d], add);
        }
}
void interleaved2(int A, int B, int C, int D, const float in[static const restrict A][B][C][D], float out[static const restrict B][D]) {
    for (int b = 0; b < B; b++)
        for (int d = 0; d < D; d++)
            __pencil_reduction_var_init(&out[b][d], zero);
    for (int a = 0; a < A; a++)
    for (int b = 0; b < B; b++)
        for (int c = 0; c < C; c++)
                for (int d = 0; d < D; d++)
                    __pencil_reduction(&out[b][d], in[a][b][c][d], add);
}
