// What device code sees of its own thread, and the block-wide operations.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include "types.h"

// Bookkeeping code of these headers is compiled inside the watched file, yet must not be watched itself.
#define CC_UNWATCHED __attribute__((noinline, no_sanitize("thread"), no_sanitize("undefined")))
// Where an operation was called: default arguments are evaluated at the call.
#define CC_HERE const char *cc_file = __builtin_FILE(), int cc_line = __builtin_LINE()

struct CcThread {  // the runtime's own thread structure starts with this one
  uint3 tid, bid;
};
enum CcScope { CC_SCOPE_NONE, CC_SCOPE_BLOCK, CC_SCOPE_DEVICE };  // who is sure to see an atomic or a fence
enum CcBarrierKind { CC_BARRIER_SYNC, CC_BARRIER_COUNT, CC_BARRIER_AND, CC_BARRIER_OR, CC_BARRIER_GRID, CC_BARRIER_CLUSTER };

extern "C" {
extern __thread CcThread *cc_current __attribute__((tls_model("initial-exec")));
uint3 cc_thread_index() __attribute__((pure));
uint3 cc_block_index() __attribute__((pure));
int cc_barrier(int kind, int predicate, const char *file, int line);
void *cc_shared(const void *key, size_t bytes, size_t align, const char *name);
void *cc_dynamic_shared();
void *cc_shared_of(void *own, unsigned rank, const char *file, int line);  // the same place of another block of the cluster
void cc_cluster_arrive(const char *file, int line);
unsigned cc_cluster_rank() __attribute__((pure));
unsigned cc_cluster_size() __attribute__((pure));
void cc_fence(int scope);
void cc_yield();
[[noreturn]] void cc_reject(const char *what, const char *file, int line);
void cc_register_variable(void *address, size_t bytes, const char *name, int constant);
void cc_register_parameters(const char *kernel, const char *names);
}

#ifdef CUDACPU_CHECK
// Calls that return by value, because loads from the thread structure would be watched like any other.
#define threadIdx (cc_thread_index())
#define blockIdx (cc_block_index())
#else
#define threadIdx (cc_current->tid)
#define blockIdx (cc_current->bid)
#endif
// Variables, not macros: cudaLaunchConfig_t has members of these names. One launch runs at a time, so one of each is enough.
extern __thread dim3 blockDim __attribute__((tls_model("initial-exec")));
extern __thread dim3 gridDim __attribute__((tls_model("initial-exec")));
static constexpr int warpSize = 32;

// The rewriter puts one of these behind every __device__ and __constant__ variable.
struct CcVariable {
  template <class T> CcVariable(T &v, const char *name, bool constant) { cc_register_variable((void *)&v, sizeof v, name, constant); }
};
// The rewriter puts one of these at the end of the file for every kernel: `names` are separated by commas.
struct CcParameters {
  CcParameters(const char *kernel, const char *names) { cc_register_parameters(kernel, names); }
};
// The rewriter declares shared variables as references to what this returns.
template <class T> inline T &cc_shared_variable(const void *key, size_t align, const char *name) {
  return *(T *)cc_shared(key, sizeof(T), align > alignof(T) ? align : alignof(T), name);
}

static inline void __syncthreads(CC_HERE) { cc_barrier(CC_BARRIER_SYNC, 0, cc_file, cc_line); }
static inline int __syncthreads_count(int p, CC_HERE) { return cc_barrier(CC_BARRIER_COUNT, p, cc_file, cc_line); }
static inline int __syncthreads_and(int p, CC_HERE) { return cc_barrier(CC_BARRIER_AND, p, cc_file, cc_line); }
static inline int __syncthreads_or(int p, CC_HERE) { return cc_barrier(CC_BARRIER_OR, p, cc_file, cc_line); }
// Arriving at the barrier of a cluster and waiting there are two calls; nothing that others may see is done in between.
static inline void __cluster_barrier_arrive(CC_HERE) { cc_cluster_arrive(cc_file, cc_line); }
static inline void __cluster_barrier_wait(CC_HERE) { cc_barrier(CC_BARRIER_CLUSTER, 0, cc_file, cc_line); }
static inline unsigned __clusterSizeInBlocks() { return cc_cluster_size(); }
static inline unsigned __clusterRelativeBlockRank() { return cc_cluster_rank(); }
static inline void *__cluster_map_shared_rank(const void *own, unsigned rank, CC_HERE) { return cc_shared_of((void *)own, rank, cc_file, cc_line); }
static inline void __threadfence() { cc_fence(CC_SCOPE_DEVICE); }
static inline void __threadfence_block() { cc_fence(CC_SCOPE_BLOCK); }
static inline void __threadfence_system() { cc_fence(CC_SCOPE_DEVICE); }
static inline void __nanosleep(unsigned) { cc_yield(); }
static inline long long clock64() { static long long ticks; return ticks += 100; }
[[noreturn]] static inline void __trap(CC_HERE) { cc_reject("__trap() was called", cc_file, cc_line); }
