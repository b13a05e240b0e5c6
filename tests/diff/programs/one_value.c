// sizes: n=0,1,2,33,300 m=0,1,40
// Loops of one value around loops that carry something: what is left must not be dealt out to threads.
#include <pencil.h>
#define ONE 1
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void one_row(int n, int a[static const restrict ONE][n]) {
#pragma scop
    for (int r = 0; r < ONE; r++)
        for (int i = 1; i < n; i++)
            a[r][i] = a[r][i] + a[r][i - 1];
#pragma endscop
}

void one_channel(int n, int m, int a[static const restrict n][m][ONE]) {
#pragma scop
    for (int y = 0; y < n; y++)
        for (int c = 0; c < ONE; c++)
            for (int x = 1; x < m; x++)
                a[y][x][c] = a[y][x][c] + a[y][x - 1][c];
#pragma endscop
}

void under_a_condition(int n, int m, int a[static const restrict m]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int x = 0; x < n; x++)
            if (i == 0)
                a[i] = x;
#pragma endscop
}

void the_last_one(int n, int m, int a[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int x = 1; x < m; x++)
            if (i == n - 1)
                a[i][x] += a[i][x - 1] * 3;
#pragma endscop
}

void strided(int n, int a[static const restrict n]) {
#pragma scop
    for (long i = 0; i < 2 * (long)n; i += 2)
        for (long x = 0; x < 3; x += 3)
            for (long y = 3; y < (long)n + 3; y++)
                a[i / 2] = (int)y;
#pragma endscop
}

// The row of one value is the innermost parallel one, and one value of another row is apart.
void apart(int n, int m, int a[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int c = 3; c < 4; c++)
            for (int x = 1; x < m; x++)
                if (i == 5)
                    a[i][x] = a[i][x - 1] - c;
                else
                    a[i][x] = a[i][x - 1] + a[i][x] * c;
#pragma endscop
}

void carried(int n, int m, long long a[static const restrict 3][n][m], const int v[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < min(n, m); i++)
        for (int k = 2; k >= 0; k -= 4)
            for (int j = 1; j < n; j++)
                for (int q = 0; q < j; q++)
                    a[k][j][i] += v[q][m / 2];
#pragma endscop
}

void inside_a_while(int n, int m, const int v[static const restrict n][m], int o[static const restrict m]) {
#pragma scop
    for (int x = 0; x < m; x++)
        for (int i = 0; i < n; i++)
            for (int k = 1; k < 2; k++) {
                int w = v[i][x] & 31;
                while (w > 3)
                    w = w / 2;
                o[x] = k + w;
            }
#pragma endscop
}

// A loop of one thread inside the elements of a reduction, one of whose rows has one value.
int elements(int n, int m, const int a[static const restrict n][m][ONE]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            for (int c = 0; c < ONE; c++) {
                int t = 1;
                for (int k = 0; k < 5; k++)
                    t = t * 3 % 1000 + a[y][x][c] % 10 + k;
                __pencil_reduction(&s, t, add);
            }
    return s;
}

int one_element(int n, const int a[static const restrict n][ONE]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int c = 0; c < ONE; c++)
        for (int y = 0; y < ONE; y++) {
            int t = 1;
            for (int k = 0; k < n; k++)
                t = t * 3 % 1000 + a[k][c] % 10 + k;
            __pencil_reduction(&s, t, add);
        }
    return s;
}

void rows(int n, int m, const int a[static const restrict n][m][ONE], int o[static const restrict ONE][n]) {
    for (int c = 0; c < ONE; c++)
        for (int y = 0; y < n; y++) {
            __pencil_reduction_var_init(&o[c][y], zero);
            for (int x = 0; x < m; x++)
                __pencil_reduction(&o[c][y], a[y][x][c], add);
        }
}

// A bound that is data is read by an iterator of one value.
void one_ragged_row(int n, int m, const int start[static const restrict n + 1], const int a[static const restrict m],
                    int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < ONE; i++)
        if (n > 0) {
            int s;
            __pencil_reduction_var_init(&s, zero);
            for (int j = start[i]; j < start[i + 1]; j++)
                __pencil_reduction(&s, a[j], add);
            o[i] = s;
        }
#pragma endscop
}

void all_ragged_rows_but_one(int n, int m, const int start[static const restrict n + 1],
                             const int a[static const restrict m], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < ONE; k++)
            if (i != 5)
                for (int j = start[i]; j < start[i + 1]; j++)
                    o[i] = o[i] % 100 * 3 + a[j] % 100 + k;
            else
                o[i] = 77;
#pragma endscop
}

// The host loop that is left has an iteration apart.
void peeled(int n, int m, int a[static const restrict n], int c[static const restrict m]) {
#pragma scop
    if (m > 0)
        for (int x = 0; x < n; x++) {
            if (x != 1)
                a[x] = c[0] % 100 + x;
            for (int j = 0; j < m; j++)
                c[j] = c[j] % 100 * 3 + a[x] % 100;
        }
#pragma endscop
}
