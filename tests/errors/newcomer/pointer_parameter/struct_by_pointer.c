struct size { int w, h; };
void fill(const struct size *s, int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = s->w * s->h;
#pragma endscop
}
