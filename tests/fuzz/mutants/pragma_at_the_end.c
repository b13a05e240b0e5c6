#include <stdio.h>
#include <pencil.h>
int main(void)
{
    float a[8];
    for (int i = 0; i < 8; i++) {
        printf("%d\n", i);
        __pencil_assume(1);
        a[i] = i;
#pragma endscop
    }
    return a[3] > 3;
}
