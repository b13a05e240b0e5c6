static float noise(float x)
{
    static unsigned state = 1;
    state = state * 1664525u + 1;
    return x + state;
}

void add_noise(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = noise(a[i]);
#pragma endscop
}
