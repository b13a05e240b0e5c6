// Access summaries.
#include <pencil.h>
static void sumary_f(int n, float a[static const restrict n])
{
    for (int i = 0; i < n; i++)
        __pencil_use(a[i]); // warning[PC0506]: outside of a summary function
}
static void other(int n)
{
    __pencil_use(n);
}
__attribute__((pencil_access(summary_f))) void f(int n, float a[static const restrict n]); // error[PC0501]: `summary_f` is not defined
__attribute__((pencil_access(other))) void g(int n, float a[static const restrict n]); // error[PC0502]: other parameters
void k(int n, float a[static const restrict n]); // neither body nor summary
void i(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    k(n, a); // error[PC0505]: `k` has no body
}
void h(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    g(n, a); // error[PC0505]: `g` has no body
    sumary_f(n, a);
}
// What a summary calls is not executed: it needs no body, and without a summary of its own it may touch everything.
static void summary_of_through(int n, float a[static const restrict n])
{
    k(n, a); // warning[PC0503]: `k` has neither a body nor a summary
}
__attribute__((pencil_access(summary_of_through))) static void through(int n, float a[static const restrict n])
{
    a[n - 1] = 1;
}
void j(int n, int m, float a[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        through(n, a[i]);
#pragma endscop
}
