// What the lanes of a warp ask of memory together; counted with the traffic, in check mode.
//
// Note [Requests]: lanes run one after the other here, so that their requests are put together from what they did: the
// n-th time that lanes come to a place of the program since they last met, at a barrier or in an operation of the warp, is
// one request. Who leaves out an iteration on data of its own thus closes up to the others, where a GPU would have it wait.
//
// Note [Units]: of global memory a request moves sectors of 32 bytes, and the least are as many as its different bytes
// fill. Shared memory has 32 banks of 4 bytes; a request of up to 4 bytes a lane is one wavefront, of 8 bytes one for each
// half of the warp, of 16 one for each quarter, and one more for each further word that one of these wants of one bank.
#include "internal.h"
#ifdef CUDACPU_CHECK
#include <algorithm>
#include <deque>

namespace cc {
constexpr unsigned SECTOR = 32, BANKS = 32;
struct Request {
  const char *at[32];
  uint32_t lanes;
};
struct Asked { uint64_t requests = 0, units = 0, least = 0; };
struct Place {  // one access of the program, in one warp
  Asked *asked;
  bool shared;
  unsigned bytes;
  uint64_t first = 0;        // the number of the oldest open request
  uint64_t next[32] = {};    // by lane: the number of its next one
  std::deque<Request> open;
};
struct AskedKey {
  std::string kernel, array;
  bool shared;
  const char *kind;
  unsigned bytes;
  bool operator<(const AskedKey &o) const {
    return std::tie(kernel, shared, array, kind, bytes) < std::tie(o.kernel, o.shared, o.array, o.kind, o.bytes);
  }
};
using Places = std::map<std::tuple<const void *, unsigned, unsigned>, Place>;  // by pc, kind and bytes
static std::unordered_map<const Block *, std::array<Places, 32>> places;
static std::map<AskedKey, Asked> asked;
static std::map<std::pair<std::string, std::string>, uint64_t> instructions;  // by kernel and kind

static const char *kind_name(unsigned kind) {
  if (kind & COPY) return "copy";
  return kind & UPDATE ? "atomic" : kind & WRITE ? "store" : "load";
}

static const char *shared_name(const Block *block, const char *p) {
  for (const SharedVariable &v : block->shared)
    if (p >= v.address && p < v.address + v.bytes) return v.name;
  return "(dynamic)";
}

static uint64_t different(std::vector<uint64_t> &values) {
  std::sort(values.begin(), values.end());
  return (uint64_t)(std::unique(values.begin(), values.end()) - values.begin());
}

static void count_sectors(const Request &r, const Place &place) {
  static std::vector<uint64_t> sectors, bytes;
  sectors.clear(), bytes.clear();
  for (uint32_t rest = r.lanes; rest; rest &= rest - 1) {
    auto p = (uintptr_t)r.at[__builtin_ctz(rest)];
    for (uintptr_t s = p / SECTOR; s <= (p + place.bytes - 1) / SECTOR; s++) sectors.push_back(s);
    for (unsigned b = 0; b < place.bytes; b++) bytes.push_back(p + b);
  }
  place.asked->units += different(sectors);
  place.asked->least += (different(bytes) + SECTOR - 1) / SECTOR;
}

static uint64_t wavefronts(const Request &r, const Place &place, unsigned first, unsigned count) {
  static std::vector<uint64_t> words;
  words.clear();
  for (unsigned l = first; l < first + count; l++)
    if (r.lanes >> l & 1)
      for (uintptr_t w = (uintptr_t)r.at[l] / 4; w <= ((uintptr_t)r.at[l] + place.bytes - 1) / 4; w++) words.push_back(w);
  words.resize(different(words));
  unsigned by_bank[BANKS] = {}, most = 0;
  for (uint64_t w : words) most = std::max(most, ++by_bank[w % BANKS]);
  return most;
}

static void count_wavefronts(const Request &r, const Place &place) {
  unsigned lanes = place.bytes <= 4 ? 32 : 128 / place.bytes;
  for (unsigned first = 0; first < 32; first += lanes)
    if (uint64_t found = wavefronts(r, place, first, lanes)) place.asked->units += found, place.asked->least++;
}

static void finish_request(const Request &r, const Place &place) {
  place.asked->requests++;
  if (place.shared) count_wavefronts(r, place);
  else count_sectors(r, place);
}

// The lanes go on together: what they have asked for is complete, and their next requests are common ones.
static void close_up(Place &place, uint32_t lanes) {
  for (Request &r : place.open) {
    Request own = r;
    own.lanes &= lanes;
    r.lanes &= ~lanes;
    if (own.lanes) finish_request(own, place);
  }
  uint64_t end = place.first + place.open.size();
  for (uint32_t rest = lanes; rest; rest &= rest - 1) place.next[__builtin_ctz(rest)] = end;
  while (!place.open.empty() && !place.open.front().lanes) place.open.pop_front(), place.first++;
}

void requests_meet(const Block *block, unsigned warp, uint32_t lanes) {
  auto found = traffic_on ? places.find(block) : places.end();
  if (found == places.end()) return;
  for (auto &place : found->second[warp]) close_up(place.second, lanes);
}
void requests_meet(const Block *block) {
  for (unsigned warp = 0; warp * 32 < block->count; warp++) requests_meet(block, warp, ~0u);
}
void requests_end(const Block *block) {
  requests_meet(block);
  places.erase(block);
}
void requests_forget() { places.clear(); }
void requests_restart() { places.clear(), asked.clear(), instructions.clear(); }

static void ask(const Thread *t, const char *p, unsigned bytes, unsigned kind, const void *pc, const std::string &kernel, const std::string *array) {
  constexpr unsigned KINDS = WRITE | UPDATE | COPY;
  Place &place = places[t->block][t->index / 32][{pc, (kind & KINDS) | (array ? 0 : 1u << 31), bytes}];
  if (!place.asked) {
    place.shared = !array, place.bytes = bytes;
    std::string name = array ? *array : shared_name(t->block, p);
    place.asked = &asked[AskedKey{kernel, name, place.shared, kind_name(kind), bytes}];
  }
  // A lane that comes here for the first time, or did not meet with others, may be behind requests that are complete.
  uint64_t &next = place.next[t->lane];
  next = std::max(next, place.first);
  uint64_t k = next++ - place.first;
  if (k == place.open.size()) place.open.push_back(Request{});
  place.open[k].at[t->lane] = p;
  place.open[k].lanes |= 1u << t->lane;
}

// An instruction moves 1, 2, 4, 8 or 16 bytes, aligned to as many; objects are moved by words, if they consist of them.
void requests_touch(const Thread *t, const char *p, size_t bytes, unsigned kind, const void *pc, const std::string &kernel, const std::string *array) {
  bool power = (bytes & (bytes - 1)) == 0 && bytes <= 16;
  unsigned step = (unsigned)bytes;
  if (kind & OBJECT || !power) step = bytes % 4 ? bytes % 2 ? 1 : 2 : 4;
  else if (bytes == 16 && (uintptr_t)p % 16) step = 8;
  for (size_t done = 0; done < bytes; done += step) ask(t, p + done, step, kind, pc, kernel, array);
}

void count_instruction(const char *kind, uint64_t count) {
  if (traffic_on) instructions[{traffic_kernel(), kind}] += count;
}

// Lines of words, separated by tabs, as traffic.cpp has them.
std::string requests_text() {
  std::string text;
  auto number = [](uint64_t n) { return "\t" + std::to_string(n); };
  for (const auto &[key, sum] : asked)
    text += "asked\t" + key.kernel + "\t" + (key.shared ? "shared" : "global") + "\t" + key.array + "\t" + key.kind +
            number(key.bytes) + number(sum.requests) + number(sum.units) + number(sum.least) + "\n";
  for (const auto &[key, count] : instructions) text += "instructions\t" + key.first + "\t" + key.second + number(count) + "\n";
  return text;
}
}  // namespace cc
#else
namespace cc {
void requests_meet(const Block *, unsigned, uint32_t) {}
void requests_meet(const Block *) {}
void requests_end(const Block *) {}
void requests_forget() {}
void count_instruction(const char *, uint64_t) {}
}  // namespace cc
#endif
