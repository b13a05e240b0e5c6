// The device's properties, the error state, and the settings that the environment makes.
#include "internal.h"
#include <algorithm>

namespace cc {
std::recursive_mutex global_lock;
int error_count;
unsigned long long launch_count;
static cudaError_t sticky;
static thread_local cudaError_t last_error;
static std::unordered_map<const void *, int> dynamic_limits;
constexpr int DEFAULT_SHARED = 48 << 10, RESERVED_SHARED = 1 << 10;  // the latter in every block
static int shared_per_sm() { return settings().shared_bytes + RESERVED_SHARED; }

static double number_from(const char *name, double fallback) {
  const char *text = getenv(name);
  return text && *text ? atof(text) : fallback;
}

const Settings &settings() {
  static const Settings made = [] {
    Settings s;
    const char *order = getenv("CUDACPU_ORDER");
    if (order && !strncmp(order, "rev", 3)) s.order = Order::reverse;
    if (order && !strncmp(order, "rand", 4)) s.order = Order::random;
    const char *colon = order ? strchr(order, ':') : nullptr;
    if (colon) s.seed = strtoull(colon + 1, nullptr, 10);
    s.timeout_seconds = number_from("CUDACPU_TIMEOUT", s.timeout_seconds);
    s.sm_count = (int)number_from("CUDACPU_SM_COUNT", s.sm_count);
    s.blocks_per_sm = (int)number_from("CUDACPU_BLOCKS_PER_SM", s.blocks_per_sm);
    s.threads_per_sm = (int)number_from("CUDACPU_THREADS_PER_SM", s.threads_per_sm);
    s.shared_bytes = (int)number_from("CUDACPU_SHARED", s.shared_bytes);
    s.most_launches = (unsigned long long)number_from("CUDACPU_LAUNCHES", (double)s.most_launches);
    s.stack_bytes = (size_t)number_from("CUDACPU_STACK", (double)s.stack_bytes) / 4096 * 4096;
    return s;
  }();
  return made;
}

// A failed kernel takes the context with it: every later call returns the error, as on a GPU.
cudaError_t sticky_error() { return sticky; }
void set_sticky(cudaError_t error) {
  if (!sticky) sticky = error;
}
cudaError_t fault(cudaError_t error) {
  if (error) last_error = error;
  return error;
}
int dynamic_shared_limit(const void *kernel) {
  auto found = dynamic_limits.find(kernel);
  return found == dynamic_limits.end() ? DEFAULT_SHARED : found->second;
}

struct NamedError { cudaError_t error; const char *name, *text; };
static const NamedError NAMED_ERRORS[] = {
  {cudaSuccess, "cudaSuccess", "no error"},
  {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
  {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
  {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
  {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
  {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
  {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
  {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
  {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
  {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
  {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
  {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
  {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
  {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
  {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
  {cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize", "invalid cluster size"},
  {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit", "operation would make the legacy stream depend on a capturing blocking stream"},
};
static const NamedError *named(cudaError_t error) {
  for (const NamedError &e : NAMED_ERRORS)
    if (e.error == error) return &e;
  return nullptr;
}

static int attribute(cudaDeviceAttr attr) {
  switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock: case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: return 1024;
    case cudaDevAttrMaxBlockDimZ: return 64;
    case cudaDevAttrMaxGridDimX: return 2147483647;
    case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock: return DEFAULT_SHARED;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return settings().shared_bytes;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return shared_per_sm();
    case cudaDevAttrReservedSharedMemoryPerBlock: return RESERVED_SHARED;
    case cudaDevAttrTotalConstantMemory: case cudaDevAttrMaxRegistersPerBlock: case cudaDevAttrMaxRegistersPerMultiprocessor: return 65536;
    case cudaDevAttrWarpSize: return 32;
    case cudaDevAttrMultiProcessorCount: return settings().sm_count;
    case cudaDevAttrL2CacheSize: return 50 << 20;
    case cudaDevAttrClockRate: case cudaDevAttrMemoryClockRate: return 1000000;
    case cudaDevAttrGlobalMemoryBusWidth: return 5120;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return settings().threads_per_sm;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return settings().blocks_per_sm;
    case cudaDevAttrComputeCapabilityMajor: return 9;
    case cudaDevAttrConcurrentKernels: case cudaDevAttrUnifiedAddressing: case cudaDevAttrManagedMemory:
    case cudaDevAttrCooperativeLaunch: case cudaDevAttrMemoryPoolsSupported: case cudaDevAttrClusterLaunch: return 1;
    default: return 0;
  }
}
}  // namespace cc

using namespace cc;
extern "C" {
int cudacpu_error_count() { return error_count; }
unsigned long long cudacpu_launch_count() { return launch_count; }
void cudacpu_reset() {
  Locked lock;
  drop_queued();
  error_count = 0, launch_count = 0, sticky = cudaSuccess, last_error = cudaSuccess;
}
cudaError_t cudaGetLastError() {
  cudaError_t error = sticky ? sticky : last_error;
  last_error = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() { return sticky ? sticky : last_error; }
const char *cudaGetErrorString(cudaError_t error) { return named(error) ? named(error)->text : "another error"; }
const char *cudaGetErrorName(cudaError_t error) { return named(error) ? named(error)->name : "cudaErrorUnknown"; }
cudaError_t cudaGetDevice(int *device) { *device = 0; return cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device ? fault(cudaErrorInvalidDevice) : cudaSuccess; }
cudaError_t cudaGetDeviceCount(int *count) { *count = 1; return cudaSuccess; }
cudaError_t cudaDeviceReset() { cudacpu_reset(); return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *version) { *version = 13000; return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *version) { *version = 13000; return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t *available, size_t *total) { *available = *total = REGION_BYTES; return cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device) {
  if (device) return fault(cudaErrorInvalidDevice);
  *value = attribute(attr);
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  if (device) return fault(cudaErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  strcpy(p->name, "cudacpu");
  p->totalGlobalMem = REGION_BYTES;
  p->sharedMemPerBlock = DEFAULT_SHARED, p->sharedMemPerBlockOptin = settings().shared_bytes;
  p->sharedMemPerMultiprocessor = shared_per_sm(), p->reservedSharedMemPerBlock = RESERVED_SHARED, p->totalConstMem = 65536;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536, p->warpSize = 32;
  p->maxThreadsPerBlock = 1024, p->maxThreadsPerMultiProcessor = settings().threads_per_sm, p->maxBlocksPerMultiProcessor = settings().blocks_per_sm;
  p->multiProcessorCount = settings().sm_count, p->major = 9, p->minor = 0;
  p->l2CacheSize = 50 << 20, p->memoryBusWidth = 5120;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->concurrentKernels = p->cooperativeLaunch = p->managedMemory = p->memoryPoolsSupported = p->unifiedAddressing = 1;
  return cudaSuccess;
}
cudaError_t cc_set_function_attribute(const void *kernel, cudaFuncAttribute attr, int value) {
  Locked lock;
  if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > settings().shared_bytes) return fault(cudaErrorInvalidValue);
  dynamic_limits[kernel] = value;
  return cudaSuccess;
}
// `arch`: what the function was compiled for; the device is of a later one, and takes its own code from that.
cudaError_t cc_function_attributes(cudaFuncAttributes *a, const void *kernel, int arch) {
  memset(a, 0, sizeof *a);
  a->maxThreadsPerBlock = 1024, a->numRegs = 32, a->ptxVersion = arch / 10, a->binaryVersion = 90;
  a->maxDynamicSharedSizeBytes = dynamic_shared_limit(kernel);
  return cudaSuccess;
}
cudaError_t cc_occupancy(int *blocks, const void *, int block_size, size_t dynamic_shared) {
  if (block_size < 1 || block_size > 1024) { *blocks = 0; return fault(cudaErrorInvalidValue); }
  int warps = (block_size + 31) / 32, by_threads = settings().threads_per_sm / 32 / warps, by_shared = (int)(shared_per_sm() / (dynamic_shared + RESERVED_SHARED));
  *blocks = std::min({by_threads, by_shared, settings().blocks_per_sm});
  return cudaSuccess;
}
cudaError_t cc_clusters(int *clusters, const void *kernel, const cudaLaunchConfig_t *config) {
  unsigned blocks = 1;
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) blocks = config->attrs[i].val.clusterDim.x;
  int per_sm = 0;
  *clusters = 0;
  if (!is_stream(config->stream)) {
    complain("cudaOccupancyMaxActiveClusters: the configuration names no stream");
    return fault(cudaErrorInvalidResourceHandle);
  }
  if (!blocks || config->gridDim.x % blocks) return fault(cudaErrorInvalidConfiguration);
  if (blocks > PORTABLE_CLUSTER) return fault(cudaErrorInvalidClusterSize);
  if (config->dynamicSmemBytes > (size_t)dynamic_shared_limit(kernel)) return fault(cudaErrorInvalidValue);
  const dim3 &block = config->blockDim;
  if (cudaError_t error = cc_occupancy(&per_sm, kernel, (int)(block.x * block.y * block.z), config->dynamicSmemBytes)) return error;
  *clusters = per_sm * settings().sm_count / (int)blocks;
  return cudaSuccess;
}
}
