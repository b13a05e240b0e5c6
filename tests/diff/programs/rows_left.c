// sizes: h=1,2,7 w=1,5,34 sx=0,1 sy=0,3,40 steps=3 n=1,9,33
// Flattened arrays of which some accesses may leave their row, or do, beside others that stay in theirs.
#include <pencil.h>

#define AT(y, x) ((y) * w + (x))
#define FAR 100000

/* A source at a place that is known at run time: it may lie beyond the end of its row. */
void sourced(int h, int w, int sx, int sy, int steps, float e[static const restrict h * w],
             const float m[static const restrict h * w], const float s[static const restrict steps]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w - 1; x++)
                e[AT(y, x)] = 0.5f * e[AT(y, x)] + m[AT(y, x + 1)];
        if (sx * w + sy < h * w)
            e[sx * w + sy] += s[t];
    }
#pragma endscop
}

/* What is read is behind the last element of a row: the first one of the next. */
void next_in_place(int h, int w, int a[static const restrict h * w]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (y < h - 1 || x < w - 1)
                a[AT(y, x)] = a[AT(y, x)] + 2 * a[AT(y, x) + 1];
#pragma endscop
}

/* And what is written is. */
void handed_to_the_next(int h, int w, int a[static const restrict h * w], int b[static const restrict h * w]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            b[AT(y, x)] = a[AT(y, x)];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (y < h - 1 || x < w - 1)
                b[AT(y, x) + 1] = b[AT(y, x)] + a[AT(y, x) + 1];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[AT(y, x)] = b[AT(y, x)];
#pragma endscop
}

/* A condition on data around the one that keeps a neighbour in its row; the copy goes by one counter. */
void labels(int h, int w, int a[static const restrict h * w], int b[static const restrict h * w]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int least = a[AT(y, x)];
            if (least)
                if (x < w - 1 && a[AT(y, x) + 1] < least)
                    least = a[AT(y, x) + 1];
            b[AT(y, x)] = least;
        }
    for (int i = 0; i < w * h; i++)
        a[i] = b[i];
#pragma endscop
}

/* The column is data. */
void traced(int h, int w, const int cost[static const restrict h * w], int from[static const restrict h * w],
            int path[static const restrict h]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            from[AT(y, x)] = (cost[AT(y, x)] & 1) && x > 0 ? x - 1 : x;
    path[h - 1] = w - 1;
    for (int y = h - 2; y >= 0; y--)
        path[y] = from[AT(y + 1, path[y + 1])];
#pragma endscop
}

/* A loop under a condition on data: what it goes through stays in its row. */
void shortest(int n, int d[static const restrict n * n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if ((d[i * n + k] & 0xffff) >= 3 * FAR / 4)
                continue;
            for (int j = 0; j < n; j++)
                if ((d[i * n + k] & 0xffff) + (d[k * n + j] & 0xffff) < d[i * n + j])
                    d[i * n + j] = (d[i * n + k] & 0xffff) + (d[k * n + j] & 0xffff);
        }
#pragma endscop
}

static const int opposite[5] = {0, 3, 4, 1, 2};

/* A cell of a lattice: what it has of each direction goes back, or on, as a flag says. */
void bounced(int h, int w, const double f[static const restrict h * w * 5], double g[static const restrict h * w * 5],
             const int solid[static const restrict h * w]) {
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double own[5];
            for (int q = 0; q < 5; q++)
                own[q] = f[(y * w + x) * 5 + q];
            if (solid[y * w + x] & 1) {
                for (int q = 0; q < 5; q++)
                    g[(y * w + x) * 5 + q] = own[opposite[q]];
            } else
                for (int q = 0; q < 5; q++)
                    g[(y * w + x) * 5 + q] = own[q];
        }
#pragma endscop
}

/* A flattened array of each iteration. */
void private_rows(int n, int h, int w, const int a[static const restrict n * h * w], int sx, int sy,
                  int r[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int t[4 * 5];
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 5; x++)
                t[y * 5 + x] = i + y * x;
        if (sx * 5 + sy < 20)
            t[sx * 5 + sy] += 7;
        int sum = 0;
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 5; x++)
                sum = 3 * sum + t[y * 5 + x];
        r[i] = sum;
    }
#pragma endscop
}
