// The calls that g++ -fsanitize=thread,alignment,bounds puts before every access. The sanitisers' own libraries are not
// linked; these definitions take their place.
#include "internal.h"
#ifdef CUDACPU_CHECK
using namespace cc;

#define CC_PC __builtin_return_address(0)

// A volatile access to global memory counts as a relaxed atomic, as it does on the GPU. In shared memory it is watched
// like any other: there, volatile nearly always means code that trusts the lanes of a warp to run in step. But a volatile
// read of what others change by atomics is the beginning of a loop around a compare-and-swap, and no race.
static void watch_volatile(void *p, size_t bytes, bool write, const void *pc) {
  Thread *t = current();
  bool shared = false;
  for (const Block *b : resident) shared = shared || ((char *)p >= b->arena && (char *)p < b->arena + ARENA_BYTES);
  bool global = t && !shared && (in_region(p) || find_variable(p, 0));
  if (!global) return watch((char *)p, bytes, write ? WRITE : READ | (shared ? BLOCK_ATOMIC : READ), pc);
  watch((char *)p, bytes, (write ? WRITE : READ) | ATOMIC, pc);
  if (write && in_region(p)) shadow_written((char *)p - region, bytes);
  order_atomic(t, p, !write, write, write);
  if (!write) t->accesses += 200;  // most likely a loop that waits
}

extern "C" void cc_atomic(void *p, unsigned bytes, int scope, const void *pc) {
  Thread *t = current();
  if (!t) return cc_reject("an atomic was called from host code", "?", 0);
  watch((char *)p, bytes, WRITE | UPDATE | (scope == CC_SCOPE_BLOCK ? BLOCK_ATOMIC : ATOMIC), pc);
  order_atomic(t, p, true, true, false);
  t->accesses += 50;
}

extern "C" void cc_ordered_atomic(void *p, unsigned bytes, int scope, int acquire, int release, const void *pc) {
  cc_atomic(p, bytes, scope, pc);
  if (Thread *t = current()) order_atomic_itself(t, p, acquire, release, (CcScope)scope);
}

extern "C" {
#define CC_CALLBACKS(N)                                                                                \
  void __tsan_read##N(void *p) { watch((char *)p, N, READ, CC_PC); }                                   \
  void __tsan_write##N(void *p) { watch((char *)p, N, WRITE, CC_PC); }                                 \
  void __tsan_unaligned_read##N(void *p) { watch((char *)p, N, READ, CC_PC); }                         \
  void __tsan_unaligned_write##N(void *p) { watch((char *)p, N, WRITE, CC_PC); }                       \
  void __tsan_volatile_read##N(void *p) { watch_volatile(p, N, false, CC_PC); }                        \
  void __tsan_volatile_write##N(void *p) { watch_volatile(p, N, true, CC_PC); }                        \
  void __tsan_unaligned_volatile_read##N(void *p) { watch_volatile(p, N, false, CC_PC); }              \
  void __tsan_unaligned_volatile_write##N(void *p) { watch_volatile(p, N, true, CC_PC); }
CC_CALLBACKS(1)
CC_CALLBACKS(2)
CC_CALLBACKS(4)
CC_CALLBACKS(8)
CC_CALLBACKS(16)
void __tsan_read_range(void *p, size_t n) { watch((char *)p, n, READ | OBJECT, CC_PC); }
void __tsan_write_range(void *p, size_t n) { watch((char *)p, n, WRITE | OBJECT, CC_PC); }
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

// The host's own std::atomic, which the instrumentation turns into calls.
#define CC_HOST_ATOMIC(BITS, T)                                                                        \
  T __tsan_atomic##BITS##_load(const volatile T *p, int) { host_atomic(p); return __atomic_load_n(p, 5); }             \
  void __tsan_atomic##BITS##_store(volatile T *p, T v, int) { host_atomic(p); __atomic_store_n(p, v, 5); }             \
  T __tsan_atomic##BITS##_exchange(volatile T *p, T v, int) { host_atomic(p); return __atomic_exchange_n(p, v, 5); }   \
  T __tsan_atomic##BITS##_fetch_add(volatile T *p, T v, int) { host_atomic(p); return __atomic_fetch_add(p, v, 5); }   \
  T __tsan_atomic##BITS##_fetch_sub(volatile T *p, T v, int) { host_atomic(p); return __atomic_fetch_sub(p, v, 5); }   \
  T __tsan_atomic##BITS##_fetch_and(volatile T *p, T v, int) { host_atomic(p); return __atomic_fetch_and(p, v, 5); }   \
  T __tsan_atomic##BITS##_fetch_or(volatile T *p, T v, int) { host_atomic(p); return __atomic_fetch_or(p, v, 5); }     \
  T __tsan_atomic##BITS##_fetch_xor(volatile T *p, T v, int) { host_atomic(p); return __atomic_fetch_xor(p, v, 5); }   \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T *p, T *e, T v, int, int) {              \
    host_atomic(p);                                                                                    \
    return __atomic_compare_exchange_n(p, e, v, false, 5, 5);                                          \
  }                                                                                                    \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T *p, T *e, T v, int, int) {                \
    host_atomic(p);                                                                                    \
    return __atomic_compare_exchange_n(p, e, v, false, 5, 5);                                          \
  }                                                                                                    \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T *p, T e, T v, int, int) {                    \
    host_atomic(p);                                                                                    \
    __atomic_compare_exchange_n(p, &e, v, false, 5, 5);                                                \
    return e;                                                                                          \
  }
CC_HOST_ATOMIC(8, uint8_t)
CC_HOST_ATOMIC(16, uint16_t)
CC_HOST_ATOMIC(32, uint32_t)
CC_HOST_ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(5); }
void __tsan_atomic_signal_fence(int) {}

// ---- alignment and array bounds, which g++ checks in the source's own terms ------------------------------
struct UbsanLocation { const char *file; uint32_t line, column; };
struct UbsanMismatch { UbsanLocation where; const void *type; unsigned char log_alignment, kind; };
struct UbsanBounds { UbsanLocation where; };

static void report(const UbsanLocation &where, cudaError_t error, const std::string &what) {
  Thread *t = current();
  std::string at = place(where.file, (int)where.line);
  if (t) return fail(error, "%s by %s at %s", what.c_str(), thread_text(t).c_str(), at.c_str());
  Locked lock;
  complain("host code: %s at %s", what.c_str(), at.c_str());
}
void __ubsan_handle_type_mismatch_v1(void *data, uintptr_t p) {
  auto *d = (UbsanMismatch *)data;
  report(d->where, cudaErrorMisalignedAddress, "misaligned access (needs a multiple of " + std::to_string(1 << d->log_alignment) + ") to " + describe((char *)p));
}
void __ubsan_handle_out_of_bounds(void *data, uintptr_t index) {
  report(((UbsanBounds *)data)->where, cudaErrorIllegalAddress, "out of bounds: index " + std::to_string((long)index) + " of an array");
}

// The C library's copies are not instrumented; build.py renames the calls of the watched file to these.
static void watch_copy(void *to, const void *from, size_t n, const void *pc) {
  if (!n) return;
  if (from) watch((char *)from, n, READ, pc);
  watch((char *)to, n, WRITE, pc);
}
void *cc_watched_memcpy(void *to, const void *from, size_t n) { watch_copy(to, from, n, CC_PC); return memcpy(to, from, n); }
void *cc_watched_memmove(void *to, const void *from, size_t n) { watch_copy(to, from, n, CC_PC); return memmove(to, from, n); }
void *cc_watched_memset(void *to, int value, size_t n) { watch_copy(to, nullptr, n, CC_PC); return memset(to, value, n); }
}
#endif
