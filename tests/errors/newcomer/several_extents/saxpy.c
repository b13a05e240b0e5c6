void saxpy(float *y, float *x, float a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
#pragma endscop
}
