typedef struct { float x, y; } point_t;
void scale(int n, pont_t a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i].x *= 2;
#pragma endscop
}
