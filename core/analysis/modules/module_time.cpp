#include "core/analysis/modules/module_time.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/analysis/cpu_wait.h"
#include "core/analysis/modules/module_tree.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;
using trace::TrackId;

// Idle time that is handed out to one module after another, each moment once.
class IdlePool {
 public:
  explicit IdlePool(std::span<const Interval> idle)
      : left_(united_intervals(std::vector<Interval>(idle.begin(), idle.end()))) {}

  std::int64_t left() const { return length_of_intervals(left_); }
  void begin_thread() {
    now_ = std::exchange(left_, {});
    at_ = 0;
  }
  /// The idle time in [from, to). Of one thread, a call must not begin before the end of the one before.
  std::int64_t take(std::int64_t from, std::int64_t to) {
    std::int64_t taken = 0;
    while (at_ < now_.size() && now_[at_].from < to) {
      Interval& one = now_[at_];
      if (one.from < from) left_.push_back({one.from, std::min(one.to, from)});
      one.from = std::max(one.from, from);
      const std::int64_t end = std::min(one.to, to);
      taken += std::max<std::int64_t>(0, end - one.from);
      one.from = std::max(one.from, end);
      if (one.from < one.to) break;  // it goes on after `to`
      ++at_;
    }
    return taken;
  }
  void end_thread() { left_.insert(left_.end(), now_.begin() + static_cast<std::ptrdiff_t>(at_), now_.end()); }

 private:
  std::vector<Interval> left_, now_;
  std::size_t at_ = 0;
};

class ModuleClock {
 public:
  ModuleClock(const Trace& trace, const CodePlaces& places, std::int64_t device, const KernelParts& parts)
      : trace_(trace), rows_(trace.slices), tree_(trace, places), waits_(trace), parts_(parts) {
    times_.grouping = tree_.grouping();
    times_.device = device;
    times_.modules = tree_.take_modules();
  }

  ModuleTimes measure(std::span<const Interval> idle) {
    add_gpu_work();
    IdlePool pool(idle);
    for (TrackId t = 0; t < trace_.tracks.size(); ++t) {
      if (trace_.tracks[t].gpu) continue;
      pool.begin_thread();
      add_thread(t, pool);
      pool.end_thread();
    }
    times_.modules.front().self.idle = pool.left();
    add_up();
    return std::move(times_);
  }

 private:
  ModuleCost& self(std::size_t module) { return times_.modules[module].self; }

  void add_gpu_work() {
    launches_.assign(trace_.tracks.size(), false);
    for (const trace::Track& track : trace_.tracks) {
      if (!track.gpu || (times_.device != trace::absent && track.device != times_.device)) continue;
      for (SliceId s = track.first; s < track.last; ++s) {
        if (!trace::is_gpu_work(rows_.kind[s])) continue;
        const SliceId launch = trace::launch_of(trace_, s);
        const std::size_t module = launch == no_slice ? 0 : tree_.module_of(launch);
        const bool backward = launch != no_slice && tree_.is_backward(launch);
        if (launch != no_slice) launches_[rows_.track[launch]] = true;
        std::int64_t left = rows_.duration[s];
        const std::vector<KernelPart>& parts = parts_of(s);
        for (std::size_t i = 0; i < parts.size(); ++i) {
          const double time = parts[i].share * static_cast<double>(rows_.duration[s]);
          const std::int64_t part =
              i + 1 == parts.size() ? left : std::clamp<std::int64_t>(std::llround(time), 0, left);
          left -= part;
          const std::size_t row = row_of_part(module, parts[i].row, s);
          ++times_.modules[row].calls;
          add_time(row, s, part, backward);
        }
        if (parts.empty()) add_time(module, s, left, backward);
      }
    }
  }

  void add_time(std::size_t module, SliceId work, std::int64_t time, bool backward) {
    (backward ? self(module).gpu_backward : self(module).gpu_forward) += time;
    SliceId& longest = times_.modules[module].longest_self;
    longest = longer(longest, work);
  }

  const std::vector<KernelPart>& parts_of(SliceId work) {
    if (!parts_ || rows_.kind[work] != SliceKind::kernel) return whole_;
    const auto [found, fresh] = known_parts_.try_emplace(rows_.name[work]);
    if (fresh) found->second = parts_(trace_.name(work));
    return found->second;
  }

  std::size_t row_of_part(std::size_t module, const std::string& name, SliceId work) {
    const auto [found, fresh] = rows_of_parts_.try_emplace({module, name}, times_.modules.size());
    if (!fresh) return found->second;
    ModuleTime& made = times_.modules.emplace_back();
    made.name = name;
    made.example = work;
    made.parent = module;
    made.depth = times_.modules[module].depth + 1;
    times_.modules[module].children.push_back(found->second);
    return found->second;
  }

  SliceId longer(SliceId a, SliceId b) const {
    if (a == no_slice || b == no_slice) return a == no_slice ? b : a;
    return rows_.duration[b] > rows_.duration[a] ? b : a;
  }

  static bool is_recorded(SliceKind kind) {
    return kind == SliceKind::python || kind == SliceKind::op || kind == SliceKind::annotation || trace::is_call(kind);
  }

  // Each moment of the thread counts for the innermost slice, that is the one that started last.
  void add_thread(TrackId t, IdlePool& pool) {
    const trace::Track& track = trace_.tracks[t];
    open_.clear();
    std::int64_t counted = 0;  // up to this time
    const auto count = [&](std::int64_t to) {
      const SliceId s = open_.back();
      if (to > counted) add_moment(s, counted, to, launches_[t], pool);
      counted = std::max(counted, to);
    };
    const auto close = [&](std::int64_t time) {
      while (!open_.empty() && rows_.end(open_.back()) <= time) {
        count(rows_.end(open_.back()));
        open_.pop_back();
      }
    };
    for (SliceId s = track.first; s < track.last; ++s) {
      if (!is_recorded(rows_.kind[s]) || rows_.duration[s] <= 0) continue;
      close(rows_.start[s]);
      if (!open_.empty()) count(rows_.start[s]);
      if (open_.empty()) counted = rows_.start[s];
      open_.push_back(s);
    }
    close(std::numeric_limits<std::int64_t>::max());
  }

  void add_moment(SliceId s, std::int64_t from, std::int64_t to, bool launches, IdlePool& pool) {
    const std::size_t module = tree_.module_of(s);
    ModuleCost& cost = self(module);
    if (works(s)) (tree_.is_backward(s) ? cost.cpu_backward : cost.cpu_forward) += to - from;
    if (module != 0 && launches && !tree_.is_backward(s)) cost.idle += pool.take(from, to);
  }

  // A thread that sleeps, reads or waits for a lock takes no CPU time, such as one that monitors the process.
  bool works(SliceId s) const {
    const CpuWait wait = waits_.of(s);
    return wait == CpuWait::none || wait == CpuWait::autograd;
  }

  void add_up() {
    for (ModuleTime& one : times_.modules) {
      one.total = one.self;
      one.longest = one.longest_self;
    }
    for (std::size_t i = times_.modules.size(); i-- > 1;) {
      ModuleTime& above = times_.modules[times_.modules[i].parent];
      above.total += times_.modules[i].total;
      above.longest = longer(above.longest, times_.modules[i].longest);
    }
  }

  const Trace& trace_;
  const trace::Slices& rows_;
  ModuleTree tree_;
  CpuWaits waits_;
  ModuleTimes times_;
  std::vector<bool> launches_;  // by track: threads that launched work on the device
  std::vector<SliceId> open_;
  const KernelParts& parts_;
  const std::vector<KernelPart> whole_;  // a kernel that is not divided has no parts
  std::unordered_map<trace::StringId, std::vector<KernelPart>> known_parts_;  // by the kernel's name
  std::map<std::pair<std::size_t, std::string>, std::size_t> rows_of_parts_;  // by the module and the row's name
};

}  // namespace

ModuleCost& ModuleCost::operator+=(const ModuleCost& other) {
  cpu_forward += other.cpu_forward;
  cpu_backward += other.cpu_backward;
  gpu_forward += other.gpu_forward;
  gpu_backward += other.gpu_backward;
  idle += other.idle;
  return *this;
}

std::string ModuleTimes::path_text(std::size_t module) const {
  std::vector<std::string_view> names;
  for (; module != 0; module = modules[module].parent) names.push_back(modules[module].name);
  std::string path;
  for (auto name = names.rbegin(); name != names.rend(); ++name) path.append(path.empty() ? "" : " / ").append(*name);
  return path;
}

ModuleTimes module_times(const Trace& trace, const CodePlaces& places, std::int64_t device,
                         std::span<const Interval> idle, const KernelParts& parts) {
  return ModuleClock(trace, places, device, parts).measure(idle);
}

}  // namespace warpwalk::analysis
