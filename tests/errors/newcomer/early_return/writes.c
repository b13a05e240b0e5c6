int copied(int n, const int a[static const restrict n], int b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] == 0)
            return i;
        b[i] = a[i];
    }
#pragma endscop
    return n;
}
