// What is read where it has no value yet: in its own initialiser.
#include <pencil.h>

void counted(int n, int out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int x = x + 1; // error[PC0408]: `x` is read in its own initialiser, where it has no value
        out[i] = x;
    }
#pragma endscop
}

int listed(int n, const int a[static const restrict n])
{
    int w[3] = {1, w[0] * 2, 3}; // error[PC0408]: `w` is read in its own initialiser, where it has no value
    int size = sizeof size;
    int s = size;
#pragma scop
    for (int i = 0; i < n; i++)
        s += w[a[i] & 1];
#pragma endscop
    return s;
}
