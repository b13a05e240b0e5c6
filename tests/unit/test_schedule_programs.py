"""The schedules of small programs in one line each, as reductions.md promises them.

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
    "[i R]{S5,S8,S11,S14}; M0; S6; M1; S9; M2; S12; M3; S15",
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
    "[j P]{ [i R]{S1}; M0; S2; [i R]{S4}; M1; S5; S6 }; [i,j P]{S7,S8}; [i P]{S9}; [i,j P]{ [k R]{S11}; M2; S12 }; S13",
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
