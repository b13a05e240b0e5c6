#include <stdio.h>
int main(argc)
    int argc;
{
    float a[8];
#pragma scop
    for (int i = 0; i < 8; i++)
        a[i] = i + argc;
#pragma endscop
    printf("%g\n", a[3]);
    return 0;
}
