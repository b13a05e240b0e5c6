// Arrays, pointers and types.
#include <math.h>
#include <pencil.h>

union either { int i; float f; };
struct bits { int low : 4; }; // error[PC0407]: bit-fields are not part of PENCIL
struct list { struct list *next; }; // error[PC0404]: is a pointer
struct __attribute__((packed)) tight { char c; int i; }; // error[PC0013]: changed by `packed`
int counter;
static const int table[3] = {1, 2, 3};

void pointer(int n, float *a) // error[PC0401]: pointer parameter `a` has no extent
{
    __pencil_assume(n > 0);
    a[0] = 1;
}

void no_extent(int n, float a[]) // error[PC0401]: array parameter `a` has no extent
{
    __pencil_assume(n > 0);
    a[0] = 1;
}

void later(float a[static const restrict n], int n) // error[PC0403]: extent `n` is not known here
{
    __pencil_assume(n > 0);
    a[0] = 1;
}

void overlapping(int n, float a[n], const float b[static const restrict n]) // warning[PC0402]: `a` is not `restrict`
{
    __pencil_assume(n > 0);
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

void pointers(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    float *p = a; // error[PC0404]: `p` is a pointer
    a[0] = *(a + 1); // error[PC0012]: an array is used as a value
    a[1] = &a[0] == 0; // error[PC0404]: address taken
    a[2] = *(float *)0; // error[PC0404]: casts to pointers
}

void constant(int n, const float a[static const restrict n], const int k)
{
    __pencil_assume(n > 0);
    a[0] = 1; // error[PC0406]: `a` is const and cannot be assigned
    k = 1; // error[PC0406]: `k` is const and cannot be assigned
    table[0] = 1; // error[PC0406]: `table` is const
}

void types(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    union either u; // error[PC0407]: unions are not part of PENCIL
    struct bits b;
    struct list l;
    struct tight t;
    long double d; // error[PC0013]: `long double`
    double _Complex c; // error[PC0013]: `double _Complex` is not supported
    counter = counter + 1; // error[PC0407]: writable global `counter`
    static int calls; // error[PC0407]: static variable `calls`
    a[0] = d + c; // their declarations are at fault
    a[0] = undeclared + 1; // error[PC0010]: `undeclared` is not declared
    a[1.5] = 0; // error[PC0012]: array subscript is not an integer
    a = 0; // error[PC0012]: an array cannot be assigned
    a[0] = 1.5 % 2; // error[PC0012]: `%` wants integers
    a[0] = nothing(1); // error[PC0010]: `nothing` is not declared
    a[0] = sqrtf(1, 2); // error[PC0011]: `sqrtf` wants 1 arguments, not 2
    int n = 3; // error[PC0015]: `n` is declared twice
    int a_1 = 1, a_2 = a_1;
    { int a_1 = sizeof(a_1); } // the inner one, from here on
    int n = 4; // error[PC0015]: `n` is declared twice
}

float outside(float x); // only declared

void calls(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    for (int i = 0; i < n; i++)
        a[i] = outside(a[i]); // error[PC0505]: `outside` has no body
}

static void fill(int n, float a[static const restrict n])
{
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

void passes(int n, const float a[static const restrict n], int b[static const restrict n])
{
    __pencil_assume(n > 0);
    fill(n, a); // error[PC0406]: drops its const
    fill(n, b); // error[PC0012]: elements of type `int`
    fill(n); // error[PC0011]: `fill` wants 2 arguments, not 1
}

void no_inner_extent(int n, float a[static const restrict n][]) // error[PC0401]: only the outermost extent
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i][0] = 0;
#pragma endscop
}

volatile int flag; // the host may do with it what it likes

void watched(int n, volatile float a[static const restrict n]) // error[PC0013]: `volatile` objects
{
    __pencil_assume(n > 0);
    a[0] = 1;
}

void watched_inside(int n, float a[static const restrict n])
{
    __pencil_assume(n > 0);
    volatile float t = a[0]; // error[PC0013]: `volatile` objects
    a[0] = t;
}
