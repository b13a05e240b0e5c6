// The host side of the CUDA runtime API, as far as generated code and its tests use it.
#ifndef CUDACPU_HOST_API_H
#define CUDACPU_HOST_API_H
#include "types.h"
#ifdef __cplusplus
#define CC_DEFAULT(value) = value
extern "C" {
#else
#define CC_DEFAULT(value)
#endif
// ---- hooks of our own for test harnesses -------------------------------------------------------
int cudacpu_error_count(void);            // defects reported since the start or the last reset
unsigned long long cudacpu_launch_count(void);  // kernels that were started
const char *cudacpu_last_message(void);   // the last message, without the leading 'cudacpu: error: '
int cudacpu_pending_copies(void);         // queued copies from or to host memory that nobody has waited for
int cudacpu_leaks(void);                  // reports device memory that nothing refers to any more; how many pieces
void cudacpu_count_traffic(int on);       // starts from zero, or stops
const char *cudacpu_traffic(void);        // what was counted: lines of words between tabs
void cudacpu_record(int on);              // launches are recorded from now on and not run, or run again
void cudacpu_points(const char *kernel, const char *function, long long points, int begins);  // of its next launch
const char *cudacpu_recorded(void);       // what was recorded: lines of words between tabs
void cudacpu_name(void *pointer, const char *name);  // what the count calls the allocation at an address
void cudacpu_reset(void);                 // forget errors and counts and every pending (sticky) error
// ---- errors and devices ------------------------------------------------------------------------
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
// ---- memory ------------------------------------------------------------------------------------
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags CC_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream CC_DEFAULT(0));
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream CC_DEFAULT(0));
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream CC_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream CC_DEFAULT(0));
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
// ---- streams, events, graphs -------------------------------------------------------------------
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags CC_DEFAULT(0));
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream CC_DEFAULT(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cc_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph);
// ---- functions and symbols ---------------------------------------------------------------------
cudaError_t cc_set_function_attribute(const void *kernel, enum cudaFuncAttribute attr, int value);
cudaError_t cc_function_attributes(struct cudaFuncAttributes *attributes, const void *kernel, int arch);
cudaError_t cc_occupancy(int *blocks, const void *kernel, int block_size, size_t dynamic_shared);
cudaError_t cc_clusters(int *clusters, const void *kernel, const cudaLaunchConfig_t *config);
cudaError_t cc_symbol_address(void **address, const void *symbol, size_t offset, size_t bytes);
#ifdef __cplusplus
}
template <class T> inline cudaError_t cudaMalloc(T **p, size_t n) { return cudaMalloc((void **)p, n); }
template <class T> inline cudaError_t cudaMallocManaged(T **p, size_t n, unsigned flags = cudaMemAttachGlobal) { return cudaMallocManaged((void **)p, n, flags); }
template <class T> inline cudaError_t cudaMallocHost(T **p, size_t n) { return cudaMallocHost((void **)p, n); }
template <class T> inline cudaError_t cudaHostAlloc(T **p, size_t n, unsigned flags) { return cudaHostAlloc((void **)p, n, flags); }
template <class T> inline cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t stream) { return cudaMallocAsync((void **)p, n, stream); }
template <class T> inline cudaError_t cudaMallocFromPoolAsync(T **p, size_t n, cudaMemPool_t pool, cudaStream_t stream) { return cudaMallocFromPoolAsync((void **)p, n, pool, stream); }
template <class T> inline cudaError_t cudaMallocAsync(T **p, size_t n, cudaMemPool_t pool, cudaStream_t stream) { return cudaMallocFromPoolAsync((void **)p, n, pool, stream); }
template <class F> inline cudaError_t cudaFuncSetAttribute(F *f, cudaFuncAttribute a, int v) { return cc_set_function_attribute((const void *)f, a, v); }
template <class F> inline cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) { return cudaSuccess; }
// What the text is compiled for is told in front of it, and behind this header.
#define cudaFuncGetAttributes(a, ...) cc_attributes_of(__CUDA_ARCH__, a, __VA_ARGS__)
template <class F> inline cudaError_t cc_attributes_of(int arch, cudaFuncAttributes *a, F *f) { return cc_function_attributes(a, (const void *)f, arch); }
template <class F> inline cudaError_t cudaOccupancyMaxActiveClusters(int *n, F *f, const cudaLaunchConfig_t *config) { return cc_clusters(n, (const void *)f, config); }
template <class F> inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, F *f, int block, size_t shared) { return cc_occupancy(n, (const void *)f, block, shared); }
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags = 0) { return cudaGraphInstantiateWithFlags(exec, graph, flags); }
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }

// CUDA 13 has seven parameters here, CUDA 12 six; only the first four carry something that we keep.
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id = nullptr,
    cudaGraph_t *graph = nullptr, const cudaGraphNode_t ** = nullptr, const void * = nullptr, size_t *count = nullptr) {
  if (count) *count = 0;
  return cc_capture_info(stream, status, id, graph);
}

template <class T> inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol) { return cc_symbol_address(p, &symbol, 0, 0); }
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *n, const T &) { *n = sizeof(T); return cudaSuccess; }
template <class T> inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  void *p;
  cudaError_t error = cc_symbol_address(&p, &symbol, offset, n);
  return error ? error : cudaMemcpyAsync(p, from, n, kind, stream);
}
template <class T> inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  void *p;
  cudaError_t error = cc_symbol_address(&p, &symbol, offset, n);
  return error ? error : cudaMemcpy(p, from, n, kind);
}
template <class T> inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  void *p;
  cudaError_t error = cc_symbol_address(&p, &symbol, offset, n);
  return error ? error : cudaMemcpyAsync(to, p, n, kind, stream);
}
template <class T> inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  void *p;
  cudaError_t error = cc_symbol_address(&p, &symbol, offset, n);
  return error ? error : cudaMemcpy(to, p, n, kind);
}
#endif
#undef CC_DEFAULT
#endif
