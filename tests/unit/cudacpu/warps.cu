// What orders the lanes of a warp, and what does not: argv[1] names a kernel, argv[2] is 0 for the form with a race and 1
// for the ordered one. The marker `// race` stands on the lines one of which the message must name.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
namespace cg = cooperative_groups;
struct Three { double a, b, c; };
__device__ double total(Three v) { return v.a + v.b + v.c; }
__device__ __noinline__ double total_apart(Three v) { return v.a + v.b + v.c; }

// The lane that has the sum of a row reads what another lane has stored in it.
template <bool ORDERED> __global__ void row_tail(int *x, Three *, int *o) {
  x[threadIdx.x] = 2 * threadIdx.x;
  int sum = x[threadIdx.x];
  if (ORDERED) __syncwarp();
  for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) o[0] = sum + x[16];  // race
}
template <bool ORDERED> __global__ void row_tail_in_shared_memory(int *, Three *, int *o) {
  __shared__ int row[32];
  row[threadIdx.x] = threadIdx.x;
  if (ORDERED) __syncwarp();
  __any_sync(~0u, row[threadIdx.x] > 3);
  if (threadIdx.x == 31) o[0] = row[0];  // race
}
// A lane overwrites what the others may still read.
template <bool ORDERED> __global__ void overwritten_after_shuffle(int *x, Three *, int *o) {
  int v = x[0];
  o[threadIdx.x] = __shfl_sync(~0u, v, 3);
  if (ORDERED) __syncwarp();
  if (threadIdx.x == 3) x[0] = v + 1;  // race
}
// The lanes below 16 read too, and the mask leaves them out.
template <bool ORDERED> __global__ void mask_of_the_upper_half(int *x, Three *, int *o) {
  o[threadIdx.x] = x[0];  // race
  if (threadIdx.x >= 16 || ORDERED) __syncwarp(ORDERED ? ~0u : 0xffff0000u);
  if (threadIdx.x == 31) x[0] = 1;  // race
}
template <bool ORDERED> __global__ void mask_of_the_lower_half(int *x, Three *, int *o) {
  o[threadIdx.x] = x[0];  // race
  if (threadIdx.x < 16 || ORDERED) __syncwarp(ORDERED ? ~0u : 0xffffu);
  if (threadIdx.x == 0) x[0] = 1;  // race
}
template <bool ORDERED> __global__ void tile_of_sixteen(int *x, Three *, int *o) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  x[threadIdx.x] = threadIdx.x;
  tile.sync();
  o[threadIdx.x] = x[threadIdx.x ^ (ORDERED ? 8 : 16)];  // race
}
// Structs that are passed by value: the call copies them.
template <bool ORDERED> __global__ void struct_argument(int *, Three *t, int *o) {
  t[threadIdx.x].a = 1;  // race
  if (ORDERED) __syncwarp();
  o[threadIdx.x] = (int)total(t[threadIdx.x ^ 1]);  // race
}
template <bool ORDERED> __global__ void struct_argument_of_a_call(int *, Three *t, int *o) {
  t[threadIdx.x].a = 1;  // race
  if (ORDERED) __syncwarp();
  o[threadIdx.x] = (int)total_apart(t[threadIdx.x ^ 1]);  // race
}
template <bool ORDERED> __global__ void struct_argument_of_a_lambda(int *, Three *t, int *o) {
  const auto add = [&](Three v, double &acc) { acc += v.a + v.b * v.c; };
  t[threadIdx.x].a = 1;  // race
  if (ORDERED) __syncwarp();
  double acc = 0;
  for (int k = 0; k < 4; k++) add(t[threadIdx.x ^ k], acc);  // race
  add(t[threadIdx.x ^ 5], acc);
  o[threadIdx.x] = (int)acc;
}
// Another block reads; many reads of the writer's own block, which a barrier orders, come after it.
template <bool ORDERED> __global__ void another_block_reads(int *x, Three *, int *o) {
  int v = ORDERED && blockIdx.x ? 0 : x[0];  // race
  __syncthreads();
  if (blockIdx.x == 0) v += x[0];
  o[blockIdx.x * blockDim.x + threadIdx.x] = v;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) x[0] = 1;  // race
}
// An atomic of one lane is ordered with a read, that of another is not.
template <bool ORDERED> __global__ void atomics_behind_a_read(int *x, Three *, int *o) {
  if (threadIdx.x == 0) o[0] = x[0];  // race
  if (threadIdx.x < 2 || ORDERED) __syncwarp(ORDERED ? ~0u : 3u);
  if (threadIdx.x > 0) atomicAdd(x, 1);  // race
}

using Kernel = void (*)(int *, Three *, int *);
struct Entry { const char *name; Kernel form[2]; unsigned blocks; };
static const Entry entries[] = {
    {"row_tail", {row_tail<false>, row_tail<true>}, 1},
    {"row_tail_in_shared_memory", {row_tail_in_shared_memory<false>, row_tail_in_shared_memory<true>}, 1},
    {"overwritten_after_shuffle", {overwritten_after_shuffle<false>, overwritten_after_shuffle<true>}, 1},
    {"mask_of_the_upper_half", {mask_of_the_upper_half<false>, mask_of_the_upper_half<true>}, 1},
    {"mask_of_the_lower_half", {mask_of_the_lower_half<false>, mask_of_the_lower_half<true>}, 1},
    {"tile_of_sixteen", {tile_of_sixteen<false>, tile_of_sixteen<true>}, 1},
    {"struct_argument", {struct_argument<false>, struct_argument<true>}, 1},
    {"struct_argument_of_a_call", {struct_argument_of_a_call<false>, struct_argument_of_a_call<true>}, 1},
    {"struct_argument_of_a_lambda", {struct_argument_of_a_lambda<false>, struct_argument_of_a_lambda<true>}, 1},
    {"another_block_reads", {another_block_reads<false>, another_block_reads<true>}, 3},
    {"atomics_behind_a_read", {atomics_behind_a_read<false>, atomics_behind_a_read<true>}, 1},
};

int main(int, char **argv) {
  int *x, *o;
  Three *t;
  cudaMalloc(&x, 128 * sizeof *x);
  cudaMalloc(&o, 128 * sizeof *o);
  cudaMalloc(&t, 128 * sizeof *t);
  cudaMemset(x, 0, 128 * sizeof *x);
  cudaMemset(t, 0, 128 * sizeof *t);
  for (const Entry &e : entries) {
    if (strcmp(argv[1], e.name)) continue;
    Kernel kernel = e.form[atoi(argv[2])];
    kernel<<<e.blocks, 32>>>(x, t, o);
    cudaDeviceSynchronize();
  }
  cudaFree(x);
  cudaFree(o);
  cudaFree(t);
  return cudacpu_error_count();
}
