template <typename T>
T add(T a, T b) { return a + b; }

float sum(int n, const float a[static const restrict n])
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s = add(s, a[i]);
#pragma endscop
    return s;
}
