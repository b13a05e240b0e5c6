void squares(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = ({ float t = a[i]; t * t; });
#pragma endscop
}
