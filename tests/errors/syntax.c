// Syntax errors in several functions.
#include <pencil.h>
void one(int n, float a[static const restrict n])
{
#pragma scop
    a[0] = 1 +; // error[PC0001]: expected an expression before `;`
#pragma endscop
}

void two(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    a[0] = 2 // error[PC0001]: expected `;` behind `2`
    a[1] = 3;
    for (int i = 0; i < n i++) // error[PC0001]: expected `;` before `i`
        a[i] = 1;
    else a[4] = 1; // error[PC0001]: `else` without `if`
    flaot x = 1; // error[PC0001]: `flaot` is no type
}

void host(void)
{
    int x = ({ 1; }); // GNU C in host code is carried as text
}
