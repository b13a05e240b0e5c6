// The memory calls of the runtime API.
#include "internal.h"

struct CUmemPoolHandle_st { uint64_t release_threshold; };

namespace cc {
static CUmemPoolHandle_st default_pool;

static cudaError_t allocate(void **pointer, size_t bytes, bool host_visible) {
  if (!pointer) return fault(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (sticky_error()) return sticky_error();
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  if (!bytes) return cudaSuccess;
  Allocation *a = reserve(bytes);
  if (!a) return fault(cudaErrorMemoryAllocation);
  allocate_now(a, false);
  a->host_visible = host_visible;
  if (CHECKING && host_visible) shadow_written(a->address - region, bytes);
  *pointer = a->address;
  return cudaSuccess;
}

static Allocation *freeable(void *pointer, const char *what) {
  Allocation *a = find_allocation(pointer, 0);
  if (a && a->address == pointer && !a->freed) return a;
  complain("%s: %s is not the start of a live allocation", what, describe((const char *)pointer).c_str());
  fault(cudaErrorInvalidValue);
  return nullptr;
}

static cudaError_t release(void *pointer, const char *what, const void *pc) {
  if (sticky_error()) return sticky_error();
  if (!pointer) return cudaSuccess;
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  Allocation *a = freeable(pointer, what);
  if (!a) return cudaErrorInvalidValue;
  if (a->host_visible) check_host_use(a->address, a->bytes, true, "frees", pc);
  free_now(a, false);
  return cudaSuccess;
}

static cudaError_t copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  for (size_t row = 0; row < height && width; row++)
    if (cudaError_t error = copy_now(to + row * to_pitch, from + row * from_pitch, width, kind, "cudaMemcpy2D")) return error;
  return cudaSuccess;
}

// The sides of a copy that lie in host memory, pinned or not.
static std::vector<HostUse> host_sides(const HostUse &to, const HostUse &from) {
  std::vector<HostUse> made;
  for (const HostUse &side : {to, from})
    if (side.bytes && side.rows && is_host_memory(side.p)) made.push_back(side);
  return made;
}
static Task copy_task(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, const char *what) {
  Task task = make_task(what, [=] { return copy_now((char *)to, (const char *)from, bytes, kind, what); });
  task.host = host_sides(HostUse{(char *)to, bytes, bytes, 1, true}, HostUse{(const char *)from, bytes, bytes, 1, false});
  return task;
}
static Task fill_task(void *p, int value, size_t bytes) {
  return make_task("cudaMemset", [=] { return fill_now((char *)p, value, bytes); });
}
static Task rows_task(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  Task task = make_task("cudaMemcpy2D", [=] { return copy_rows((char *)to, to_pitch, (const char *)from, from_pitch, width, height, kind); });
  task.host = host_sides(HostUse{(char *)to, width, to_pitch, height, true}, HostUse{(const char *)from, width, from_pitch, height, false});
  return task;
}
static bool bad_pitch(size_t to_pitch, size_t from_pitch, size_t width, size_t height) {
  return height > 1 && (width > to_pitch || width > from_pitch);
}
}  // namespace cc

using namespace cc;
extern "C" {
cudaError_t cudaMalloc(void **pointer, size_t bytes) { Locked lock; return allocate(pointer, bytes, false); }
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned) { Locked lock; return allocate(pointer, bytes, true); }
cudaError_t cudaMallocHost(void **pointer, size_t bytes) { Locked lock; return allocate(pointer, bytes, true); }
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned) { Locked lock; return allocate(pointer, bytes, true); }
cudaError_t cudaFree(void *pointer) { Locked lock; return release(pointer, "cudaFree", __builtin_return_address(0)); }
cudaError_t cudaFreeHost(void *pointer) { Locked lock; return release(pointer, "cudaFreeHost", __builtin_return_address(0)); }

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
  host_yield();
  Locked lock;
  if (!pointer) return fault(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (sticky_error()) return sticky_error();
  if (!bytes) return cudaSuccess;
  Allocation *a = reserve(bytes);
  if (!a) return fault(cudaErrorMemoryAllocation);
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  a->graph_owned = status == cudaStreamCaptureStatusActive;
  a->promised = true;
  void *address = a->address;
  cudaError_t error = submit(stream, make_task("cudaMallocAsync", [address]() -> cudaError_t {
    Allocation *again = find_allocation(address, 0);
    if (!again->freed) return fault(cudaErrorInvalidValue);  // a replay while the last replay's memory still lives
    allocate_now(again, true);
    return cudaSuccess;
  }));
  if (!error) *pointer = address;
  return error;
}
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) { return cudaMallocFromPoolAsync(pointer, bytes, nullptr, stream); }

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  host_yield();
  Locked lock;
  if (!pointer) return fault(cudaErrorInvalidValue);
  return submit(stream, make_task("cudaFreeAsync", [pointer]() -> cudaError_t {
    Allocation *a = freeable(pointer, "cudaFreeAsync");
    if (!a) return cudaErrorInvalidValue;
    free_now(a, true);
    return cudaSuccess;
  }));
}

cudaError_t cudaMemset(void *p, int value, size_t bytes) { Locked lock; return submit(nullptr, fill_task(p, value, bytes)); }
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream) { Locked lock; return submit(stream, fill_task(p, value, bytes)); }
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  Locked lock;
  return submit(stream, make_task("cudaMemset2D", [=]() -> cudaError_t {
    for (size_t row = 0; row < height; row++)
      if (cudaError_t error = fill_now((char *)p + row * pitch, value, width)) return error;
    return cudaSuccess;
  }));
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  Locked lock;
  return submit_and_wait(copy_task(to, from, bytes, kind, "cudaMemcpy"));
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  Locked lock;
  return submit(stream, copy_task(to, from, bytes, kind, "cudaMemcpyAsync"));
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  Locked lock;
  if (bad_pitch(to_pitch, from_pitch, width, height)) return fault(cudaErrorInvalidPitchValue);
  return submit_and_wait(rows_task(to, to_pitch, from, from_pitch, width, height, kind));
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  Locked lock;
  if (bad_pitch(to_pitch, from_pitch, width, height)) return fault(cudaErrorInvalidPitchValue);
  return submit(stream, rows_task(to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  Locked lock;
  Allocation *a = in_region(pointer) ? find_allocation(pointer, 0) : nullptr;
  bool device = (a && (!a->freed || a->promised)) || find_variable(pointer, 0);
  void *p = const_cast<void *>(pointer);
  if (!device) *attributes = cudaPointerAttributes{cudaMemoryTypeUnregistered, -2, nullptr, p};
  else if (a && a->host_visible) *attributes = cudaPointerAttributes{cudaMemoryTypeManaged, 0, p, p};
  else *attributes = cudaPointerAttributes{cudaMemoryTypeDevice, 0, p, nullptr};
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
  Locked lock;
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  *pool = new CUmemPoolHandle_st{0};
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  Locked lock;
  if (cudaError_t refused = refuse_while_capturing()) return refused;
  if (!pool || pool == &default_pool) return fault(cudaErrorInvalidValue);
  delete pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attr, void *value) {
  if (attr == cudaMemPoolAttrReleaseThreshold) pool->release_threshold = *(uint64_t *)value;
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attr, void *value) {
  if (attr < cudaMemPoolAttrReleaseThreshold) *(int *)value = 1;
  else *(uint64_t *)value = attr == cudaMemPoolAttrReleaseThreshold ? pool->release_threshold : 0;
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { Locked lock; return refuse_while_capturing(); }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  if (device) return fault(cudaErrorInvalidDevice);
  *pool = &default_pool;
  return cudaSuccess;
}
}
