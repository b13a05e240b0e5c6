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

// What generated code has: rows of 8 x 8 matrices by ldmatrix, products by mma.
template <bool RIGHT> __global__ void rows_of_part_of_a_warp(const int *x, int *o) {
  __shared__ __align__(16) __half s[2][256];
  unsigned w[4] = {};
  fetched(s, x);
  const void *row = s[0] + threadIdx.x % 32 * 8;
  if (RIGHT || threadIdx.x % 32 < 16) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(__cvta_generic_to_shared(row)) : "memory");  // defect: diverge|part of a warp
  o[threadIdx.x] = (int)w[0];
}
template <bool RIGHT> __global__ void rows_not_aligned(const int *x, int *o) {
  __shared__ __align__(16) __half s[2][256];
  unsigned w[4] = {};
  fetched(s, x);
  const void *row = s[0] + threadIdx.x % 32 * (RIGHT ? 8 : 7);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(__cvta_generic_to_shared(row)) : "memory");  // defect: multiple of 16
  o[threadIdx.x] = (int)w[0];
}
template <bool RIGHT> __global__ void rows_of_global_memory(const int *x, int *o) {
  __shared__ __align__(16) __half s[2][256];
  unsigned w[4] = {};
  fetched(s, x);
  const void *row = RIGHT ? (const void *)(s[0] + threadIdx.x % 32 * 8) : x + threadIdx.x % 32 * 4;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(__cvta_generic_to_shared(row)) : "memory");  // defect: is none
  o[threadIdx.x] = (int)w[0];
}
template <bool RIGHT> __global__ void rows_before_the_barrier(const int *x, int *o) {
  __shared__ __align__(16) __half s[2][256];
  unsigned w[4] = {};
  for (int k = threadIdx.x; k < 512; k += 64) s[k / 256][k % 256] = __float2half((float)(x[k] % 5));
  if (RIGHT) __syncthreads();
  const void *row = s[0] + threadIdx.x % 32 * 8;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(__cvta_generic_to_shared(row)) : "memory");  // defect: race|uninitialised
  o[threadIdx.x] = (int)w[0];
}
// A product of 16 x 16 by 16 x 8 whose factors lie by rows and by columns; the sums begin with what nothing was put into.
template <bool RIGHT> __global__ void sums_of_nothing(const int *x, int *o) {
  __shared__ __align__(16) __half s[2][256];
  fetched(s, x);
  const int lane = threadIdx.x % 32, line = lane % 8 + lane / 8 % 2 * 8, along = lane / 16 * 8;
  float sums[4];
  if (RIGHT)
    for (float &each : sums) each = 1;
  const void *row = s[0] + line * 16 + along, *column = s[1] + line * 16 + along;
  unsigned a[4], b[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "l"(__cvta_generic_to_shared(row)) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]) : "l"(__cvta_generic_to_shared(column)) : "memory");
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  int wrong = 0;
  for (int k = 0; k < 4; k++) {
    float wanted = 1;
    for (int d = 0; d < 16; d++)
      wanted += __half2float(s[0][(lane / 4 + k / 2 * 8) * 16 + d]) * __half2float(s[1][d * 16 + lane % 4 * 2 + k % 2]);
    wrong += sums[k] != wanted;
  }
  o[threadIdx.x] = wrong;
  if (wrong) __trap();  // defect: __trap
}

#define CASES(M) \
  M(not_waited_for) M(not_committed) M(one_group_too_few) M(no_barrier) M(barrier_before_the_wait) M(overwritten_while_read) \
  M(written_under_way) M(unaligned) M(part_of_a_warp) M(returned_lanes) M(lanes_that_differ) M(never_filled) \
  M(address_of_a_fragment) M(loaded_before_the_barrier) M(layouts) \
  M(rows_of_part_of_a_warp) M(rows_not_aligned) M(rows_of_global_memory) M(rows_before_the_barrier) M(sums_of_nothing)

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
