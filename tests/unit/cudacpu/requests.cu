// Kernels whose requests are known: `test_cudacpu_requests.py` counts them.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

extern "C" void cudacpu_count_traffic(int);
extern "C" const char *cudacpu_traffic();
extern "C" void cudacpu_name(void *, const char *);

struct Six { int at[6]; };

__global__ void contiguous(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }
__global__ void vectors(const float4 *a, float4 *b) { b[threadIdx.x] = a[threadIdx.x]; }
__global__ void off_by_one(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x + 1]; }
__global__ void strided(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x * 8]; }
__global__ void broadcast(const float *a, float *b) { b[threadIdx.x] = a[0]; }
__global__ void structs(const Six *a, Six *b) { b[threadIdx.x] = a[threadIdx.x]; }
// Lanes 8 to 31 leave the loop early; what the others go on to ask for is theirs alone.
__global__ void ends_early(const float *a, float *b) {
  float sum = 0;
  const int steps = threadIdx.x < 8 ? 4 : 1;
  for (int k = 0; k < steps; k++) sum += a[k * 32 + threadIdx.x];
  b[threadIdx.x] = sum;
}
// Lanes that come to the place before and behind a shuffle do so in two requests.
__global__ void met_between(const float *a, float *b) {
  float sum = 0;
  for (int k = 0; k < 2; k++) {
    if (threadIdx.x / 16 == k) sum += a[threadIdx.x];
    sum = __shfl_xor_sync(~0u, sum, 1);
  }
  b[threadIdx.x] = sum;
}
__global__ void banks(const float *a, float *b) {
  __shared__ float square[32][32], padded[32][33];
  square[threadIdx.x][0] = a[threadIdx.x];
  padded[threadIdx.x][0] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = square[threadIdx.x / 2][0] + padded[0][0];
}
__global__ void wide_banks(const float *a, float *b) {
  __shared__ float4 quads[64];
  __shared__ double pairs[64];
  quads[threadIdx.x] = make_float4(a[0], 0, 0, 0);
  quads[32 + threadIdx.x] = make_float4(0, 0, 0, 0);
  pairs[threadIdx.x] = pairs[threadIdx.x + 32] = 1;
  __syncthreads();
  b[threadIdx.x] = quads[threadIdx.x].x + (float)pairs[threadIdx.x * 2];
}
__global__ void counters(int *a) {
  atomicAdd(a + threadIdx.x % 2, 1);
  __syncwarp();
  const int sum = __ballot_sync(~0u, threadIdx.x & 1) + __reduce_add_sync(~0u, 1u);
  if (threadIdx.x % 32 == 0) a[8 + threadIdx.x / 32] = sum;
}
// Each of two blocks reads the same 32 values, twice.
__global__ void twice(const float *a, float *b) {
  float sum = 0;
  for (int k = 0; k < 2; k++) sum += a[threadIdx.x];
  b[blockIdx.x * 32 + threadIdx.x] = sum;
}

int main() {
  void *a, *b;
  cudaMalloc(&a, 8192);
  cudaMalloc(&b, 8192);
  cudaMemset(a, 0, 8192);
  cudacpu_name(a, "a");
  cudacpu_name(b, "b");
  cudacpu_count_traffic(1);
  contiguous<<<1, 64>>>((float *)a, (float *)b);
  vectors<<<1, 32>>>((float4 *)a, (float4 *)b);
  off_by_one<<<1, 32>>>((float *)a, (float *)b);
  strided<<<1, 32>>>((float *)a, (float *)b);
  broadcast<<<1, 32>>>((float *)a, (float *)b);
  structs<<<1, 32>>>((Six *)a, (Six *)b);
  ends_early<<<1, 32>>>((float *)a, (float *)b);
  met_between<<<1, 32>>>((float *)a, (float *)b);
  banks<<<1, 32>>>((float *)a, (float *)b);
  wide_banks<<<1, 32>>>((float *)a, (float *)b);
  counters<<<1, 64>>>((int *)a);
  twice<<<2, 32>>>((float *)a, (float *)b);
  cudaError_t error = cudaDeviceSynchronize();
  cudacpu_count_traffic(0);
  printf("%s", cudacpu_traffic());
  cudaFree(a);
  cudaFree(b);
  return error != cudaSuccess;
}
