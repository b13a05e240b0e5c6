static int sign(float x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

void signs(int n, const float a[static const restrict n], int s[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        s[i] = sign(a[i]);
#pragma endscop
}
