// What is ordered inside one launch.
//
// Note [Clocks]: a thread's clock grows at barriers, warp synchronisations and fences. An access is stamped with its
// thread's clock. It happened before another thread's present if its clock lies below what that thread knows of it:
// the floor of the block (last __syncthreads) or of the grid (last grid barrier), its entry in the warp's clock
// (__syncwarp), or a release that the other acquired.
//
// Note [Releases]: a fence takes a snapshot of what the thread knows; an atomic or a volatile store to global memory
// after it publishes the snapshot in the location's log; an atomic or a volatile load acquires the log as far as it
// has come. After a barrier the fences of all threads of the block count for each of them (fence, barrier, ticket by
// thread 0 is common and works). The acquiring side needs no fence of its own: hardware orders what depends on the
// atomic's result, and CUDA's own samples rest on that. Shuffles and votes order nothing; only __syncwarp does.
#include "internal.h"

namespace cc {
struct ReleaseLog {
  std::vector<Release> records;
  std::unordered_map<uint32_t, std::vector<uint32_t>> by_block;
  bool chained = false;          // some record carries acquisitions of its own
  const void *last_block_fences = nullptr;
};
static std::unordered_map<size_t, std::shared_ptr<ReleaseLog>> logs;  // by location

void order_start_launch() {
  running->grid_floor = 1;
  logs.clear();
}

void order_start_block(Block *block) {
  block->floor = 1;
  block->fenced = false;
  for (uint32_t i = 0; i < block->count; i++) block->threads[i].order = ThreadOrder{};
}

static bool release_covers(const Release &r, uint32_t block, uint32_t thread, uint32_t clock) {
  if (r.block != block) return false;
  if (clock < r.floor || (thread == r.thread && clock < r.clock)) return true;
  return r.warp && thread / 32 == r.thread / 32 && clock < (*r.warp)[thread % 32];
}

static bool acquired_covers(const Acquired &acquired, uint32_t block, uint32_t thread, uint32_t clock, int depth) {
  if (!acquired || depth > 16) return false;
  for (const AcquiredPrefix &prefix : *acquired) {
    const ReleaseLog &log = *prefix.log;
    auto found = log.by_block.find(block);
    if (found != log.by_block.end())
      for (auto i = found->second.rbegin(); i != found->second.rend(); ++i)
        if (*i < prefix.length && release_covers(log.records[*i], block, thread, clock)) return true;
    if (!log.chained) continue;
    for (uint32_t i = prefix.length; i-- > 0;)
      if (log.records[i].acquired != acquired && acquired_covers(log.records[i].acquired, block, thread, clock, depth + 1)) return true;
  }
  return false;
}

bool order_known(const Thread *t, uint32_t block, uint32_t thread, uint32_t clock) {
  if (clock < running->grid_floor) return true;
  if (block == t->block->linear) {
    if (thread == t->index || clock < t->block->floor) return true;
    if (thread / 32 == t->index / 32 && clock < t->order.warp[thread % 32]) return true;
  }
  return acquired_covers(t->order.acquired, block, thread, clock, 0);
}

static void merge(std::vector<AcquiredPrefix> &into, const Acquired &from) {
  if (!from) return;
  for (const AcquiredPrefix &p : *from) {
    bool known = false;
    for (AcquiredPrefix &q : into)
      if (q.log == p.log) {
        q.length = std::max(q.length, p.length);
        known = true;
      }
    if (!known) into.push_back(p);
  }
}

static Acquired merged(const Acquired &a, const Acquired &b) {
  if (a == b || !b) return a;
  if (!a) return b;
  auto both = std::make_shared<std::vector<AcquiredPrefix>>(*a);
  merge(*both, b);
  return both;
}

// Everybody of the block now knows what anybody knew.
void order_barrier(Block *block) {
  uint32_t clock = block->floor;
  Acquired all;
  for (uint32_t i = 0; i < block->count; i++) {
    clock = std::max(clock, block->threads[i].order.clock);
    if (block->threads[i].order.acquired != all) all = merged(all, block->threads[i].order.acquired);
  }
  Fences fences;
  if (block->fenced) {
    auto list = std::make_shared<std::vector<Release>>();
    for (uint32_t i = 0; i < block->count; i++)
      if (block->threads[i].order.fence) list->push_back(*block->threads[i].order.fence);
    fences = list;
  }
  block->floor = clock + 1;
  for (uint32_t i = 0; i < block->count; i++) {
    ThreadOrder &o = block->threads[i].order;
    o.clock = block->floor;
    o.acquired = all;
    if (fences) o.block_fences = fences;
  }
  block->fenced = false;
}

void order_grid_barrier() {
  uint32_t clock = running->grid_floor;
  for (Block *block : resident) {
    order_barrier(block);
    clock = std::max(clock, block->floor);
  }
  running->grid_floor = clock;
  for (Block *block : resident) {
    block->floor = clock;
    for (uint32_t i = 0; i < block->count; i++) block->threads[i].order.clock = clock;
  }
}

void order_warp_sync(Thread *const *lanes, unsigned participants) {
  WarpClock together{};
  Acquired acquired;
  for (unsigned rest = participants; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    ThreadOrder &o = lanes[lane]->order;
    o.warp[lane] = ++o.clock;
    for (int l = 0; l < 32; l++) together[l] = std::max(together[l], o.warp[l]);
    if (o.acquired != acquired) acquired = merged(acquired, o.acquired);
  }
  for (unsigned rest = participants; rest; rest &= rest - 1) {
    ThreadOrder &o = lanes[__builtin_ctz(rest)]->order;
    o.warp = together;
    o.acquired = acquired;
  }
}

void order_fence(Thread *t) {
  ThreadOrder &o = t->order;
  auto release = std::make_shared<Release>(Release{t->block->linear, t->index, ++o.clock, t->block->floor, nullptr, o.acquired});
  for (uint32_t clock : o.warp)
    if (clock > t->block->floor && !release->warp) release->warp = std::make_shared<WarpClock>(o.warp);
  o.fence = release;
  t->block->fenced = true;
}

static void append(ReleaseLog &log, const Release &release) {
  std::vector<uint32_t> &own = log.by_block[release.block];
  if (!own.empty()) {
    const Release &last = log.records[own.back()];
    if (last.thread == release.thread && last.clock == release.clock) return;  // published before
  }
  own.push_back((uint32_t)log.records.size());
  log.records.push_back(release);
  log.chained = log.chained || release.acquired;
}

static void publish(Thread *t, std::shared_ptr<ReleaseLog> &log, bool store) {
  ThreadOrder &o = t->order;
  if (store && log) log = nullptr;  // a plain store begins a new history; an atomic continues the old one
  if (!o.fence && !o.block_fences) return;
  if (!log) log = std::make_shared<ReleaseLog>();
  if (o.block_fences && log->last_block_fences != o.block_fences.get()) {
    for (const Release &r : *o.block_fences) append(*log, r);
    log->last_block_fences = o.block_fences.get();
  }
  if (o.fence) append(*log, *o.fence);
}

void order_atomic(Thread *t, size_t offset, bool acquire, bool release, bool store) {
  ThreadOrder &o = t->order;
  if (acquire) {
    auto found = logs.find(offset);
    if (found != logs.end() && found->second) {
      uint32_t length = (uint32_t)found->second->records.size();
      auto list = std::make_shared<std::vector<AcquiredPrefix>>();
      if (o.acquired) *list = *o.acquired;
      merge(*list, std::make_shared<std::vector<AcquiredPrefix>>(1, AcquiredPrefix{found->second, length}));
      o.acquired = list;
    }
  }
  if (!release) return;
  if (o.fence || o.block_fences) publish(t, logs[offset], store);
  else if (store) logs.erase(offset);
}
}  // namespace cc

extern "C" void cc_fence() {
  cc::Thread *t = cc::current();
  if (CHECKING && t) cc::order_fence(t);
}
