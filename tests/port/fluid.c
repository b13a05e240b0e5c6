/* Stam's stable fluids: a grid with ghost cells around it, whose rows a macro knows. */
#define IX(i, j) ((i) + (N + 2) * (j))

void set_bnd(int N, int b, float *x)
{
    int i;

    for (i = 1; i <= N; i++) {
        x[IX(0, i)] = b == 1 ? -x[IX(1, i)] : x[IX(1, i)];
        x[IX(N + 1, i)] = b == 1 ? -x[IX(N, i)] : x[IX(N, i)];
        x[IX(i, 0)] = b == 2 ? -x[IX(i, 1)] : x[IX(i, 1)];
        x[IX(i, N + 1)] = b == 2 ? -x[IX(i, N)] : x[IX(i, N)];
    }
}

void project(int N, float *u, float *v, float *p, float *div)
{
    int i, j;
    float h = 1.0f / N;

    for (i = 1; i <= N; i++)
        for (j = 1; j <= N; j++) {
            div[IX(i, j)] = -0.5f * h * (u[IX(i + 1, j)] - u[IX(i - 1, j)] + v[IX(i, j + 1)] - v[IX(i, j - 1)]);
            p[IX(i, j)] = 0;
        }
}

void add_source(int N, float *x, const float *s, float dt)
{
    int i, size = (N + 2) * (N + 2);

    for (i = 0; i < size; i++)
        x[i] += dt * s[i];
}
