void scale(int n, float a[static const restrict n])
{
#pragma scope
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscope
}
