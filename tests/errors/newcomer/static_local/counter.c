void number(int n, int a[static const restrict n])
{
#pragma scop
    static int calls = 0;
    for (int i = 0; i < n; i++)
        a[i] = calls;
#pragma endscop
}
