// Finite differences in the time domain: a wave comes in at a wall of a box and meets a slab of glass.  The electric field
// and the two components of the magnetic one lie half a cell and half a step apart, and take turns.
// tolerance: 1e-5
#include <math.h>
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef STEPS
#define STEPS 12
#endif
#ifndef NX
#define NX 61
#endif
#ifndef NY
#define NY 83
#endif

void fdtd(int steps, int nx, int ny, const float wave[static const restrict steps],
          const float speed[static const restrict nx][ny], float ez[static const restrict nx][ny],
          float hx[static const restrict nx][ny], float hy[static const restrict nx][ny]) {
#pragma scop
    __pencil_assume(nx > 0);
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < ny; j++)
            ez[0][j] = wave[t];
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < ny - 1; j++)
                hx[i][j] -= 0.5f * (ez[i][j + 1] - ez[i][j]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny; j++)
                hy[i][j] += 0.5f * (ez[i + 1][j] - ez[i][j]);
        for (int i = 1; i < nx - 1; i++)
            for (int j = 1; j < ny - 1; j++)
                ez[i][j] += speed[i][j] * ((hy[i][j] - hy[i - 1][j]) - (hx[i][j] - hx[i][j - 1]));
    }
#pragma endscop
}

static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(seed >> 29) * 16.0f;
#else
    return (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(void) {
    int nx = NX, ny = NY, steps = STEPS;
    float(*speed)[ny] = malloc((size_t)nx * sizeof *speed), (*ez)[ny] = calloc((size_t)nx, sizeof *ez);
    float(*hx)[ny] = calloc((size_t)nx, sizeof *hx), (*hy)[ny] = calloc((size_t)nx, sizeof *hy);
    float *wave = malloc((size_t)steps * sizeof *wave);
    unsigned seed = 31;
    for (int t = 0; t < steps; t++) {
        seed = seed * 1664525u + 1013904223u;
        wave[t] = value(seed);
    }
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            speed[i][j] = i > nx / 3 && i < nx / 2 ? 0.25f : 0.5f;
    fdtd(steps, nx, ny, wave, speed, ez, hx, hy);
    double energy = 0.0;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            energy += (double)ez[i][j] * ez[i][j] + (double)hx[i][j] * hx[i][j] + (double)hy[i][j] * hy[i][j];
    printf("fdtd nx=%d ny=%d steps=%d checksum %.7g\n", nx, ny, steps, energy);
    free(speed);
    free(ez);
    free(hx);
    free(hy);
    free(wave);
    return 0;
}
