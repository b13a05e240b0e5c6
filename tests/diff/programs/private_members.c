// Arrays of structs that iterations overwrite member by member, and triangles.
// sizes: n=0,1,5,33 m=1,7
#include <pencil.h>

struct P { float x, y; };
struct Q { float v[2]; int k; };
void members(int n, int m, const float a[static const restrict n][m], float b[static const restrict n]) {
#pragma scop
    struct P w[m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) { w[j].x = a[i][j]; w[j].y = a[i][j] * 2; }
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j].x * w[j].y;
        b[i] = s;
    }
#pragma endscop
}
void arrays_in(int n, int m, const float a[static const restrict n][m], float b[static const restrict n]) {
#pragma scop
    struct Q w[m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) { w[j].v[0] = a[i][j]; w[j].v[1] = a[i][j] * 2; w[j].k = j; }
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j].v[0] * w[j].v[1] + w[j].k;
        b[i] = s;
    }
#pragma endscop
}
void param(int n, int m, const float a[static const restrict n][m], float b[static const restrict n], struct P w[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) { w[j].x = a[i][j]; w[j].y = a[i][j] * 2; }
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j].x * w[j].y;
        b[i] = s;
    }
#pragma endscop
}
void fixed(int n, const float a[static const restrict n][8], float b[static const restrict n]) {
#pragma scop
    struct P w[8];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++) { w[j].x = a[i][j]; w[j].y = a[i][j] * 2; }
        float s = 0;
        for (int j = 0; j < 8; j++) s = s / 2 + w[8 - 1 - j].x * w[j].y;
        b[i] = s;
    }
#pragma endscop
}
void triangle(int n, const float a[static const restrict n][n], float b[static const restrict n]) {
#pragma scop
    float w[n];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) w[j] = a[i][j];
        float s = 0;
        for (int j = 0; j <= i; j++) s = s / 2 + w[i - j];
        b[i] = s;
    }
#pragma endscop
}
void triangle_out(int n, int m, const float a[static const restrict m], float b[static const restrict n]) {
#pragma scop
    float w[m];
    for (int t = 0; t < n; t++)
    for (int i = 0; i < t; i++) {
        for (int j = 0; j < m; j++) w[j] = a[j] * i + t;
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
        if (i == t / 2) b[t] = s;
    }
#pragma endscop
}
void triangle_param(int n, const float a[static const restrict n], float b[static const restrict n], float w[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) w[j] = a[j] * i;
        float s = 0;
        for (int j = 0; j <= i; j++) s = s / 2 + w[i - j];
        b[i] = s;
    }
#pragma endscop
}
void two_levels(int n, int m, const float a[static const restrict n][m], float c[static const restrict n][m]) {
#pragma scop
    float w[m];
    for (int i = 0; i < n; i++)
      for (int k = 0; k <= i; k++) {
        for (int j = 0; j < m; j++) w[j] = a[i][j] + a[k][j];
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
        if (k < m) c[i][k] = s;
    }
#pragma endscop
}
// The last iteration writes all.
void downwards(int n, const float a[static const restrict n], float b[static const restrict n], float w[static const restrict n]) {
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i; j < n; j++) w[j] = a[j] * i;
        float s = 0;
        for (int j = i; j < n; j++) s = s / 2 + w[n - 1 + i - j];
        b[i] = s;
    }
#pragma endscop
}
// The last iteration writes one element: what the others have left stays.
void leaving(int n, const float a[static const restrict n], float b[static const restrict n], float w[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) w[j] = a[j] * i;
        float s = 0;
        for (int j = i; j < n; j++) s = s / 2 + w[n - 1 + i - j];
        b[i] = s;
    }
#pragma endscop
}
// The other member stays as it is.
void one_member(int n, int m, const float a[static const restrict n][m], float b[static const restrict n],
                struct P w[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) w[j].x = a[i][j];
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j].x;
        b[i] = s;
    }
#pragma endscop
}
void arrays_kept(int n, int m, const float a[static const restrict n][m], float b[static const restrict n],
                 struct Q w[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) { w[j].v[0] = a[i][j]; w[j].v[1] = a[i][j] * 2; w[j].k = j - i; }
        float s = 0;
        for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j].v[0] * w[j].v[1] + w[j].k;
        b[i] = s;
    }
#pragma endscop
}
