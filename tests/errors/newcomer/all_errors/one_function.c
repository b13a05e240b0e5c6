void both(int n, int length, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < lenght; i++)
        a[i] = 0;
    for (int i = 0; i < lenght; i++)
        a[i] = sqrtt(a[i]);
#pragma endscop
}
