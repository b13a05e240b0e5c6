// Atomics. Threads run one at a time, so the plain operation is atomic; the runtime is told where and by whom.
#pragma once
#include "device.h"

extern "C" void cc_atomic(void *address, unsigned bytes, int scope, const void *pc);  // bookkeeping only; may let others run

// The same for an atomic that has an order of its own: `acquire` and `release` tell which sides of it.
extern "C" void cc_ordered_atomic(void *address, unsigned bytes, int scope, int acquire, int release, const void *pc);

#ifdef CUDACPU_CHECK
#define CC_ATOMIC_FN CC_UNWATCHED
#define CC_TELL(p, scope) cc_atomic((void *)(p), sizeof *(p), scope, __builtin_return_address(0))
#else
#define CC_ATOMIC_FN inline
// A thread that only spins on atomics must let the others run now and then.
extern "C" { extern __thread int cc_spin_budget __attribute__((tls_model("initial-exec"))); void cc_spin(); }
#define CC_TELL(p, scope) (void)(--cc_spin_budget < 0 ? cc_spin() : (void)0)
#endif

template <class T> struct CcSame { typedef T type; };  // keeps an argument out of template deduction
template <class T> using cc_same = typename CcSame<T>::type;

#define CC_ATOMIC_NAMED(NAME, SCOPE, EXPR)                                                                         \
  template <class T> static CC_ATOMIC_FN T NAME(T *p, cc_same<T> v) {                                          \
    CC_TELL(p, SCOPE);                                                                                         \
    T old = *(volatile T *)p;                                                                                  \
    *(volatile T *)p = (T)(EXPR);                                                                              \
    return old;                                                                                                \
  }
#define CC_ATOMIC(NAME, EXPR)                                                                                  \
  CC_ATOMIC_NAMED(NAME, CC_SCOPE_DEVICE, EXPR)                                                                 \
  CC_ATOMIC_NAMED(NAME##_block, CC_SCOPE_BLOCK, EXPR)                                                          \
  CC_ATOMIC_NAMED(NAME##_system, CC_SCOPE_DEVICE, EXPR)
CC_ATOMIC(atomicAdd, old + v)
CC_ATOMIC(atomicSub, old - v)
CC_ATOMIC(atomicMin, v < old ? v : old)
CC_ATOMIC(atomicMax, v > old ? v : old)
CC_ATOMIC(atomicExch, v)
CC_ATOMIC(atomicAnd, old & v)
CC_ATOMIC(atomicOr, old | v)
CC_ATOMIC(atomicXor, old ^ v)
CC_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
CC_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)
#undef CC_ATOMIC
#undef CC_ATOMIC_NAMED

#define CC_CAS(NAME, SCOPE)                                                                                    \
  template <class T> static CC_ATOMIC_FN T NAME(T *p, cc_same<T> expected, cc_same<T> desired) {               \
    CC_TELL(p, SCOPE);                                                                                         \
    T old = *(T *)p;                                                                                           \
    if (__builtin_memcmp(&old, &expected, sizeof(T)) == 0) *(T *)p = desired;                                  \
    return old;                                                                                                \
  }
CC_CAS(atomicCAS, CC_SCOPE_DEVICE)
CC_CAS(atomicCAS_block, CC_SCOPE_BLOCK)
CC_CAS(atomicCAS_system, CC_SCOPE_DEVICE)
#undef CC_CAS

// Atomics with an order and a scope, as nvcc has them built in since 12.8.
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };
#ifdef CUDACPU_CHECK
#define CC_TELL_ORDERED(p, scope, order)                                                                       \
  cc_ordered_atomic((void *)(p), sizeof *(p), scope >= __NV_THREAD_SCOPE_DEVICE ? CC_SCOPE_DEVICE : CC_SCOPE_BLOCK, \
                    order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE, order >= __NV_ATOMIC_RELEASE, __builtin_return_address(0))
#else
#define CC_TELL_ORDERED(p, scope, order) CC_TELL(p, scope)
#endif
template <class T> static CC_ATOMIC_FN T __nv_atomic_fetch_add(T *p, cc_same<T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  CC_TELL_ORDERED(p, scope, order);
  T old = *(volatile T *)p;
  *(volatile T *)p = (T)(old + v);
  return old;
}

extern "C" void cc_poll(const void *address, unsigned bytes, const char *file, int line);  // may let others run
template <class T> static CC_ATOMIC_FN T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM, CC_HERE) {
  cc_poll((const void *)p, sizeof *p, cc_file, cc_line);
  CC_TELL_ORDERED(p, scope, order);
  return *(volatile T *)p;
}

// For classes (halves and their pairs), which cannot be volatile.
#define CC_CLASS_ATOMIC_ADD(T)                                                                                 \
  static CC_ATOMIC_FN T atomicAdd(T *p, T v) {                                                                 \
    CC_TELL(p, CC_SCOPE_DEVICE);                                                                               \
    T old = *p;                                                                                                \
    *p = old + v;                                                                                              \
    return old;                                                                                                \
  }
