// Asynchronous copies into shared memory, as late as the waits of the thread allow.
//
// Note [Late copies]: until it has landed, what a copy writes reads as uninitialised, whoever reads; it has landed when
// its thread waits for its group, and not before that has been committed. The detector sees it twice, as a write (and
// a read of where it comes from) when it is issued and when it lands: whoever touches the place in between without a
// barrier races with one of them.
#include "internal.h"

namespace cc {
static void land(Thread *t, const AsyncCopy &copy) {
  if (CHECKING) {
    watch((char *)copy.from, copy.bytes, READ | AGAIN, copy.pc);
    if (shadow_any_written(copy.to - region, copy.bytes + copy.zeros))
      fail(cudaErrorLaunchFailure, "%s was written while an asynchronous copy into it by %s, issued at %s, was under way",
           describe(copy.to).c_str(), thread_text(t).c_str(), source_of(copy.pc).c_str());
    watch(copy.to, copy.bytes + copy.zeros, WRITE | AGAIN, copy.pc);
  }
  memcpy(copy.to, copy.from, copy.bytes);
  memset(copy.to + copy.bytes, 0, copy.zeros);
}

const AsyncCopy *copy_under_way(const Block *block, const char *p) {
  for (unsigned i = 0; i < block->count; i++)
    for (const AsyncCopy &copy : block->threads[i].copies)
      if (p < copy.to + copy.bytes + copy.zeros && copy.to < p + 16) return &copy;
  return nullptr;
}
}  // namespace cc

using namespace cc;
extern "C" void cc_copy_async(void *to, const void *from, size_t bytes, size_t zeros, const char *file, int line) {
  Thread *t = current();
  if (!t) cc_reject("an asynchronous copy was called from host code", file, line);
  const char *arena = t->block->arena, *p = (const char *)from;
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) cc_reject("an asynchronous copy has 4, 8 or 16 bytes", file, line);
  if ((uintptr_t)to % bytes || (uintptr_t)from % bytes) cc_reject("an asynchronous copy of other than aligned addresses", file, line);
  if ((char *)to < arena || (char *)to >= arena + ARENA_BYTES) cc_reject("an asynchronous copy to what is not the block's shared memory", file, line);
  if (!in_region(p) || (p >= arena && p < arena + ARENA_BYTES)) cc_reject("an asynchronous copy from what is not global memory", file, line);
  AsyncCopy copy{(char *)to, p, (uint8_t)(bytes - zeros), (uint8_t)zeros, t->committed, __builtin_return_address(0)};
  if (CHECKING) {
    watch((char *)p, copy.bytes, READ | COPY, copy.pc);
    watch((char *)to, bytes, WRITE | COPY, copy.pc);
    shadow_allocate((char *)to - region, bytes, false);
  }
  memset(to, 0xff, bytes);
  t->copies.push_back(copy);
}
extern "C" void cc_copy_commit() { current()->committed++; }
extern "C" void cc_copy_wait(unsigned groups) {
  Thread *t = current();
  size_t landed = 0;
  while (landed < t->copies.size() && t->copies[landed].group + groups < t->committed) land(t, t->copies[landed++]);
  t->copies.erase(t->copies.begin(), t->copies.begin() + landed);
}
