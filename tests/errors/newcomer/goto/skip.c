void skip(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            goto next;
        a[i] = 1;
    next:;
    }
#pragma endscop
}
