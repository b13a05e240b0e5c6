// sizes: blockDim=0,1,33,300
// Names that C++ or CUDA have taken: keywords, built-in variables, types and functions.
#include <pencil.h>

typedef struct { int private; float this; } class;
enum delete { and = 2, or, not };
static const int template = 4;
static const float atomicAdd[3] = {1, 2, 3};
static float rsqrtf(float throw) { return throw + 2; }
static float namespace(float typename, int using) { return typename * using; }
void f(int blockDim, class float4, const float new[static const restrict blockDim], float virtual[static const restrict blockDim]) {
#pragma scop
    float operator[3];
    for (int threadIdx = 0; threadIdx < blockDim; threadIdx++) {
        int gridDim = threadIdx % 3;
        float warpSize = new[threadIdx];
        virtual[threadIdx] = rsqrtf(warpSize) + namespace(atomicAdd[gridDim], template) + float4.private + float4.this + and + not;
    }
    for (int catch = 0; catch < 3; catch++) operator[catch] = catch;
    for (int catch = 0; catch < blockDim; catch++) virtual[catch] += operator[catch % 3];
#pragma endscop
}
