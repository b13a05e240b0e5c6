void gather(int n, const int at[static const restrict n], float a[static const restrict n])
{
#pragma scop
#pragma pencil independant;
    for (int i = 0; i < n; i++)
        a[at[i]] = i;
#pragma endscop
}
