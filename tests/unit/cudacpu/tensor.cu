// Asynchronous copies and fragments of tensor cores: argv[1] names a kernel, argv[2] is 0 for the form with a defect and 1
// for the right one. The marker `// defect: WORD` stands on the line that the message must name, with what it must say.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
namespace wmma = nvcuda::wmma;
typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> Rows;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> Columns;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sums;

// A thread reads what it has copied itself.
template <bool RIGHT> __global__ void not_waited_for(const int *x, int *o) {
  __shared__ __align__(16) int s[64 * 4];
  __pipeline_memcpy_async(&s[threadIdx.x * 4], &x[threadIdx.x * 4], 16);
  __pipeline_commit();
  if (RIGHT) __pipeline_wait_prior(0);
  o[threadIdx.x] = s[threadIdx.x * 4];  // defect: before the asynchronous copy issued at
}
template <bool RIGHT> __global__ void not_committed(const int *x, int *o) {
  __shared__ __align__(16) int s[64 * 4];
  __pipeline_memcpy_async(&s[threadIdx.x * 4], &x[threadIdx.x * 4], 16);
  if (RIGHT) __pipeline_commit();
  __pipeline_wait_prior(0);
  o[threadIdx.x] = s[threadIdx.x * 4];  // defect: before the asynchronous copy issued at
}
template <bool RIGHT> __global__ void one_group_too_few(const int *x, int *o) {
  __shared__ __align__(16) int s[2][64];
  for (int k = 0; k < 2; k++) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &x[k * 64 + threadIdx.x], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  o[threadIdx.x] = s[RIGHT ? 0 : 1][threadIdx.x];  // defect: before the asynchronous copy issued at
}
// A thread has waited for its own copies, and reads that of another one.
template <bool RIGHT> __global__ void no_barrier(const int *x, int *o) {
  __shared__ __align__(16) int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (RIGHT) __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];  // defect: race|uninitialised
}
// The barrier stands before the wait, so that it orders nothing.
template <bool RIGHT> __global__ void barrier_before_the_wait(const int *x, int *o) {
  __shared__ __align__(16) int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  if (!RIGHT) __syncthreads();
  __pipeline_wait_prior(0);
  if (RIGHT) __syncthreads();
  o[threadIdx.x] = s[63 - threadIdx.x];  // defect: race|before the asynchronous copy
}
template <bool RIGHT> __global__ void overwritten_while_read(const int *x, int *o) {
  __shared__ __align__(16) int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int sum = s[63 - threadIdx.x];  // defect: race
  if (RIGHT) __syncthreads();
  __pipeline_memcpy_async(&s[threadIdx.x], &x[64 + threadIdx.x], 4);  // defect: race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  o[threadIdx.x] = sum + s[threadIdx.x];
}
template <bool RIGHT> __global__ void written_under_way(const int *x, int *o) {
  __shared__ __align__(16) int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);  // defect: was written while
  __pipeline_commit();
  if (!RIGHT) s[threadIdx.x] = 0;
  __pipeline_wait_prior(0);
  o[threadIdx.x] = s[threadIdx.x];
}
template <bool RIGHT> __global__ void unaligned(const int *x, int *o) {
  __shared__ __align__(16) int s[64 * 4];
  __pipeline_memcpy_async(&s[threadIdx.x * 4], &x[threadIdx.x * 4 + (RIGHT ? 0 : 1)], 16);  // defect: aligned
  __pipeline_commit();
  __pipeline_wait_prior(0);
  o[threadIdx.x] = s[threadIdx.x * 4];
}

__device__ void fetched(__half (&s)[2][256], const int *x) {
  for (int k = threadIdx.x; k < 512; k += 64) s[k / 256][k % 256] = __float2half((float)(x[k] % 5));
  __syncthreads();
}
template <bool RIGHT> __global__ void part_of_a_warp(const int *x, int *o) {
  __shared__ __align__(32) __half s[2][256];
  __shared__ __align__(32) float c[2][256];
  fetched(s, x);
  Rows a; Columns b; Sums sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, s[0], 16);
  wmma::load_matrix_sync(b, s[1], 16);
  if (RIGHT || threadIdx.x % 32 < 16) wmma::mma_sync(sum, a, b, sum);  // defect: diverge|part of a warp
  wmma::store_matrix_sync(c[threadIdx.x / 32], sum, 16, wmma::mem_row_major);
  __syncthreads();
  o[threadIdx.x] = (int)c[threadIdx.x / 32][threadIdx.x % 32];
}
template <bool RIGHT> __global__ void returned_lanes(const int *x, int *o) {
  __shared__ __align__(32) __half s[2][256];
  fetched(s, x);
  if (!RIGHT && threadIdx.x % 32 > 29) return;
  Rows a;
  wmma::load_matrix_sync(a, s[0], 16);  // defect: part of a warp
  o[threadIdx.x] = 1;
}
template <bool RIGHT> __global__ void lanes_that_differ(const int *x, int *o) {
  __shared__ __align__(32) __half s[2][256];
  fetched(s, x);
  Rows a;
  wmma::load_matrix_sync(a, s[RIGHT ? 0 : threadIdx.x % 2], 16);  // defect: differ
  o[threadIdx.x] = 1;
}
template <bool RIGHT> __global__ void never_filled(const int *x, int *o) {
  __shared__ __align__(32) __half s[2][256];
  fetched(s, x);
  Rows a; Columns b; Sums sum;
  if (RIGHT) wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, s[0], 16);
  wmma::load_matrix_sync(b, s[1], 16);
  wmma::mma_sync(sum, a, b, sum);  // defect: nothing was put into
  o[threadIdx.x] = 1;
}
template <bool RIGHT> __global__ void address_of_a_fragment(const int *x, int *o) {
  __shared__ __align__(32) __half s[2][256];
  fetched(s, x);
  Rows a;
  wmma::load_matrix_sync(a, s[0] + (RIGHT ? 0 : 8), 16);  // defect: multiple of 32
  o[threadIdx.x] = 1;
}
template <bool RIGHT> __global__ void loaded_before_the_barrier(const int *x, int *o) {
  __shared__ __align__(32) __half s[2][256];
  for (int k = threadIdx.x; k < 512; k += 64) s[k / 256][k % 256] = __float2half((float)(x[k] % 5));
  if (RIGHT) __syncthreads();
  Rows a;
  wmma::load_matrix_sync(a, s[0], 16);  // defect: race|uninitialised
  o[threadIdx.x] = 1;
}
// Every product of the two kinds of layouts, against the sums in order.
template <bool RIGHT> __global__ void layouts(const int *x, int *o) {
  __shared__ __align__(32) __half s[2][256];
  __shared__ __align__(32) float c[256];
  fetched(s, x);
  if (threadIdx.x < 32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    Sums sum;
    wmma::fill_fragment(sum, 1.0f);
    wmma::load_matrix_sync(a, s[0], 16);
    wmma::load_matrix_sync(b, s[1], 16);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
  }
  __syncthreads();
  int wrong = 0;
  for (int k = threadIdx.x; k < 256; k += 64) {
    float wanted = 1;
    for (int d = 0; d < 16; d++) wanted += __half2float(s[0][d * 16 + k / 16]) * __half2float(s[1][d * 16 + k % 16]);
    wrong += c[k] != wanted;
  }
  o[threadIdx.x] = wrong;
  if (wrong || !RIGHT) __trap();  // defect: __trap
}

#define CASES(M) \
  M(not_waited_for) M(not_committed) M(one_group_too_few) M(no_barrier) M(barrier_before_the_wait) M(overwritten_while_read) \
  M(written_under_way) M(unaligned) M(part_of_a_warp) M(returned_lanes) M(lanes_that_differ) M(never_filled) \
  M(address_of_a_fragment) M(loaded_before_the_barrier) M(layouts)

int main(int, char **argv) {
  int h[1024], *x, *o;
  for (int k = 0; k < 1024; k++) h[k] = k * 7 % 11;
  cudaMalloc((void **)&x, sizeof h);
  cudaMalloc((void **)&o, 64 * sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  void (*kernel)(const int *, int *) = nullptr;
#define CHOOSE(NAME) if (!strcmp(argv[1], #NAME)) kernel = atoi(argv[2]) ? NAME<true> : NAME<false>;
  CASES(CHOOSE)
  kernel<<<1, 64>>>(x, o);
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(x);
  cudaFree(o);
  return failed;
}
