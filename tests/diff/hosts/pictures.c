#include <stdio.h>
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
int image_sum(int rows, int step, const unsigned char img[static const restrict rows][step], int bias)
{
    int s, extra = bias * 2;
    printf("rows %d\n", rows);
    for (int k = 0; k < 2; k++) {
        bias++;
#pragma scop
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < step; j++)
                __pencil_reduction(&s, img[i][j] + extra * bias + k, add);
#pragma endscop
        extra += s;
    }
    return s + extra;
}
int main(void)
{
    unsigned char data[6] = {1, 2, 3, 4, 5, 6};
    printf("%d\n", image_sum(2, 3, (const unsigned char (*)[3])data, 1));
    int i = 4, n = 6, last = 0;
    printf("%d\n", i);
#pragma scop
    for (i = 0; i < n; i++)
        data[i] = data[i] + i;
    last = data[n - 1];
#pragma endscop
    printf("%d %d %d\n", n, last, data[3]);
    return 0;
}
