void identity(int n, int **m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i == j;
#pragma endscop
}
