/* Loops of few iterations beside other work of a point: a thread does all of it. */
#include <pencil.h>

struct particle {
    int pos[3], vel[3], alive;
};

int update(int n, int dt, struct particle p[static const restrict n], const int g[static const restrict 3])
{
    int dead = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if ((p[i].alive & 3) == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            p[i].vel[k] = (p[i].vel[k] & 255) + (g[k] & 15) * (dt & 7);
            p[i].pos[k] = (p[i].pos[k] & 1023) + p[i].vel[k];
        }
        if (p[i].pos[1] < 500) {
            p[i].alive = 0;
            dead++;
        }
    }
#pragma endscop
    return dead;
}

/* Colours and what is made of them, of the same pixel and of the one before. */
void colours(int h, int w, const unsigned char in[static const restrict h][w][3],
             unsigned char out[static const restrict h][w][4], unsigned char grey[static const restrict h][w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            grey[y][x] = (in[y][x][0] + 2 * in[y][x][1] + in[y][x][2]) / 4;
            for (int c = 0; c < 3; c++)
                out[y][x][c] = (in[y][x][c] + grey[y][x]) / 2;
            out[y][x][3] = out[y][x][0] > 100 ? 255 : grey[y][x];
        }
#pragma endscop
}

/* Components far from each other, two by two, and turns over time. */
void components(int steps, int n, int a[static const restrict 2][2][n], int b[static const restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            int before = b[i];
            for (int j = 0; j < 2; j++)
                for (int k = 0; k < 2; k++)
                    a[j][k][i] = a[j][k][i] * 3 + before + j - k;
            b[i] = a[0][1][i] ^ a[1][0][i];
            for (int j = 1; j >= 0; j--)
                a[j][j][i] += b[i] & t;
        }
#pragma endscop
}

/* More iterations, or as many as a size says, have threads of their own. */
void longer(int n, int m, int a[static const restrict n][20], int b[static const restrict n][m],
            int c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] = c[i] * 2 + 1;
        for (int k = 0; k < 20; k++)
            a[i][k] = a[i][k] + c[i];
        for (int k = 0; k < m; k++)
            b[i][k] = c[i] - k;
    }
#pragma endscop
}
