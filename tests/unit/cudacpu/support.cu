// What larger templates use: shared and block-wide atomics, dynamic shared memory beyond 48 KiB, aggregated atomics,
// grid barriers, tables in constant memory, small floats. Prints `wrong: LINE` for every value that is not as expected.
#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>
namespace cg = cooperative_groups;
#define EXPECT(x) do { if (!(x)) printf("wrong: line %d: %s\n", __LINE__, #x); } while (0)
constexpr int N = 10007, BINS = 16384;
__constant__ int table[64];
__constant__ float halves[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};

__global__ void histogram(const int *x, int n, unsigned *counts) {
  extern __shared__ unsigned own[];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    if (own[b]) atomicAdd(&counts[b], own[b]);
}
// One atomic for all lanes that meet and hold the same bin.
__global__ void aggregated(const int *x, int n, int *counts) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (x[i] % 3 == 0) continue;
    const unsigned active = __activemask(), peers = __match_any_sync(active, x[i]);
    if ((int)threadIdx.x % 32 == __ffs(peers) - 1) atomicAdd(&counts[x[i]], __popc(peers));
    __syncwarp(active);
  }
}
struct Results {
  int sum, least, most, exchanged, swapped;
  unsigned all, any, odd, wrapped;
  unsigned long long big, top;
  float f;
  double d;
};
__global__ void shared_atomics(Results *o) {
  __shared__ Results r;
  if (threadIdx.x == 0) r = Results{0, 1000, -1000, -1, -1, ~0u, 0, 0, 0, 0, 0, 0.0f, 0.0};
  __syncthreads();
  const int t = threadIdx.x;
  atomicAdd(&r.sum, t); atomicMin(&r.least, t - 5); atomicMax(&r.most, t); atomicExch(&r.exchanged, 3);
  atomicCAS(&r.swapped, -1, t); atomicAnd(&r.all, ~(1u << t % 8)); atomicOr(&r.any, 1u << t % 8);
  atomicXor(&r.odd, (unsigned)t); atomicInc(&r.wrapped, 6); atomicAdd(&r.big, 1ull << 33);
  atomicMax(&r.top, (unsigned long long)t << 40);
  atomicAdd(&r.f, 0.5f); atomicAdd(&r.d, 0.25);
  float *own = &r.f;  // a compare-and-swap loop, as user operators take
  int seen = __float_as_int(*(volatile float *)own), assumed;
  do {
    assumed = seen;
    seen = atomicCAS((int *)own, assumed, __float_as_int(__int_as_float(assumed) + 1.0f));
  } while (seen != assumed);
  __syncthreads();
  if (t == 0) *o = r;
}
__global__ void block_atomics(int *per_block) { atomicAdd_block(&per_block[blockIdx.x], 1); }
__global__ void two_phases(int *part, int *o) {
  cg::grid_group grid = cg::this_grid();
  part[grid.thread_rank()] = (int)grid.thread_rank();
  grid.sync();
  if (grid.thread_rank() == 0) {
    int total = 0;
    for (unsigned i = 0; i < grid.size(); i++) total += part[i];
    *o = total;
  }
}
__global__ void small_floats(const __half *h, const __nv_bfloat16 *b, __half *ho, __nv_bfloat16 *bo, float *fo) {
  __shared__ __half parts[32];
  const int t = threadIdx.x;
  __half acc = __ldg(h + t) + __float2half(1.0f);
  parts[t] = acc;
  __syncwarp();
  acc = __hmul(parts[31 - t], __int2half_rn(2));
  acc = __shfl_xor_sync(~0u, acc, 31);
  ho[t] = acc;
  __nv_bfloat16 c = b[t];
  c += __nv_bfloat16(0.5f);
  bo[t] = __hmax(c, __float2bfloat16(1.0f));
  const __half2 pair = ((const __half2 *)h)[t / 2];
  fo[t] = __half2float(h[t]) + (float)b[t] + __low2float(__hadd2(pair, pair));
  if (t == 0) atomicAdd(&ho[32], __half(0.0f));
}
__global__ void rounded(float *f, double *d) {
  f[0] = __fmaf_rn(f[0], f[0], -1.0f); f[1] = __fadd_rn(__fmul_rn(f[1], f[1]), -1.0f); f[2] = __fsub_rn(f[2], 1.0f);
  d[0] = __fma_rn(d[0], d[0], -1.0); d[1] = __dadd_rn(__dmul_rn(d[1], d[1]), -1.0); d[2] = __dsub_rn(d[2], 1.0);
}
__global__ void tables(int *o) { o[threadIdx.x] = table[threadIdx.x] + (int)halves[threadIdx.x / 32][threadIdx.x % 4]; }

static int *input() {
  static int host[N];
  int *x;
  for (int i = 0; i < N; i++) host[i] = i * 7 % 50;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  return x;
}
template <class T> static T *zeros(int count) {
  T *p;
  cudaMalloc(&p, count * sizeof(T));
  cudaMemset(p, 0, count * sizeof(T));
  return p;
}
template <class T> static T first(const T *device) {
  T value;
  EXPECT(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost) == 0);
  return value;
}
static void test_histograms() {
  int *x = input(), *c = zeros<int>(50);
  unsigned *counts = zeros<unsigned>(BINS);
  EXPECT(cudaFuncSetAttribute(histogram, cudaFuncAttributeMaxDynamicSharedMemorySize, BINS * 4) == 0);
  histogram<<<3, 64, BINS * 4>>>(x, N, counts);
  EXPECT(first(counts) == 201 && first(counts + 49) == 200 && first(counts + 50) == 0);
  aggregated<<<1, 128>>>(x, N, c);
  EXPECT(first(c + 1) == 200 && first(c + 3) == 0 && first(c + 49) == 200);
  cudaFree(x); cudaFree(c); cudaFree(counts);
}
static void test_atomics() {
  Results *o = zeros<Results>(1);
  shared_atomics<<<1, 64>>>(o);
  const Results r = first(o);
  EXPECT(r.sum == 2016 && r.least == -5 && r.most == 63 && r.exchanged == 3 && r.swapped >= 0 && r.swapped < 64);
  EXPECT(r.all == ~0xffu && r.any == 0xffu && r.odd == 0 && r.wrapped == 64 % 7 && r.big == 64ull << 33 && r.top == 63ull << 40);
  EXPECT(r.f == 96.0f && r.d == 16.0);
  int *own = zeros<int>(3);
  block_atomics<<<3, 64>>>(own);
  EXPECT(first(own) == 64 && first(own + 2) == 64);
  cudaFree(o); cudaFree(own);
}
// Threads that wait for a value, of which some count their rounds: each block waits for the one behind it.
__global__ void relay(int *turn, int *rounds) {
  if (threadIdx.x != 0) return;
  int patience = 100;
  while (__nv_atomic_load_n(&turn[1], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 0 && patience > 0) patience--;
  if (blockIdx.x == 0) rounds[0] = patience;
  const int after = (int)gridDim.x - 1 - (int)blockIdx.x;
  while (__nv_atomic_load_n(turn, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != after) {}
  rounds[1] = rounds[1] * 10 + blockIdx.x;
  __nv_atomic_fetch_add(turn, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
static void test_relay() {
  int *turn, *rounds, host[2] = {};
  cudaMalloc(&turn, sizeof host), cudaMalloc(&rounds, sizeof host);
  cudaMemset(turn, 0, sizeof host), cudaMemset(rounds, 0, sizeof host);
  void *values[] = {&turn, &rounds};
  cudaLaunchCooperativeKernel(relay, dim3(4), dim3(64), values);
  cudaMemcpy(host, rounds, sizeof host, cudaMemcpyDeviceToHost);
  EXPECT(host[0] == 0 && host[1] == 3210);
  cudaFree(turn), cudaFree(rounds);
}
static void test_cooperative() {
  int per_sm = 0, sms = 0, value = 0;
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, two_phases, 128, 0) == 0);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0);
  EXPECT(value == 1);
  int blocks = per_sm * sms, threads = blocks * 128, *part = zeros<int>(threads), *o = zeros<int>(1);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks); config.blockDim = dim3(128); config.attrs = &attribute; config.numAttrs = 1;
  EXPECT(cudaLaunchKernelEx(&config, two_phases, part, o) == 0);
  EXPECT(first(o) == (int)((long long)threads * (threads - 1) / 2));
  void *values[] = {&part, &o};
  EXPECT(cudaLaunchCooperativeKernel(two_phases, dim3(2), dim3(128), values, 0, 0) == 0);
  EXPECT(first(o) == 255 * 256 / 2);
  printf("cooperative %d\n", blocks);
  cudaFree(part); cudaFree(o);
}
static void test_small_floats() {
  __half h[33], ho[33], *dh = zeros<__half>(33), *dho = zeros<__half>(33);
  __nv_bfloat16 b[32], bo[32], *db = zeros<__nv_bfloat16>(32), *dbo = zeros<__nv_bfloat16>(32);
  float fo[32], *dfo = zeros<float>(32);
  for (int i = 0; i < 33; i++) h[i] = __half(i * 0.5f);
  for (int i = 0; i < 32; i++) b[i] = __float2bfloat16(i * 0.25f);
  cudaMemcpy(dh, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  small_floats<<<1, 32>>>(dh, db, dho, dbo, dfo);
  cudaMemcpy(ho, dho, sizeof ho, cudaMemcpyDeviceToHost);
  cudaMemcpy(bo, dbo, sizeof bo, cudaMemcpyDeviceToHost);
  EXPECT(cudaMemcpy(fo, dfo, sizeof fo, cudaMemcpyDeviceToHost) == 0);
  EXPECT(__half2float(ho[0]) == 2.0f && __half2float(ho[31]) == 33.0f && __half_as_ushort(ho[32]) == 0);
  EXPECT((float)bo[0] == 1.0f && (float)bo[31] == 8.25f && fo[31] == 15.5f + 7.75f + 30.0f);
  cudaFree(dh); cudaFree(dho); cudaFree(db); cudaFree(dbo); cudaFree(dfo);
}
static void test_rounding() {
  float f[3] = {1 + 0x1p-12f, 1 + 0x1p-12f, 1 + 0x1p-12f}, *df = zeros<float>(3);
  double d[3] = {1 + 0x1p-30, 1 + 0x1p-30, 1 + 0x1p-30}, *dd = zeros<double>(3);
  cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
  rounded<<<1, 1>>>(df, dd);
  EXPECT(first(df) == 0x1p-11f + 0x1p-24f && first(df + 1) == 0x1p-11f && first(df + 2) == 0x1p-12f);
  EXPECT(first(dd) == 0x1p-29 + 0x1p-60 && first(dd + 1) == 0x1p-29 && first(dd + 2) == 0x1p-30);
  cudaFree(df); cudaFree(dd);
}
static void test_constants() {
  int host[64], *o = zeros<int>(64);
  for (int i = 0; i < 64; i++) host[i] = i * i;
  cudaMemcpyToSymbol(table, host, sizeof host);
  tables<<<1, 64>>>(o);
  EXPECT(first(o + 63) == 63 * 63 + 8 && first(o + 1) == 1 + 2);
  cudaFree(o);
}
static void print_device() {
  int sms = 0, most = 0, shared = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  printf("device %d %d %d\n", sms, most, shared);
}
int main() {
  test_histograms(); test_atomics(); test_cooperative(); test_relay(); test_small_floats(); test_rounding(); test_constants(); print_device();
  return cudacpu_error_count();
}
