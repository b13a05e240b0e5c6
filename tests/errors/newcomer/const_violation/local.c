void total(int n, int a[static const restrict n])
{
#pragma scop
    const int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    a[0] = s;
#pragma endscop
}
