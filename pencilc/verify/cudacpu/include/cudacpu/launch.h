// Kernel launches. Arguments are copied, so that a captured launch can be replayed after its caller has gone.
#pragma once
#include <tuple>
#include <utility>
#include "device.h"
#include "host_api.h"

struct CcLaunch {
  const void *kernel;
  const char *name;  // null: looked up by address when a message needs it
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  int cooperative;
  dim3 cluster;  // how many blocks of it are a cluster
};
struct CcArguments {  // a closure: the copied arguments and how to call the kernel with them
  void *data;
  size_t bytes;
  void (*call)(void *data);
  void (*destroy)(void *data);
  void (*pointers)(void *data, void (*visit)(void *state, int index, const void *p), void *state);
};
extern "C" cudaError_t cc_launch(const CcLaunch *launch, CcArguments arguments);  // takes ownership of the arguments

template <class... P> struct CcBound {
  void (*kernel)(P...);
  std::tuple<std::decay_t<P>...> values;
  static void call(void *self) {
    CcBound *b = (CcBound *)self;
    std::apply(b->kernel, b->values);
  }
  static void destroy(void *self) { delete (CcBound *)self; }
  template <class T> static void visit(int index, const T &value, void (*f)(void *, int, const void *), void *state) {
    if constexpr (std::is_pointer_v<T>) f(state, index, (const void *)value);
  }
  static void pointers(void *self, void (*f)(void *, int, const void *), void *state) {
    int index = 0;
    std::apply([&](const auto &...value) { (visit(index++, value, f, state), ...); }, ((CcBound *)self)->values);
  }
};
template <class... P> inline cudaError_t cc_launch_with(CcLaunch launch, void (*kernel)(P...), std::decay_t<P>... values) {
  launch.kernel = (const void *)kernel;
  auto *bound = new CcBound<P...>{kernel, std::tuple<std::decay_t<P>...>(values...)};
  return cc_launch(&launch, CcArguments{bound, sizeof *bound, &CcBound<P...>::call, &CcBound<P...>::destroy, &CcBound<P...>::pointers});
}

// k<<<g, b, s, st>>>(a) is rewritten into cc_launcher(k, "k")(g, b, s, st).run(a).
template <class... P> struct CcLauncher {
  void (*kernel)(P...);
  CcLaunch launch;
  CcLauncher &operator()(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0) {
    launch.grid = grid, launch.block = block, launch.shared = shared, launch.stream = stream;
    return *this;
  }
  void run(std::decay_t<P>... values) { cc_launch_with(launch, kernel, values...); }
};
template <class... P> inline CcLauncher<P...> cc_launcher(void (*kernel)(P...), const char *name) {
  return CcLauncher<P...>{kernel, CcLaunch{nullptr, name, dim3(), dim3(), 0, 0, 0, dim3()}};
}

template <class... P, size_t... I>
inline cudaError_t cc_launch_array(CcLaunch launch, void (*kernel)(P...), void **values, std::index_sequence<I...>) {
  return cc_launch_with(launch, kernel, *(std::decay_t<P> *)values[I]...);
}
template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **values, size_t shared = 0, cudaStream_t stream = 0) {
  return cc_launch_array(CcLaunch{nullptr, nullptr, grid, block, shared, stream, 0, dim3()}, kernel, values, std::index_sequence_for<P...>());
}
template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **values, size_t shared = 0, cudaStream_t stream = 0) {
  return cc_launch_array(CcLaunch{nullptr, nullptr, grid, block, shared, stream, 1, dim3()}, kernel, values, std::index_sequence_for<P...>());
}
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...values) {
  CcLaunch launch{nullptr, nullptr, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, 0, dim3()};
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const cudaLaunchAttributeValue &value = config->attrs[i].val;
    if (config->attrs[i].id == cudaLaunchAttributeCooperative) launch.cooperative = value.cooperative;
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) launch.cluster = dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
  }
  return cc_launch_with(launch, kernel, std::forward<A>(values)...);
}
// Without the kernel's type the arguments cannot be copied: pass the kernel itself, not a const void pointer to it.
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0) = delete;
