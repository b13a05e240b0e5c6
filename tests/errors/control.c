// Loops and statements that PENCIL does not have.
#include <pencil.h>

void loops(int n, int step, float a[static const restrict n])
{
#pragma scop
    for (float x = 0; x < n; x++) // error[PC0303]: loop counter `x` is not an integer
        a[0] = x;
    for (int i = 0; i < n; i += step) // error[PC0304]: loop step is not constant
        a[i] = 0;
    for (int i = 0; i < n; i--) // error[PC0304]: steps away from its bound
        a[i] = 0;
    for (int i = 0; i < n; i++)
        i = i + 1; // error[PC0305]: loop counter `i` is changed in the body
    for (int i = 0; a[i] > 0; i++) // error[PC0302]: must compare counter `i`
        a[i] = 0;
    for (int i = 0;; i++) // error[PC0302]: a loop needs a bound
        a[i] = 0;
    for (int i = 0, j = 0; i < n; i++) // error[PC0304]: one counter
        a[i] = j;
#pragma endscop
}

void jumps(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 0)
            goto out; // error[PC0307]: `goto` is not part of PENCIL
        switch (i) { // error[PC0307]: `switch` is not part of PENCIL
        case 0: a[i] = 1;
        }
    }
out:
    a[0] = 1;
#pragma endscop
}

int early(int n, const float a[static const restrict n])
{
    int count = 0;
    __pencil_assume(n > 0);
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            return -1; // error[PC0307]: early `return`
        count++;
    }
    return count;
}

void expressions(int n, float a[static const restrict n])
{
#pragma scop
    int k;
    a[0] = k = 1; // error[PC0308]: assignment inside an expression
    a[k++] = 1; // error[PC0308]: `++` inside an expression
    a[1] = (k, 2); // error[PC0308]: comma operator
#pragma endscop
}

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); } // error[PC0504]: `factorial` is recursive

void recursive(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = factorial(i);
#pragma endscop
}
