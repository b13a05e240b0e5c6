// The place of the best element alone, with which the loop reads the best value again each time.
// sizes: n=1,7,70 h=1,5 w=1,33
#include <math.h>

typedef struct {
    float at;
    float distance;
} Found;

// The usual form, and what is no number: neither is it taken, nor does anything replace it where it stands first.
int greatest(int n, const int a[static const restrict n], float b[static const restrict n]) {
    int best = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] % 3 == 0 ? NAN : (float)(a[i] & 15);
    for (int i = 1; i < n; i++)
        if (b[i] > b[best])
            best = i;
#pragma endscop
    return best;
}

// The last of several, compared the other way round, from anywhere on.
int last(int n, int from, const int a[static const restrict n]) {
    int best = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[best] >= a[i]) {
            best = i;
        }
    }
#pragma endscop
    return best;
}

int of_bytes(int n, const unsigned char a[static const restrict n]) {
    int best = n - 1;
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        if (a[i] < a[best])
            best = i;
#pragma endscop
    return best;
}

int nearest(int n, const Found all[static const restrict n]) {
    int best = 0;
#pragma scop
    for (int i = 1; i < n; i++)
        if (all[i].distance < all[best].distance)
            best = i;
#pragma endscop
    return best;
}

// Of each row, and of all rows.
int of_rows(int h, int w, const double a[static const restrict h][w], int found[static const restrict h]) {
    int row = 0, column = 0;
#pragma scop
    for (int y = 0; y < h; y++) {
        int k = 0;
        for (int x = 1; x < w; x++)
            if (a[y][x] > a[y][k])
                k = x;
        found[y] = k;
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (a[y][x] > a[row][column]) {
                row = y;
                column = x;
            }
#pragma endscop
    return row * w + column;
}

// The largest magnitude of a column, as a pivot is looked for.
int pivot(int n, int k, const double a[static const restrict n * n]) {
#pragma scop
    int p = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(a[i * n + k]) > fabs(a[p * n + k]))
            p = i;
#pragma endscop
    return p;
}

// What does not fit: the array changes, the place is used, it is none at first.
int others(int n, int a[static const restrict n], int b[static const restrict n]) {
    int first = 0, second = 0, third = -1;
#pragma scop
    for (int i = 1; i < n; i++) {
        if (a[i] > a[first])
            first = i;
        a[i] = a[i] / 2;
    }
    for (int i = 1; i < n; i++) {
        if (b[i] > b[second])
            second = i;
        a[i] += second;
    }
    for (int i = 0; i < n; i++)
        if (third < 0 || b[i] < b[third])
            third = i;
#pragma endscop
    return first + 100 * second + 10000 * third;
}
