static float add(float a, float b) { return a + b }

void sums(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = add(a[i], 1);
#pragma endscop
}
