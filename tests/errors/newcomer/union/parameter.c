union value { int i; float f; };

void clear(int n, union value v[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i].i = 0;
#pragma endscop
}
