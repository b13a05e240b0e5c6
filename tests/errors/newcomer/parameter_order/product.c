void fill(double a[static const restrict w * h], int w, int h)
{
#pragma scop
    for (int i = 0; i < w * h; i++)
        a[i] = 1.0;
#pragma endscop
}
