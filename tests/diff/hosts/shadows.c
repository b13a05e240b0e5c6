#include <stdio.h>
#include <pencil.h>
int main(void)
{
    int data[6] = {1, 2, 3, 4, 5, 6};
    int t = 5, *p = &t;
    double d[2][2] = {{1, 2}, {3, 4}};
    {
        const int n = 6;
#pragma scop
        int t = 3;
        for (int i = 0; i < n; i++) {
            int t2 = data[i] * t;
            data[i] = t2;
        }
        t = t + 1;
#pragma endscop
    }
    while (t-- > 3) {
#pragma scop
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                d[i][j] = d[i][j] / (t > 0 ? t : 1);
#pragma endscop
        do {
#pragma scop
        for (int i = 0; i < 6; i++) data[i] -= t;
#pragma endscop
        } while (0);
    }
    printf("%d %d %g %d\n", *p, data[5], d[1][1], t);
    return 0;
}
