/* Arrays of a few elements that an iteration has for itself, in the ways in which people write them. */
#include <pencil.h>

typedef struct { float x, y; } Pair;

static void zero(float *e) { *e = 0; }
static float add(float a, float b) { return a + b; }
static float most(float a, float b) { return a > b ? a : b; }
static float dot(const float a[3], const float b[3]) {
    float s = 0;
    for (int k = 0; k < 3; k++) s += a[k] * b[k];
    return s;
}

/* Forces between pairs: a difference for each coordinate, and sums for each. */
void pairs(int n, const float p[static const restrict n][3], float acc[static const restrict n][3]) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) __pencil_reduction_var_init(&acc[i][k], zero);
        for (int j = 0; j < n; j++) {
            float d[3], r2 = 0.01f;
            for (int k = 0; k < 3; k++) {
                d[k] = p[j][k] - p[i][k];
                r2 += d[k] * d[k];
            }
            float g = 1 / (r2 * r2);
            for (int k = 0; k < 3; k++) __pencil_reduction(&acc[i][k], g * d[k], add);
        }
    }
}

/* The same without the array, and with the coordinates one by one behind a loop that begins them. */
void sums(int n, const float p[static const restrict n][3], float acc[static const restrict n][3],
          float other[static const restrict n][2]) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) __pencil_reduction_var_init(&acc[i][k], zero);
        for (int k = 0; k < 2; k++) __pencil_reduction_var_init(&other[i][k], zero);
        for (int j = 0; j < n; j++) {
            float r2 = 0.01f;
            for (int k = 0; k < 3; k++) {
                float d = p[j][k] - p[i][k];
                r2 += d * d;
            }
            for (int k = 0; k < 3; k++) __pencil_reduction(&acc[i][k], (p[j][k] - p[i][k]) / r2, add);
            __pencil_reduction(&other[i][1], p[j][0] * r2, most);
            __pencil_reduction(&other[i][0], p[j][1] * 2, add);
        }
    }
}

/* Declared in front of all loops, as in C89, and by a marked sum. */
void ahead(int n, int m, const float p[static const restrict n][3], const float q[static const restrict m][3],
           float nearest[static const restrict n]) {
    int i, j, k;
    float d[3], r2;
    for (i = 0; i < n; i++) {
        __pencil_reduction_var_init(&nearest[i], zero);
        for (j = 0; j < m; j++) {
            for (k = 0; k < 3; k++) d[k] = q[j][k] - p[i][k];
            __pencil_reduction_var_init(&r2, zero);
            for (k = 0; k < 3; k++) __pencil_reduction(&r2, d[k] * d[k], add);
            __pencil_reduction(&nearest[i], 1 / (1 + r2), most);
        }
    }
}

/* No reduction: two dimensions, a list of values, a triangle, a loop of which no counter names an element. */
void turned(int n, const float angle[static const restrict n], float v[static const restrict n][3]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        const float c = angle[i], s = 1 - angle[i];
        float r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, w[3] = {0}, low[3][3];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b <= a; b++) low[a][b] = r[a][b] + r[b][a];
        for (int round = 0; round < 4; round++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) w[a] += r[a][b] * v[i][b] + low[a > b ? a : b][a > b ? b : a];
        for (int a = 0; a < 3; a++) v[i][a] = w[a] + w[(a + 1) % 3];
    }
#pragma endscop
}

/* Neighbours by a list of places, weights by another, structs, bytes, a while loop, a helper that is given an array. */
void mixed(int n, const float a[static const restrict n + 2], const unsigned char b[static const restrict n],
           float out[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        const int at[3] = {i, i + 1, i + 2};
        const float weight[3] = {1, 2, 1};
        float t = 0, x[3], y[3];
        for (int k = 0; k < 3; k++) t += weight[k] * a[at[k]];
        Pair both[2];
        for (int k = 0; k < 2; k++) both[k].x = t * (k + 1), both[k].y = a[i + k];
        unsigned char bits[4];
        for (int k = 3; k >= 0; k--) bits[k] = b[i] << k;
        int left = b[i];
        while (left > 0) {
            for (int k = 0; k < 4; k++) t += bits[k] & left;
            left >>= 2;
        }
        for (int k = 0; k < 3; k++) x[k] = a[i + k], y[k] = both[k > 1].x + both[k & 1].y;
        out[i] = t + dot(x, y);
    }
#pragma endscop
}

/* What stays an array: data choose an element, a loop is left, sums over a longer loop, an iteration reads the last. */
void arrays(int n, const int x[static const restrict n][40], int count[static const restrict n][4],
            int left[static const restrict n], int carried[static const restrict n]) {
#pragma scop
    int last[2] = {0, 0};
    for (int i = 0; i < n; i++) {
        int bins[4] = {0}, places[3] = {2, 0, 1}, total[2] = {0, 0};
        for (int j = 0; j < 40; j++) bins[x[i][j] & 3]++;
        for (int j = 0; j < 40; j++)
            for (int k = 0; k < 2; k++) total[k] += x[i][j] * (k + 1);
        for (int k = 0; k < 4; k++) count[i][k] = bins[k] + total[k & 1];
        left[i] = 0;
        for (int k = 0; k < 3; k++) {
            if (places[k] == (count[i][0] & 1)) break;
            left[i] += places[k];
        }
        for (int k = 0; k < 2; k++) last[k] = last[1 - k] + count[i][k];
        carried[i] = last[0] - last[1];
    }
#pragma endscop
}

/* Used behind the loop, and under a condition: the last iteration hands its elements on. */
void behind(int n, const float x[static const restrict n], float out[static const restrict n],
            float rest[static const restrict 2]) {
#pragma scop
    float part[2] = {0, 0};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) part[k] = x[i] + k;
        if (x[i] > 0)
            for (int k = 0; k < 2; k++) part[k] *= 2;
        out[i] = part[0] * part[1];
    }
    for (int k = 0; k < 2; k++) rest[k] = part[k];
#pragma endscop
}
