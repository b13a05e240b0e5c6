// sizes: n=0,1,33,200 m=0,1,5
// Loops that end where data say so, by a condition that bounds no counter.
#include <pencil.h>
static void zero(int *x) { *x = 0; }
static int add(int a, int b) { return a + b; }

static int length_of(int n, const int a[static const restrict n], int from)
{
    int k;
    for (k = from; k < n && (a[k] & 3) != 0; k++)
        ;
    return k - from;
}

void either(int n, int m, const int x[static const restrict n], int y[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < m || k < (x[i] & 7); k++) s += k & 3;
        y[i] = s;
    }
#pragma endscop
}

void until_zero(int n, const int x[static const restrict n], int z[static const restrict 17],
                int y[static const restrict n], int length[static const restrict 1])
{
#pragma scop
    for (int k = 0; k < 17; k++) z[k] = k < 16 ? k + 1 : 0;
    int found = 0;
    for (int k = 0; z[k] != 0; k++) found = found + z[k];
    length[0] = found;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = x[i] & 15; z[k]; k++) s += z[k];
        y[i] = s;
    }
#pragma endscop
}

void backwards(int n, const int x[static const restrict n], int z[static const restrict 17],
               int y[static const restrict n])
{
#pragma scop
    for (int k = 0; k < 17; k++) z[k] = k;
    for (int i = 0; i < n; i++) {
        int s = 1;
        for (int k = x[i] & 15; z[k] > 2 || z[k] * 2 > 7; k -= 1) s = s * 3 + k;
        y[i] = s;
    }
#pragma endscop
}

int summed(int n, int m, const int x[static const restrict n])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        int steps = 0;
        for (int k = 0; k * k < (x[i] & 63) || k < m; k++) steps++;
        __pencil_reduction(&s, steps, add);
    }
    return s;
}

void called(int n, const int x[static const restrict n], int y[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) y[i] = length_of(n, x, i);
#pragma endscop
}

// A loop inside that is left early is no obstacle to the sums and the maximum around it.
void left_early(int n, const int x[static const restrict n], int root[static const restrict n],
                int totals[static const restrict 3])
{
#pragma scop
    int steps = 0, most = -1, odd = 0;
    for (int i = 0; i < n; i++) {
        int value = x[i] & 1023, k = 0, r = value;
        while (k < 30) {
            int next = (r + value / (r > 0 ? r : 1)) / 2;
            if (next >= r)
                break;
            r = next;
            k++;
        }
        root[i] = r;
        steps += k;
        most = most > k ? most : k;
        for (int j = 0; j < 4; j++) {
            if (j == 2) continue;
            odd += (r >> j) & 1;
        }
    }
    totals[0] = steps;
    totals[1] = most;
    totals[2] = odd;
#pragma endscop
}
