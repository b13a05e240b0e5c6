void map(int n, float a[static const restrict n], float (*f)(float))
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
#pragma endscop
}
