void scale(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        dobule t = a[i];
        a[i] = t * 2;
    }
#pragma endscop
}
