struct point { float x, y; };
void scale(int n, point a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i].x *= 2;
#pragma endscop
}
