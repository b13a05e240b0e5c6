// Launches that are recorded and not run: how many threads each kernel gets, beside the points that it has.
//
// Note [Recording]: generated code tells the points in front of each launch (cudacpu_points). What a launch depends on is
// computed as ever, occupancy included; kernels, copies and fills are left out, so that sizes may be those of real use.
// Nothing may be read back from the device then.
#include "internal.h"
#include <algorithm>

namespace cc {
bool recording;
struct Numbers { long long least, most; };
struct Recorded {
  std::string kernel;
  unsigned long long launches = 0, short_launches = 0;
  Numbers points{0, 0}, threads{0, 0};
  long long fewest_points = 0, fewest_threads = 0;  // of the launch whose threads are the smallest share of its points
};
struct Told { std::string kernel; long long points; };
static std::map<std::string, Told> told;   // by function
static std::vector<Recorded> recorded;     // in the order of the first launch
constexpr long long ENOUGH = 10000;        // more threads than that are not asked for

static void widen(Numbers &numbers, long long value, bool first) {
  numbers.least = first ? value : std::min(numbers.least, value);
  numbers.most = first ? value : std::max(numbers.most, value);
}

void record_launch(const CcLaunch &launch) {
  std::string function = kernel_name(launch);
  function.resize(std::min(function.size(), function.find('<')));
  auto known = told.find(function);
  std::string kernel = known == told.end() ? function : known->second.kernel;
  long long points = known == told.end() ? -1 : known->second.points;
  long long threads = (long long)launch.grid.x * launch.grid.y * launch.grid.z * launch.block.x * launch.block.y * launch.block.z;
  auto found = std::find_if(recorded.begin(), recorded.end(), [&](const Recorded &r) { return r.kernel == kernel; });
  if (found == recorded.end()) {
    recorded.push_back(Recorded{kernel});
    found = recorded.end() - 1;
  }
  bool first = !found->launches++;
  widen(found->points, points, first);
  widen(found->threads, threads, first);
  long long wanted = std::min(points, ENOUGH), before = std::min(found->fewest_points, ENOUGH);
  found->short_launches += threads < wanted;
  if (first || (double)threads * before < (double)found->fewest_threads * wanted) found->fewest_points = points, found->fewest_threads = threads;
}

static std::string recorded_text() {
  std::string text;
  for (const Recorded &r : recorded) {
    text += r.kernel;
    for (long long number : {(long long)r.launches, (long long)r.short_launches, r.points.least, r.points.most, r.threads.least,
                             r.threads.most, r.fewest_points, r.fewest_threads})
      text += "\t" + std::to_string(number);
    text += "\n";
  }
  return text;
}
}  // namespace cc

using namespace cc;
extern "C" {
void cudacpu_points(const char *kernel, const char *function, long long points, int begins) {
  Locked lock;
  Told &known = told[function];
  known.points = begins ? points : std::max(known.points, points);
  known.kernel = kernel;
}
void cudacpu_record(int on) {
  Locked lock;
  recording = on != 0;
  if (on) told.clear(), recorded.clear();
}
const char *cudacpu_recorded() {
  Locked lock;
  static std::string text;
  text = recorded_text();
  return text.c_str();
}
}
