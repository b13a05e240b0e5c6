#include <stdio.h>
#include <pencil.h>
#include "inc.h"
int main(void)
{
    float a[4] = {1, 2, 3, 4};
    run(4, a);
    printf("%g %d\n", a[3], __LINE__);
    return 0;
}
