// sizes: count=0,1,33,5000
// Names that the templates, C++ or CUDA use are ordinary names in C.
#include <pencil.h>
typedef struct { float new; int class; } float3;
static void start(float3 *threadIdx) { threadIdx->new = 0; threadIdx->class = 0; }
static float3 template(float3 and, float3 or) {
    float3 not = {and.new + or.new, and.class + or.class};
    return not;
}
static float3 element(float x, int k) { float3 r = {x, k % 3}; return r; }

float3 stream(int count, const float acc[static const restrict count], float result[static const restrict 1]) {
    float3 total;
    __pencil_reduction_var_init(&total, start);
    for (int x = 0; x < count; x++)
        __pencil_reduction(&total, element(acc[x], x), template);
    result[0] = total.new;
    return total;
}

void partials(int count, int rows, const float column[static const restrict count][rows],
              float step[static const restrict rows]) {
    for (int block = 0; block < rows; block++) {
        float3 lane;
        __pencil_reduction_var_init(&lane, start);
        for (int at = 0; at < count; at++)
            __pencil_reduction(&lane, element(column[at][block], at), template);
        step[block] = lane.new + lane.class;
    }
}

// A tag is a name of its own kind in C: functions, parameters and other structs may have it too.
struct planet { double x, m; };
struct best { float v; int i; };
static void none(struct best *b) { b->v = 1e30f; b->i = -1; }
static struct best best(struct best a, struct best b) { return b.v < a.v ? b : a; }

struct best least(int count, const struct planet planet[static const restrict count]) {
    struct best first;
    __pencil_reduction_var_init(&first, none);
    for (int x = 0; x < count; x++) {
        struct best here = {planet[x].x, x};
        __pencil_reduction(&first, here, best);
    }
    return first;
}

void masses(int count, struct planet planet[static const restrict count]) {
#pragma scop
    for (int x = 0; x < count; x++) { struct t { double a; } t = {planet[x].x}; planet[x].m = t.a * 2; }
    for (int x = 0; x < count; x++) { struct t { int a, b; } u = {x, 3}; planet[x].m += u.a * u.b; }
#pragma endscop
}

// Names of the C library and of CUDA's headers as those of functions; constants in extents alone.
enum { COLUMNS = 3 };
static const int MORE = 2;
struct gamma { float half; };
void gamma(int count, struct gamma div[static const restrict count][MORE + COLUMNS]) {
#pragma scop
    for (int x = 0; x < count; x++)
        div[x][1].half *= 2;
#pragma endscop
}
