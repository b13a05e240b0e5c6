void f(int n, float a[static const restrict n])
{
#pragma scop
    for (float &x : a)
        x = 0;
#pragma endscop
}
