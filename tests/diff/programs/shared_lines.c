// sizes: n=0,1,33 m=1,35 h=0,1,9 w=1,33 d=1,17
// Loops that touch the same lines of memory: members of a struct, colours of a pixel, interleaved signals, neighbours.
#include <pencil.h>

#pragma STDC FP_CONTRACT OFF
typedef struct { float re, im; } C2;
typedef struct { double at[3]; float weight; int id; } Body;
typedef struct { C2 here, there; } Pair;
typedef struct { float x, y, z, m; } P;
typedef struct { double re, im; } Z;
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
void rope(int n, int d, const float x[restrict static n][2 * d], const float c[restrict static n][d], const float s[restrict static n][d], float y[restrict static n][2 * d]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            y[i][2 * j] = x[i][2 * j] * c[i][j] - x[i][2 * j + 1] * s[i][j];
            y[i][2 * j + 1] = x[i][2 * j] * s[i][j] + x[i][2 * j + 1] * c[i][j];
        }
#pragma endscop
}
void cmul(int n, Z a[restrict static n], const Z b[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        double re = a[i].re * b[i].re - a[i].im * b[i].im;
        double im = a[i].re * b[i].im + a[i].im * b[i].re;
        a[i].re = re;
        a[i].im = im;
    }
#pragma endscop
}
void leap(int n, P p[restrict static n], const P v[restrict static n], float dt) {
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i].x += dt * v[i].x;
        p[i].y += dt * v[i].y;
        p[i].z += dt * v[i].z;
    }
#pragma endscop
}
void nbody(int n, const P p[restrict static n], P f[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        f[i].x = 0.0f;
        f[i].y = 0.0f;
        for (int j = 0; j < n; j++) {
            f[i].x += (p[j].x - p[i].x) * p[j].m;
            f[i].y += (p[j].y - p[i].y) * p[j].m;
        }
    }
#pragma endscop
}
void yuv(int h, int w, const unsigned char rgb[restrict static h][w][3], unsigned char yy[restrict static h][w], unsigned char u[restrict static h][w], unsigned char v[restrict static h][w]) {
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            yy[i][j] = (77 * rgb[i][j][0] + 150 * rgb[i][j][1] + 29 * rgb[i][j][2]) >> 8;
            u[i][j] = ((-43 * rgb[i][j][0] - 84 * rgb[i][j][1] + 127 * rgb[i][j][2]) >> 8) + 128;
            v[i][j] = ((127 * rgb[i][j][0] - 106 * rgb[i][j][1] - 21 * rgb[i][j][2]) >> 8) + 128;
        }
#pragma endscop
}
void planar_by_hand(int h, int w, const unsigned char rgb[restrict static h][w][3], unsigned char r[restrict static h][w], unsigned char g[restrict static h][w], unsigned char b[restrict static h][w]) {
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            r[i][j] = rgb[i][j][0];
            g[i][j] = rgb[i][j][1];
            b[i][j] = rgb[i][j][2];
        }
#pragma endscop
}
void bayer(int h, int w, const unsigned char raw[restrict static 2 * h][2 * w], unsigned char r[restrict static h][w], unsigned char g[restrict static h][w], unsigned char b[restrict static h][w]) {
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            r[i][j] = raw[2 * i][2 * j];
            g[i][j] = (raw[2 * i][2 * j + 1] + raw[2 * i + 1][2 * j]) / 2;
            b[i][j] = raw[2 * i + 1][2 * j + 1];
        }
#pragma endscop
}
void haar2(int h, int w, const float x[restrict static 2 * h][2 * w], float ll[restrict static h][w], float lh[restrict static h][w], float hl[restrict static h][w], float hh[restrict static h][w]) {
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            ll[i][j] = x[2 * i][2 * j] + x[2 * i][2 * j + 1];
            lh[i][j] = x[2 * i][2 * j] - x[2 * i][2 * j + 1];
            hl[i][j] = x[2 * i + 1][2 * j] + x[2 * i + 1][2 * j + 1];
            hh[i][j] = x[2 * i + 1][2 * j] - x[2 * i + 1][2 * j + 1];
        }
#pragma endscop
}
void grad(int h, int w, const float x[restrict static h + 1][w + 1], float gx[restrict static h][w], float gy[restrict static h][w]) {
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            gx[i][j] = x[i][j + 1] - x[i][j];
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            gy[i][j] = x[i + 1][j] - x[i][j];
#pragma endscop
}
/* one loop of a thread for both */
void two(int n, int m, const float a[restrict static n][m], float x[restrict static n], float y[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0.0f, t = 1.0f;
        for (int j = 0; j < m; j++) {
            s += a[i][j];
            t = 0.5f * t + a[i][j];
        }
        x[i] = s;
        y[i] = t;
    }
#pragma endscop
}
void mm2l(int n, const float a[restrict static n][n], const float b[restrict static n][n], const float d[restrict static n][n], float c[restrict static n][n], float e[restrict static n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0.0f, t = 0.0f;
            for (int k = 0; k < n; k++) {
                s += a[i][k] * b[k][j];
                t += a[i][k] * d[k][j];
            }
            c[i][j] = s;
            e[i][j] = t;
        }
#pragma endscop
}
/* what the second needs comes later in the first; a loop that goes down */
void later(int n, int m, const float a[restrict static n][m], float x[restrict static n][m], float y[restrict static n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0.0f, t = 1.0f;
        for (int j = m - 1; j >= 0; j--) {
            s = 0.5f * s + a[i][j];
            x[i][j] = s;
            t = 0.5f * t - a[i][m - 1 - j] * x[i][j];
        }
        y[i] = t;
    }
#pragma endscop
}
