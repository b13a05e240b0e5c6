static float square(float x) { return x * x; }

void squares(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = sqaure(a[i]);
#pragma endscop
}
