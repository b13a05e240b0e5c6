// Loops as long as quotients, remainders and shifts of sizes: blocks, windows, what is left over.
// sizes: n=0,1,33,300 w=1,2,7 k=1,3
#include <pencil.h>
#include <stddef.h>

/* blocks of a length, and what is left over */
void blocks(int n, int w, const int s[static const restrict n], int out[static const restrict n],
            int left[static const restrict 1]) {
    const int whole = n - n % w;
    int many = n / w;
#pragma scop
    for (int b = 0; b < n / w; b++)
        out[b] = s[b * w];
    left[0] = 0;
    for (int i = whole; i < n; i++)
        left[0] += s[i] & 255;
    for (int b = many; b < n; b++)
        out[b] = -b;
#pragma endscop
}

/* sums of blocks, rounded up, and by a shift */
void sums(int n, int w, int k, const int s[static const restrict n], int out[static const restrict n],
          int halves[static const restrict n]) {
#pragma scop
    for (int b = 0; b < (n + w - 1) / w; b++) {
        out[b] = 0;
        for (int i = 0; i < w; i++)
            if (b * w + i < n)
                out[b] += s[b * w + i] & 255;
    }
    for (int i = 0; i < n >> k; i++)
        halves[i] = s[i << k] & 15;
#pragma endscop
}

/* the greatest of windows of a picture */
void pooled(int n, int w, int k, const float in[static const restrict n][n], float out[static const restrict n][n]) {
#pragma scop
    if (n >= k) {
        for (int y = 0; y < (n - k) / w + 1; y++)
            for (int x = 0; x < (n - k) / w + 1; x++) {
                float m = in[y * w][x * w];
                for (int j = 0; j < k; j++)
                    for (int i = 0; i < k; i++)
                        if (in[y * w + j][x * w + i] > m)
                            m = in[y * w + j][x * w + i];
                out[y][x] = m;
            }
    }
#pragma endscop
}

/* sizes without a sign, and a quotient that another one divides */
void unsigned_sizes(size_t n, size_t w, unsigned k, const int s[static const restrict n],
                    int out[static const restrict n]) {
#pragma scop
    for (size_t i = 0; i < n / w; i++)
        out[i] = s[i] + 1;
    for (size_t i = n / w; i < n - n / w % k; i++)
        out[i] = 0;
#pragma endscop
}

/* nothing is divided where the source does not */
void guarded(int n, int w, int k, int out[static const restrict n]) {
    int by = w - k;
#pragma scop
    if (by != 0)
        for (int i = 0; i < n / by; i++)
            out[i] = i;
#pragma endscop
}
