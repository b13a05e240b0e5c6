double likelihood(int n, const double p[static const restrict n])
{
    double l = 1;
#pragma scop
    for (int i = 0; i < n; i++)
        l *= p[i];
#pragma endscop
    return l;
}
