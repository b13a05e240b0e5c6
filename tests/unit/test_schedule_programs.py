"""The schedules of small programs in one line each.

`PROGRAMS` also feeds the property tests, which execute both orders.
"""

from __future__ import annotations

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.schedule import ScheduledScop
from pencilc.ir.schedule_printer import schedule_line
from pencilc.poly import compute_dependences, extract
from pencilc.schedule import schedule

PRELUDE = r"""
#include <math.h>
#include <pencil.h>
#define INIT __pencil_reduction_var_init
#define UPDATE __pencil_reduction
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float mx(float a, float b) { return a > b ? a : b; }
static void big(float *v) { *v = 1e30f; }
static void small(float *v) { *v = -1e30f; }
static float mn(float a, float b) { return fminf(a, b); }
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
struct cplx { float re; float im; };
static void cone(struct cplx *p) { p->re = 1; p->im = 0; }
static struct cplx cmul(struct cplx a, struct cplx b)
{
    struct cplx r;
    r.re = a.re * b.re - a.im * b.im;
    r.im = a.re * b.im + a.im * b.re;
    return r;
}
"""


def scheduled_of(body: str) -> ScheduledScop:
    """The whole chain for the one region of `PRELUDE` and `body`."""
    unit, _ = parse_file(SourceFile("test.c", PRELUDE + body), FrontendOptions())
    scop, _ = extract(unit, unit.regions[0])
    return schedule(scop, compute_dependences(scop))


# Name -> (source, schedule).
PROGRAMS: dict[str, tuple[str, str]] = {}

PROGRAMS["sum"] = (
    """
float f(int n, const float a[static const restrict n]) {
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) UPDATE(&s, a[i], add);
    return s;
}
""",
    "[i R]{S2}; M0; S3",
)

# The sum is in order; what it adds is found in parallel, with a value for each row.
PROGRAMS["maxima_added_in_order"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], double total[static const restrict 1]) {
#pragma scop
    total[0] = 0;
    for (int i = 0; i < n; i++) {
        float most = a[i][0];
        for (int j = 1; j < m; j++)
            most = most > a[i][j] ? most : a[i][j];
        total[0] += most;
    }
#pragma endscop
}
""",
    "S0; [i P]{ S2; [j s]{S3} }; [i s]{S4}",
)

# Nothing is gained by an array of factors: the chain is as long with it.
PROGRAMS["chain_with_a_factor"] = (
    """
void f(int n, const float a[static const restrict n], float x[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i++) {
        float scaled = 2 * a[i];
        x[i] = x[i - 1] * scaled;
    }
#pragma endscop
}
""",
    "[i s]{S1,S2}",
)

# Both sums read a[j] in every row: the rows share no element that the others do not read as well.
PROGRAMS["forces"] = (
    """
void f(int n, int k, const float a[static const restrict k], float s[static const restrict n],
       float t[static const restrict n], float u[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        INIT(&s[i], zero);
        INIT(&t[i], big);
        for (int j = 0; j < k; j++) {
            UPDATE(&s[i], a[j], add);
            UPDATE(&t[i], a[j], mn);
        }
        u[i] = s[i] + t[i];
    }
}
""",
    "[i P]{ [j R]{S2,S3}; M0; M1; S4 }",
)

PROGRAMS["dot"] = (
    """
float f(int n, const float a[static const restrict n], const float b[static const restrict n]) {
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) UPDATE(&s, a[i]*b[i], add);
    return s;
}
""",
    "[i R]{S2}; M0; S3",
)

PROGRAMS["four1"] = (
    """
void f(int n, const float a[static const restrict n], float out[static const restrict 4]) {
    float s, q, l, h;
    INIT(&s, zero);
    INIT(&q, zero);
    INIT(&l, big);
    INIT(&h, small);
    for (int i = 0; i < n; i++) {
        UPDATE(&s, a[i], add);
        UPDATE(&q, a[i]*a[i], add);
        UPDATE(&l, a[i], mn);
        UPDATE(&h, a[i], mx);
    }
    out[0]=s;
    out[1]=q;
    out[2]=l;
    out[3]=h;
}
""",
    "[i R]{S8,S9,S10,S11}; M0; M1; M2; M3; S12; S13; S14; S15",
)

PROGRAMS["four4"] = (
    """
void f(int n, const float a[static const restrict n], float out[static const restrict 4]) {
    float s, q, l, h;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) UPDATE(&s, a[i], add);
    out[0]=s;
    INIT(&q, zero);
    for (int i = 0; i < n; i++) UPDATE(&q, a[i]*a[i], add);
    out[1]=q;
    INIT(&l, big);
    for (int i = 0; i < n; i++)UPDATE(&l, a[i], mn);
    out[2]=l;
    INIT(&h, small);
    for (int i = 0; i < n; i++) UPDATE(&h, a[i], mx);
    out[3]=h;
}
""",
    "[i R]{S5,S8,S11,S14}; M0; M1; M2; M3; S6; S9; S12; S15",
)

PROGRAMS["rowsum"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], float r[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        INIT(&r[i], zero);
        for (int j = 0; j < m; j++) UPDATE(&r[i], a[i][j], add);
    }
}
""",
    "[i P]{ [j R]{S1}; M0 }",
)

PROGRAMS["rowsumlocal"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], float r[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float s;
        INIT(&s, zero);
        for (int j = 0; j < m; j++) UPDATE(&s, a[i][j], add);
        r[i]=s/m;
    }
}
""",
    "[i P]{ [j R]{S2}; M0; S3 }",
)

PROGRAMS["colsum_ij"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], float r[static const restrict m]) {
    for (int j = 0; j < m; j++) INIT(&r[j], zero);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) UPDATE(&r[j], a[i][j], add);
}
""",
    "[j P]{ [i R]{S1}; M0 }",
)

PROGRAMS["colsum_ji"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], float r[static const restrict m]) {
    for (int j = 0; j < m; j++) {
        INIT(&r[j], zero);
        for (int i = 0; i < n; i++) UPDATE(&r[j], a[i][j], add);
    }
}
""",
    "[j P]{ [i R]{S1}; M0 }",
)

PROGRAMS["variance"] = (
    """
float f(int n, const float a[static const restrict n]) {
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) UPDATE(&s, a[i], add);
    float mean=s/n;
    float v;
    INIT(&v, zero);
    for (int i = 0; i < n; i++) UPDATE(&v, (a[i]-mean)*(a[i]-mean), add);
    return v/n;
}
""",
    "[i R]{S2}; M0; S4; [i R]{S7}; M1; S8",
)

PROGRAMS["srad"] = (
    """
void f(int niter, int nr, int nc, float im[static const restrict nr][nc],
        float c[static const restrict nr][nc], const int iN[static const restrict nr],
        const int iS[static const restrict nr], const int jW[static const restrict nc],
        const int jE[static const restrict nc], float dN[static const restrict nr][nc], float lambda) {
    for (int iter = 0; iter < niter; iter++) {
        float sum, sum2;
        INIT(&sum, zero);
        INIT(&sum2, zero);
        for (int i = 0; i < nr; i++) for (int j = 0; j < nc; j++) {
            UPDATE(&sum, im[i][j], add);
            UPDATE(&sum2, im[i][j]*im[i][j], add);
        }
        float mean=sum/(nr*nc);
        float var=sum2/(nr*nc)-mean*mean;
        float q0=var/(mean*mean);
        for (int i = 0; i < nr; i++) for (int j = 0; j < nc; j++) {
            float J=im[i][j];
            dN[i][j]=im[iN[i]][j]-J;
            float dS=im[iS[i]][j]-J;
            float g=dN[i][j]*dN[i][j]+dS*dS+im[i][jW[j]];
            float q=1/(1+(g-q0));
            if (q<0) q=0;
            else if (q>1) q=1;
            c[i][j]=q;
        }
        for (int i = 0; i < nr; i++) for (int j = 0; j < nc; j++) {
            float cS=c[iS[i]][j];
            float cE=c[i][jE[j]];
            im[i][j]=im[i][j]+lambda*(cS+cE*dN[i][j]);
        }
    }
}
""",
    "[iter s]{ [i,j R]{S4,S5}; M0; M1; S7; S9; S11; [i,j P]{S13,S14,S16,S18,S20,S21,S22}; [i,j P]{S24,S26,S27} }",
)

PROGRAMS["correlation"] = (
    """
void f(int n, int m, float d[static const restrict n][m], float corr[static const restrict m][m],
        float mean[static const restrict m], float sd[static const restrict m]) {
    for (int j = 0; j < m; j++) {
        INIT(&mean[j], zero);
        for (int i = 0; i < n; i++) UPDATE(&mean[j], d[i][j], add);
        mean[j]/=n;
    }
    for (int j = 0; j < m; j++) {
        INIT(&sd[j], zero);
        for (int i = 0; i < n; i++) UPDATE(&sd[j], (d[i][j]-mean[j])*(d[i][j]-mean[j]), add);
        sd[j]=sqrtf(sd[j]/n);
        sd[j]= sd[j]<=0.1f ? 1.0f : sd[j];
    }
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        d[i][j]-=mean[j];
        d[i][j]/=sd[j];
    }
    for (int i = 0; i < m-1; i++) {
        corr[i][i]=1.0f;
        for (int j = i+1; j < m; j++) {
            INIT(&corr[i][j], zero);
            for (int k = 0; k < n; k++) UPDATE(&corr[i][j], d[k][i]*d[k][j], add);
            corr[j][i]=corr[i][j];
        }
    }
    corr[m-1][m-1]=1.0f;
}
""",
    "[j P]{ [i R]{S1}; M0; S2; [i R]{S4}; M1; S5; S6; [i P]{S7,S8} }; [i P]{S9}; [i,j P]{ [k R]{S11}; M2; S12 }; S13",
)

PROGRAMS["cprod"] = (
    """
void f(int n, const struct cplx a[static const restrict n], float out[static const restrict 2]) {
    struct cplx p;
    INIT(&p, cone);
    for (int i = 0; i < n; i++) UPDATE(&p, a[i], cmul);
    out[0]=p.re;
    out[1]=p.im;
}
""",
    "[i R]{S2}; M0; S3; S4",
)

PROGRAMS["members"] = (
    """
void f(int n, const float a[static const restrict n], float out[static const restrict 2]) {
    struct cplx p;
    INIT(&p.re, small);
    INIT(&p.im, big);
    for (int i = 0; i < n; i++) {
        UPDATE(&p.re, a[i], mx);
        UPDATE(&p.im, a[i], mn);
    }
    out[0]=p.re;
    out[1]=p.im;
}
""",
    "[i R]{S3,S4}; M0; M1; S5; S6",
)

PROGRAMS["tri"] = (
    """
float f(int n, const float a[static const restrict n][n]) {
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) for (int j = i; j < n; j++) UPDATE(&s, a[i][j], add);
    return s;
}
""",
    "[i,j R]{S2}; M0; S3",
)

PROGRAMS["trirow"] = (
    """
void f(int n, const float a[static const restrict n][n], float r[static const restrict n]) {
    for (int i = n-1; i >= 0; i--) {
        INIT(&r[i], zero);
        for (int j = 0; j <= i; j+=2) UPDATE(&r[i], a[i][j], add);
    }
}
""",
    "[i P]{ [j R]{S1}; M0 }",
)

PROGRAMS["guard"] = (
    """
float f(int n, const float a[static const restrict n], const int k[static const restrict n]) {
    float s, t;
    INIT(&s, zero);
    INIT(&t, zero);
    for (int i = 0; i < n; i++) {
        if (i%3==1) UPDATE(&s, a[i], add);
        if (k[i]>0) UPDATE(&t, a[i], add);
    }
    return s+t;
}
""",
    "[i R]{S4,S5}; M0; M1; S6",
)

PROGRAMS["guardrow"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], const int k[static const restrict n],
        float r[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        if (k[i]) {
            INIT(&r[i], zero);
            for (int j = 0; j < m; j++) UPDATE(&r[i], a[i][j], add);
        }
    }
}
""",
    "[i P]{ [j R]{S1}; M0 }",
)

PROGRAMS["guardtwo"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], const int k[static const restrict n],
        float r[static const restrict n]) {
    for (int i = 0; i < n; i++) if (k[i]) INIT(&r[i], zero);
    for (int i = 0; i < n; i++) if (k[i]) for (int j = 0; j < m; j++) UPDATE(&r[i], a[i][j], add);
}
""",
    "[i P]{ [j R]{S1}; M0 }",
)

PROGRAMS["matmul"] = (
    """
void f(int n, int m, int p, const float a[static const restrict n][p],
        const float b[static const restrict p][m], float c[static const restrict n][m]) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        INIT(&c[i][j], zero);
        for (int k = 0; k < p; k++) UPDATE(&c[i][j], a[i][k]*b[k][j], add);
    }
}
""",
    "[i,j P]{ [k R]{S1}; M0 }",
)

PROGRAMS["mm2"] = (
    """
void f(int n, const float a[static const restrict n][n], const float b[static const restrict n][n],
        float c[static const restrict n][n], float d[static const restrict n][n]) {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        INIT(&c[i][j], zero);
        for (int k = 0; k < n; k++) UPDATE(&c[i][j], a[i][k]*b[k][j], add);
    }
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        INIT(&d[i][j], zero);
        for (int k = 0; k < n; k++) UPDATE(&d[i][j], c[i][k]*b[k][j], add);
    }
}
""",
    "[i,j P]{ [k R]{S1}; M0 }; [i,j P]{ [k R]{S3}; M1 }",
)

PROGRAMS["jacobi"] = (
    """
void f(int t, int n, float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int k = 0; k < t; k++) {
        for (int i = 1; i < n-1; i++) b[i]=(a[i-1]+a[i]+a[i+1])/3;
        for (int i = 1; i < n-1; i++) a[i]=b[i];
    }
#pragma endscop
}
""",
    "[k s]{ [i P]{S0}; [i P]{S1} }",
)

PROGRAMS["seidel"] = (
    """
void f(int t, int n, float a[static const restrict n][n]) {
#pragma scop
    for (int k = 0; k < t; k++)
        for (int i = 1; i < n-1; i++)
            for (int j = 1; j < n-1; j++)
                a[i][j]=(a[i-1][j]+a[i][j-1]+a[i+1][j]+a[i][j+1])/4;
#pragma endscop
}
""",
    "[3k+i+j s]{ [k,i P]{S0} }",
)

PROGRAMS["hist"] = (
    """
void f(int n, int b, const int pix[static const restrict n], int h[static const restrict b],
        int o[static const restrict b]) {
    for (int k = 0; k < b; k++) INIT(&h[k], izero);
    for (int i = 0; i < n; i++) UPDATE(&h[pix[i]], 1, iadd);
    for (int k = 0; k < b; k++) o[k]=h[k]*2;
}
""",
    "[i R]{S1}; [k P]{M0,S2}",
)

PROGRAMS["softmax"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float mm, s;
        INIT(&mm, small);
        for (int j = 0; j < m; j++) UPDATE(&mm, a[i][j], mx);
        INIT(&s, zero);
        for (int j = 0; j < m; j++) UPDATE(&s, expf(a[i][j]-mm), add);
        for (int j = 0; j < m; j++) y[i][j]=expf(a[i][j]-mm)/s;
    }
}
""",
    "[i P]{ [j R]{S3}; M0; [j R]{S5}; M1; [j P]{S6} }",
)

PROGRAMS["softmax3"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], float y[static const restrict n][m],
        float mm[static const restrict n], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        INIT(&mm[i], small);
        for (int j = 0; j < m; j++) UPDATE(&mm[i], a[i][j], mx);
    }
    for (int i = 0; i < n; i++) {
        INIT(&s[i], zero);
        for (int j = 0; j < m; j++) UPDATE(&s[i], expf(a[i][j]-mm[i]), add);
    }
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i][j]=expf(a[i][j]-mm[i])/s[i];
}
""",
    "[i P]{ [j R]{S1}; M0; [j R]{S3}; M1; [j P]{S4} }",
)

PROGRAMS["spmv"] = (
    """
void f(int n, int z, const int p[static const restrict n+1], const int c[static const restrict z],
        const float v[static const restrict z], const float x[static const restrict n],
        float y[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float s;
        INIT(&s, zero);
        for (int k = p[i]; k < p[i+1]; k++) UPDATE(&s, v[k]*x[c[k]], add);
        y[i]=s;
    }
}
""",
    "[i P]{ [k R]{S2}; M0; S3 }",
)

PROGRAMS["producer"] = (
    """
float f(int n, const float a[static const restrict n]) {
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) {
        const float t=a[i]*2;
        float u=t*t;
        UPDATE(&s, t+u, add);
    }
    return s;
}
""",
    "[i R]{S3,S5,S6}; M0; S7",
)

PROGRAMS["producer2"] = (
    """
float f(int n, const float a[static const restrict n], float t[static const restrict n]) {
    float s;
    for (int i = 0; i < n; i++) t[i]=a[i]*2;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) UPDATE(&s, t[i], add);
    for (int i = 0; i < n; i++) t[i]=t[i]/s;
    return s;
}
""",
    "[i R]{S1,S3}; M0; [i P]{S4}; S5",
)

PROGRAMS["half"] = (
    """
float f(int n, const float a[static const restrict n]) {
    const int h=n/2;
    float s;
    INIT(&s, zero);
    for (int i = 0; i < h; i++) UPDATE(&s, a[i+h], add);
    return s;
}
""",
    "S1; [i R]{S4}; M0; S5",
)

PROGRAMS["convolve"] = (
    """
void f(int n, int m, int k, const float a[static const restrict n][m],
        const float w[static const restrict k][k], float o[static const restrict n][m]) {
    __pencil_assume(k<=9 && k>=1);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        float s;
        INIT(&s, zero);
        for (int p = 0; p < k; p++) for (int q = 0; q < k; q++) UPDATE(&s, a[clamp(i+p-k/2, 0,
        n-1)][clamp(j+q-k/2, 0, m-1)]*w[p][q], add);
        o[i][j]=s;
    }
}
""",
    "[i,j P]{ [p,q R]{S2}; M0; S3 }",
)

PROGRAMS["timesum"] = (
    """
void f(int n, int t, float a[static const restrict n], float o[static const restrict t]) {
    float s;
    for (int k = 0; k < t; k++) {
        INIT(&s, zero);
        for (int i = 0; i < n; i++) UPDATE(&s, a[i], add);
        o[k]=s;
        for (int i = 0; i < n; i++) a[i]=a[i]/s;
    }
}
""",
    "[k s]{ [i R]{S2}; M0; S3; [i P]{S4} }",
)

PROGRAMS["diag"] = (
    """
void f(int n, float a[static const restrict n][n]) {
#pragma scop
    for (int i = 1; i < n; i++) for (int j = 0; j < n-1; j++) a[i][j]=a[i-1][j+1]*2;
#pragma endscop
}
""",
    "[i+j P]{ [i s]{S0} }",
)

PROGRAMS["shiftacc"] = (
    """
void f(int n, const float a[static const restrict n], float c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n-1; i++) {
        float x=a[i]*2;
        c[i+1]=c[i]*x;
    }
#pragma endscop
}
""",
    "[i s]{S1,S2}",
)

PROGRAMS["unsignedn"] = (
    """
float f(unsigned n, const float a[static const restrict n]) {
    float s;
    INIT(&s, zero);
    for (unsigned i = 0; i < n; i++) UPDATE(&s, a[i], add);
    return s;
}
""",
    "[i R]{S2}; M0; S3",
)

PROGRAMS["histogram_in_time"] = (
    """
void f(int t, int n, int b, const int p[static const restrict t][n], int h[static const restrict b],
       int o[static const restrict t][b]) {
    for (int k = 0; k < t; k++) {
        for (int j = 0; j < b; j++) INIT(&h[j], izero);
        for (int i = 0; i < n; i++) UPDATE(&h[p[k][i]], 1, iadd);
        for (int j = 0; j < b; j++) o[k][j] = h[j];
    }
}
""",
    "[k s]{ [i R]{S1}; [j P]{M0,S2} }",
)

PROGRAMS["guarded_row_with_local"] = (
    """
void f(int n, int m, const float a[static const restrict n][m], const int k[static const restrict n],
       float o[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        if (k[i] > 0) {
            float s;
            INIT(&s, zero);
            for (int j = 0; j < m; j++) UPDATE(&s, a[i][j], add);
            o[i] = s;
        } else o[i] = 0;
    }
}
""",
    "[i P]{ [j R]{S2}; M0; S3; S4 }",
)

PROGRAMS["nested_reductions"] = (
    """
float f(int n, int m, const float a[static const restrict n][m]) {
    float t;
    INIT(&t, zero);
    for (int i = 0; i < n; i++) {
        float s;
        INIT(&s, zero);
        for (int j = 0; j < m; j++) UPDATE(&s, a[i][j], add);
        UPDATE(&t, s * s, add);
    }
    return t;
}
""",
    "[i R]{ [j R]{S4}; M1; S5 }; M0; S6",
)

_CONSTANT_INITS = "".join(
    f"INIT(&sums[{k}], zero); for (int i = 0; i < n; i++) UPDATE(&sums[{k}], a[i] * {k}.0f, add);" for k in range(32)
)
_CONSTANT_UPDATES = "".join(f"UPDATE(&sums[{k}], a[i] * {k}.0f, add);" for k in range(32))
_SUMS = "void f(int n, const float a[static const restrict n], float sums[static const restrict 32])"

PROGRAMS["sums32"] = (
    f"{_SUMS} {{ {_CONSTANT_INITS} }}",
    f"[i R]{{{','.join(f'S{2 * k + 1}' for k in range(32))}}}; {'; '.join(f'M{k}' for k in range(32))}",
)

PROGRAMS["sums32_one_loop"] = (
    f"{_SUMS} {{ for (int k = 0; k < 32; k++) INIT(&sums[k], zero);"
    f" for (int i = 0; i < n; i++) {{ {_CONSTANT_UPDATES} }} }}",
    # The loop of the inits is unrolled: an accumulator for each element, whichever way they are initialised.
    f"[i R]{{{','.join(f'S{k + 32}' for k in range(32))}}}; {'; '.join(f'M{k}' for k in range(32))}",
)

PROGRAMS["gauss_seidel"] = (
    """
void f(int n, float a[static const restrict n][n]) {
#pragma scop
    for (int t = 0; t < n; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j];
#pragma endscop
}""",
    "[3t+i+j s]{ [t,i P]{S0} }",
)
PROGRAMS["common_subsequence"] = (
    """
void f(int n, const int x[static const restrict n], const int y[static const restrict n],
       int l[static const restrict n + 1][n + 1]) {
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            l[i][j] = x[i - 1] == y[j - 1] ? l[i - 1][j - 1] + 1 : max(l[i - 1][j], l[i][j - 1]);
#pragma endscop
}""",
    "[i+j s]{ [i P]{S0} }",
)
PROGRAMS["factors"] = (
    """
void f(int n, float a[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] -= a[i][k] * a[k][j];
    }
#pragma endscop
}""",
    "[k s]{ [i P]{ S1; [j P]{S0}; [j P]{S2} } }",
)
# What is handed on goes along with what it is used for, in a front.
PROGRAMS["handed_on_in_a_front"] = (
    """
void f(int n, int m, int h, const double D[static const restrict m][n], double E[static const restrict m][n],
       double s[static const restrict 1]) {
    double t = 3;
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < h; k++) {
                t = D[i][j] * 0.5 + k;
                E[i][j] = E[i][j] * 0.25 + t;
            }
        }
    s[0] = t;
#pragma endscop
}""",
    "S1; [i+k s]{ [i P]{ [j s]{S3,S4,S5} } }; S6",
)
PROGRAMS["factors_with_locals"] = (
    """
void f(int n, float a[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            float w = a[i][j];
            for (int k = 0; k < j; k++)
                w -= a[i][k] * a[k][j];
            a[i][j] = w / a[j][j];
        }
        for (int j = i; j < n; j++) {
            float w = a[i][j];
            for (int k = 0; k < i; k++)
                w -= a[i][k] * a[k][j];
            a[i][j] = w;
        }
    }
#pragma endscop
}""",
    "[i,j P]{S1}; [i,j P]{S5}; [k s]{ [j P]{S7}; [i P]{ S3; [j P]{S2}; [j P]{S6} } }",
)
PROGRAMS["diagonals"] = (
    """
void f(int n, const float x[static const restrict n], const float y[static const restrict n],
       float c[static const restrict 2 * n]) {
    for (int k = 0; k < 2 * n - 1; k++) INIT(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            UPDATE(&c[i - j + n - 1], x[i] * y[j], add);
}""",
    "[-1+n+i-j P]{ [i R]{S1}; M0 }",
)

SCAN = """
void f(int n, const float a[static const restrict n], float o[static const restrict n])
{
    float s;
    INIT(&s, zero);
    for (int i = 0; i < n; i++) {
        UPDATE(&s, a[i], add);
        o[i] = s;
    }
}
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_schedule_line(name: str) -> None:
    source, expected = PROGRAMS[name]
    scheduled = scheduled_of(source)
    assert schedule_line(scheduled) == expected
    assert scheduled.fallback == ""


def test_scan_is_refused() -> None:
    with pytest.raises(SourceErrors) as caught:
        scheduled_of(SCAN)
    assert [d.code for d in caught.value.diagnostics] == ["PC0205"]
