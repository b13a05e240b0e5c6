static int counted(int *count, int x)
{
    return x > 0 ? ++*count : 0;
}

void number(int n, const int x[static const restrict n], int a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int count = i;
        a[i] = counted(&count, x[i]);
    }
#pragma endscop
}
