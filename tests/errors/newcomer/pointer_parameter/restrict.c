void copy(int count, unsigned char *restrict dst, const unsigned char *restrict src)
{
#pragma scop
    for (int i = 0; i < count; i++)
        dst[i] = src[i];
#pragma endscop
}
