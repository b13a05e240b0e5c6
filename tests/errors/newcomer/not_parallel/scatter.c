void scatter(int n, const int at[static const restrict n], const float x[static const restrict n], float y[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[at[i]] = x[i];
#pragma endscop
}
