/* Choices that stand in one `if`, or in the `else` of another one, and do not decide about each other. */
#include <limits.h>
#include <pencil.h>

void first_and_last(int n, const float x[restrict const static n], float t, int out[restrict const static 3]) {
#pragma scop
    int first = -1, last = -1, count = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > t) {
            if (first < 0) first = i;
            last = i;
            count++;
        }
    out[0] = first;
    out[1] = last;
    out[2] = count;
#pragma endscop
}

void least_and_greatest(int n, const float x[restrict const static n + 1], float out[restrict const static 2],
                        int at[restrict const static 2]) {
#pragma scop
    float lo = x[0], hi = lo;
    int low_at = 0, high_at = 0;
    for (int i = 1; i <= n; i++) {
        if (x[i] < lo) {
            lo = x[i];
            low_at = i;
        } else if (x[i] > hi) {
            hi = x[i];
            high_at = i;
        }
    }
    out[0] = lo;
    out[1] = hi;
    at[0] = low_at;
    at[1] = high_at;
#pragma endscop
}

void swing(int h, int w, const short m[restrict const static h][w], int out[restrict const static 2]) {
#pragma scop
    int most, least;
    most = least = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (m[y][x] > most)
                most = m[y][x];
            else if (m[y][x] < least)
                least = m[y][x];
    out[0] = most;
    out[1] = least;
#pragma endscop
}

/* What is the least first is not asked whether it is the greatest: with one element there is none. */
void unordered(int n, const int x[restrict const static n + 1], int out[restrict const static 2]) {
#pragma scop
    int lo = INT_MAX, hi = INT_MIN;
    for (int i = 0; i <= n; i++) {
        if (x[i] < lo) lo = x[i];
        else if (x[i] > hi) hi = x[i];
    }
    out[0] = lo;
    out[1] = hi;
#pragma endscop
}

/* Equal ones are taken by the first `if` alone, and what the second one asks is changed by the first. */
void tied(int n, const int x[restrict const static n + 1], int out[restrict const static 4]) {
#pragma scop
    int lo = x[0], hi = x[0], low_at = 0, high_at = 0;
    for (int i = 0; i <= n; i++)
        if (x[i] <= lo) { lo = x[i]; low_at = i; }
        else if (x[i] >= hi) { hi = x[i]; high_at = i; }
    int a = 0, b = 0;
    for (int i = 0; i <= n; i++)
        if (x[i] > a) { a = x[i]; b = a - 3; }
        else if (x[i] < b) b = x[i];
    out[0] = low_at;
    out[1] = high_at;
    out[2] = a;
    out[3] = b;
#pragma endscop
}
// sizes: n=0,1,2,33,1000 h=0,1,9 w=1,40
