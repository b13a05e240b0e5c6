// Speckle reducing anisotropic diffusion, Rodinia's srad: Figure 5 of "Reduction Drawing" with the diffusion written
// out.  Each iteration takes two sums over the whole image in one pass, computes the diffusion coefficients, and
// updates the image in place.  The neighbours come through index arrays that are clamped at the border.
// tolerance: 1e-4
#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NITER
#ifdef INTEGER_DATA
#define NITER 1
#else
#define NITER 3
#endif
#endif
#ifndef ROWS
#define ROWS 61
#endif
#ifndef COLUMNS
#define COLUMNS 47
#endif

static void initialize(float *val) { *val = 0.0; }
static float reduction_sum(float v1, float v2) { return v1 + v2; }

// The diffusion coefficient of a pixel from its value and its four directional derivatives, held within [0, 1].
static float coefficient(float q0sqr, float centre, float north, float south, float west, float east) {
    float g2 = (north * north + south * south + west * west + east * east) / (centre * centre);
    float l = (north + south + west + east) / centre;
    float num = 0.5f * g2 - 1.0f / 16.0f * (l * l);
    float den = 1.0f + 0.25f * l;
    float qsqr = num / (den * den);
    float c = 1.0f / (1.0f + (qsqr - q0sqr) / (q0sqr * (1.0f + q0sqr)));
    return c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

void srad(int niter, int nr, int nc, float lambda, float image[static const restrict nr][nc],
          const int iN[static const restrict nr], const int iS[static const restrict nr],
          const int jW[static const restrict nc], const int jE[static const restrict nc],
          float dN[static const restrict nr][nc], float dS[static const restrict nr][nc],
          float dW[static const restrict nr][nc], float dE[static const restrict nr][nc],
          float c[static const restrict nr][nc]) {
    float neROI = (float)nr * (float)nc;
    for (int iter = 0; iter < niter; iter++) {
        float sum;
        float sum2;
        __pencil_reduction_var_init(&sum2, initialize);
        __pencil_reduction_var_init(&sum, initialize);
        for (int i = 0; i < nr; i++) {
            for (int j = 0; j < nc; j++) {
                __pencil_reduction(&sum, image[i][j], reduction_sum);
                __pencil_reduction(&sum2, image[i][j] * image[i][j], reduction_sum);
            }
        }

        float meanROI = sum / neROI;
        float varROI = (sum2 / neROI) - meanROI * meanROI;
        float q0sqr = varROI / (meanROI * meanROI);

        for (int i = 0; i < nr; i++) {
            for (int j = 0; j < nc; j++) {
                dN[i][j] = image[iN[i]][j] - image[i][j];
                dS[i][j] = image[iS[i]][j] - image[i][j];
                dW[i][j] = image[i][jW[j]] - image[i][j];
                dE[i][j] = image[i][jE[j]] - image[i][j];
                c[i][j] = coefficient(q0sqr, image[i][j], dN[i][j], dS[i][j], dW[i][j], dE[i][j]);
            }
        }
        for (int i = 0; i < nr; i++) {
            for (int j = 0; j < nc; j++) {
                float divergence = c[i][j] * dN[i][j] + c[iS[i]][j] * dS[i][j] + c[i][j] * dW[i][j] +
                                   c[i][jE[j]] * dE[i][j];
                image[i][j] = image[i][j] + 0.25f * lambda * divergence;
            }
        }
    }
}

// Values well away from zero, since the coefficients divide by them.
static float value(unsigned seed) {
#ifdef INTEGER_DATA
    return (float)(1 + (seed >> 28));
#else
    return 1.0f + (float)(seed >> 8) / 16777216.0f;
#endif
}

int main(int argc, char **argv) {
    int nr = argc > 1 ? atoi(argv[1]) : ROWS;
    int nc = argc > 2 ? atoi(argv[2]) : COLUMNS;
    int niter = argc > 3 ? atoi(argv[3]) : NITER;
    float(*image)[nc] = calloc((size_t)nr, sizeof *image);
    float(*dN)[nc] = calloc((size_t)nr, sizeof *dN);
    float(*dS)[nc] = calloc((size_t)nr, sizeof *dS);
    float(*dW)[nc] = calloc((size_t)nr, sizeof *dW);
    float(*dE)[nc] = calloc((size_t)nr, sizeof *dE);
    float(*c)[nc] = calloc((size_t)nr, sizeof *c);
    int *iN = calloc((size_t)nr, sizeof *iN);
    int *iS = calloc((size_t)nr, sizeof *iS);
    int *jW = calloc((size_t)nc, sizeof *jW);
    int *jE = calloc((size_t)nc, sizeof *jE);
    unsigned seed = 14;
    for (int i = 0; i < nr; i++) {
        iN[i] = i > 0 ? i - 1 : 0;
        iS[i] = i < nr - 1 ? i + 1 : nr - 1;
        for (int j = 0; j < nc; j++) {
            seed = seed * 1664525u + 1013904223u;
            image[i][j] = value(seed);
        }
    }
    for (int j = 0; j < nc; j++) {
        jW[j] = j > 0 ? j - 1 : 0;
        jE[j] = j < nc - 1 ? j + 1 : nc - 1;
    }
    srad(niter, nr, nc, 0.5f, image, iN, iS, jW, jE, dN, dS, dW, dE, c);
    double checksum = 0.0;
    for (int i = 0; i < nr; i++)
        for (int j = 0; j < nc; j++)
            checksum += ((i + j) % 7 + 1) * (double)image[i][j];
    printf("srad rows=%d columns=%d niter=%d checksum %.6g\n", nr, nc, niter, checksum);
    free(image);
    free(dN);
    free(dS);
    free(dW);
    free(dE);
    free(c);
    free(iN);
    free(iS);
    free(jW);
    free(jE);
    return 0;
}
