void f(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
    {
        volatile float t = a[i];
        a[i] = t * t;
    }
#pragma endscop
}
