#define COUNT(x) (sizeof(x) / sizeof((x)[0]))
void clear(int a[static const restrict 64])
{
#pragma scop
    for (int i = 0; i < (int)COUNT(a); i++)
        a[i] = 0;
#pragma endscop
}
