int find(int n, const int a[static const restrict n], int x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] == x)
            return i;
#pragma endscop
    return -1;
}
