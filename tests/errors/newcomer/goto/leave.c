void first(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            goto done;
        a[i] = 1;
    }
done:;
#pragma endscop
}
