// Loops whose bounds are data, in the forms that C allows (tests/diff/test_ragged.py).
#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static int least(int a, int b) { return a < b ? a : b; }
void wide(int n, int nnz, const long start[static const restrict n + 1], const float v[static const restrict nnz],
          float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = start[i]; k < start[i + 1]; k++)
            __pencil_reduction(&s[i], v[k], add);
    }
}
void natural(int n, int nnz, const unsigned start[static const restrict n + 1], const float v[static const restrict nnz],
             float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = start[i]; k < start[i + 1]; k++)
            __pencil_reduction(&s[i], v[k], add);
    }
}
void narrow(int n, int nnz, const short start[static const restrict n + 1], const float v[static const restrict nnz],
            float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (short k = start[i]; k <= start[i + 1] - 1; k++)
            __pencil_reduction(&s[i], v[k], add);
    }
}
void steps(int n, int nnz, const int start[static const restrict n + 1], const float v[static const restrict nnz],
           float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = start[i]; k < start[i + 1]; k += 3)
            __pencil_reduction(&s[i], v[k], add);
    }
}
void steps_on(int n, int nnz, const int start[static const restrict n + 1], const float v[static const restrict nnz],
              float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = i % 2; k < start[i]; k += 2)
            __pencil_reduction(&s[i], v[k], add);
    }
}
void down(int n, int nnz, const int start[static const restrict n + 1], const float v[static const restrict nnz],
          float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = start[i + 1] - 1; k >= start[i]; k--)
            __pencil_reduction(&s[i], v[k], add);
    }
}
void guarded(int n, int nnz, const int on[static const restrict n], const int start[static const restrict n + 1],
             const float v[static const restrict nnz], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        if (on[i] > 0)
            for (int k = start[i]; k < start[i + 1]; k++)
                if (v[k] > 0.0f)
                    __pencil_reduction(&s[i], v[k], add);
    }
}
void called(int n, int nnz, const int start[static const restrict n + 1], const float v[static const restrict nnz],
            float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = 0; k < least(start[i], 40); k++)
            __pencil_reduction(&s[i], v[k], add);
    }
}
void two(int n, int nnz, const int start[static const restrict n + 1], const int other[static const restrict n + 1],
         const float v[static const restrict nnz], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int k = start[i]; k < start[i + 1]; k++)
            __pencil_reduction(&s[i], v[k], add);
        for (int k = other[i]; k < other[i + 1]; k++)
            __pencil_reduction(&s[i], v[k] * 2.0f, add);
    }
}
void bins(int n, int nnz, const long start[static const restrict n + 1], const int on[static const restrict n],
          const int bin[static const restrict nnz], const float v[static const restrict nnz],
          float s[static const restrict 37]) {
    for (int b = 0; b < 37; b++)
        __pencil_reduction_var_init(&s[b], zero);
    for (int i = 0; i < n; i++) {
        int begin = start[i], end = start[i + 1];
        float factor = (float)(i % 3);
        if (on[i] > 0)
            for (int k = begin; k < end; k += 2)
                __pencil_reduction(&s[bin[k]], v[k] * factor, add);
    }
}
