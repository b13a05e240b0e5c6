// sizes: n=0,1,33 m=1,35 h=0,1,9 w=1,33
// Loops that touch the same lines of memory: members of a struct, colours of a pixel, interleaved signals, neighbours.
#include <pencil.h>
typedef struct { float re, im; } C2;
typedef struct { double at[3]; float weight; int id; } Body;
typedef struct { C2 here, there; } Pair;
void aos2(int n, float o[restrict static 2 * n], const float x[restrict static n], const float y[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        o[2 * i] = x[i];
        o[2 * i + 1] = y[i];
    }
#pragma endscop
}
void aos3(int n, float o[restrict static n][3], const float x[restrict static n], const float y[restrict static n], const float z[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        o[i][0] = x[i];
        o[i][1] = y[i];
        o[i][2] = z[i];
    }
#pragma endscop
}
void member2(int n, C2 o[restrict static n], const float x[restrict static n], const float y[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        o[i].re = x[i];
        o[i].im = y[i];
    }
#pragma endscop
}
void unmember(int n, const C2 o[restrict static n], float x[restrict static n], float y[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = o[i].re;
        y[i] = o[i].im;
    }
#pragma endscop
}
void unmember_flat(int n, const float o[restrict static 3 * n], float x[restrict static n], float y[restrict static n], float z[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = o[3 * i];
        y[i] = o[3 * i + 1];
        z[i] = o[3 * i + 2];
    }
#pragma endscop
}
void zero2(int n, C2 o[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        o[i].re = 0.0f;
        o[i].im = 0.0f;
    }
#pragma endscop
}
void two_nests(int n, C2 o[restrict static n], const float x[restrict static n], const float y[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i].re = x[i];
    for (int i = 0; i < n; i++)
        o[i].im = y[i];
#pragma endscop
}
void planes(int n, int m, C2 a[restrict static n][m], const float b[restrict static n][m], const float c[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[i][j].re = b[i][j];
            a[i][j].im = c[i][j];
        }
#pragma endscop
}
void color(int h, int w, const unsigned char in[restrict static h][w][3], unsigned char out[restrict static h][w][3]) {
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            out[i][j][0] = in[i][j][2];
            out[i][j][1] = in[i][j][1];
            out[i][j][2] = in[i][j][0];
        }
#pragma endscop
}
void soa(int n, float x[restrict static n], float y[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = 2.0f * x[i];
        y[i] = 3.0f * y[i];
    }
#pragma endscop
}
/* nested members, and an array inside of the struct */
void nested(int n, Pair p[restrict static n], Body b[restrict static n], const float x[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i].here.re = x[i];
        p[i].there.im = 2.0f * x[i];
        b[i].at[0] = x[i] + 1.0f;
        b[i].at[2] = x[i] - 1.0f;
        b[i].id = i;
    }
#pragma endscop
}
/* the same line, read one further; another line */
void neighbours(int n, int m, const float x[restrict static n + 1][m + 1], float a[restrict static n][m],
                float b[restrict static n][m], float c[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[i][j] = x[i][j];
            b[i][j] = x[i][j + 1];
            c[i][j] = x[i + 1][j];
        }
#pragma endscop
}
/* members in opposite halves of one loop */
void halves(int n, C2 o[restrict static n], const float x[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i < n / 2)
            o[i].re = x[i];
        else
            o[i].im = x[i];
    }
#pragma endscop
}
/* rows of the loops in another order in the second nest */
void turned(int n, int m, C2 o[restrict static n][m], const float x[restrict static n][m], const float y[restrict static n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            o[i][j].re = x[i][j];
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            o[i][j].im = y[i][j];
#pragma endscop
}
/* a loop below the rows, and sums of members beside what is stored */
void below(int n, int m, const C2 o[restrict static n][m], float x[restrict static n], float y[restrict static n], C2 s[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = 0.0f;
        y[i] = 1.0f;
        for (int j = 0; j < m; j++)
            x[i] = 0.5f * x[i] + o[i][j].re;
        for (int j = 0; j < m; j++)
            y[i] = 0.5f * y[i] + o[i][j].im;
        s[i].re = x[i];
        s[i].im = y[i];
    }
#pragma endscop
}
/* in a loop over time */
void in_time(int n, int m, C2 o[restrict static n]) {
#pragma scop
    for (int t = 0; t < m % 4; t++)
        for (int i = 0; i < n; i++) {
            o[i].re = 0.5f * o[i].re + t;
            o[i].im = 0.5f * o[i].im - t;
        }
#pragma endscop
}
