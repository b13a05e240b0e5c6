// Operators and inits that break the laws of a reduction, and correct ones that must draw nothing.
#include <float.h>
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0; }
static void one(int *v) { *v = 1; }
static void izero(int *v) { *v = 0; }
static void least(float *v) { *v = FLT_MAX; }
static float sum(float a, float b) { return a + b; }
static float average(float a, float b) { return (a + b) / 2; }
static int minus(int a, int b) { return a - b; }
static int both(int a, int b) { return a && b; }
static float smaller(float a, float b) { return fminf(a, b); }
static float last(float a, float b) { return b != 0 ? b : a; }
static void ten(float *v) { *v = 10; }
static float odd(float a, float b) { return a * b + a + b; }

float broken(int n, const float a[static const restrict n], const int k[static const restrict n],
             int out[static const restrict 2])
{
    float s, t;
    int d;
    __pencil_reduction_var_init(&s, ten); // warning[PC0208]: 
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], sum);
    __pencil_reduction_var_init(&t, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&t, a[i], average); // error[PC0208]: `average` is not associative, and `zero` is not an identity
    __pencil_reduction_var_init(&d, izero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&d, k[i], minus); // error[PC0208]: `minus` is not commutative, and `izero` is not an identity
    float u;
    __pencil_reduction_var_init(&u, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&u, a[i], last); // warning[PC0209]: operator `last` is not commutative
    out[0] = d;
    out[1] = u;
    return s + t;
}

// Welford's mean and variance.
typedef struct { float count, mean, m2; } Moments;
static void no_moments(Moments *m) { m->count = 0; m->mean = 0; m->m2 = 0; }
static Moments join(Moments a, Moments b)
{
    Moments r;
    r.count = a.count + b.count;
    if (r.count == 0) {
        r.mean = 0;
        r.m2 = 0;
        return r;
    }
    float delta = b.mean - a.mean;
    r.mean = a.mean + delta * b.count / r.count;
    r.m2 = a.m2 + b.m2 + delta * delta * a.count * b.count / r.count;
    return r;
}
static Moments single(float x) { Moments m = {1, x, 0}; return m; }

// The logarithm of a sum of exponentials.
typedef struct { float largest, sum; } LogSum;
static void no_logsum(LogSum *l) { l->largest = -FLT_MAX; l->sum = 0; }
static LogSum add_logs(LogSum a, LogSum b)
{
    LogSum r;
    r.largest = a.largest > b.largest ? a.largest : b.largest;
    r.sum = a.sum * expf(a.largest - r.largest) + b.sum * expf(b.largest - r.largest);
    return r;
}
static LogSum one_log(float x) { LogSum l = {x, 1}; return l; }

// The ten smallest, sorted.
typedef struct { float value[10]; } Ten;
static void no_ten(Ten *t) { for (int i = 0; i < 10; i++) t->value[i] = FLT_MAX; }
static Ten ten_of(float x)
{
    Ten t;
    t.value[0] = x;
    for (int i = 1; i < 10; i++)
        t.value[i] = FLT_MAX;
    return t;
}
static Ten merge(Ten a, Ten b)
{
    Ten r;
    int i = 0, j = 0;
    for (int k = 0; k < 10; k++) {
        if (a.value[i] <= b.value[j]) {
            r.value[k] = a.value[i];
            i++;
        } else {
            r.value[k] = b.value[j];
            j++;
        }
    }
    return r;
}

float right(int n, const float a[static const restrict n], const int k[static const restrict n],
            float out[static const restrict 4])
{
    float low;
    int all;
    Moments m;
    LogSum l;
    Ten t;
    __pencil_reduction_var_init(&low, least);
    __pencil_reduction_var_init(&all, one);
    __pencil_reduction_var_init(&m, no_moments);
    __pencil_reduction_var_init(&l, no_logsum);
    __pencil_reduction_var_init(&t, no_ten);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&low, a[i], smaller);
        __pencil_reduction(&all, k[i], both);
        __pencil_reduction(&m, single(a[i]), join);
        __pencil_reduction(&l, one_log(a[i]), add_logs);
        __pencil_reduction(&t, ten_of(a[i]), merge);
    }
    out[0] = m.m2;
    out[1] = l.sum;
    out[2] = t.value[9];
    return low + all;
}
