static int find(int x)
{
    int k = 0;
again:
    if (k * k < x) {
        k++;
        goto again;
    }
    return k;
}

void roots(int n, int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = find(a[i]);
#pragma endscop
}
