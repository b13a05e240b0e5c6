void f(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float left = before + a[i], right = after * a[i];
        if (i > from && i < to)
            a[i] = left + right;
    }
#pragma endscop
}
