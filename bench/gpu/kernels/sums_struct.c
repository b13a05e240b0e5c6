// Sums of arrays of structs of 8, 12, 16 and 32 bytes with an operator on structs.
#include <pencil.h>

typedef struct {
    float a;
    float b;
} Struct8;

static void zero8(Struct8 *v) {
    v->a = 0.0f;
    v->b = 0.0f;
}

static Struct8 add8(Struct8 x, Struct8 y) {
    Struct8 s;
    s.a = x.a + y.a;
    s.b = x.b + y.b;
    return s;
}

Struct8 sum_struct8(int n, const Struct8 a[static const restrict n]) {
    Struct8 total;
    __pencil_reduction_var_init(&total, zero8);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add8);
    return total;
}

typedef struct {
    float a;
    float b;
    float c;
} Struct12;

static void zero12(Struct12 *v) {
    v->a = 0.0f;
    v->b = 0.0f;
    v->c = 0.0f;
}

static Struct12 add12(Struct12 x, Struct12 y) {
    Struct12 s;
    s.a = x.a + y.a;
    s.b = x.b + y.b;
    s.c = x.c + y.c;
    return s;
}

Struct12 sum_struct12(int n, const Struct12 a[static const restrict n]) {
    Struct12 total;
    __pencil_reduction_var_init(&total, zero12);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add12);
    return total;
}

typedef struct {
    float a;
    float b;
    float c;
    float d;
} Struct16;

static void zero16(Struct16 *v) {
    v->a = 0.0f;
    v->b = 0.0f;
    v->c = 0.0f;
    v->d = 0.0f;
}

static Struct16 add16(Struct16 x, Struct16 y) {
    Struct16 s;
    s.a = x.a + y.a;
    s.b = x.b + y.b;
    s.c = x.c + y.c;
    s.d = x.d + y.d;
    return s;
}

Struct16 sum_struct16(int n, const Struct16 a[static const restrict n]) {
    Struct16 total;
    __pencil_reduction_var_init(&total, zero16);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add16);
    return total;
}

typedef struct {
    float a;
    float b;
    float c;
    float d;
    float e;
    float f;
    float g;
    float h;
} Struct32;

static void zero32(Struct32 *v) {
    v->a = 0.0f;
    v->b = 0.0f;
    v->c = 0.0f;
    v->d = 0.0f;
    v->e = 0.0f;
    v->f = 0.0f;
    v->g = 0.0f;
    v->h = 0.0f;
}

static Struct32 add32(Struct32 x, Struct32 y) {
    Struct32 s;
    s.a = x.a + y.a;
    s.b = x.b + y.b;
    s.c = x.c + y.c;
    s.d = x.d + y.d;
    s.e = x.e + y.e;
    s.f = x.f + y.f;
    s.g = x.g + y.g;
    s.h = x.h + y.h;
    return s;
}

Struct32 sum_struct32(int n, const Struct32 a[static const restrict n]) {
    Struct32 total;
    __pencil_reduction_var_init(&total, zero32);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add32);
    return total;
}
