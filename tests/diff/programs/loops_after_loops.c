// Reductions that go on in the next loop, or begin there again: what comes between decides.
// sizes: n=0,1,33,1009 m=0,1,40
#include <pencil.h>

/* loops as long as each other and others, one in the other */
void on(int n, int m, const int a[static const restrict n], const int b[static const restrict n],
        int s[static const restrict 2]) {
#pragma scop
    s[1] = 7;
    for (int i = 0; i < n; i++)
        s[1] += a[i];
    for (int i = 0; i < n; i++)
        s[1] += b[i];
    for (int i = 0; i < n; i++) {
        s[1] -= a[i];
        for (int j = 0; j < m; j++)
            s[1] += j * b[i];
    }
    for (int j = 0; j < m; j++)
        s[1] += j;
#pragma endscop
}

/* the value between them is read, another operator, and a new beginning */
void between(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
             int s[static const restrict 4]) {
    int t = 1, least = 2147483647;
#pragma scop
    for (int i = 0; i < n; i++)
        t += a[i];
    s[0] = t;
    for (int i = 0; i < m; i++)
        t += b[i];
    s[1] = t;
    for (int i = 0; i < m; i++)
        t ^= b[i];
    s[2] = t;
    t = 5;
    for (int i = 0; i < m; i++)
        t ^= 3 * b[i];
    for (int i = 0; i < n; i++)
        least = a[i] < least ? a[i] : least;
    for (int i = 0; i < m; i++)
        least = b[i] < least ? b[i] : least;
    s[3] = t ^ least;
#pragma endscop
}

/* flags of different values, and truths */
int flags(int n, int m, const int a[static const restrict n], const int b[static const restrict m]) {
    int kind = 0, any = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            kind = 1;
    for (int j = 0; j < m; j++)
        if (b[j] > 0)
            kind = 2;
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            any = 1;
    for (int j = 0; j < m; j++)
        if (b[j] < 0)
            any = 1;
#pragma endscop
    return 2 * kind + any;
}

/* under conditions, and in rows */
void rows(int n, int m, int k, const int a[static const restrict n][m], const int b[static const restrict m],
          int s[static const restrict n], int all[static const restrict 1]) {
#pragma scop
    if (k > 0)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                all[0] += a[i][j];
    for (int j = 0; j < m; j++)
        all[0] += b[j];
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++)
            s[i] += a[i][j];
        for (int j = 1; j < m; j++)
            s[i] += b[j - 1] * a[i][j];
    }
#pragma endscop
}

/* one may be left between them */
void left(int n, int m, const int a[static const restrict n], const int b[static const restrict m],
          int s[static const restrict 1]) {
#pragma scop
    for (int k = 0; k < 4; k++) {
        s[0] = k;
        for (int i = 0; i < n; i++)
            s[0] += a[i];
        if (s[0] > 100)
            break;
        for (int j = 0; j < m; j++)
            s[0] += b[j];
    }
#pragma endscop
}

/* loops in loops behind a result, in rows and by another operator */
void deeper(int n, int m, const int a[static const restrict n][m], const int c[static const restrict m],
            int s[static const restrict n], int t[static const restrict 1]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = 3;
        for (int j = 0; j < m; j++)
            s[i] += a[i][j];
        for (int j = 0; j < m; j++) {
            s[i] += c[j];
            for (int k = 0; k < m; k++)
                s[i] += c[k] * j;
        }
    }
    for (int i = 0; i < n; i++)
        t[0] ^= s[i];
    for (int i = 0; i < n; i++) {
        t[0] += s[i];
        for (int j = 0; j < m; j++)
            t[0] += j;
    }
#pragma endscop
}

/* several at once, of two arrays */
int several(int n, int m, const int a[static const restrict n], const int b[static const restrict m]) {
    int ok = 1, c = 0, most = -1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            ok = 0;
    for (int j = 0; j < m; j++)
        if (b[j] < 0)
            ok = 0;
    for (int i = 0; i < n; i++)
        c += a[i] > 3;
    for (int j = 0; j < m; j++)
        c += b[j] > 3;
    for (int i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    for (int j = 0; j < m; j++)
        if (b[j] > most)
            most = b[j];
#pragma endscop
    return ok + 2 * c + most;
}

/* both in a thread that has a total besides */
void beside(int n, int m, const unsigned a[static const restrict n], const unsigned b[static const restrict m],
            unsigned s[static const restrict n], unsigned r[static const restrict 2]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        r[0] += a[i];
        for (int j = 0; j < m; j++)
            s[i] += b[j];
        for (int j = 0; j < m; j++)
            s[i] += 3 * b[j];
        r[1] += s[i];
    }
#pragma endscop
}

/* every second row, which is read between the loops */
void stepped(int n, int m, const unsigned b[static const restrict m], unsigned s[static const restrict n],
             unsigned o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i += 2) {
        for (int j = 0; j < m; j++)
            s[i] += b[j];
        o[i] = s[i];
        for (int j = 0; j < m; j++)
            s[i] += 5 * b[j];
    }
#pragma endscop
}

/* a loop of one iteration, which may be left */
void once(int n, const unsigned a[static const restrict n], unsigned r[static const restrict 1]) {
#pragma scop
    for (int q = 0; q < 1; q++) {
        if (r[0] & 1)
            break;
        for (int i = 0; i < n; i++)
            r[0] += a[i];
    }
#pragma endscop
}
