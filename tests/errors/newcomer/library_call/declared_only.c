float filter(float x);
void all(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = filter(a[i]);
#pragma endscop
}
