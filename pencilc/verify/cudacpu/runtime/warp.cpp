// Warp operations: lanes wait until every lane of the mask that has not returned is there, then all get their results.
#include "internal.h"

namespace cc {
static unsigned lanes_in(const Block *block, unsigned warp) {
  unsigned left = block->count - warp * 32;
  return left < 32 ? left : 32;
}

static bool is_shuffle(int op) { return op <= CC_SHFL_XOR; }

// The lane that a shuffle reads, by the rules of the guide: out of the segment means one's own value.
static int source_lane(const WarpCall &c, int lane) {
  int width = c.width, base = lane / width * width, s = lane;
  switch (c.op) {
    case CC_SHFL: return base + (c.argument & (width - 1));
    case CC_SHFL_UP: s = lane - c.argument; return s < base ? lane : s;
    case CC_SHFL_DOWN: s = lane + c.argument; return s >= base + width ? lane : s;
    default: s = lane ^ c.argument; return s >= base + width ? lane : s;
  }
}

static uint32_t combine(int op, uint32_t a, uint32_t b) {
  switch (op) {
    case CC_RED_ADD: return a + b;
    case CC_RED_UMIN: return b < a ? b : a;
    case CC_RED_UMAX: return b > a ? b : a;
    case CC_RED_SMIN: return (int32_t)b < (int32_t)a ? b : a;
    case CC_RED_SMAX: return (int32_t)b > (int32_t)a ? b : a;
    case CC_RED_AND: return a & b;
    case CC_RED_OR: return a | b;
    default: return a ^ b;
  }
}

static uint64_t reduce(Thread *const *lanes, unsigned participants, int op) {
  bool first = true;
  uint32_t result = 0;
  for (unsigned rest = participants; rest; rest &= rest - 1) {
    uint32_t v = (uint32_t)lanes[__builtin_ctz(rest)]->call.value;
    result = first ? v : combine(op, result, v);
    first = false;
  }
  return result;
}

static unsigned same_value(Thread *const *lanes, unsigned participants, uint64_t value) {
  unsigned same = 0;
  for (unsigned rest = participants; rest; rest &= rest - 1)
    if (lanes[__builtin_ctz(rest)]->call.value == value) same |= rest & -rest;
  return same;
}

static unsigned ballot(Thread *const *lanes, unsigned participants) { return same_value(lanes, participants, 1); }

static void shuffle(Thread *const *lanes, unsigned participants) {
  for (unsigned rest = participants; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest);
    Thread *t = lanes[lane];
    int source = source_lane(t->call, lane);
    if (!(participants >> source & 1))
      fail(cudaErrorLaunchFailure, "shuffle reads an inactive lane: %s (lane %d) reads lane %d, which takes no part (mask 0x%08x), at %s",
           thread_text(t).c_str(), lane, source, t->call.mask, place(t->file, t->line).c_str());
    t->call.result = lanes[source]->call.value;
  }
}

// An operation on fragments: the whole warp does it, on one address or with one value, or brings what its lanes hold.
static void on_fragments(Thread *const *lanes, unsigned participants) {
  const Thread *first = lanes[__builtin_ctz(participants)];
  std::string at = place(first->file, first->line);
  if (participants != ~0u)
    fail(cudaErrorLaunchFailure, "part of a warp: fragments are of all 32 lanes, and lanes 0x%08x alone work on them at %s", participants, at.c_str());
  if (first->call.op == CC_FRAGMENT) {
    if (same_value(lanes, participants, first->call.value) != participants)
      fail(cudaErrorLaunchFailure, "lanes of a warp differ in the address, pitch or value of a fragment at %s", at.c_str());
    return;
  }
  CcMatrixCall *calls[32];
  for (int l = 0; l < 32; l++) calls[l] = (CcMatrixCall *)lanes[l]->call.value;
  calls[0]->work(calls);
}

static void compute(Thread *const *lanes, unsigned participants) {
  const WarpCall &first = lanes[__builtin_ctz(participants)]->call;
  int op = first.op;
  if (is_shuffle(op)) return shuffle(lanes, participants);
  if (op == CC_SYNCWARP) {
    if (CHECKING) order_warp_sync(lanes, participants);
    return;
  }
  if (op == CC_FRAGMENT || op == CC_FRAGMENTS || op == CC_ROWS) return on_fragments(lanes, participants);
  uint64_t common = op == CC_BALLOT ? ballot(lanes, participants) : reduce(lanes, participants, op);
  if (op == CC_MATCH_ALL) common = same_value(lanes, participants, first.value) == participants ? participants : 0;
  for (unsigned rest = participants; rest; rest &= rest - 1) {
    WarpCall &c = lanes[__builtin_ctz(rest)]->call;
    c.result = op == CC_MATCH_ANY ? same_value(lanes, participants, c.value) : common;
  }
}

static const char *instruction_name(int op) {
  if (is_shuffle(op)) return "shuffle";
  switch (op) {
    case CC_SYNCWARP: return "warp barrier";
    case CC_BALLOT: case CC_MATCH_ANY: case CC_MATCH_ALL: return "vote";
    case CC_FRAGMENT: case CC_ROWS: return nullptr;  // its loads and stores are counted themselves
    case CC_FRAGMENTS: return "matrix product";
    default: return "warp reduction";
  }
}

static void release_lanes(Block *block, unsigned warp, Thread *const *lanes, unsigned participants) {
  Thread *waiters[32];
  unsigned count = 0;
  block->waiting[warp] &= ~participants;
  for (unsigned rest = participants; rest; rest &= rest - 1) waiters[count++] = lanes[__builtin_ctz(rest)];
  make_ready(waiters, count);
}

// Completes the operation of the waiting lanes, if every lane of their mask that is still alive has come.
void complete_warp_operation(Block *block, unsigned warp) {
  Thread *lanes[32] = {};
  unsigned count = lanes_in(block, warp), alive = 0;
  for (unsigned l = 0; l < count; l++) {
    lanes[l] = &block->threads[warp * 32 + l];
    alive |= (unsigned)(lanes[l]->state != State::done) << l;
  }
  for (unsigned rest = block->waiting[warp]; rest; rest &= rest - 1) {
    unsigned needed = lanes[__builtin_ctz(rest)]->call.mask & alive;
    if ((block->waiting[warp] & needed) != needed) continue;
    compute(lanes, needed);
    requests_meet(block, warp, needed);
    if (const char *name = instruction_name(lanes[__builtin_ctz(needed)]->call.op)) count_instruction(name, 1);
    release_lanes(block, warp, lanes, needed);
    return;
  }
}

static void check_convergence(Thread *t) {
  Block *block = t->block;
  if (!(t->call.mask >> t->lane & 1))
    fail(cudaErrorLaunchFailure, "warp divergence: %s (lane %u) calls a warp operation but is not in its mask 0x%08x at %s",
         thread_text(t).c_str(), t->lane, t->call.mask, place(t->file, t->line).c_str());
  int width = t->call.width;
  if (width < 1 || width > 32 || (width & (width - 1)))
    fail(cudaErrorLaunchFailure, "the width %d of a shuffle is not a power of two: %s at %s", width, thread_text(t).c_str(), place(t->file, t->line).c_str());
  unsigned others = block->waiting[t->index / 32] & t->call.mask;
  if (!others) return;
  const Thread *o = &block->threads[t->index / 32 * 32 + __builtin_ctz(others)];
  if (o->call.op == t->call.op && o->call.mask == t->call.mask && o->line == t->line) return;
  fail(cudaErrorLaunchFailure, "warp divergence: %s is at %s (mask 0x%08x) but lane %u of its warp is at %s (mask 0x%08x)",
       thread_text(t).c_str(), place(t->file, t->line).c_str(), t->call.mask, o->lane, place(o->file, o->line).c_str(), o->call.mask);
}
}  // namespace cc

using namespace cc;
extern "C" int cc_lane() { return (int)current()->lane; }
// An address of shared memory, here the pointer itself.
extern "C" size_t cc_shared_address(const void *p, const char *file, int line) {
  Thread *t = current();
  if (!t || (char *)p < t->block->arena || (char *)p >= t->block->arena + ARENA_BYTES)
    cc_reject("what is taken for an address of shared memory is none", file, line);
  return (size_t)p;
}
extern "C" uint64_t cc_warp(int op, unsigned mask, uint64_t value, int argument, int width, const char *file, int line) {
  Thread *t = current();
  if (!t) cc_reject("a warp operation was called from host code", file, line);
  t->file = file, t->line = line;
  t->call = WarpCall{op, mask, value, 0, argument, width};
  check_convergence(t);
  unsigned warp = t->index / 32;
  unsigned &waiting = t->block->waiting[warp];
  waiting |= 1u << t->lane;
  t->state = State::at_warp;
  bool all_here = (waiting & mask) == mask;
  bool some_missing = t->block->live < t->block->count || lanes_in(t->block, warp) < 32;
  if (all_here || some_missing) complete_warp_operation(t->block, warp);
  wait_for_others(t);
  return t->call.result;
}

// The lanes that come here while the first of them lets the others run are taken to be active together. In the orders
// `fwd` and `rev` that is all who take this branch, in a random order any part of them.
extern "C" unsigned cc_active_mask(const char *file, int line) {
  Thread *t = current();
  if (!t) cc_reject("__activemask() was called from host code", file, line);
  Block *block = t->block;
  unsigned warp = t->index / 32, &gathering = block->gathering[warp];
  t->file = file, t->line = line;
  gathering |= 1u << t->lane;
  make_ready(&t, 1);
  wait_for_others(t);
  if (!(gathering >> t->lane & 1)) return (unsigned)t->call.result;
  unsigned together = 0;
  for (unsigned rest = gathering; rest; rest &= rest - 1) {
    Thread *other = &block->threads[warp * 32 + __builtin_ctz(rest)];
    if (other->line == line && !strcmp(other->file, file)) together |= rest & -rest;
  }
  for (unsigned rest = together; rest; rest &= rest - 1) block->threads[warp * 32 + __builtin_ctz(rest)].call.result = together;
  gathering &= ~together;
  return together;
}
