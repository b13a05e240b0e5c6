// The host's own threads and memory, in check mode.
//
// Note [Host threads]: what instrumented host code reads and writes is checked for races too, as soon as there are two
// threads: each has a vector clock, which mutexes, the host's atomics, and the starts and ends of threads join. The
// calls of the watched file come here under other names (build.py). Calls of the runtime API order nothing between host
// threads. A thread that other code started (Python's) is not followed, because what orders it is not seen.
//
// Note [Leaks]: at the end of the program, device memory whose address stands neither in the program's static data nor,
// from there, in memory that the watched file allocated, is lost. (Scratch memory is kept for good, and is not lost.)
#include "internal.h"
#include <atomic>
#include <malloc.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#ifdef CUDACPU_CHECK
#include <link.h>

namespace cc {
struct HostThread {
  uint32_t id;
  bool followed;
  Clock known;
  char *stack_low, *stack_high;
};
struct HostAccess {
  uint32_t thread;
  uint64_t clock;
  uint8_t mask;
  bool write;
  const void *pc;
};
struct HostRecords {
  std::unordered_map<uintptr_t, std::vector<HostAccess>> cells;  // by 8 bytes
  std::unordered_map<const void *, Clock> published;             // by mutex or atomic
  std::unordered_map<const void *, uint32_t> holders;            // of mutexes
  std::unordered_map<pthread_t, Clock> finished;
  std::map<uintptr_t, size_t> blocks;                            // memory that the watched file allocated
};
static std::atomic<uint32_t> host_threads{0};
static std::atomic<int> threads_alive{0};  // that the watched file has started
static std::mutex records_lock;
static HostRecords &records() {
  static auto *made = new HostRecords;  // never destroyed: the program's own destructors may still come here
  return *made;
}

static HostThread *self() {
  static thread_local HostThread *made;
  if (made) return made;
  pthread_attr_t attributes;
  void *low = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
  }
  made = new HostThread{host_threads++, getpid() == gettid(), {}, (char *)low, (char *)low + bytes};
  made->known.resize(made->id + 1);
  made->known[made->id] = 1;
  return made;
}
static bool several() { return host_threads.load(std::memory_order_relaxed) > 1; }

static void acquire_from(const Clock &clock) { join(self()->known, clock); }
static void publish_to(Clock &clock) {
  HostThread *me = self();
  join(clock, me->known);
  me->known[me->id]++;
}

static bool known_to(const HostThread *me, const HostAccess &a) {
  return a.thread == me->id || (a.thread < me->known.size() && me->known[a.thread] >= a.clock);
}

static void host_race(const char *p, size_t bytes, bool write, const void *pc, const HostAccess &earlier) {
  static bool reported;  // one race brings many
  if (reported) return;
  reported = true;
  complain("data race between host threads: %s of %zu bytes at %s, not ordered with the %s at %s", write ? "write" : "read", bytes,
           source_of(pc).c_str(), earlier.write ? "write" : "read", source_of(earlier.pc).c_str());
}

static bool touch_cell(std::vector<HostAccess> &cell, const HostAccess &now, const HostThread *me, HostAccess *conflict) {
  bool fine = true;
  size_t kept = 0;
  for (const HostAccess &a : cell) {
    if (fine && a.mask & now.mask && (a.write || now.write) && !known_to(me, a)) {
      *conflict = a;
      fine = false;
    }
    bool replaced = known_to(me, a) && !(a.mask & ~now.mask) && (now.write || !a.write);
    if (!replaced) cell[kept++] = a;
  }
  cell.resize(kept);
  cell.push_back(now);
  return fine;
}

void watch_host(const char *p, size_t bytes, bool write, const void *pc) {
  check_host_use(p, bytes, write, write ? "writes" : "reads", pc);
  HostThread *me = self();
  if (!several() || !me->followed || (p >= me->stack_low && p < me->stack_high)) return;
  HostAccess conflict{};
  bool fine = true;
  {
    std::lock_guard<std::mutex> guard(records_lock);
    for (size_t done = 0; done < bytes && fine;) {
      unsigned first = (uintptr_t)(p + done) & 7, count = 8 - first < bytes - done ? 8 - first : (unsigned)(bytes - done);
      HostAccess now{me->id, me->known[me->id], (uint8_t)(((1u << count) - 1) << first), write, pc};
      fine = touch_cell(records().cells[(uintptr_t)(p + done) >> 3], now, me, &conflict);
      done += count;
    }
  }
  if (fine) return;
  Locked lock;
  host_race(p, bytes, write, pc, conflict);
}

void host_atomic(const volatile void *p) {
  if (!several() || !self()->followed) return;
  std::lock_guard<std::mutex> guard(records_lock);
  Clock &clock = records().published[(const void *)p];
  acquire_from(clock);
  publish_to(clock);
}

static void host_acquires(const void *m) {
  if (!self()->followed) return;
  std::lock_guard<std::mutex> guard(records_lock);
  records().holders[m] = self()->id;
  auto found = records().published.find(m);
  if (found != records().published.end()) acquire_from(found->second);
}
static void host_releases(const void *m, const void *pc) {
  if (!self()->followed) return;
  bool held = false;
  {
    std::lock_guard<std::mutex> guard(records_lock);
    auto holder = records().holders.find(m);
    held = holder != records().holders.end() && holder->second == self()->id;
    if (held) publish_to(records().published[m]), records().holders.erase(holder);
  }
  if (held) return;
  Locked lock;
  complain("a host thread unlocks a mutex that it does not hold at %s", source_of(pc).c_str());
}

static void forget_cells(const char *p, size_t bytes) {
  auto &cells = records().cells;
  if (cells.empty()) return;
  uintptr_t low = (uintptr_t)p >> 3, high = ((uintptr_t)p + bytes + 7) >> 3;
  if (high - low < cells.size()) {
    for (uintptr_t i = low; i < high; i++) cells.erase(i);
    return;
  }
  for (auto i = cells.begin(); i != cells.end();) i = i->first >= low && i->first < high ? cells.erase(i) : std::next(i);
}

static void *block_made(void *p, size_t bytes) {
  if (!p) return p;
  std::lock_guard<std::mutex> guard(records_lock);
  forget_cells((char *)p, bytes);
  records().blocks[(uintptr_t)p] = bytes;
  return p;
}
static void block_gone(void *p, const void *pc) {
  if (!p) return;
  check_host_use((char *)p, malloc_usable_size(p), true, "frees", pc);
  std::lock_guard<std::mutex> guard(records_lock);
  forget_cells((char *)p, malloc_usable_size(p));
  records().blocks.erase((uintptr_t)p);
}

// ---- threads --------------------------------------------------------------------------------------
struct Started : std::thread::_State {
  std::unique_ptr<std::thread::_State> body;
  Clock known;
  Started(std::unique_ptr<std::thread::_State> b, Clock k) : body(std::move(b)), known(std::move(k)) {}
  void _M_run() override;
};
static void begin_thread(const Clock &known) {
  self()->followed = true;
  acquire_from(known);
}
static void end_thread() {
  threads_alive--;
  std::lock_guard<std::mutex> guard(records_lock);
  records().finished[pthread_self()] = self()->known;
}
void Started::_M_run() {
  begin_thread(known);
  body->_M_run();
  body.reset();
  end_thread();
}
// Lets other threads of the host come between two calls, as they might: a lock that is missing shows.
void host_yield() {
  static std::atomic<uint32_t> last_caller{~0u};
  HostThread *me = self();
  if (!me->followed || threads_alive < 1 || current()) return;
  last_caller = me->id;
  for (int i = 0; i < 20 && last_caller == me->id; i++) usleep(200);
}

static Clock fork_clock() {
  threads_alive++;
  Clock made;
  publish_to(made);
  return made;
}
static void joined(pthread_t thread) {
  std::lock_guard<std::mutex> guard(records_lock);
  auto found = records().finished.find(thread);
  if (found == records().finished.end()) return;
  acquire_from(found->second);
  records().finished.erase(found);
}

struct PlainStart { void *(*body)(void *); void *argument; Clock known; };
static void *plain_start(void *data) {
  std::unique_ptr<PlainStart> start((PlainStart *)data);
  begin_thread(start->known);
  void *result = start->body(start->argument);
  end_thread();
  return result;
}

// ---- leaks ----------------------------------------------------------------------------------------
struct Reached {
  std::vector<bool> device;                     // by allocation
  std::vector<std::pair<char *, size_t>> work;  // memory to look through
  std::unordered_map<uintptr_t, bool> seen;     // blocks
};
static void reach_from(Reached &r, const std::vector<Allocation *> &alive, const char *p) {
  for (size_t i = 0; i < alive.size(); i++)
    if (p >= alive[i]->address && p < alive[i]->address + alive[i]->bytes) r.device[i] = true;
  auto &blocks = records().blocks;
  auto next = blocks.upper_bound((uintptr_t)p);
  if (next == blocks.begin()) return;
  auto block = std::prev(next);
  if ((uintptr_t)p >= block->first + block->second || r.seen[block->first]) return;
  r.seen[block->first] = true;
  r.work.push_back({(char *)block->first, block->second});
}
static int add_static_data(dl_phdr_info *info, size_t, void *data) {
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto &h = info->dlpi_phdr[i];
    char *low = (char *)info->dlpi_addr + h.p_vaddr;
    ours = ours || (h.p_type == PT_LOAD && (char *)&records_lock >= low && (char *)&records_lock < low + h.p_memsz);
  }
  for (int i = 0; ours && i < info->dlpi_phnum; i++) {
    const auto &h = info->dlpi_phdr[i];
    if (h.p_type == PT_LOAD && h.p_flags & PF_W) ((Reached *)data)->work.push_back({(char *)info->dlpi_addr + h.p_vaddr, h.p_memsz});
  }
  return 0;
}

int report_leaks() {
  std::vector<Allocation *> alive = live_allocations();
  if (alive.empty()) return 0;
  Reached r;
  r.device.resize(alive.size());
  dl_iterate_phdr(add_static_data, &r);
  while (!r.work.empty()) {
    auto [low, bytes] = r.work.back();
    r.work.pop_back();
    for (uintptr_t q = ((uintptr_t)low + 7) & -8; q + 8 <= (uintptr_t)low + bytes; q += 8) reach_from(r, alive, *(const char **)q);
  }
  int lost = 0;
  for (size_t i = 0; i < alive.size(); i++)
    if (!r.device[i] && !alive[i]->leak_reported) {
      alive[i]->leak_reported = true;
      if (lost++ < 5) complain("leak: %s was never freed", describe(alive[i]->address).c_str());
    }
  return lost;
}
}  // namespace cc

using namespace cc;
#define CC_PC_HERE __builtin_return_address(0)
extern "C" {
int cc_watched_pthread_mutex_lock(pthread_mutex_t *m) {
  int code = pthread_mutex_lock(m);
  host_acquires(m);
  return code;
}
int cc_watched_pthread_mutex_trylock(pthread_mutex_t *m) {
  int code = pthread_mutex_trylock(m);
  if (!code) host_acquires(m);
  return code;
}
int cc_watched_pthread_mutex_unlock(pthread_mutex_t *m) {
  host_releases(m, CC_PC_HERE);
  return pthread_mutex_unlock(m);
}
int cc_watched_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  host_releases(m, CC_PC_HERE);
  int code = pthread_cond_wait(c, m);
  host_acquires(m);
  return code;
}
int cc_watched_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  return pthread_create(thread, attributes, plain_start, new PlainStart{body, argument, fork_clock()});
}
int cc_watched_pthread_join(pthread_t thread, void **result) {
  int code = pthread_join(thread, result);
  joined(thread);
  return code;
}
void *cc_watched_malloc(size_t n) { return block_made(malloc(n), n); }
void *cc_watched_calloc(size_t n, size_t each) { return block_made(calloc(n, each), n * each); }
void *cc_watched_realloc(void *p, size_t n) {
  block_gone(p, CC_PC_HERE);
  return block_made(realloc(p, n), n);
}
void cc_watched_free(void *p) { block_gone(p, CC_PC_HERE); free(p); }
void *cc_watched__Znwm(size_t n) { return block_made(operator new(n), n); }
void *cc_watched__Znam(size_t n) { return block_made(operator new[](n), n); }
void cc_watched__ZdlPv(void *p) { block_gone(p, CC_PC_HERE); operator delete(p); }
void cc_watched__ZdlPvm(void *p, size_t) { block_gone(p, CC_PC_HERE); operator delete(p); }
void cc_watched__ZdaPv(void *p) { block_gone(p, CC_PC_HERE); operator delete[](p); }
void cc_watched__ZdaPvm(void *p, size_t) { block_gone(p, CC_PC_HERE); operator delete[](p); }

// std::thread's own calls into the C++ library.
void cc_start_thread(std::thread *, std::unique_ptr<std::thread::_State>, void (*)())
  asm("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void cc_watched_start_thread(std::thread *thread, std::unique_ptr<std::thread::_State> state, void (*depend)())
  asm("cc_watched__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void cc_watched_start_thread(std::thread *thread, std::unique_ptr<std::thread::_State> state, void (*depend)()) {
  cc_start_thread(thread, std::unique_ptr<std::thread::_State>(new Started(std::move(state), fork_clock())), depend);
}
void cc_watched_join(std::thread *thread) asm("cc_watched__ZNSt6thread4joinEv");
void cc_watched_join(std::thread *thread) {
  pthread_t id = thread->native_handle();
  thread->join();
  joined(id);
}
int cudacpu_leaks() {
  Locked lock;
  return report_leaks();
}
}
#else
namespace cc {
int report_leaks() { return 0; }
void host_yield() {}
}
extern "C" int cudacpu_leaks() { return 0; }
#endif
