void clip(int n, const float x[static const restrict n], float y[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = 0;
        if (x[i] > 0 && (t = x[i] * 2) > 1)
            t = 1;
        y[i] = t;
    }
#pragma endscop
}
