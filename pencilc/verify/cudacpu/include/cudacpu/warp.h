// Warp-wide operations. Every lane hands its value to the runtime and gets its result when the last lane has come.
#pragma once
#include "device.h"

enum CcWarpOp {
  CC_SHFL, CC_SHFL_UP, CC_SHFL_DOWN, CC_SHFL_XOR, CC_SYNCWARP, CC_BALLOT, CC_MATCH_ANY, CC_MATCH_ALL,
  CC_RED_ADD, CC_RED_UMIN, CC_RED_UMAX, CC_RED_SMIN, CC_RED_SMAX, CC_RED_AND, CC_RED_OR, CC_RED_XOR,
  CC_FRAGMENT, CC_FRAGMENTS, CC_ROWS
};
struct CcMatrixCall {  // what a lane brings to an operation that needs the fragments of all lanes
  void (*work)(CcMatrixCall *const *lanes);
  const void *a, *b, *c;
  void *d;
  const char *file;
  int line;
};
extern "C" unsigned cc_active_mask(const char *file, int line);
extern "C" int cc_lane();
extern "C" uint64_t cc_warp(int op, unsigned mask, uint64_t value, int argument, int width, const char *file, int line);

template <class T> static inline uint64_t cc_to_bits(T v) {
  static_assert(sizeof(T) <= 8, "warp operations move at most 8 bytes");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &v, sizeof v);
  return bits;
}
template <class T> static inline T cc_from_bits(uint64_t bits) {
  T v;
  __builtin_memcpy((void *)&v, &bits, sizeof v);
  return v;
}

static inline void __syncwarp(unsigned mask = ~0u, CC_HERE) { cc_warp(CC_SYNCWARP, mask, 0, 0, 32, cc_file, cc_line); }
#define CC_SHUFFLE(NAME, OP, ARG)                                                                              \
  template <class T> static inline T NAME(unsigned mask, T v, ARG a, int width = 32, CC_HERE) {                \
    return cc_from_bits<T>(cc_warp(OP, mask, cc_to_bits(v), (int)a, width, cc_file, cc_line));                 \
  }
CC_SHUFFLE(__shfl_sync, CC_SHFL, int)
CC_SHUFFLE(__shfl_up_sync, CC_SHFL_UP, unsigned)
CC_SHUFFLE(__shfl_down_sync, CC_SHFL_DOWN, unsigned)
CC_SHUFFLE(__shfl_xor_sync, CC_SHFL_XOR, int)
#undef CC_SHUFFLE

static inline unsigned __ballot_sync(unsigned mask, int p, CC_HERE) { return (unsigned)cc_warp(CC_BALLOT, mask, p != 0, 0, 32, cc_file, cc_line); }
static inline int __any_sync(unsigned mask, int p, CC_HERE) { return cc_warp(CC_BALLOT, mask, p != 0, 1, 32, cc_file, cc_line) != 0; }
static inline int __all_sync(unsigned mask, int p, CC_HERE) { return cc_warp(CC_BALLOT, mask, p == 0, 2, 32, cc_file, cc_line) == 0; }
template <class T> static inline unsigned __match_any_sync(unsigned mask, T v, CC_HERE) {
  return (unsigned)cc_warp(CC_MATCH_ANY, mask, cc_to_bits(v), 0, 32, cc_file, cc_line);
}
template <class T> static inline unsigned __match_all_sync(unsigned mask, T v, int *all, CC_HERE) {
  unsigned same = (unsigned)cc_warp(CC_MATCH_ALL, mask, cc_to_bits(v), 0, 32, cc_file, cc_line);
  *all = same != 0;
  return same;
}
#define CC_REDUCE(NAME, UNSIGNED_OP, SIGNED_OP)                                                                \
  static inline unsigned NAME(unsigned mask, unsigned v, CC_HERE) { return (unsigned)cc_warp(UNSIGNED_OP, mask, v, 0, 32, cc_file, cc_line); } \
  static inline int NAME(unsigned mask, int v, CC_HERE) { return (int)cc_warp(SIGNED_OP, mask, (unsigned)v, 0, 32, cc_file, cc_line); }
CC_REDUCE(__reduce_add_sync, CC_RED_ADD, CC_RED_ADD)
CC_REDUCE(__reduce_min_sync, CC_RED_UMIN, CC_RED_SMIN)
CC_REDUCE(__reduce_max_sync, CC_RED_UMAX, CC_RED_SMAX)
CC_REDUCE(__reduce_and_sync, CC_RED_AND, CC_RED_AND)
CC_REDUCE(__reduce_or_sync, CC_RED_OR, CC_RED_OR)
CC_REDUCE(__reduce_xor_sync, CC_RED_XOR, CC_RED_XOR)
#undef CC_REDUCE

// Whoever happens to be there; no program may rest on more than that it is one of them.
static inline unsigned __activemask(CC_HERE) { return cc_active_mask(cc_file, cc_line); }
