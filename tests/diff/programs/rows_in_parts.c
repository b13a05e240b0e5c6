/* Rows cut into parts whose sizes are promised to fill them: heads of attention, groups of channels. */
#include <math.h>
#include <pencil.h>
#include <stddef.h>

#define VALUES \
    float out[static const restrict B * T * C], const float att[static const restrict B * NH * T * T], \
    const float inp[static const restrict 3 * B * T * C]

/* As a product of two sizes. */
void of_product(int B, int T, int C, int NH, int hs, VALUES)
{
    __pencil_assume(C == NH * hs);
#pragma scop
    float scale = 1.0 / sqrtf(hs);
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++)
            for (int h = 0; h < NH; h++)
                for (int i = 0; i < hs; i++) {
                    float s = 0;
                    for (int t2 = 0; t2 <= t; t2++)
                        s += att[b * NH * T * T + h * T * T + t * T + t2] *
                             inp[b * T * 3 * C + t2 * 3 * C + 2 * C + h * hs + i];
                    out[b * T * C + t * C + h * hs + i] = hs > 0 ? s * scale : s;
                }
#pragma endscop
}

/* As a quotient that leaves nothing over, in front of the loops and in them; the sum goes to memory. */
void of_quotient(int B, int T, int C, int NH, VALUES)
{
    __pencil_assume(NH > 0 && C % NH == 0);
    int hs = C / NH;
#pragma scop
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++)
            for (int h = 0; h < NH; h++) {
                for (int i = 0; i < hs; i++)
                    out[(b * T + t) * C + h * hs + i] = 0;
                for (int t2 = 0; t2 <= t; t2++)
                    for (int i = 0; i < hs; i++)
                        out[(b * T + t) * C + h * hs + i] +=
                            att[((b * NH + h) * T + t) * T + t2] * inp[(b * T + t2) * 3 * C + h * hs + i];
            }
#pragma endscop
}

/* The quotient stands inside: nothing is divided where there are no heads. */
void inside(int B, int T, int C, int NH, VALUES)
{
#pragma scop
    __pencil_assume(C % NH == 0);
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++)
            for (int h = 0; h < NH; h++) {
                int hs = C / NH;
                for (int i = 0; i < hs; i++) {
                    float most = -1e30f;
                    for (int t2 = 0; t2 < T; t2++)
                        if (att[((b * NH + h) * T + t) * T + t2] + inp[(b * T + t2) * 3 * C + C + h * hs + i] > most)
                            most = att[((b * NH + h) * T + t) * T + t2] + inp[(b * T + t2) * 3 * C + C + h * hs + i];
                    out[(b * T + t) * C + h * hs + i] = most;
                }
            }
#pragma endscop
}

/* Loops over whole rows beside those over parts; the product stands on the left. */
void whole_rows_too(int B, int T, int C, int NH, int hs, VALUES)
{
    __pencil_assume(NH * hs == C && T >= 1);
#pragma scop
    for (int r = 0; r < B * T; r++)
        for (int c = 0; c < C; c++)
            out[r * C + c] = inp[r * 3 * C + c];
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++)
            for (int h = 0; h < NH; h++) {
                float s = 0;
                for (int i = 0; i < hs; i++)
                    s += out[(b * T + t) * C + h * hs + i] * att[h * T + t];
                for (int i = 0; i < hs; i++)
                    out[(b * T + t) * C + h * hs + i] -= s;
            }
#pragma endscop
}

/* Groups of channels, in `size_t`, as a parameter that is said to be the quotient. */
void groups(size_t n, size_t c, size_t g, size_t d, size_t hw, const float x[static const restrict n * c * hw],
            float y[static const restrict n * c * hw])
{
    __pencil_assume(g > 0 && d == c / g && c % g == 0 && hw > 0);
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < g; k++) {
            float s = 0;
            for (size_t j = 0; j < d; j++)
                for (size_t p = 0; p < hw; p++)
                    s += x[(i * c + k * d + j) * hw + p];
            for (size_t j = 0; j < d; j++)
                for (size_t p = 0; p < hw; p++)
                    y[(i * c + k * d + j) * hw + p] = x[(i * c + k * d + j) * hw + p] - s;
        }
#pragma endscop
}

/* Rows of several parts, each with heads: queries, keys and values of rotated pairs. */
void rotated(int T, int C, int heads, int half, float qkv[static const restrict T * 3 * C],
             const float turn[static const restrict T * half])
{
    __pencil_assume(C == heads * (2 * half));
#pragma scop
    for (int t = 0; t < T; t++)
        for (int h = 0; h < heads; h++)
            for (int i = 0; i < half; i++) {
                float re = qkv[t * 3 * C + C + h * (2 * half) + 2 * i], im = qkv[t * 3 * C + C + h * (2 * half) + 2 * i + 1];
                qkv[t * 3 * C + C + h * (2 * half) + 2 * i] = re - im * turn[t * half + i];
                qkv[t * 3 * C + C + h * (2 * half) + 2 * i + 1] = im + re * turn[t * half + i];
            }
#pragma endscop
}
