#include <stdio.h>
#include <pencil.h>
#define SCALE(x) ((x) * 2)
#define FILL(arr, n) do { _Pragma("scop") for (int i = 0; i < (n); i++) (arr)[i] = SCALE(i); _Pragma("endscop") } while (0)
static int helper(int x) { return x + 1; }
int main(void)
{
    int a[8], b[8];
    for (int i = 0; i < 8; i++) a[i] = b[i] = 0;
    { FILL(a, 8); }
    FILL(b, 4);
#pragma scop
    for (int i = 0; i < 8; i++)
        a[i] = helper(a[i]) + b[i];
#pragma endscop
    printf("%d %d %d\n", a[7], b[3], helper(3));
    return 0;
}
