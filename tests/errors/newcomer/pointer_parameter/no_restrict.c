void add(int n, float a[n], const float b[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += b[i];
#pragma endscop
}
