int sum(int n, const int a[static const restrict n])
{
    int s;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma endscop
    return s;
}
