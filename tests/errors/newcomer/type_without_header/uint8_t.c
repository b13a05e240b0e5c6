void invert(int n, uint8_t a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 255 - a[i];
#pragma endscop
}
