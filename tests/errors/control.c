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
    for (int i = 0; a[0] > 0; i++) // error[PC0302]: must compare counter `i`
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
        switch (i) {
        case 0: a[i] = 1;
        case 1: a[i] = 2; break; // error[PC0307]: a case of the `switch` falls through into the next `case`
        }
        switch (i) {
        case 2:
            if (n > 3) {
                if (n > 4) break; // error[PC0307]: a `break` leaves the `switch` from within several statements
                a[i] = 3;
            } else
                a[i] = 4;
            a[i] += 1;
        }
        switch (i) {
        case 1:
            if (n > 3) {
            case 3: // error[PC0307]: a label of a `switch` stands inside another statement
                a[i] = 3;
            }
        }
        switch (i) {
        case 1: a[i] = 3; break;
        case n: a[i] = 2; // error[PC0014]: the label of a `case` is not a constant
        }
        switch (i) {
        case 1: a[i] = 3; break;
        case 'b' - 'a': a[i] = 2; // error[PC0015]: two labels of a `switch` are 1
        }
        switch (a[i]) { // error[PC0012]: `switch` wants an integer
        default: a[i] = 2;
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

static int changed(int *k, int by)
{
    *k += by;
    return *k;
}

void expressions(int n, float a[static const restrict n], int b[static const restrict 4], int order[static const restrict 2])
{
#pragma scop
    int k;
    a[0] = k + (k = 1); // error[PC0308]: assignment inside an expression
    a[k++] = k; // error[PC0308]: `++` inside an expression
    k = b[k & 3]++; // error[PC0308]: `++` inside an expression
    a[1] = changed(&k, b[k & 3]++); // error[PC0308]: `++` inside an expression
    a[1] = b[changed(&k, 1) & 3]++; // error[PC0308]: `++` inside an expression
    a[1] = b[order[k & 1]]++ + changed(order, 1); // error[PC0308]: `++` inside an expression
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
