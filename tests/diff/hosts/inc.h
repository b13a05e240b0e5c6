#ifndef INC_H
#define INC_H
static inline float scale(float x) { return x * 3; }
static void run(int n, float a[static const restrict n])
{
    printf("begin\n");
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = scale(a[i]);
#pragma endscop
    printf("end\n");
}
#endif
