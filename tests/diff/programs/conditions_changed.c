// Conditions that are the same in the text, of which the first decides about a write to what the second reads.
// sizes: n=0,1,40,1000 m=7
#include <pencil.h>

typedef struct { int kind; int value; } Item;

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void lower(int *v) { *v -= 1; }

/* no reduction */
void cut(int n, int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        if (a[i] > 1)
            a[i] -= 1;
        if (a[i] > 1)
            b[i] = 4;
    }
#pragma endscop
}

/* the other way round: the second would be its `else` */
void either(int n, int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        if (a[i] > 1)
            a[i] = 0;
        if (!(a[i] > 1))
            b[i] = 4;
    }
#pragma endscop
}

/* a scalar of the iteration, and a count */
int counted(int n, const int a[static const restrict n]) {
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = a[i];
        if (t > 1)
            t = t - 1;
        if (t > 1)
            count++;
    }
#pragma endscop
    return count;
}

/* through a helper that is told where the value is */
int told(int n, const int a[static const restrict n]) {
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = a[i];
        if (t > 1)
            lower(&t);
        if (t > 1)
            count++;
    }
#pragma endscop
    return count;
}

/* a member, and three conditions of which the first decides about an update */
int members(int n, Item a[static const restrict n]) {
    int sum;
    __pencil_reduction_var_init(&sum, zero);
    for (int i = 0; i < n; i++) {
        if (a[i].kind > 1)
            __pencil_reduction(&sum, a[i].value, add);
        if (a[i].kind > 1)
            a[i].kind--;
        if (a[i].kind > 1)
            __pencil_reduction(&sum, 3, add);
    }
    return sum;
}

/* in rows, with `else` */
void rows(int n, int m, int a[static const restrict n][m], int odd[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        odd[i] = 0;
        for (int j = 0; j < m; j++) {
            if (a[i][j] & 1)
                a[i][j] >>= 1;
            else
                a[i][j]++;
            if (a[i][j] & 1)
                odd[i]++;
        }
    }
#pragma endscop
}

/* three loops that become one */
int fused(int n, int a[static const restrict n], int b[static const restrict n]) {
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 1)
            a[i]--;
    for (int i = 0; i < n; i++)
        if (a[i] > 1)
            count++;
    for (int i = 0; i < n; i++)
        if (a[i] > 1)
            b[i] = count;
#pragma endscop
    return count;
}

/* nothing is changed: one condition is enough */
int same(int n, const int a[static const restrict n], int b[static const restrict n]) {
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 1)
            b[i] = add(a[i], 1);
        if (a[i] > 1)
            sum += a[i];
    }
#pragma endscop
    return sum;
}
