#include <stdio.h>
#include <pencil.h>
void two(int n, int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma endscop
    int half = n / 2;
#pragma scop
    for (int i = 0; i < half; i++)
        b[i] = a[i] * 2;
    for (int i = half; i < n; i++)
        b[i] = 0;
#pragma endscop
}
static void three(int n, int a[static const restrict n])
{
    int i;
    for (i = 0; i < 3; i++) {
#pragma scop
        for (int j = 0; j < n; j++)
            a[j] += i;
#pragma endscop
        if (a[0] > 100) return;
    }
}
int main(void)
{
    int a[10], b[10];
    two(10, a, b);
    three(10, a);
    printf("%d %d\n", a[9], b[4]);
    return 0;
}
