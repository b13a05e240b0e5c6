#include <pencil.h>
void kills(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
    __pencil_kill(a);
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
    for (int i = 0; i < n; i++)
        a[i] = a[i] * a[i];
#pragma endscop
}
