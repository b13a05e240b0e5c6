void clear(int n, void *data)
{
#pragma scop
    for (int i = 0; i < n; i++)
        ((double *)data)[i] = 0;
#pragma endscop
}
