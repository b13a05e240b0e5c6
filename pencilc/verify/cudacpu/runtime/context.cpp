// Stacks, and the switch from one to another. A switch keeps what the calling convention says a callee must keep.
#include "internal.h"
#include <sys/mman.h>

#if defined(__x86_64__)
asm(R"(
.text
.globl cc_swap
.hidden cc_swap
.type cc_swap,@function
cc_swap:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp,(%rdi)
  mov %rsi,%rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size cc_swap,.-cc_swap
)");
static void *first_context(char *top, void (*entry)()) {
  void **slot = (void **)top - 2;  // after `ret` the stack is 8 off a multiple of 16, as at any function's start
  slot[0] = (void *)entry;
  slot[1] = nullptr;
  slot -= 6;
  for (int i = 0; i < 6; i++) slot[i] = nullptr;
  return slot;
}
#elif defined(__aarch64__)
asm(R"(
.text
.globl cc_swap
.hidden cc_swap
.type cc_swap,%function
cc_swap:
  sub sp,sp,#160
  stp x19,x20,[sp,#0]
  stp x21,x22,[sp,#16]
  stp x23,x24,[sp,#32]
  stp x25,x26,[sp,#48]
  stp x27,x28,[sp,#64]
  stp x29,x30,[sp,#80]
  stp d8,d9,[sp,#96]
  stp d10,d11,[sp,#112]
  stp d12,d13,[sp,#128]
  stp d14,d15,[sp,#144]
  mov x9,sp
  str x9,[x0]
  mov sp,x1
  ldp x19,x20,[sp,#0]
  ldp x21,x22,[sp,#16]
  ldp x23,x24,[sp,#32]
  ldp x25,x26,[sp,#48]
  ldp x27,x28,[sp,#64]
  ldp x29,x30,[sp,#80]
  ldp d8,d9,[sp,#96]
  ldp d10,d11,[sp,#112]
  ldp d12,d13,[sp,#128]
  ldp d14,d15,[sp,#144]
  add sp,sp,#160
  ret
.size cc_swap,.-cc_swap
)");
static void *first_context(char *top, void (*entry)()) {
  void **slot = (void **)top - 20;
  for (int i = 0; i < 20; i++) slot[i] = nullptr;
  slot[11] = (void *)entry;  // x30, where `ret` goes
  return slot;
}
#else
#error "cudacpu knows x86-64 and aarch64 only"
#endif

namespace cc {
// Wide enough that one large frame does not jump across it into a neighbour's stack.
static constexpr size_t GUARD_BYTES = 1 << 20;
// Every guarded stack costs two mappings, of which Linux allows 65530 per process.
static constexpr size_t MAX_GUARDED = 16384;
static std::vector<Fiber *> all_fibers, free_fibers;

static Fiber *new_fiber() {
  size_t stack = settings().stack_bytes, guard = all_fibers.size() < MAX_GUARDED ? GUARD_BYTES : 0;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *base = (char *)mmap(nullptr, stack + guard, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (base == MAP_FAILED) {
    perror("cudacpu: no memory for another thread's stack");
    abort();
  }
  if (guard) mprotect(base, guard, PROT_NONE);
  all_fibers.push_back(new Fiber{nullptr, base + guard, base + guard + stack});
  return all_fibers.back();
}

Fiber *take_fiber() {
  if (free_fibers.empty()) return new_fiber();
  Fiber *fiber = free_fibers.back();
  free_fibers.pop_back();
  return fiber;
}

void give_fiber(Fiber *fiber) { free_fibers.push_back(fiber); }

// The colour spreads the tops of the stacks over the cache's sets.
void prepare_fiber(Fiber *fiber, unsigned colour, void (*entry)()) {
  fiber->sp = first_context(fiber->high - colour % 32 * 320, entry);
}

bool in_other_fiber(const char *p, const Fiber *own) {
  for (const Fiber *f : all_fibers)
    if (f != own && p >= f->low && p < f->high) return true;
  return false;
}

bool in_guard(const char *p, const Fiber *own) { return own && p < own->low && p >= own->low - GUARD_BYTES; }
}  // namespace cc
