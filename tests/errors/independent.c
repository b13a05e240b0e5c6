// `independent` where it is wrong, and where it may be right.
#include <pencil.h>

void flows(int n, float a[static const restrict n])
{
#pragma scop
#pragma pencil independent
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + 1; // warning[PC0601]: marked `independent`, and its iterations depend on each other
#pragma endscop
}

void overwrites(int n, float a[static const restrict n + 1])
{
#pragma scop
#pragma pencil independent
    for (int i = 0; i < n; i++)
        a[i] = a[i + 1] + 1; // warning[PC0601]: marked `independent`
#pragma endscop
}

void sums(int n, const float a[static const restrict n], float out[static const restrict 1])
{
#pragma scop
    float s = 0;
#pragma pencil independent
    for (int i = 0; i < n; i++)
        s = s + a[i]; // warning[PC0601]: marked `independent`
    out[0] = s;
#pragma endscop
}

void temporary(int n, const float a[static const restrict n], float out[static const restrict n])
{
#pragma scop
    float t;
#pragma pencil independent
    for (int i = 0; i < n; i++) {
        t = a[i] * 2;
        out[i] = t + 1;
    }
#pragma endscop
}

void may_be(int n, int k, const int at[static const restrict n], float a[static const restrict n])
{
#pragma scop
#pragma pencil independent
    for (int i = 0; i < n - k; i++)
        a[i + k] = a[i];
#pragma pencil independent
    for (int i = 0; i < n; i++)
        a[at[i]] = a[at[i]] + 1;
#pragma endscop
}

void inner(int n, float a[static const restrict n][n])
{
#pragma scop
    for (int i = 1; i < n; i++)
#pragma pencil independent
        for (int j = 0; j < n; j++)
            a[i][j] = a[i - 1][j];
#pragma endscop
}
