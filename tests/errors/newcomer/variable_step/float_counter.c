void grid(int n, float a[static const restrict n])
{
#pragma scop
    for (float x = 0; x < n; x += 1)
        a[(int)x] = x;
#pragma endscop
}
