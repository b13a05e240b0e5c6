int last_positive(int n, const int a[static const restrict n])
{
    int found = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            found = i + found % 2;
#pragma endscop
    return found;
}
