// Killed values that are read, and some that are not.
#include <pencil.h>

void live(int n, float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    __pencil_kill(a); // warning[PC0603]: the killed value of `a` is read later
    for (int i = 0; i < n; i++)
        b[i] = a[i];
#pragma endscop
}

void dead(int n, float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    __pencil_kill(a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    __pencil_kill(a);
#pragma endscop
}
