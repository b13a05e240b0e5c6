void sum(int n, float *rows[4], float out[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = rows[0][i] + rows[1][i] + rows[2][i] + rows[3][i];
#pragma endscop
}
