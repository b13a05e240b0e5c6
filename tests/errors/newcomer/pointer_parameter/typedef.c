typedef float real;
void scale(real *a, int n, real k)
{
#pragma scop
    for (int i = 0; i <= n - 1; i++)
        a[i] = k * a[i];
#pragma endscop
}
