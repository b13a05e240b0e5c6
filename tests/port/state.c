/* A small simulation that keeps its state in globals, with the loops of old books. */
#include <math.h>
#include <stdio.h>
#define N 500
#define FOR(i, n) for (int i = 0; i < (n); i++)

static float u[N], unew[N];
static float *extra;
static int count;
float residual;
int steps;

void step(void)
{
    for (int i = 1; i < N - 1; i++)
        unew[i] = 0.5f * (u[i - 1] + u[i + 1]);
    residual = 0;
    for (int i = 1; i < N - 1; i++) {
        float d = unew[i] - u[i];
        residual += d * d;
    }
    FOR(i, N)
        u[i] = unew[i];
    steps++;
}

void scale(float k)
{
    int i = 0;
    while (i < count) {
        extra[i] *= k;
        i++;
    }
}

float norm(void)
{
    float s = 0;
    FOR(i, count) s += extra[i] * extra[i];
    return sqrtf(s);
}

void normalize(float *v, int n)
{
    float len = 0;
    FOR(i, n)
        len += v[i] * v[i];
    len = sqrtf(len);
    if (len > 0)
        for (int i = 0; i < n; i++)
            v[i] /= len;
}

int main(void)
{
    float v[3] = {3, 4, 0};
    u[0] = 1.0f;
    for (int k = 0; k < 20; k++)
        step();
    extra = v;
    count = 3;
    scale(2);
    printf("%d %.4f %.4f\n", steps, residual, norm());
    normalize(v, 3);
    printf("%.4f %.4f\n", v[0], v[1]);
    return 0;
}
