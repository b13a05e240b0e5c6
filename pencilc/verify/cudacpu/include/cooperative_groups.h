// The part of cooperative groups that reductions need.
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
struct thread_block {
  static void sync(CC_HERE) { cc_barrier(CC_BARRIER_SYNC, 0, cc_file, cc_line); }
  static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return dim3(blockIdx); }
  static dim3 thread_index() { return dim3(threadIdx); }
};
struct grid_group {
  static void sync(CC_HERE) { cc_barrier(CC_BARRIER_GRID, 0, cc_file, cc_line); }
  static unsigned long long block_rank() { return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static bool is_valid() { return true; }
};
struct cluster_group {
  static void sync(CC_HERE) { cc_cluster_arrive(cc_file, cc_line), cc_barrier(CC_BARRIER_CLUSTER, 0, cc_file, cc_line); }
  static unsigned block_rank() { return cc_cluster_rank(); }
  static unsigned num_blocks() { return cc_cluster_size(); }
  static unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static unsigned num_threads() { return num_blocks() * thread_block::size(); }
  template <class T> static T *map_shared_rank(T *own, unsigned rank, CC_HERE) { return (T *)cc_shared_of((void *)own, rank, cc_file, cc_line); }
};
static inline thread_block this_thread_block() { return {}; }
static inline grid_group this_grid() { return {}; }
#if __CUDA_ARCH__ >= 900
static inline cluster_group this_cluster() { return {}; }
#endif

template <unsigned N, class = void> struct thread_block_tile {
  static unsigned thread_rank() { return thread_block::thread_rank() % N; }
  static unsigned size() { return N; }
  static unsigned num_threads() { return N; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / N; }
  static unsigned first_lane() { return thread_block::thread_rank() % 32 / N * N; }
  static unsigned mask() { return N == 32 ? ~0u : ((1u << (N & 31)) - 1) << first_lane(); }
  void sync(CC_HERE) const { __syncwarp(mask(), cc_file, cc_line); }
  template <class T> T shfl(T v, int s, CC_HERE) const { return __shfl_sync(mask(), v, s, N, cc_file, cc_line); }
  template <class T> T shfl_up(T v, unsigned s, CC_HERE) const { return __shfl_up_sync(mask(), v, s, N, cc_file, cc_line); }
  template <class T> T shfl_down(T v, unsigned s, CC_HERE) const { return __shfl_down_sync(mask(), v, s, N, cc_file, cc_line); }
  template <class T> T shfl_xor(T v, int s, CC_HERE) const { return __shfl_xor_sync(mask(), v, s, N, cc_file, cc_line); }
  int any(int p, CC_HERE) const { return __any_sync(mask(), p, cc_file, cc_line); }
  int all(int p, CC_HERE) const { return __all_sync(mask(), p, cc_file, cc_line); }
  unsigned ballot(int p, CC_HERE) const { return __ballot_sync(mask(), p, cc_file, cc_line) >> first_lane(); }
};
template <unsigned N> static inline thread_block_tile<N> tiled_partition(thread_block) { return {}; }
template <class G> static inline void sync(const G &g, CC_HERE) { g.sync(cc_file, cc_line); }
}  // namespace cooperative_groups
