// Which thread runs next.
//
// Note [Late starts]: a thread gets a stack only when it starts, and when it ends without ever having waited, the next
// one starts on the same stack by a plain call. A kernel without barriers thus runs as a loop.
//
// Note [Polling]: a thread whose atomic load finds what its last one found at the same place most likely waits there for
// another thread. It goes on when nobody else can, those first whose place has another value by then. Where no place
// has, all of them go on, for they may count their rounds; after so many such turns they wait for ever.
#include "internal.h"

__thread CcThread *cc_current;
__thread int cc_spin_budget;
__thread dim3 blockDim, gridDim;

namespace cc {
Launch *running;
std::vector<Block *> resident;
static std::vector<Block *> block_pool;
static std::vector<Thread> thread_pool;
static std::vector<Thread *> unstarted;  // in the order in which they start
static size_t next_unstarted;
static std::vector<Thread *> ready;      // a ring
static size_t ready_head, ready_count;
static std::vector<Thread *> polling;    // see Note [Polling]
static unsigned turns_in_vain;
static uint64_t live_threads;
static void *launcher_sp;
static uint64_t random_state;

uint64_t random_number() {  // splitmix64
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

template <class T> static void arrange(T *items, size_t count) {
  if (settings().order == Order::reverse)
    for (size_t i = 0; i < count / 2; i++) std::swap(items[i], items[count - 1 - i]);
  if (settings().order == Order::random)
    for (size_t i = count; i > 1; i--) std::swap(items[i - 1], items[random_number() % i]);
}

static void push_ready(Thread *t) {
  t->state = State::ready;
  ready[(ready_head + ready_count++) % ready.size()] = t;
}

void make_ready(Thread *const *threads, size_t count) {
  static std::vector<Thread *> order;
  order.assign(threads, threads + count);
  arrange(order.data(), count);
  for (Thread *t : order) push_ready(t);
}

static Thread *take_ready() {
  if (!ready_count) return nullptr;
  Thread *t = ready[ready_head];
  ready_head = (ready_head + 1) % ready.size();
  ready_count--;
  return t;
}

static uint64_t value_at(const void *p, unsigned bytes) {
  uint64_t value = 0;
  memcpy(&value, p, std::min<size_t>(bytes, sizeof value));
  return value;
}

// Lets those go on that wait for a value, if nobody else can: Note [Polling].
static void wake_polling() {
  constexpr unsigned MOST_IN_VAIN = 10000;
  auto changed = [](const Thread *t) { return value_at(t->polled, t->polled_bytes) != t->polled_value; };
  auto still = std::stable_partition(polling.begin(), polling.end(), changed);
  if (still == polling.begin() && turns_in_vain++ < MOST_IN_VAIN) still = polling.end();
  else if (still != polling.begin()) turns_in_vain = 0;
  make_ready(polling.data(), still - polling.begin());
  polling.erase(polling.begin(), still);
}

static Thread *take_next() {
  bool some_unstarted = next_unstarted < unstarted.size();
  if (!some_unstarted && !ready_count) wake_polling();
  bool prefer_ready = settings().order == Order::random && ready_count && (random_number() & 1);
  if (some_unstarted && !prefer_ready) return unstarted[next_unstarted++];
  return take_ready();
}

static void report_deadlock() {
  std::string text;
  for (const Block *block : resident) {
    unsigned done = 0, at_barrier = 0, at_warp = 0, polls = 0;
    const Thread *sample = nullptr;
    for (unsigned i = 0; i < block->count; i++) {
      const Thread *t = &block->threads[i];
      if (t->state == State::done) { done++; continue; }
      (t->state == State::at_warp ? at_warp : t->state == State::polling ? polls : at_barrier)++;
      if (!sample) sample = t;
    }
    if (!sample) continue;
    char line[400];
    snprintf(line, sizeof line, "%u threads returned, %u wait at a barrier, %u in a warp operation, %u for a value in memory, among them %s at %s",
             done, at_barrier, at_warp, polls, thread_text(sample).c_str(), place(sample->file, sample->line).c_str());
    text = line;
    break;
  }
  fail(cudaErrorLaunchFailure, "divergence: no thread can go on; in a block %s", text.c_str());
}

static void fiber_main();

static void start_on_new_fiber(Thread *t) {
  t->fiber = take_fiber();
  prepare_fiber(t->fiber, t->index, fiber_main);
}

static void resume(void **save, Thread *t) {
  if (t->state == State::unstarted) start_on_new_fiber(t);
  t->state = State::ready;
  cc_current = t;
  cc_swap(save, t->fiber->sp);
}

void wait_for_others(Thread *t) {
  t->accesses = 0;
  cc_spin_budget = 1000;
  Thread *next = take_next();
  if (!next) report_deadlock();
  if (next != t) resume(&t->fiber->sp, next);
}

// Back to the launching host code. Threads that have not finished are abandoned; their stacks are used again.
void leave_kernel() {
  void *unused;
  cc_current = nullptr;
  cc_swap(&unused, launcher_sp);
  __builtin_unreachable();
}

static void finish(Thread *t) {
  Block *block = t->block;
  t->state = State::done;
  block->live--;
  live_threads--;
  barrier_sees_exit(t);
  if (!block->live) {
    requests_end(block);
    if (CHECKING) cluster_sees_end(block);
  }
  if (block->waiting[t->index / 32]) complete_warp_operation(block, t->index / 32);
}

static void fiber_main() {
  for (;;) {
    Thread *t = current();
    t->state = State::ready;
    running->arguments.call(running->arguments.data);
    finish(t);
    Fiber *fiber = t->fiber;
    Thread *next = take_next();
    if (!next && live_threads) report_deadlock();
    t->fiber = nullptr;
    if (next && next->state == State::unstarted) {
      next->fiber = fiber;
      cc_current = next;
      continue;
    }
    give_fiber(fiber);
    if (!next) leave_kernel();
    void *unused;
    resume(&unused, next);
  }
}

static void start_block(Block *block, uint64_t linear, Thread *threads) {
  const CcLaunch &what = running->what;
  dim3 g = what.grid, b = what.block;
  static uint32_t started;
  block->linear = (uint32_t)linear, block->serial = ++started;
  block->id = {(unsigned)(linear % g.x), (unsigned)(linear / g.x % g.y), (unsigned)(linear / g.x / g.y)};
  block->count = block->live = running->block_threads;
  block->threads = threads;
  block->barrier = Barrier{};
  memset(block->waiting, 0, sizeof block->waiting);
  memset(block->gathering, 0, sizeof block->gathering);
  if (CHECKING && block->used) shadow_release(block->arena - region, block->used);
  block->used = RED_ZONE + (what.shared + 15) / 16 * 16 + 64;
  block->static_bytes = 0;
  block->reached = 0;
  block->shared.clear();
  if (what.shared) {
    memset(block->arena + RED_ZONE, 0xff, what.shared);
    if (CHECKING) shadow_allocate(block->arena + RED_ZONE - region, what.shared, false);
  }
  uint3 tid{0, 0, 0};
  for (uint32_t i = 0; i < block->count; i++) {
    Thread *t = &threads[i];
    t->tid = tid, t->bid = block->id;
    t->block = block, t->index = i, t->lane = i % 32, t->state = State::unstarted, t->fiber = nullptr;
    t->accesses = 0, t->polled = nullptr, t->last_pc = nullptr, t->file = nullptr, t->line = 0, t->has_arrived = false;
    t->copies.clear(), t->committed = 0;
    if (++tid.x == b.x && (tid.x = 0, ++tid.y == b.y)) tid.y = 0, tid.z++;
  }
  if (CHECKING) order_start_block(block);
}

// Runs a set of blocks to their end: one block, a cluster, or all of a cooperative launch.
static void run_wave(const uint64_t *linear, size_t count) {
  size_t per_block = running->block_threads;
  while (block_pool.size() < count) {
    block_pool.push_back(new Block());
    block_pool.back()->arena = carve(ARENA_BYTES);
  }
  if (thread_pool.size() < count * per_block) thread_pool.resize(count * per_block);
  resident.assign(block_pool.begin(), block_pool.begin() + count);
  live_threads = count * per_block;
  polling.clear();
  turns_in_vain = 0;
  unstarted.resize(live_threads);
  ready.resize(live_threads);
  next_unstarted = ready_head = ready_count = wide_arrived = 0;
  for (size_t i = 0; i < count; i++) start_block(resident[i], linear[i], &thread_pool[i * per_block]);
  for (size_t i = 0; i < live_threads; i++) unstarted[i] = &thread_pool[i];
  arrange(unstarted.data(), unstarted.size());
  cc_spin_budget = 1000;
  resume(&launcher_sp, unstarted[next_unstarted++]);
}

static void reclaim_fibers() {
  for (Thread &t : thread_pool) {
    if (t.fiber) give_fiber(t.fiber);
    t.fiber = nullptr;
  }
}

// The order is a permutation of the whole grid, in pieces when the grid is too large for a list of its blocks.  The blocks
// of a cluster run together.
void run_kernel(Launch &launch) {
  constexpr uint64_t PIECE = 1 << 20;
  running = &launch;
  blockDim = launch.what.block, gridDim = launch.what.grid;
  random_state = settings().seed * 0x2545f4914f6cdd1du + launch_count;
  if (CHECKING) order_start_launch();
  uint64_t clusters = launch.block_count / launch.cluster, pieces = (clusters + PIECE - 1) / PIECE;
  std::vector<uint64_t> piece_order(pieces), first, blocks(launch.cluster);
  for (uint64_t i = 0; i < pieces; i++) piece_order[i] = i;
  arrange(piece_order.data(), pieces);
  for (uint64_t piece : piece_order) {
    first.clear();
    for (uint64_t i = piece * PIECE; i < clusters && i < (piece + 1) * PIECE; i++) first.push_back(i * launch.cluster);
    arrange(first.data(), first.size());
    if (launch.what.cooperative) run_wave(first.data(), first.size());
    else for (size_t i = 0; i < first.size() && !launch.failed; i++) {
      for (uint32_t b = 0; b < launch.cluster; b++) blocks[b] = first[i] + b;
      run_wave(blocks.data(), blocks.size());
    }
  }
  if (launch.failed) reclaim_fibers(), requests_forget();
  running = nullptr;
  resident.clear();
}
}  // namespace cc

using namespace cc;
extern "C" void cc_yield() {
  Thread *t = current();
  if (!t) return;
  make_ready(&t, 1);
  wait_for_others(t);
}
extern "C" void cc_spin() {
  cc_spin_budget = 1000;
  cc_yield();
}
extern "C" void cc_poll(const void *p, unsigned bytes, const char *file, int line) {
  Thread *t = current();
  if (!t) return;
  if (t->polled == p && t->polled_value == value_at(p, bytes)) {
    t->file = file, t->line = line;
    t->state = State::polling;
    polling.push_back(t);
    wait_for_others(t);
  }
  t->polled = p, t->polled_bytes = bytes, t->polled_value = value_at(p, bytes);
}
extern "C" uint3 cc_thread_index() { return cc_current->tid; }
extern "C" uint3 cc_block_index() { return cc_current->bid; }
extern "C" void *cc_dynamic_shared() { return current()->block->arena + RED_ZONE; }

extern "C" unsigned cc_cluster_rank() { return current()->block->linear % running->cluster; }
extern "C" unsigned cc_cluster_size() { return running->cluster; }

// The same address for every thread of a block; the key is a static local of the function that declares the variable.
static char *shared_variable(Block *block, const void *key, size_t bytes, size_t align, const char *name) {
  for (const SharedVariable &v : block->shared)
    if (v.key == key) return v.address;
  if (align < 16) align = 16;
  size_t offset = (block->used + align - 1) / align * align;
  block->static_bytes += bytes;
  if (block->static_bytes > 48 << 10 || block->static_bytes + running->what.shared > (size_t)settings().shared_bytes || offset + bytes + 64 > ARENA_BYTES)
    fail(cudaErrorInvalidValue, "too much shared memory: %zu bytes static (at most 48 KiB) and %zu dynamic (at most %d KiB together)",
         block->static_bytes, running->what.shared, settings().shared_bytes >> 10);
  block->used = offset + bytes + 64;
  char *address = block->arena + offset;
  block->shared.push_back(SharedVariable{key, address, bytes, align, name});
  memset(address, 0xff, bytes);
  if (CHECKING) shadow_allocate(address - region, bytes, false);
  return address;
}
extern "C" void *cc_shared(const void *key, size_t bytes, size_t align, const char *name) {
  return shared_variable(current()->block, key, bytes, align, name);
}

// Blocks may have met their variables in different orders, and thus have them at different places.
extern "C" void *cc_shared_of(void *own, unsigned rank, const char *file, int line) {
  Block *block = current()->block;
  char *p = (char *)own;
  if (rank >= running->cluster) cc_reject("a block is asked for that the cluster does not have", file, line);
  Block *other = nullptr;
  for (Block *each : resident)
    if (each->linear == block->linear / running->cluster * running->cluster + rank) other = each;
  if (p >= block->arena + RED_ZONE && p < block->arena + RED_ZONE + running->what.shared) return other->arena + (p - block->arena);
  for (const SharedVariable &v : block->shared)
    if (p >= v.address && p < v.address + v.bytes) return shared_variable(other, v.key, v.bytes, v.align, v.name) + (p - v.address);
  cc_reject("what is asked for in another block of the cluster is no shared memory of this one", file, line);
}
