// Syntax errors in several functions.
#include <pencil.h>
void one(int n, float a[static const restrict n])
{
#pragma scop
    a[0] = 1 +; // error[PC0001]: syntax error
#pragma endscop
}

void two(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    a[0] = 2 // the semicolon is missing
    a[1] = 3; // error[PC0001]: syntax error before `a`
}

void host(void)
{
    int x = ({ 1; }); // GNU C in host code is carried as text
}
