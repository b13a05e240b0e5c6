// Values of a scalar for each iteration that only order needs, more than the caller has elements: the entry point
// decides by sizes.
// sizes: n=0,1,5,31,33 m=0,1,7 t=3 r=0,3,40
#include <pencil.h>
// Below two loops, of which the sum goes in order.
void below(int n, int m, const float x[restrict static n], const float y[restrict static n],
           const float z[restrict static m], float total[restrict static 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float most = 0;
            for (int k = 0; k < m; k++) most = fmaxf(most, x[i] * y[j] + z[k]);
            total[0] = total[0] / 2 + most;
        }
#pragma endscop
}
// Declared in front of the loops, and used behind them.
void before(int n, int m, const float x[restrict static n], const float y[restrict static n],
            const float z[restrict static m], float total[restrict static 2]) {
#pragma scop
    float most = -1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            most = x[i] - y[j];
            for (int k = 0; k < m; k++) most = most > z[k] ? most / 2 : z[k];
            total[0] = total[0] / 2 + most;
        }
    total[1] = most;
#pragma endscop
}
// Two of them, of unlike types, which go together.
void two(int n, int m, const float x[restrict static n], const double y[restrict static n],
         const float z[restrict static m], double total[restrict static 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float most = x[i];
            double sum = y[j];
            for (int k = 0; k < m; k++) {
                most = fmaxf(most, z[k] - x[j]);
                sum = sum / 2 + z[k] * y[i];
            }
            if (most > 0) total[0] = total[0] / 3 + sum * most;
        }
#pragma endscop
}
// A reduction for each pair.
void reduced(int n, int m, const float x[restrict static n], const float y[restrict static n],
             const float z[restrict static m], double total[restrict static 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
#pragma pencil independent reduction(+ : sum)
            for (int k = 0; k < m; k++) sum += x[i] * z[k] + y[j];
            total[0] = total[0] / 2 + sum;
        }
#pragma endscop
}
// In steps, each of which needs the one before it.
void steps(int n, int m, int t, const float z[restrict static m], float total[restrict static 2]) {
#pragma scop
    __pencil_assume(t == 3);
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float most = total[1] * i;
                for (int k = 0; k < m; k++) most = fmaxf(most / 2, z[k] - j);
                total[0] = total[0] / 2 + most;
            }
        total[1] = total[0] / 4;
    }
#pragma endscop
}
// A triangle, whose loops tell the most values that there are.
void triangle(int n, int m, const float x[restrict static n], const float z[restrict static m],
              float total[restrict static 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float most = x[i];
            for (int k = 0; k < m; k++) most = fmaxf(most / 2, x[j] - z[k]);
            total[0] = total[0] / 2 + most;
        }
#pragma endscop
}
// Backwards, by twos, to a bound that is a sum.
void backwards(int n, int m, const float z[restrict static m], float total[restrict static 1]) {
#pragma scop
    for (int i = n + m - 1; i >= 0; i -= 2)
        for (int j = 1 - n; j <= 0; j++) {
            float most = i;
            for (int k = 0; k < m; k++) most = fmaxf(most / 2, j * z[k]);
            total[0] = total[0] / 2 + most;
        }
#pragma endscop
}
// One loop, of more iterations than the caller has elements.
void longer(int n, int m, const float z[restrict static m], float total[restrict static 1]) {
#pragma scop
    for (int i = 0; i < 9 * n; i++) {
        float most = i;
        for (int k = 0; k < m; k++) most = fmaxf(most / 2, i - z[k]);
        total[0] = total[0] / 2 + most;
    }
#pragma endscop
}
// A struct.
struct ends {
    float least, most;
};
void members(int n, int m, const float x[restrict static n], const float z[restrict static m],
             float total[restrict static 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            struct ends e = {x[i], x[j]};
            for (int k = 0; k < m; k++) {
                e.least = fminf(e.least, z[k] / 2);
                e.most = fmaxf(e.most / 2, z[k]);
            }
            total[0] = total[0] / 2 + e.most - e.least;
        }
#pragma endscop
}
// As many as the smaller one of two sizes, which is no sum of them: in order.
void smaller(int n, int m, int r, const float z[restrict static m], float total[restrict static 1]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (i < r ? i : r); j++) {
            float most = i;
            for (int k = 0; k < m; k++) most = fmaxf(most / 2, j - z[k]);
            total[0] = total[0] / 2 + most;
        }
#pragma endscop
}
