// Device memory: a sparse range of addresses, handed out once each, so that a stale pointer never meets a new allocation
// (plain mode hands freed memory out again, because long runs would exhaust the range).
#include "internal.h"
#include <sys/mman.h>

namespace cc {
char *region = (char *)~(uintptr_t)0 - (1ull << 40);  // until it is opened: where no pointer points
static char *region_top;
static std::map<uintptr_t, Allocation> allocations;
static std::multimap<size_t, char *> reusable;
static int allocation_count;

static std::vector<Variable> &variables() {
  static auto *list = new std::vector<Variable>;  // registered before main, in no certain order
  return *list;
}

void open_region() {
  if (region_top) return;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *base = (char *)mmap(nullptr, REGION_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (base == MAP_FAILED) {
    perror("cudacpu: cannot reserve the device's address range");
    abort();
  }
  region = base;
  region_top = base + RED_ZONE;
  watch_exit();
  if (!CHECKING) return;
  shadow_open();
  for (Variable &v : variables()) {  // variables live in the program's image; a mirror gives them shadow cells
    v.mirror = carve(v.bytes) - region;
    shadow_allocate(v.mirror, v.bytes, true);
  }
}

bool in_region(const void *p) { return (size_t)((const char *)p - region) < REGION_BYTES; }

// Fresh addresses, 256-byte aligned, with a red zone behind them.
char *carve(size_t bytes) {
  open_region();
  size_t whole = (bytes + RED_ZONE - 1) / RED_ZONE * RED_ZONE + RED_ZONE;
  if (bytes > REGION_BYTES || whole > (size_t)(region + REGION_BYTES - region_top)) return nullptr;
  char *p = region_top;
  region_top += whole;
  return p;
}

Allocation *find_allocation(const void *p, size_t slack) {
  auto next = allocations.upper_bound((uintptr_t)p + slack);
  if (next == allocations.begin()) return nullptr;
  Allocation &a = std::prev(next)->second;
  return (char *)p < a.address + a.bytes + slack ? &a : nullptr;
}

std::vector<Allocation *> live_allocations() {
  std::vector<Allocation *> alive;
  for (auto &entry : allocations)
    if (!entry.second.freed && !entry.second.graph_owned) alive.push_back(&entry.second);
  return alive;
}

const Variable *find_variable(const void *p, size_t slack) {
  for (const Variable &v : variables())
    if ((const char *)p + slack >= v.address && (const char *)p < v.address + v.bytes + slack) return &v;
  return nullptr;
}

static std::string describe_shared(const char *p) {
  char text[300];
  for (const Block *block : resident) {
    if (p < block->arena || p >= block->arena + ARENA_BYTES) continue;
    for (const SharedVariable &v : block->shared)
      if (p + 64 >= v.address && p < v.address + v.bytes + 64) {
        snprintf(text, sizeof text, "__shared__ %s (%zu bytes) at byte %td", v.name, v.bytes, p - v.address);
        return text;
      }
    snprintf(text, sizeof text, "dynamic shared memory (%zu bytes) at byte %td", running->what.shared, p - block->arena - (ptrdiff_t)RED_ZONE);
    return text;
  }
  return "";
}

std::string describe(const char *p) {
  std::string shared = running ? describe_shared(p) : "";
  if (!shared.empty()) return shared;
  char text[300];
  for (const Variable &v : variables()) {
    const char *own = CHECKING && in_region(p) && (size_t)(p - region) + RED_ZONE >= v.mirror ? v.address + ((p - region) - (ptrdiff_t)v.mirror) : p;
    if (own + 8 < v.address || own >= v.address + v.bytes + 8) continue;
    snprintf(text, sizeof text, "%s %s (%zu bytes) at byte %td", v.constant ? "__constant__" : "__device__", v.name, v.bytes, own - v.address);
    return text;
  }
  Allocation *a = find_allocation(p, 0);
  if (!a) a = find_allocation(p - RED_ZONE, RED_ZONE);  // rather the one before than the one behind
  if (!a) a = find_allocation(p, RED_ZONE);
  if (a) snprintf(text, sizeof text, "allocation #%d (%zu bytes%s) at byte %td", a->number, a->bytes, a->freed ? ", freed" : "", p - a->address);
  else snprintf(text, sizeof text, in_region(p) ? "unallocated device memory %p" : "host memory %p", p);
  return text;
}

static char *reused(size_t bytes) {
  auto found = CHECKING ? reusable.end() : reusable.find(bytes);
  if (found == reusable.end()) return nullptr;
  char *p = found->second;
  reusable.erase(found);
  return p;
}

Allocation *reserve(size_t bytes) {
  char *p = reused(bytes);
  if (!p) p = carve(bytes);
  if (!p) return nullptr;
  Allocation &a = allocations[(uintptr_t)p];
  a = Allocation{p, bytes, ++allocation_count, true, false, false, false, false, "", false};
  return &a;
}

// Fresh memory holds 0xFF, so that nobody rests on zeros. Huge allocations stay untouched in plain mode.
void allocate_now(Allocation *a, bool mark) {
  constexpr size_t HUGE_BYTES = 64 << 20;
  a->freed = a->promised = false;
  if (CHECKING || (a->bytes <= HUGE_BYTES && !recording)) memset(a->address, 0xff, a->bytes);
  if (!CHECKING) return;
  shadow_allocate(a->address - region, a->bytes, false);
  if (mark) shadow_operation_touches(a->address - region, a->bytes, true);
}

void free_now(Allocation *a, bool mark) {
  if (CHECKING) {
    if (mark) shadow_operation_touches(a->address - region, a->bytes, true);
    shadow_release(a->address - region, a->bytes);
  }
  a->freed = true;
  uintptr_t page = 4096, low = ((uintptr_t)a->address + page - 1) & -page, high = (uintptr_t)(a->address + a->bytes) & -page;
  if (high > low) madvise((void *)low, high - low, MADV_DONTNEED);
  if (!CHECKING && !a->graph_owned) reusable.emplace(a->bytes, a->address);
}

// Whether [p, p + bytes) lies in live device memory; in shadow terms, where.
static bool device_range(const void *p, size_t bytes, size_t *offset) {
  if (const Variable *v = find_variable(p, 0)) {
    *offset = v->mirror + ((char *)p - v->address);
    return (char *)p + bytes <= v->address + v->bytes;
  }
  Allocation *a = find_allocation(p, 0);
  *offset = (char *)p - region;
  return a && !a->freed && (char *)p + bytes <= a->address + a->bytes;
}

static bool is_device_pointer(const void *p) { return in_region(p) || find_variable(p, 0); }

bool is_host_memory(const void *p) {
  Allocation *a = in_region(p) ? find_allocation(p, 0) : nullptr;
  return !is_device_pointer(p) || (a && a->host_visible);
}

// Pages of zeros that are zeros already are left alone, so that a huge array of zeros costs no memory.
static void sparse_copy(char *to, const char *from, size_t bytes) {
  constexpr size_t PAGE = 4096;
  if (bytes < 16 * PAGE) { memmove(to, from, bytes); return; }
  static const char zeros[PAGE] = {};
  for (size_t done = 0; done < bytes; done += PAGE) {
    size_t n = bytes - done < PAGE ? bytes - done : PAGE;
    bool skip = !memcmp(from + done, zeros, n) && !memcmp(to + done, zeros, n);
    if (!skip) memcpy(to + done, from + done, n);
  }
}

static cudaError_t bad_copy(const char *what, const void *to, const void *from, size_t bytes, const char *why) {
  complain("%s of %zu bytes from %s to %s: %s", what, bytes, describe((const char *)from).c_str(), describe((const char *)to).c_str(), why);
  return fault(cudaErrorInvalidValue);
}

static void check_copy(size_t to, size_t from, size_t bytes, bool to_device, bool from_device, const char *what) {
  if (from_device) shadow_operation_touches(from, bytes, false);
  if (to_device) shadow_operation_touches(to, bytes, true);
  if (to_device && from_device) shadow_copy_written(to, from, bytes);
  else if (to_device) shadow_written(to, bytes);
  else if (from_device && shadow_any_unwritten(from, bytes))
    complain("%s copies %zu bytes to the host, some of them uninitialised, from %s", what, bytes, describe(region + from).c_str());
}

cudaError_t copy_now(char *to, const char *from, size_t bytes, cudaMemcpyKind kind, const char *what) {
  if (!bytes) return cudaSuccess;
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && is_device_pointer(to));
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && is_device_pointer(from));
  size_t to_offset = 0, from_offset = 0;
  if (to_device ? !device_range(to, bytes, &to_offset) : !is_host_memory(to))
    return bad_copy(what, to, from, bytes, to_device ? "the target is not within one live device allocation" : "the target is device memory, the kind says host");
  if (from_device ? !device_range(from, bytes, &from_offset) : !is_host_memory(from))
    return bad_copy(what, to, from, bytes, from_device ? "the source is not within one live device allocation" : "the source is device memory, the kind says host");
  if (CHECKING) check_copy(to_offset, from_offset, bytes, to_device, from_device, what);
  traffic_copy(to_device ? (from_device ? "on the device" : "to the device") : from_device ? "to the host" : "on the host", bytes);
  sparse_copy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t fill_now(char *p, int value, size_t bytes) {
  if (!bytes || recording) return cudaSuccess;
  size_t offset;
  if (!device_range(p, bytes, &offset)) {
    complain("cudaMemset of %zu bytes: %s is not within one live device allocation", bytes, describe(p).c_str());
    return fault(cudaErrorInvalidValue);
  }
  if (CHECKING) {
    shadow_operation_touches(offset, bytes, true);
    shadow_written(offset, bytes);
  }
  traffic_copy("fill", bytes);
  memset(p, value, bytes);
  return cudaSuccess;
}
}  // namespace cc

using namespace cc;
extern "C" void cc_register_variable(void *address, size_t bytes, const char *name, int constant) {
  variables().push_back(Variable{(char *)address, bytes, name, constant != 0, 0});
}

extern "C" cudaError_t cc_symbol_address(void **address, const void *symbol, size_t offset, size_t bytes) {
  Locked lock;
  const Variable *v = find_variable(symbol, 0);
  if (!v) return fault(cudaErrorInvalidSymbol);
  if (offset + bytes > v->bytes) {
    complain("a copy of %zu bytes at offset %zu leaves the symbol %s (%zu bytes)", bytes, offset, v->name, v->bytes);
    return fault(cudaErrorInvalidValue);
  }
  open_region();
  *address = v->address + offset;
  return cudaSuccess;
}
