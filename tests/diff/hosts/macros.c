#include <stdio.h>
#include <pencil.h>
#define BEGIN _Pragma("scop")
#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define BODY \
    LOOP(i, 8) \
        a[i] = i * \
            2;
int twice(int x) { return 2 * x; }
int main(void)
{
    int a[8]; long total = 0; unsigned u = 3;
    if (twice(2) == 4) {
#pragma scop
    { BODY }
#pragma endscop
    }
    for (int i = 0; i < 8; i++) total += a[i];
#pragma scop
    for (int i = 0; i < 8; i++) { a[i] = a[i] + (int)u; total = total + 0; }
#pragma endscop
    printf("%ld %d\n", total, a[7]);
    return 0;
}
