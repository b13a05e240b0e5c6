void uses(int n, float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int idx = 0; idx < n; idx++) {
        a[ind] = b[ind];
        b[ind] = 0;
    }
#pragma endscop
}
