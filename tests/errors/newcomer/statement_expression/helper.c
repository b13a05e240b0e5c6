static float square(float x) { return ({ float t = x; t * t; }); }

void squares(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = square(a[i]);
#pragma endscop
}
