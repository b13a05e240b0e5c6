// Exercises what generated code uses. Prints `wrong: LINE` for every value that is not as expected.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <functional>
#include <thread>
#define EXPECT(x) do { if (!(x)) printf("wrong: line %d: %s\n", __LINE__, #x); } while (0)
__constant__ float scale[2] = {2.0f, 3.0f};
__device__ int counters[8];
struct Doubled {
  int value;
  __device__ int operator[](int k) const { return value * k; }
};
struct __align__(16) Wide { unsigned long long a, b; };

template <int WIDTH> __global__ void __launch_bounds__(256) warps(unsigned *o) {
  unsigned lane = threadIdx.x % 32;
  unsigned *r = o + threadIdx.x * 16;
  r[0] = __shfl_down_sync(~0u, lane, 1, WIDTH);
  r[1] = __shfl_xor_sync(~0u, lane, 3);
  r[2] = __ballot_sync(~0u, lane % 2);
  r[3] = __any_sync(~0u, lane == 5);
  r[4] = __all_sync(~0u, lane < 31);
  r[5] = __match_any_sync(~0u, lane / 8);
  r[6] = __reduce_add_sync(~0u, lane);
  r[7] = (unsigned)__reduce_min_sync(~0u, -(int)lane);
  r[8] = __reduce_max_sync(~0u, lane);
  r[9] = __reduce_xor_sync(~0u, lane);
  r[10] = __shfl_up_sync(~0u, lane, 2);
  r[11] = (unsigned)__syncthreads_count(threadIdx.x < 10);
  r[12] = (unsigned)__syncthreads_or(threadIdx.x == 63);
  r[13] = (unsigned)__syncthreads_and(threadIdx.x < 63);
  r[14] = (unsigned)(2.0 * __shfl_sync(~0u, (double)lane, 4));
  if (lane < 8) r[15] = __reduce_or_sync(0xffu, 1u << lane);
}
__global__ void atomics(int *o, unsigned *u, float *f, double *d, unsigned long long *q) {
  atomicAdd(o, 2); atomicSub(o + 1, 1); atomicMin(o + 2, -(int)threadIdx.x); atomicMax(o + 3, (int)threadIdx.x);
  atomicAnd(u, ~(1u << (threadIdx.x % 32))); atomicOr(u + 1, 1u << (threadIdx.x % 32)); atomicXor(u + 2, threadIdx.x);
  atomicInc(u + 3, 9); atomicDec(u + 4, 9);
  atomicAdd(f, 0.5f); atomicAdd(d, 0.25); atomicAdd(q, 1ull);
}
__global__ void mathematics(float *r, double *d, int *k, const uint4 *v) {
  r[0] = rsqrtf(4.0f) + __fadd_rn(1.0f, 2.0f) + __fmul_rn(2.0f, 3.0f) + __fmaf_rn(1.0f, 2.0f, 3.0f);
  d[0] = __dadd_rn(1.0, 2.0) + __dmul_rn(2.0, 2.0) + fmin(1.0, 2.0);
  k[0] = __float_as_int(1.0f); k[1] = (int)min(3u, 4u) + max(-1, 2); k[2] = __popc(255u) + __clz(1) + __ffs(8);
  k[3] = (int)min(5ll, 6ll); k[4] = (int)max((long)1, (long)2); k[5] = __float2int_rn(2.5f);
  uint4 w = __ldcs(v); k[6] = (int)(w.x + w.y + w.z + w.w); k[7] = (int)(__ldg(&v->x) + __ldcg(&v->y));
  __stcs(k + 8, 9);
  float4 f4 = make_float4(1, 2, 3, 4); r[1] = f4.w * scale[1];
#if __CUDA_ARCH__ >= 800
  k[9] = Doubled{1}[1];
#endif
}
__global__ void kinds(Wide w, const float *__restrict__ x, float *y, long n) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ float a[4][8], b;
  float *s = (float *)raw;
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) {
    s[threadIdx.x] = x[i];
    y[i] = s[threadIdx.x] * scale[0] + (float)w.b;
  }
  if (threadIdx.x < 32) a[threadIdx.x / 8][threadIdx.x % 8] = 1;
  if (threadIdx.x == 0) b = 1;
  __syncthreads();
  if (threadIdx.x == 0 && a[3][7] + b != 2) y[0] = -1;
}
__global__ void bump(int *p, int by) { p[threadIdx.x] += by; }
__global__ void order(int *next, int *o) { o[atomicAdd(next, 1)] = (int)(blockIdx.x * blockDim.x + threadIdx.x); }

static void test_warps() {
  unsigned *o, h[64 * 16];
  EXPECT(cudaMalloc(&o, sizeof h) == 0);
  cudaMemset(o, 0, sizeof h);
  warps<16><<<1, 64>>>(o);
  EXPECT(cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost) == 0);
  cudaFree(o);
  unsigned *r = h + 37 * 16;  // lane 5 of warp 1
  EXPECT(r[0] == 6 && h[15 * 16] == 15 && r[1] == 6 && r[2] == 0xaaaaaaaau && r[3] == 1 && r[4] == 0 && r[5] == 0xff);
  EXPECT(r[6] == 496 && (int)r[7] == -31 && r[8] == 31 && r[9] == 0 && r[10] == 3);
  EXPECT(r[11] == 10 && r[12] == 1 && r[13] == 0 && r[14] == 8 && r[15] == 0xff);
}
struct Cells { int o[4]; unsigned u[6]; float f[2]; double d; unsigned long long q; };
static void test_atomics() {
  Cells h = {}, *p;
  h.u[0] = ~0u;
  cudaMalloc(&p, sizeof h);
  cudaMemcpy(p, &h, sizeof h, cudaMemcpyHostToDevice);
  atomics<<<2, 64>>>(p->o, p->u, p->f, &p->d, &p->q);
  cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(p);
  EXPECT(h.o[0] == 256 && h.o[1] == -128 && h.o[2] == -63 && h.o[3] == 63 && h.u[0] == 0 && h.u[1] == ~0u && h.u[2] == 0);
  EXPECT(h.u[3] == 128 % 10 && h.u[4] == 2 && h.f[0] == 64 && h.d == 32 && h.q == 128);
}
static void test_mathematics() {
  float *r, hr[2]; double *d, hd; int *k, hk[10] = {}; uint4 *v, hv = make_uint4(1, 2, 3, 4);
  cudaMalloc(&r, sizeof hr); cudaMalloc(&d, 8); cudaMalloc(&k, sizeof hk); cudaMalloc(&v, 16);
  cudaMemcpy(v, &hv, 16, cudaMemcpyHostToDevice);
  mathematics<<<1, 1>>>(r, d, k, v);
  cudaMemcpy(hr, r, 8, cudaMemcpyDeviceToHost); cudaMemcpy(&hd, d, 8, cudaMemcpyDeviceToHost);
  EXPECT(cudaMemcpy(hk, k, sizeof hk, cudaMemcpyDeviceToHost) == 0);
  cudaFree(r); cudaFree(d); cudaFree(k); cudaFree(v);
  EXPECT(hr[0] == 14.5f && hr[1] == 12.0f && hd == 8.0 && hk[0] == 0x3f800000 && hk[1] == 5 && hk[2] == 8 + 31 + 4);
  EXPECT(hk[3] == 5 && hk[4] == 2 && hk[5] == 2 && hk[6] == 10 && hk[7] == 3 && hk[8] == 9 && hk[9] == 1);
}
static void test_launches() {
  constexpr int n = 1001;
  static float h[n], back[n];
  for (int i = 0; i < n; i++) h[i] = (float)i;
  float *x, *y;
  cudaMalloc(&x, sizeof h); cudaMalloc(&y, sizeof h);
  EXPECT((size_t)x % 256 == 0);
  cudaMemcpyAsync(x, h, sizeof h, cudaMemcpyHostToDevice, cudaStreamPerThread);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3); config.blockDim = dim3(64); config.dynamicSmemBytes = 64 * 4; config.stream = cudaStreamPerThread;
  EXPECT(cudaLaunchKernelEx(&config, kinds, Wide{1, 5}, (const float *)x, y, (long)n) == 0);
  cudaMemcpyAsync(back, y, sizeof h, cudaMemcpyDeviceToHost, cudaStreamPerThread);
  cudaStreamSynchronize(cudaStreamPerThread);
  EXPECT(back[0] == 5 && back[1000] == 2005);
  Wide w{0, 1}; long count = n; const float *cx = x;
  void *values[] = {&w, &cx, &y, &count};
  EXPECT(cudaLaunchKernel(kinds, dim3(2), dim3(32), values, 128, 0) == 0);
  float two[2] = {10, 20};
  cudaMemcpyToSymbol(scale, two, 8);
  kinds<<<dim3(2, 1), dim3(32),
      32 * 4>>>(w, x, y, n);
  cudaMemcpy(back, y, sizeof h, cudaMemcpyDeviceToHost);
  EXPECT(back[8] != 0);
  cudaFree(x); cudaFree(y);
}
static void test_graph() {
  int *p, h[64], *tmp;
  cudaStream_t s, t; cudaEvent_t fork, joined;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEventCreate(&fork); cudaEventCreate(&joined);
  cudaMalloc(&p, sizeof h); cudaMemset(p, 0, sizeof h);
  cudaDeviceSynchronize();
  cudaGraph_t graph; cudaGraphExec_t exec; cudaStreamCaptureStatus status; unsigned long long id = 0;
  EXPECT(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == 0);
  EXPECT(cudaStreamGetCaptureInfo(s, &status, &id) == 0 && status == cudaStreamCaptureStatusActive && id);
  for (int by = 1; by < 3; by++) bump<<<1, 32, 0, s>>>(p, by);
  cudaEventRecord(fork, s); cudaStreamWaitEvent(t, fork, 0);
  bump<<<1, 32, 0, t>>>(p + 32, 5); bump<<<1, 32, 0, s>>>(p, 10);
  cudaEventRecord(joined, t); cudaStreamWaitEvent(s, joined, 0);
  EXPECT(cudaMallocAsync(&tmp, 256, s) == 0);
  cudaMemsetAsync(tmp, 0, 256, s);
  bump<<<1, 64, 0, s>>>(tmp, 1);
  cudaFreeAsync(tmp, s);
  EXPECT(cudaStreamEndCapture(s, &graph) == 0);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  EXPECT(h[0] == 0);
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == 0);
  for (int i = 0; i < 3; i++) EXPECT(cudaGraphLaunch(exec, s) == 0);
  EXPECT(cudaStreamSynchronize(s) == 0);
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  EXPECT(h[0] == 39 && h[63] == 15);
  cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);
  EXPECT(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == 0);
  EXPECT(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported && cudaGetLastError() == cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  EXPECT(cudaStreamSynchronize(s) == 0);
  cudaFree(p);
}
// What `call` returns, made while a capture goes on, and whether the capture is valid afterwards.
static cudaError_t capture_end;
static void *allocated;
static cudaError_t captured(cudaStreamCaptureMode mode, bool elsewhere, std::function<cudaError_t(cudaStream_t)> call) {
  cudaStream_t s; cudaGraph_t graph; cudaError_t result = cudaErrorUnknown;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  EXPECT(cudaStreamBeginCapture(s, mode) == 0);
  if (elsewhere) std::thread([&] { result = call(s); }).join();
  else result = call(s);
  capture_end = cudaStreamEndCapture(s, &graph);
  if (!capture_end) cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(allocated);
  allocated = nullptr;
  cudaGetLastError();
  return result;
}
static void test_capture() {
  const cudaError_t no = cudaErrorStreamCaptureUnsupported, spoilt = cudaErrorStreamCaptureInvalidated;
  const cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal, local = cudaStreamCaptureModeThreadLocal;
  static cudaStream_t other; static cudaEvent_t event; static unsigned long long id; static cudaMemPool_t pool;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking); cudaEventCreate(&event); cudaEventRecord(event, other);
  auto identity = [](cudaStream_t s) { return cudaStreamGetId(s, &id); };
  auto synchronise = [](cudaStream_t s) { return cudaStreamSynchronize(s); };
  auto query = [](cudaStream_t s) { return cudaStreamQuery(s); };
  auto device = [](cudaStream_t) { return cudaDeviceSynchronize(); };
  auto relaxed = [](cudaStream_t) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    cudaError_t error = cudaMalloc(&allocated, 4);
    if (!error) error = cudaFree(allocated), allocated = nullptr;
    if (!error) error = cudaEventQuery(event);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return error;
  };
  const std::function<cudaError_t(cudaStream_t)> unsafe[] = {
    [](cudaStream_t) { return cudaMalloc(&allocated, 4); },
    [](cudaStream_t) { return cudaMallocHost(&allocated, 4); },
    [](cudaStream_t) { cudaMemPoolProps props = {}; return cudaMemPoolCreate(&pool, &props); },
    [](cudaStream_t) { return cudaStreamQuery(other); },
    [](cudaStream_t) { return cudaStreamSynchronize(other); },
    [](cudaStream_t) { return cudaEventQuery(event); },
    [](cudaStream_t) { return cudaEventSynchronize(event); },
  };
  // What concerns the captured stream, and the device with it, is refused in every mode.
  for (auto mode : {global, local, cudaStreamCaptureModeRelaxed})
    for (bool elsewhere : {false, true})
      for (std::function<cudaError_t(cudaStream_t)> call : {+identity, +synchronise, +query, +device})
        EXPECT(captured(mode, elsewhere, call) == no && capture_end == spoilt);
  for (auto call : unsafe) {
    EXPECT(captured(global, false, call) == no && capture_end == spoilt);
    EXPECT(captured(global, true, call) == no && capture_end == spoilt);
    EXPECT(captured(local, false, call) == no && capture_end == spoilt);
    EXPECT(captured(local, true, call) == 0 && capture_end == 0);
    EXPECT(captured(cudaStreamCaptureModeRelaxed, true, call) == 0 && capture_end == 0);
  }
  for (bool elsewhere : {false, true}) EXPECT(captured(global, elsewhere, relaxed) == 0 && capture_end == 0);
  cudaEventDestroy(event); cudaStreamDestroy(other);
}
static void test_handles() {
  cudaStream_t first, second; unsigned long long a, b, c = 0;
  cudaStreamCreate(&first); cudaStreamGetId(first, &a); cudaStreamDestroy(first);
  cudaStreamCreate(&second); cudaStreamGetId(second, &b);
  EXPECT(first == second && a != b);
  cudaStreamDestroy(second);
  cudaStreamGetId(cudaStreamPerThread, &a);
  std::thread([&] { cudaStreamGetId(cudaStreamPerThread, &c); }).join();
  EXPECT(a == c && a != b);
}
static void test_host_api() {
  int value = 0, blocks = 0; cudaDeviceProp prop; cudaFuncAttributes attributes; cudaPointerAttributes where;
  EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == 0 && value == 6);
  EXPECT(cudaGetDeviceProperties(&prop, 0) == 0 && prop.multiProcessorCount == 6 && prop.major == 9);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bump, 512, 0) == 0 && blocks == 4);
  EXPECT(cudaFuncGetAttributes(&attributes, bump) == 0 && attributes.maxThreadsPerBlock == 1024);
  EXPECT(cudaFuncSetAttribute(kinds, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) == 0);
  unsigned long long id1, id2;
  EXPECT(cudaStreamGetId(0, &id1) == 0 && cudaStreamGetId(cudaStreamLegacy, &id2) == 0 && id1 == id2);
  cudaMemPool_t pool; cudaMemPoolProps props = {}; unsigned long long keep = ~0ull; char *p, *q;
  EXPECT(cudaMemPoolCreate(&pool, &props) == 0 && cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == 0);
  EXPECT(cudaMallocFromPoolAsync(&p, 1000, pool, 0) == 0 && cudaPointerGetAttributes(&where, p) == 0 && where.type == cudaMemoryTypeDevice);
  char rows[2][3] = {{1, 2, 3}, {4, 5, 6}}, back[6];
  cudaMemcpy2DAsync(p, 100, rows, 3, 3, 2, cudaMemcpyHostToDevice, 0);
  cudaMemcpy2D(back, 3, p, 100, 3, 2, cudaMemcpyDeviceToHost);
  EXPECT(back[5] == 6 && cudaFreeAsync(p, 0) == 0 && cudaMemPoolDestroy(pool) == 0);
  EXPECT(cudaSetDevice(1) == cudaErrorInvalidDevice);  // stays pending while a launch succeeds
  cudaMalloc(&q, 256); cudaMemset(q, 0, 256);
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  EXPECT(cudaLaunchKernelEx(&config, bump, (int *)q, 1) == 0 && cudaPeekAtLastError() == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice && cudaGetLastError() == 0);
  EXPECT(cudaDeviceSynchronize() == 0 && cudaFree(q) == 0);
  EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice") == 0);
}
static void print_order() {
  int *next, *o, h[21];
  cudaMalloc(&next, 4); cudaMemset(next, 0, 4); cudaMalloc(&o, sizeof h);
  order<<<3, 7>>>(next, o);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(next); cudaFree(o);
  printf("order");
  for (int i = 0; i < 21; i++) printf(" %d", h[i]);
  printf("\n");
}
__global__ void sum_chars(const char *x, long n, unsigned long long *o) {
  const int4 *v = (const int4 *)x;
  long total = 0;
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n / 16; i += (long)gridDim.x * blockDim.x) {
    int4 w = v[i];
    char c[16];
    memcpy(c, &w, 16);
    for (int k = 0; k < 16; k++) total += c[k];
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16) total += x[n / 16 * 16 + threadIdx.x];
  atomicAdd(o, (unsigned long long)total);
}
extern "C" int big_sum(const char *host, long n) {
  char *x; unsigned long long *o, r = 0;
  if (cudaMalloc(&x, n) || cudaMalloc(&o, 8)) return -1;
  cudaMemset(o, 0, 8);
  cudaMemcpy(x, host, n, cudaMemcpyHostToDevice);
  sum_chars<<<8, 256>>>(x, n, o);
  cudaMemcpy(&r, o, 8, cudaMemcpyDeviceToHost);
  cudaFree(x); cudaFree(o);
  return (int)r;
}
int main() {
  test_warps(); test_atomics(); test_mathematics(); test_launches(); test_graph(); test_capture(); test_handles(); test_host_api(); print_order();
  return cudacpu_error_count();
}
