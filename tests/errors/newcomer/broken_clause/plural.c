void total(int n, const float a[static const restrict n], float o[static const restrict 1])
{
    float s = 0;
#pragma pencil independent reductions(+: s)
    for (int i = 0; i < n; i++)
        s += a[i];
    o[0] = s;
}
