// __syncthreads and its kin, and the barriers of a cooperative grid and of a cluster.
#include "internal.h"

namespace cc {
uint64_t wide_arrived;

// A thread that returns while others wait, or a barrier after some have returned, is divergence: the guide wants every
// thread of the block at the barrier, though newer GPUs let returned threads go.
void barrier_sees_exit(Thread *t) {
  Block *block = t->block;
  if (!block->barrier.arrived) return;
  fail(cudaErrorLaunchFailure, "barrier divergence: %s returned while %u threads of its block wait at the barrier %s",
       thread_text(t).c_str(), block->barrier.arrived, place(block->barrier.file, block->barrier.line).c_str());
}

static void check_same_barrier(Thread *t, int kind) {
  const Barrier &b = t->block->barrier;
  if (b.kind == kind && b.line == t->line && (b.file == t->file || !strcmp(b.file, t->file))) return;
  fail(cudaErrorLaunchFailure, "barrier divergence: %s is at the barrier %s but others of its block are at %s",
       thread_text(t).c_str(), place(t->file, t->line).c_str(), place(b.file, b.line).c_str());
}

static void release_block(Block *block, State waiting) {
  static std::vector<Thread *> waiters;
  waiters.clear();
  for (unsigned i = 0; i < block->count; i++)
    if (block->threads[i].state == waiting) waiters.push_back(&block->threads[i]);
  make_ready(waiters.data(), waiters.size());
}

static int block_barrier(Thread *t, int kind, int predicate) {
  Block *block = t->block;
  Barrier &b = block->barrier;
  if (b.arrived) check_same_barrier(t, kind);
  else b = Barrier{0, kind, kind == CC_BARRIER_AND, b.result, t->file, t->line};
  if (block->live < block->count)
    fail(cudaErrorLaunchFailure, "barrier divergence: %s waits at the barrier %s that %u threads of its block never reach: they returned",
         thread_text(t).c_str(), place(t->file, t->line).c_str(), block->count - block->live);
  if (kind == CC_BARRIER_COUNT) b.accumulated += predicate != 0;
  else if (kind == CC_BARRIER_AND) b.accumulated &= predicate != 0;
  else b.accumulated |= predicate != 0;
  t->state = State::at_barrier;
  if (++b.arrived == block->live) {
    b.arrived = 0;
    b.result = b.accumulated;
    if (CHECKING) order_barrier(block);
    requests_meet(block);
    count_instruction("barrier", (block->count + 31) / 32);
    release_block(block, State::at_barrier);
  }
  wait_for_others(t);
  return b.result;
}

// The barrier of all blocks that are resident together: a cooperative grid, or a cluster.
static void wide_barrier(Thread *t, int kind) {
  const bool of_grid = kind == CC_BARRIER_GRID;
  if (of_grid && !running->what.cooperative)
    fail(cudaErrorLaunchFailure, "grid barrier in a launch that is not cooperative: %s at %s", thread_text(t).c_str(), place(t->file, t->line).c_str());
  uint64_t live = 0, count = 0;
  for (const Block *block : resident) live += block->live, count += block->count;
  if (!of_grid && live < count)
    fail(cudaErrorLaunchFailure, "barrier divergence: %s waits at the barrier of its cluster %s that %llu threads never reach: they returned",
         thread_text(t).c_str(), place(t->file, t->line).c_str(), (unsigned long long)(count - live));
  if (!of_grid && !t->has_arrived)
    fail(cudaErrorLaunchFailure, "%s waits at the barrier of its cluster %s where it has not arrived", thread_text(t).c_str(), place(t->file, t->line).c_str());
  t->has_arrived = false;
  t->state = State::at_wide_barrier;
  if (++wide_arrived == live) {
    wide_arrived = 0;
    if (CHECKING) of_grid ? order_grid_barrier() : order_cluster_barrier();
    for (Block *block : resident) {
      requests_meet(block);
      count_instruction(of_grid ? "grid barrier" : "cluster barrier", (block->live + 31) / 32);
      release_block(block, State::at_wide_barrier);
    }
  }
  wait_for_others(t);
}
}  // namespace cc

using namespace cc;
extern "C" void cc_cluster_arrive(const char *file, int line) {
  Thread *t = current();
  if (!t) cc_reject("a barrier was called from host code", file, line);
  if (t->has_arrived) cc_reject("a thread arrives at the barrier of its cluster again, and has not waited there", file, line);
  t->has_arrived = true;
}
extern "C" int cc_barrier(int kind, int predicate, const char *file, int line) {
  Thread *t = current();
  if (!t) cc_reject("a barrier was called from host code", file, line);
  t->file = file, t->line = line;
  if (kind != CC_BARRIER_GRID && kind != CC_BARRIER_CLUSTER) return block_barrier(t, kind, predicate);
  wide_barrier(t, kind);
  return 0;
}
