// Shadow memory: what is allocated, what has been written, and who touched it last.
//
// Note [Cells]: one cell per word of four bytes holds its last write and the reads since then that a later write has to
// be ordered with. Accesses narrower than a word keep cells of their own, one per byte; a word that has them is marked
// `split`.
//
// Note [Reads]: the lanes of a warp that read at the same clock are one entry with a mask, because a __syncwarp of a
// part of the warp orders some of them and not the others. A cell has the last entry, the one before it that nothing
// orders, and one of another block, if any block reads too: a barrier orders the reads of a whole block, never those of
// another. What is lost for want of room are reads of the same block that other entries of that block stand for.
//
// Note [Uninitialised reads]: a read is an error if none of its bytes was ever written (for 16 bytes and more: if none
// of a group of 16). Bytes that stay unwritten beside written ones are taken for padding, or for lanes nobody uses.
#include "internal.h"
#include <sys/mman.h>
#ifdef CUDACPU_CHECK
#include <link.h>

namespace cc {
struct Access {
  uint32_t operation, block, clock;
  int32_t pc;
  uint32_t lanes;  // of `warp`: who made the access
  uint16_t warp;
  uint8_t scope;   // of an atomic; CC_SCOPE_NONE for a plain access
};
enum Slot { LAST, BEFORE, ELSEWHERE, SLOTS };
struct Cell {
  Access write, reads[SLOTS];
  bool split;
};
constexpr uint32_t WHOLE_OPERATION = 0xffffffffu;  // in place of a block: a copy, a fill, an allocation
static Cell *word_cells, *byte_cells;
static uint8_t *states;  // per word: low nibble allocated, high nibble written

template <class T> static T *sparse(size_t count) {
  void *p = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    perror("cudacpu: cannot reserve shadow memory");
    abort();
  }
  return (T *)p;
}

void shadow_open() {
  word_cells = sparse<Cell>(REGION_BYTES / 4);
  byte_cells = sparse<Cell>(REGION_BYTES);
  states = sparse<uint8_t>(REGION_BYTES / 4);
}

// Calls f(word, mask of its bytes) for every word of a range.
template <class F> static void each_word(size_t offset, size_t bytes, F f) {
  while (bytes) {
    unsigned first = offset & 3, count = 4 - first < bytes ? 4 - first : (unsigned)bytes;
    f(offset >> 2, ((1u << count) - 1) << first);
    offset += count;
    bytes -= count;
  }
}

void shadow_allocate(size_t offset, size_t bytes, bool written) {
  each_word(offset, bytes, [=](size_t word, unsigned mask) {
    states[word] = (uint8_t)((states[word] & ~(mask * 0x11)) | mask | (written ? mask << 4 : 0));
  });
}
void shadow_written(size_t offset, size_t bytes) {
  each_word(offset, bytes, [](size_t word, unsigned mask) { states[word] |= (uint8_t)(mask << 4); });
}

static bool used(const Cell &c) { return c.write.operation || c.reads[LAST].operation || c.split; }
void shadow_forget(size_t offset, size_t bytes) {
  each_word(offset, bytes, [](size_t word, unsigned) {
    if (word_cells[word].split)
      for (int b = 0; b < 4; b++) byte_cells[word * 4 + b] = Cell{};
    if (used(word_cells[word])) word_cells[word] = Cell{};
  });
}
void shadow_release(size_t offset, size_t bytes) {
  shadow_forget(offset, bytes);
  each_word(offset, bytes, [](size_t word, unsigned mask) { states[word] &= (uint8_t)~(mask * 0x11); });
}

bool shadow_any_written(size_t offset, size_t bytes) {
  bool any = false;
  each_word(offset, bytes, [&](size_t word, unsigned mask) { any = any || (states[word] >> 4 & mask); });
  return any;
}
bool shadow_any_unwritten(size_t offset, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    size_t group = 16 - ((offset + done) & 15);
    if (group > bytes - done) group = bytes - done;
    if (!shadow_any_written(offset + done, group)) return true;
    done += group;
  }
  return false;
}
void shadow_copy_written(size_t to, size_t from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    bool written = states[(from + i) >> 2] >> 4 >> ((from + i) & 3) & 1;
    uint8_t bit = (uint8_t)(0x10 << ((to + i) & 3)), &state = states[(to + i) >> 2];
    state = written ? state | bit : state & ~bit;
  }
}

// ---- races ----------------------------------------------------------------------------------------
static CcScope scope_of(unsigned kind) { return kind & ATOMIC ? CC_SCOPE_DEVICE : kind & BLOCK_ATOMIC ? CC_SCOPE_BLOCK : CC_SCOPE_NONE; }

// Two atomics do not race, unless one of them is atomic within its block only and the other is of another block.
static bool both_atomic(const Access &earlier, const Thread *t, unsigned kind) {
  CcScope scope = scope_of(kind);
  if (!scope || !earlier.scope) return false;
  return earlier.block == t->block->linear || (scope == CC_SCOPE_DEVICE && earlier.scope == CC_SCOPE_DEVICE);
}

static uint32_t thread_of(const Access &a) { return a.warp * 32u + (a.lanes ? (uint32_t)__builtin_ctz(a.lanes) : 0); }

// The lanes of an earlier access that nothing orders before the present one.
static uint32_t unordered_lanes(const Access &earlier, const Thread *t, unsigned kind) {
  if (!earlier.operation) return 0;
  if (earlier.operation != current_operation.id) return operation_completed_before(earlier.operation) ? 0 : ~0u;
  if (earlier.block == WHOLE_OPERATION || !t || both_atomic(earlier, t, kind)) return 0;
  uint32_t found = 0;
  for (uint32_t rest = earlier.lanes; rest; rest &= rest - 1)
    if (!order_known(t, earlier.block, earlier.warp * 32u + __builtin_ctz(rest), earlier.clock)) found |= rest & -rest;
  return found;
}
static bool ordered(const Access &earlier, const Thread *t, unsigned kind) { return !unordered_lanes(earlier, t, kind); }

static const void *pc_of(const Access &a) { return a.pc ? own_image() + a.pc : nullptr; }

static std::string earlier_text(const Access &a, const char *what) {
  const Operation &op = operations[a.operation];
  bool same = a.operation == current_operation.id;
  if (a.block == WHOLE_OPERATION) return std::string("the ") + what + " by " + op.name;
  std::string text = std::string("the ") + what + " by ";
  if (!same) text += "kernel " + std::string(op.name ? op.name : function_name(op.kernel)) + " ";
  text += thread_text(op, a.block, thread_of(a)) + " at " + source_of(pc_of(a));
  return same ? text : text + " (launches that no stream, event or synchronisation orders)";
}

static void report_race(const Thread *t, const char *p, unsigned access, const void *pc, Access earlier, const char *what) {
  const char *kind = access & WRITE ? "write" : "read";
  earlier.lanes &= unordered_lanes(earlier, t, access);
  std::string object = describe(p), other = earlier_text(earlier, what);
  if (!t) {
    fail(cudaErrorLaunchFailure, "%s: data race on %s: %s, not ordered with %s", operations[current_operation.id].name, object.c_str(), kind, other.c_str());
    return;
  }
  fail(cudaErrorLaunchFailure, "data race on %s: %s by %s at %s, not ordered with %s", object.c_str(), kind, thread_text(t).c_str(), source_of(pc).c_str(), other.c_str());
}

// The race check of one cell. False means that a race was reported.
static bool check_cell(const Cell &c, const Thread *t, const char *p, unsigned kind, const void *pc) {
  bool write = kind & WRITE;
  if (!ordered(c.write, t, kind)) {
    report_race(t, p, kind, pc, c.write, "write");
    return false;
  }
  for (const Access &read : c.reads)
    if (write && !ordered(read, t, kind)) {
      report_race(t, p, kind, pc, read, "read");
      return false;
    }
  return true;
}

static bool same_group(const Access &a, const Access &b) {
  return a.operation == b.operation && a.block == b.block && a.warp == b.warp && a.clock == b.clock && a.scope == b.scope;
}
static bool same_block(const Access &a, const Access &b) { return a.operation == b.operation && a.block == b.block; }

// Keeps a read as Note [Reads] has it.
static void note_read(Cell &c, const Access &a, const Thread *t) {
  Access &last = c.reads[LAST], &before = c.reads[BEFORE], &elsewhere = c.reads[ELSEWHERE];
  if (same_group(last, a)) {
    last.lanes |= a.lanes;
    last.pc = a.pc;
    return;
  }
  const Access moved = last;
  last = a;
  if (!moved.operation || ordered(moved, t, READ)) return;
  const Access displaced = before;
  before = moved;
  if (!displaced.operation || ordered(displaced, t, READ)) return;
  bool kept = elsewhere.operation && !same_block(elsewhere, a) && !ordered(elsewhere, t, READ);
  if (!kept) elsewhere = displaced;
}

static void note(Cell &c, const Access &a, const Thread *t, unsigned kind) {
  if (!(kind & WRITE)) return note_read(c, a, t);
  // A thread's own atomic does not hide the plain write that it did before: this one still races with atomics of others.
  bool same_thread = same_block(c.write, a) && c.write.warp == a.warp && c.write.lanes == a.lanes && c.write.clock == a.clock;
  if (a.scope && !c.write.scope && same_thread) return;
  c.write = a;
  if (a.scope) return;  // another atomic, not ordered with this one, may still race with the reads
  for (Access &read : c.reads) read.operation = 0;
}

static Access stamp(const Thread *t, unsigned kind, const void *pc) {
  int32_t relative = pc ? (int32_t)((const char *)pc - own_image()) : 0;
  if (!t) return Access{current_operation.id, WHOLE_OPERATION, 0, relative, 0, 0, CC_SCOPE_NONE};
  return Access{current_operation.id, t->block->linear, t->order.clock, relative, 1u << t->lane, (uint16_t)(t->index / 32), (uint8_t)scope_of(kind)};
}

static bool touch(size_t offset, unsigned bytes, const Thread *t, unsigned kind, const void *pc) {
  Access a = stamp(t, kind, pc);
  bool fine = true;
  each_word(offset, bytes, [&](size_t word, unsigned mask) {
    Cell &whole = word_cells[word];
    const char *p = region + word * 4;
    if (!fine || !(fine = check_cell(whole, t, p, kind, pc))) return;
    for (int b = 0; whole.split && b < 4; b++)
      if (mask >> b & 1 && fine) fine = check_cell(byte_cells[word * 4 + b], t, p + b, kind, pc);
    if (!fine) return;
    if (mask == 15) {
      note(whole, a, t, kind);
      if (kind & WRITE && whole.split) {
        for (int b = 0; b < 4; b++) byte_cells[word * 4 + b] = Cell{};
        whole.split = false;
      }
      return;
    }
    whole.split = true;
    for (int b = 0; b < 4; b++)
      if (mask >> b & 1) note(byte_cells[word * 4 + b], a, t, kind);
  });
  return fine;
}

void shadow_operation_touches(size_t offset, size_t bytes, bool write) {
  for (size_t done = 0; done < bytes; done += 1 << 20) {
    size_t piece = bytes - done < 1 << 20 ? bytes - done : 1 << 20;
    if (!touch(offset + done, (unsigned)piece, nullptr, write ? WRITE : READ, nullptr)) return;
  }
}

// ---- single accesses --------------------------------------------------------------------------------
static bool in_read_only_image(const char *p) {
  static std::vector<std::pair<char *, char *>> ranges;
  if (ranges.empty())
    dl_iterate_phdr([](dl_phdr_info *info, size_t, void *) {
      for (int i = 0; i < info->dlpi_phnum; i++) {
        const auto &h = info->dlpi_phdr[i];
        bool fixed = (h.p_type == PT_LOAD && !(h.p_flags & PF_W)) || h.p_type == PT_GNU_RELRO;
        char *low = (char *)info->dlpi_addr + h.p_vaddr;
        if (fixed) ranges.push_back({low, low + h.p_memsz});
      }
      return 0;
    }, nullptr);
  for (const auto &r : ranges)
    if (p >= r.first && p < r.second) return true;
  return false;
}

static void foreign_access(const char *p, const Thread *t, unsigned kind, const void *pc) {
  const CcArguments &arguments = running->arguments;
  if (p >= (char *)&blockDim && p < (char *)(&blockDim + 1)) return;
  if (p >= (char *)&gridDim && p < (char *)(&gridDim + 1)) return;
  if (p >= (char *)arguments.data && p < (char *)arguments.data + arguments.bytes) return;
  bool write = kind & WRITE;
  if (!write && in_read_only_image(p)) return;
  std::string who = thread_text(t), where = source_of(pc);
  const char *does = write ? "writes" : "reads";
  if (in_other_fiber(p, t->fiber)) fail(cudaErrorIllegalAddress, "%s %s another thread's local variable at %s", who.c_str(), does, where.c_str());
  if (find_variable(p, 8)) fail(cudaErrorIllegalAddress, "out of bounds: %s %s %s at %s", who.c_str(), does, describe(p).c_str(), where.c_str());
  fail(cudaErrorIllegalAddress, "host memory: %s %s %s at %s", who.c_str(), does, describe(p).c_str(), where.c_str());
}

static void host_access(const char *p, size_t bytes, unsigned kind, const void *pc) {
  Locked lock;
  Allocation *a = find_allocation(p, 0);
  if (a && a->host_visible) return check_host_use(p, bytes, kind & WRITE, kind & WRITE ? "writes" : "reads", pc);
  complain("host code %s device memory: %s at %s", kind & WRITE ? "writes" : "reads", describe(p).c_str(), source_of(pc).c_str());
  set_sticky(cudaErrorIllegalAddress);
}

static const char *bounds_word(const char *p) {
  Allocation *a = find_allocation(p, 0);
  return a && a->freed ? "use after free" : "out of bounds";
}

static void check_bounds(char *p, size_t offset, size_t bytes, const Thread *t, unsigned kind, const void *pc) {
  bool allocated = true;
  each_word(offset, bytes, [&](size_t word, unsigned mask) { allocated = allocated && (states[word] & mask) == mask; });
  if (!allocated)
    fail(cudaErrorIllegalAddress, "%s: %s %s %zu bytes of %s at %s", bounds_word(p), thread_text(t).c_str(), kind & WRITE ? "writes" : "reads",
         bytes, describe(p).c_str(), source_of(pc).c_str());
}

static void check_written(const char *p, size_t offset, size_t bytes, const Thread *t, const void *pc) {
  if (bytes > 16 ? !shadow_any_unwritten(offset, bytes) : shadow_any_written(offset, bytes)) return;
  std::string why;
  if (const AsyncCopy *copy = copy_under_way(t->block, p)) why = ", before the asynchronous copy issued at " + source_of(copy->pc) + " has been waited for";
  fail(cudaErrorLaunchFailure, "uninitialised read of %s by %s at %s%s", describe(p).c_str(), thread_text(t).c_str(), source_of(pc).c_str(), why.c_str());
}

// A block takes its shared memory with it: no thread of it may have ended while others of the cluster reach for that.
// The executor takes arriving at the barrier and waiting there for one thing, between which nothing happens.
static void check_cluster(const char *p, const Thread *t, unsigned kind, const void *pc) {
  if (t->has_arrived)
    fail(cudaErrorLaunchFailure, "%s %s %s at %s between arriving at the barrier of its cluster and waiting there", thread_text(t).c_str(),
         kind & WRITE ? "writes" : "reads", describe(p).c_str(), source_of(pc).c_str());
  for (Block *block : resident) {
    if (p < block->arena || p >= block->arena + ARENA_BYTES || block == t->block) continue;
    if (block->live < block->count)
      fail(cudaErrorLaunchFailure, "%s %s %s at %s, and threads of that block have ended", thread_text(t).c_str(),
           kind & WRITE ? "writes" : "reads", describe(p).c_str(), source_of(pc).c_str());
    block->reached = t->order.clock, block->reached_at = pc;
  }
}

// A barrier of the cluster has to stand between what others do with the memory of a block and its end, whichever of the
// two happens to come first here.
void cluster_sees_end(const Block *block) {
  if (block->reached < block->cluster_floor) return;
  fail(cudaErrorLaunchFailure, "block %u ends, and nothing says that threads of that block have ended behind what others of the cluster do with its shared memory at %s",
       block->linear, source_of(block->reached_at).c_str());
}

static void let_others_run(Thread *t) {
  if (++t->accesses < 20000) return;
  t->accesses = 0;
  make_ready(&t, 1);
  wait_for_others(t);
}

void watch(char *p, size_t bytes, unsigned kind, const void *pc) {
  Thread *t = current();
  size_t offset = p - region;
  bool inside = offset < REGION_BYTES;
  if (!t) {
    if (inside || find_variable(p, 0)) host_access(p, bytes, kind, pc);
    else watch_host(p, bytes, kind & WRITE, pc);
    return;
  }
  if (p >= t->fiber->low && p < t->fiber->high) return;
  t->last_pc = pc;
  let_others_run(t);
  if (!inside) {
    const Variable *v = find_variable(p, 0);
    if (!v) return foreign_access(p, t, kind, pc);
    if (v->constant && kind & WRITE)
      fail(cudaErrorIllegalAddress, "write to %s by %s at %s", describe(p).c_str(), thread_text(t).c_str(), source_of(pc).c_str());
    offset = v->mirror + (p - v->address);
  }
  // A struct of two doubles is read as 16 bytes, and its alignment is 8; that of a type is checked by its own callback.
  bool power = (bytes & (bytes - 1)) == 0 && bytes <= 16 && !(kind & OBJECT);
  if (power && (uintptr_t)p & ((bytes < 8 ? bytes : 8) - 1))
    fail(cudaErrorMisalignedAddress, "misaligned access of %zu bytes to %s by %s at %s", bytes, describe(p).c_str(), thread_text(t).c_str(), source_of(pc).c_str());
  check_bounds(p, offset, bytes, t, kind, pc);
  if (running->cluster > 1) check_cluster(p, t, kind, pc);
  if (kind & WRITE && !scope_of(kind)) shadow_written(offset, bytes);
  else check_written(p, offset, bytes, t, pc);
  if (traffic_on && !(kind & AGAIN)) traffic_touch(t, p, bytes, kind, pc);
  touch(offset, (unsigned)bytes, t, kind, pc);
}
}  // namespace cc
#else
namespace cc {
void shadow_open() {}
void shadow_allocate(size_t, size_t, bool) {}
void shadow_release(size_t, size_t) {}
void shadow_forget(size_t, size_t) {}
void shadow_written(size_t, size_t) {}
bool shadow_any_unwritten(size_t, size_t) { return false; }
bool shadow_any_written(size_t, size_t) { return false; }
void shadow_copy_written(size_t, size_t, size_t) {}
void shadow_operation_touches(size_t, size_t, bool) {}
void watch(char *, size_t, unsigned, const void *) {}
void cluster_sees_end(const Block *) {}
}  // namespace cc
#endif
