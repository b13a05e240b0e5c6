// sizes: n=0,1,2,3,31,33,100 m=0,1,9
// Loops whose third clause does something else than add to the counter are loops that data end.
#include <pencil.h>

/* all sums of a front, in log2(n) rounds of parallel loops */
void scanned(int n, float a[restrict const static n], float b[restrict const static n]) {
#pragma scop
    for (int k = 1; k < n; k *= 2) {
        for (int i = 0; i < n; i++)
            b[i] = i >= k ? a[i] + a[i - k] : a[i];
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
#pragma endscop
}
/* a sum by halves; the counter is read behind the loop */
float halves(int n, int a[restrict const static n], int last[restrict const static 1]) {
    int s;
#pragma scop
    for (s = 64; s > 0; s >>= 1) {
        for (int i = 0; i < n; i++)
            if (i < s && i + s < n)
                a[i] = a[i] + a[i + s];
    }
    last[0] = s;
#pragma endscop
    return 0.0f;
}
/* a step of each element's own, in a parallel loop */
void ladder(int n, const int a[restrict const static n], int steps[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int found = 0;
        for (int k = 1; k < n + i; k = 3 * k + 1)
            found = found + (a[i] & k);
        steps[i] = found;
    }
#pragma endscop
}
/* a chain of links */
void links(int n, const int next[restrict const static n], int seen[restrict const static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        seen[i] = 0;
    for (int k = n - 1; k > 0; k = (next[k] & 1) == 0 ? k / 2 : k - 1)
        seen[k] = k;
#pragma endscop
}
/* rounds that skip and that leave */
void skipped(int n, int m, float a[restrict const static n], float b[restrict const static n]) {
#pragma scop
    for (unsigned k = 1u << 12; k; k /= 2) {
        if (k % 3 == 2)
            continue;
        for (int i = 0; i < n; i++)
            a[i] = a[i] + (float)k;
        if (k < (unsigned)m)
            break;
        for (int i = 0; i < n; i++)
            b[i] = a[i] * 0.5f;
    }
#pragma endscop
}
/* one inside of the other, both by doubling */
void sorted(int n, float a[restrict const static 64], float b[restrict const static 64]) {
#pragma scop
    for (int size = 2; size <= 64; size *= 2)
        for (int span = size / 2; span > 0; span /= 2) {
            for (int i = 0; i < 64; i++) {
                float x = a[i], y = a[i ^ span];
                int keeps_less = ((i & span) == 0) == ((i & size) == 0);
                b[i] = keeps_less ? (x < y ? x : y) : (x < y ? y : x);
            }
            for (int i = 0; i < 64; i++)
                a[i] = b[i];
        }
    if (n > 0)
        b[0] = (float)n;
#pragma endscop
}
