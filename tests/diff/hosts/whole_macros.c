#include <stdio.h>
#include <pencil.h>
#define DEFINE(name, op) void name(int n, int a[static const restrict n]) { _Pragma("scop") for (int i = 0; i < n; i++) a[i] = a[i] op 2; _Pragma("endscop") }
DEFINE(plus, +)
DEFINE(times, *)
int main(void)
{
    int a[8], x = 3;
    for (int i = 0; i < 8; i++) a[i] = i;
    plus(8, a); x = x + 1; times(8, a);
#pragma scop
    for (int i = 0; i < 8; i++) a[i] = a[i] + 1;
#pragma endscop
    int y = 2;
    printf("%d %d\n", a[7], x + y);
    return 0;
}
