// What is ordered inside one launch.
//
// Note [Clocks]: a thread's clock grows at barriers, warp synchronisations and fences. An access is stamped with its
// thread's clock. It happened before another thread's present if its clock lies below what that thread knows of it:
// the floor of the block (last __syncthreads) or of the grid (last grid barrier), its entry in the warp's clock
// (__syncwarp), or a release that the other acquired.
//
// Note [Releases]: a fence takes a snapshot of what the thread knows; an atomic or a volatile store to global memory
// after it publishes the snapshot in the location's log. An atomic or a volatile load sees the log as far as it has
// come, and a fence after it acquires what was seen: without fences on both sides nothing is ordered, as the memory
// model of PTX has it. __threadfence() being fence.sc, a barrier may stand between the fence and the atomic on either
// side: what one thread of a block fenced, or saw, counts for all of them from the next barrier on. A fence of the
// block orders only what its own block published. An atomic that has an order of its own releases what its thread knew
// before it, and acquires what it saw, at its scope, with no fence on that side. Shuffles and votes order nothing; only __syncwarp does.
#include "internal.h"

namespace cc {
struct ReleaseLog {
  std::vector<Release> records;
  std::unordered_map<uint32_t, std::vector<uint32_t>> by_block;
  bool chained = false;          // some record carries acquisitions of its own
  bool beyond = false;           // of more than what lies before it in this log, which whoever sees it sees as well
  bool of_device = true;         // all records are of the scope of the device
  Fences last_fences;            // published last, kept alive so that its address stays its own
};
static Logs logs;  // of atomics on global memory

void order_start_launch() {
  running->grid_floor = 1;
  logs.clear();
}

void order_start_block(Block *block) {
  block->floor = block->cluster_floor = 1;
  block->fenced = false;
  block->logs.clear();
  for (uint32_t i = 0; i < block->count; i++) block->threads[i].order = ThreadOrder{};
}

static bool release_covers(const Release &r, uint32_t block, uint32_t thread, uint32_t clock) {
  if (r.block != block) return false;
  if (clock < r.floor || (thread == r.thread && clock < r.clock)) return true;
  return r.warp && thread / 32 == r.thread / 32 && clock < (*r.warp)[thread % 32];
}

static bool reaches(const Release &r, CcScope acquired_at, uint32_t reader) {
  return r.block == reader || (r.scope == CC_SCOPE_DEVICE && acquired_at == CC_SCOPE_DEVICE);
}

// Whether what a thread of block `reader` acquired covers an access.
static bool acquired_covers(const Acquired &acquired, uint32_t reader, uint32_t block, uint32_t thread, uint32_t clock, int depth) {
  if (!acquired || depth > 16) return false;
  for (const AcquiredPrefix &prefix : *acquired) {
    const ReleaseLog &log = *prefix.log;
    auto found = log.by_block.find(block);
    if (found != log.by_block.end()) {
      const std::vector<uint32_t> &own = found->second;
      uint32_t newest_floor = 0;
      for (auto i = std::lower_bound(own.begin(), own.end(), prefix.length); i != own.begin();) {
        const Release &r = log.records[*--i];
        if (!reaches(r, prefix.scope, reader)) continue;
        // What a block released before a barrier covers nothing that lies behind it.
        if (r.floor < newest_floor) break;
        if (release_covers(r, block, thread, clock)) return true;
        newest_floor = r.floor;
      }
    }
    if (!(prefix.scope == CC_SCOPE_DEVICE ? log.beyond : log.chained)) continue;
    for (uint32_t i = prefix.length; i-- > 0;) {
      const Release &r = log.records[i];
      if (r.acquired != acquired && reaches(r, prefix.scope, reader) && acquired_covers(r.acquired, r.block, block, thread, clock, depth + 1)) return true;
    }
  }
  return false;
}

static bool in_one_cluster(uint32_t block, uint32_t other) { return block / running->cluster == other / running->cluster; }

bool order_known(const Thread *t, uint32_t block, uint32_t thread, uint32_t clock) {
  if (clock < running->grid_floor) return true;
  if (clock < t->block->cluster_floor && in_one_cluster(block, t->block->linear)) return true;
  if (block == t->block->linear) {
    if (thread == t->index || clock < t->block->floor) return true;
    if (thread / 32 == t->index / 32 && clock < t->order.warp[thread % 32]) return true;
  }
  return acquired_covers(t->order.acquired, t->block->linear, block, thread, clock, 0);
}

static void merge(std::vector<AcquiredPrefix> &into, const Acquired &from) {
  if (!from) return;
  for (const AcquiredPrefix &p : *from) {
    bool known = false;
    for (AcquiredPrefix &q : into)
      if (q.log == p.log && q.scope == p.scope) {
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
  Acquired seen, acquired;
  for (uint32_t i = 0; i < block->count; i++) {
    const ThreadOrder &o = block->threads[i].order;
    clock = std::max(clock, o.clock);
    seen = merged(seen, o.seen);
    acquired = merged(acquired, o.acquired);
  }
  Fences fences;
  if (block->fenced) {
    auto list = std::make_shared<std::vector<Release>>();
    for (uint32_t i = 0; i < block->count; i++)
      for (const auto &fence : {block->threads[i].order.fence, block->threads[i].order.block_fence})
        if (fence) list->push_back(*fence);
    fences = list;
  }
  block->floor = clock + 1;
  for (uint32_t i = 0; i < block->count; i++) {
    ThreadOrder &o = block->threads[i].order;
    o.clock = block->floor;
    o.seen = seen;
    o.acquired = acquired;
    if (fences) o.fences_of_block = fences;
  }
  block->fenced = false;
}

// All resident blocks meet: their clocks go on from the same one, which is returned.
static uint32_t meet_all(uint32_t clock) {
  for (Block *block : resident) {
    order_barrier(block);
    clock = std::max(clock, block->floor);
  }
  for (Block *block : resident) {
    block->floor = clock;
    for (uint32_t i = 0; i < block->count; i++) block->threads[i].order.clock = clock;
  }
  return clock;
}

void order_grid_barrier() { running->grid_floor = meet_all(running->grid_floor); }

// What one block of the cluster acquired from blocks outside of it, all of its blocks have then.
void order_cluster_barrier() {
  const uint32_t clock = meet_all(1);
  Acquired acquired;
  for (const Block *block : resident) acquired = merged(acquired, block->threads[0].order.acquired);
  for (Block *block : resident) {
    block->cluster_floor = clock;
    for (uint32_t i = 0; i < block->count; i++) block->threads[i].order.acquired = acquired;
  }
}

void order_warp_sync(Thread *const *lanes, unsigned participants) {
  WarpClock together{};
  Acquired seen, acquired;
  for (unsigned rest = participants; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    ThreadOrder &o = lanes[lane]->order;
    o.warp[lane] = ++o.clock;
    for (int l = 0; l < 32; l++) together[l] = std::max(together[l], o.warp[l]);
    seen = merged(seen, o.seen);
    acquired = merged(acquired, o.acquired);
  }
  for (unsigned rest = participants; rest; rest &= rest - 1) {
    ThreadOrder &o = lanes[__builtin_ctz(rest)]->order;
    o.warp = together;
    o.seen = seen;
    o.acquired = acquired;
  }
}

static std::shared_ptr<Release> released(Thread *t, CcScope scope) {
  ThreadOrder &o = t->order;
  auto release = std::make_shared<Release>(Release{t->block->linear, t->index, ++o.clock, t->block->floor, scope, nullptr, o.acquired});
  for (uint32_t clock : o.warp)
    if (clock > t->block->floor && !release->warp) release->warp = std::make_shared<WarpClock>(o.warp);
  return release;
}

static Acquired with_scope(const Acquired &from, CcScope scope) {
  auto made = std::make_shared<std::vector<AcquiredPrefix>>(*from);
  for (AcquiredPrefix &p : *made) p.scope = scope;
  return made;
}

void order_fence(Thread *t, CcScope scope) {
  ThreadOrder &o = t->order;
  if (o.seen) o.acquired = merged(o.acquired, with_scope(o.seen, scope));
  if (scope == CC_SCOPE_DEVICE) o.seen = nullptr;
  (scope == CC_SCOPE_DEVICE ? o.fence : o.block_fence) = released(t, scope);
  if (scope == CC_SCOPE_DEVICE) o.block_fence = nullptr;
  t->block->fenced = true;
}

static void append(ReleaseLog &log, const Release &release) {
  std::vector<uint32_t> &own = log.by_block[release.block];
  if (!own.empty()) {
    const Release &last = log.records[own.back()];
    if (last.thread == release.thread && last.clock == release.clock && last.scope == release.scope) return;  // published before
  }
  own.push_back((uint32_t)log.records.size());
  log.records.push_back(release);
  log.of_device = log.of_device && release.scope == CC_SCOPE_DEVICE;
  if (!release.acquired) return;
  log.chained = true;
  for (const AcquiredPrefix &p : *release.acquired)
    log.beyond = log.beyond || p.log.get() != &log || p.scope != CC_SCOPE_DEVICE || !log.of_device;
}

static void publish(Thread *t, std::shared_ptr<ReleaseLog> &log, bool store) {
  ThreadOrder &o = t->order;
  if (store && log) log = nullptr;  // a plain store begins a new history; an atomic continues the old one
  if (!log) log = std::make_shared<ReleaseLog>();
  if (o.fences_of_block && log->last_fences != o.fences_of_block) {
    for (const Release &r : *o.fences_of_block) append(*log, r);
    log->last_fences = o.fences_of_block;
  }
  for (const auto &fence : {o.fence, o.block_fence})
    if (fence) append(*log, *fence);
}

static Acquired all_of(const std::shared_ptr<ReleaseLog> &log, CcScope scope) {
  auto list = std::make_shared<std::vector<AcquiredPrefix>>();
  list->push_back(AcquiredPrefix{log, (uint32_t)log->records.size(), scope});
  return list;
}

static Logs &logs_of(Thread *t, const void *p) {
  Block *block = t->block;
  bool shared = (char *)p >= block->arena && (char *)p < block->arena + ARENA_BYTES;
  return shared ? block->logs : logs;
}

void order_atomic(Thread *t, const void *p, bool acquire, bool release, bool store) {
  ThreadOrder &o = t->order;
  Logs &by_location = logs_of(t, p);
  auto found = by_location.find((size_t)p);
  if (acquire && found != by_location.end() && found->second) o.seen = merged(o.seen, all_of(found->second, CC_SCOPE_NONE));
  if (!release) return;
  if (o.fence || o.block_fence || o.fences_of_block) publish(t, by_location[(size_t)p], store);
  else if (store) by_location.erase((size_t)p);
}

// Behind order_atomic of the same operation: what its own order adds. What is released is what was known before: those
// that acquire it see the earlier releases in the log as well.
void order_atomic_itself(Thread *t, const void *p, bool acquire, bool release, CcScope scope) {
  std::shared_ptr<ReleaseLog> &log = logs_of(t, p)[(size_t)p];
  if (!log) log = std::make_shared<ReleaseLog>();
  Acquired before = all_of(log, scope);
  if (release) append(*log, *released(t, scope));
  if (acquire) t->order.acquired = merged(t->order.acquired, before);
}
}  // namespace cc

extern "C" void cc_fence(int scope) {
  cc::Thread *t = cc::current();
  if (CHECKING && t) cc::order_fence(t, (CcScope)scope);
}
