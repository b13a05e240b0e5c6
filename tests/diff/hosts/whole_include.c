// All of the program stands in a header, and main here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "whole.h"

int main(void)
{
    float a[40];
    for (int i = 0; i < 40; i++)
        a[i] = (float)i;
    wrap(40, a);
    printf("%g %g %d\n", a[3], a[39], calls);
    return 0;
}
