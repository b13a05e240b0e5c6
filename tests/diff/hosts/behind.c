// Counters and results used behind regions, and host code around them that is C and not PENCIL.
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void zero(int *x) { *x = 0; }
static int add(int a, int b) { return a + b; }

int counter(int last)
{
    int i, j, a[101], k;
#pragma scop
    for (i = 0; i < 100; ++i)
        a[i] = i;
    for (j = last; j >= 0; j -= 3)
        a[j] += 1;
    for (k = 0; k < 50 && a[k] < 17; k++)
        a[k] = 0;
#pragma endscop
    return i + j + k + a[99];
}

void through_pointer(int a[100], int *out)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < 100; i++)
        s += a[i];
#pragma endscop
    *out = s;
}

void through_array(int n, const int x[static const restrict n], int sum[static const restrict 1], int last[static const restrict 1])
{
    int m = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        m += x[i];
#pragma endscop
    *sum = m;
    *last = *x + m;
}

void unmarked(int a[100], int *out, const char **name)
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < 100; i++)
        __pencil_reduction(&s, a[i], add);
    *out = s;
    *name = "sum";
}

int jumps(int n, int a[static const restrict n], int mode)
{
    int total = 0, *where = &total;
    if (n < 3)
        return -1;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i];
#pragma endscop
    switch (mode) {
    case 1:
        total += 1;
    case 2:
        *where += (int)strlen("four");
    default:
        total = total + (n = 5);
    }
    if (mode == 1 && n > 70)
        return total;
    total++;

    return total;
}

int main(void)
{
    int a[100], out = 0, sum = 0, last = 0;
    const char *name = "";
    int *b = malloc(10 * sizeof *b);
    if (b == NULL)
        return 1;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    printf("%d\n", counter(50));
    through_pointer(a, &out);
    printf("%d\n", out);
    through_array(100, a, &sum, &last);
    printf("%d %d\n", sum, last);
    unmarked(a, &out, &name);
    printf("%d %s\n", out, name);
    memset(b, 0, 10 * sizeof *b);
    b[9] = 4;
    printf("%d %d %d\n", jumps(10, b, 1), jumps(2, b, 1), b[9]);
    free(b);
    return 0;
}
