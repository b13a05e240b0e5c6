/* Neighbours that are read under a condition on the place and another one on data, and rows that a local of the innermost
 * loop names: nothing is loaded ahead of these conditions, or of what the local is. */
// sizes: h=0,1,33,301 w=1,40 n=0,1,33,5001 m=1,40 k=1,33
int left_of_positive(int n, const int a[static const restrict n]) {
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int d = 0;
        if (i > 0 && a[i] > 0) d = a[i - 1];
        s += d;
    }
#pragma endscop
    return s;
}

int greatest_left(int h, int w, const unsigned char a[static const restrict h][w]) {
    int m = 0;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int v = a[y][x];
            if (x > 0 && v < 200) v = a[y][x - 1];
            m = v > m ? v : m;
        }
#pragma endscop
    return m;
}

void sums_of_columns(int h, int w, const int a[static const restrict h][w], int s[static const restrict w]) {
#pragma scop
    for (int x = 0; x < w; x++) s[x] = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int v = 0;
            if (x + 1 < w && a[y][x] != 0) v = a[y][x + 1];
            s[x] += v;
        }
#pragma endscop
}

/* `b` is shorter. */
int of_the_shorter(int n, int m, const int a[static const restrict n], const int b[static const restrict m]) {
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int d = 1;
        if (i < m && a[i] > 2) d = b[i];
        s += d;
    }
#pragma endscop
    return s;
}

int row_by_a_name(int h, int w, const int a[static const restrict h][w]) {
    int s = 0;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int ym = y > 0 ? y - 1 : h - 1;
            s += a[ym][x];
        }
#pragma endscop
    return s;
}

void rows_by_names(int h, int w, const int a[static const restrict h][w], int s[static const restrict h]) {
#pragma scop
    for (int y = 0; y < h; y++) {
        s[y] = 0;
        for (int x = 0; x < w; x++) {
            int other = h - 1 - y, same = y;
            s[y] += a[other][x] * a[same][x];
        }
    }
#pragma endscop
}

/* Loops of a few values under a condition on data: a row of a flat array is that of one point. */
void centres(int k, const int count[static const restrict k], const double sum[static const restrict k * 3],
             float c[static const restrict k * 3]) {
#pragma scop
    for (int j = 0; j < k; j++)
        if (count[j] > 0)
            for (int d = 0; d < 3; d++) c[j * 3 + d] = sum[j * 3 + d] / count[j];
#pragma endscop
}

/* What the condition changes is not what was known before it. */
void known_before(int n, const int c[static const restrict n], int a[static const restrict n * 100]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int m = 3, k = 2;
        if (c[i] > 0) {
            m = 50;
            k = 7;
            for (int d = 0; d < m; d++) a[i * 100 + d] = 1;
            a[i * 100 + k] = 5;
        } else {
            for (int d = 0; d < 100; d += 5) {
                if (c[i] < -d) break;
                a[i * 100 + d] = d;
            }
        }
        a[i * 100 + m] = 9;
    }
#pragma endscop
}
