// sizes: n=0,1,3,33 len=0,1,2,33,64
// Tables of which two rows are kept: one is computed from the other, and copied or exchanged behind it.
#include <pencil.h>

#define MOST 65

static inline float least(float a, float b, float c) {
    float two = a < b ? a : b;
    return two < c ? two : c;
}

/* Dynamic time warping of many sequences, each with rows of its own that are filled anew. */
void warped(int n, int len, const float s[static const restrict n][MOST], const float q[static const restrict MOST],
            float out[static const restrict n]) {
    __pencil_assume(len < MOST);
#pragma scop
    for (int k = 0; k < n; k++) {
        float prev[MOST], cur[MOST];
        for (int j = 0; j <= len; j++)
            prev[j] = j ? 1e6f : 0;
        for (int i = 1; i <= len; i++) {
            for (int j = 0; j <= len; j++)
                cur[j] = 1e6f;
            for (int j = 1; j <= len; j++) {
                float d = s[k][i] - q[j];
                cur[j] = d * d + least(prev[j], prev[j - 1], cur[j - 1]);
            }
            for (int j = 0; j <= len; j++)
                prev[j] = cur[j];
        }
        out[k] = prev[len];
    }
#pragma endscop
}

/* The distance of two texts, where the first column alone is set. */
void edits(int n, int len, const int s[static const restrict n][MOST], const int q[static const restrict MOST],
           int out[static const restrict n]) {
    __pencil_assume(len < MOST);
#pragma scop
    for (int k = 0; k < n; k++) {
        int prev[MOST], cur[MOST];
        for (int j = 0; j <= len; j++)
            prev[j] = j;
        for (int i = 1; i <= len; i++) {
            cur[0] = i;
            for (int j = 1; j <= len; j++) {
                int cost = prev[j - 1] + ((s[k][i] & 3) != (q[j] & 3));
                if (prev[j] + 1 < cost)
                    cost = prev[j] + 1;
                if (cur[j - 1] + 1 < cost)
                    cost = cur[j - 1] + 1;
                cur[j] = cost;
            }
            for (int j = 0; j <= len; j++)
                prev[j] = cur[j];
        }
        out[k] = prev[len];
    }
#pragma endscop
}

/* Common parts, in two rows of one array that take turns. */
void common(int n, int len, const int s[static const restrict n][MOST], const int q[static const restrict MOST],
            int out[static const restrict n]) {
    __pencil_assume(len < MOST);
#pragma scop
    for (int k = 0; k < n; k++) {
        int t[2][MOST];
        for (int j = 0; j <= len; j++)
            t[0][j] = t[1][j] = 0;
        for (int i = 1; i <= len; i++)
            for (int j = 1; j <= len; j++)
                if ((s[k][i] & 1) == (q[j] & 1))
                    t[i % 2][j] = t[(i + 1) % 2][j - 1] + 1;
                else
                    t[i % 2][j] = t[(i + 1) % 2][j] > t[i % 2][j - 1] ? t[(i + 1) % 2][j] : t[i % 2][j - 1];
        out[k] = t[len % 2][len];
    }
#pragma endscop
}

/* One sequence: the rows are the region's. */
void one(int len, const float s[static const restrict MOST], const float q[static const restrict MOST],
         float out[static const restrict 1]) {
    __pencil_assume(len < MOST);
#pragma scop
    float prev[MOST], cur[MOST];
    for (int j = 0; j <= len; j++)
        prev[j] = j ? 1e6f : 0;
    for (int i = 1; i <= len; i++) {
        cur[0] = 1e6f;
        for (int j = 1; j <= len; j++)
            cur[j] = (s[i] - q[j]) * (s[i] - q[j]) + least(prev[j], prev[j - 1], cur[j - 1]);
        for (int j = 0; j <= len; j++)
            prev[j] = cur[j];
    }
    out[0] = prev[len];
#pragma endscop
}
