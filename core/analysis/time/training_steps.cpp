#include "core/analysis/time/training_steps.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "core/analysis/intervals.h"
#include "core/analysis/time/path_index.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

// The names of steps of servers of language models have sizes of the batch in them: SGLang's "step[DECODE bs=8]",
// vLLM's "execute_context_1(512)_generation_7(7)".
struct ServerStep {
  std::string_view begin, name;
};
constexpr ServerStep server_steps[] = {{"step[", "step"},
                                       {"execute_context_", "execute"},
                                       {"execute_new_", "execute"},
                                       {"vllm_iteration(", "vllm_iteration"}};
// vLLM's steps can also be recorded as ranges of their phases, e.g. "gpu_model_runner: forward".
constexpr std::string_view runner_phase = "gpu_model_runner: ";
constexpr std::string_view first_phases[] = {"preprocess", "state_update"};

bool is_server_step(std::string_view name) {
  return std::ranges::any_of(server_steps, [&](const ServerStep& one) { return name.starts_with(one.begin); });
}

// "epoch 12" and "step#3" without their numbers: "epoch", "step".
std::string_view without_number(std::string_view name) {
  for (const ServerStep& one : server_steps)
    if (name.starts_with(one.begin)) return one.name;
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits == std::string_view::npos) return name;  // nothing but a number
  if (digits + 1 < name.size()) name = name.substr(0, digits + 1);
  const std::size_t end = name.find_last_not_of(" #:_-");
  return end == std::string_view::npos ? name : name.substr(0, end + 1);
}

using Range = StepRanges::Range;

// Ranges of one name on one thread.
struct Group {
  std::string_view name;
  trace::TrackId track = 0;
  std::vector<Range> ranges;  // by start, without overlap

  std::int64_t time() const {
    std::int64_t sum = 0;
    for (const Range& one : ranges) sum += one.to - one.from;
    return sum;
  }
};

// The outermost annotations of threads, or those of one name.
std::vector<Group> groups_of(const Trace& trace, bool outermost) {
  const auto& rows = trace.slices;
  std::vector<Group> groups;
  for (trace::TrackId t = 0; t < trace.tracks.size(); ++t) {
    const trace::Track& track = trace.tracks[t];
    if (track.gpu) continue;
    std::map<std::string_view, std::size_t> index;
    std::vector<bool> nested(track.last - track.first, false);  // in an annotation; parents come before children
    for (SliceId s = track.first; s < track.last; ++s) {
      if (const SliceId above = rows.parent[s]; above != no_slice)
        nested[s - track.first] = nested[above - track.first] || rows.kind[above] == SliceKind::annotation;
      if (rows.kind[s] != SliceKind::annotation || rows.duration[s] <= 0) continue;
      if (outermost && nested[s - track.first]) continue;
      const std::string_view name = without_number(trace.name(s));
      const auto [found, fresh] = index.try_emplace(name, groups.size());
      if (fresh) groups.push_back({name, t, {}});
      std::vector<Range>& ranges = groups[found->second].ranges;
      if (ranges.empty() || rows.start[s] >= ranges.back().to) ranges.push_back({s, rows.start[s], rows.end(s)});
    }
  }
  return groups;
}

// The group with the most time of those that are wanted.
template <class Wanted>
const Group* largest_group(const std::vector<Group>& groups, Wanted wanted) {
  const Group* best = nullptr;
  for (const Group& one : groups)
    if (wanted(one) && (best == nullptr || one.time() > best->time())) best = &one;
  return best;
}

// From the thread's first op, frame or call to the end of the first Optimizer.step, and from there to the next one's.
Group steps_between(const Trace& trace, const Group& ends) {
  Group steps = ends;
  const auto& rows = trace.slices;
  const trace::Track& track = trace.tracks[ends.track];
  std::int64_t from = steps.ranges.front().from;
  for (SliceId s = track.first; s < track.last; ++s) {
    const SliceKind kind = rows.kind[s];
    if (kind != SliceKind::op && kind != SliceKind::python && !trace::is_call(kind)) continue;
    from = std::min(from, rows.start[s]);
    break;
  }
  for (Range& one : steps.ranges) {
    one.from = from;
    from = one.to;
  }
  return steps;
}

std::size_t phase_at(std::string_view name) { return name.find(runner_phase); }

// From each first phase to the end of the last one before the next first phase, on the thread of this group of phases.
Group steps_of_phases(const std::vector<Group>& groups, const Group& one_phase) {
  const std::string_view prefix = one_phase.name.substr(0, phase_at(one_phase.name) + runner_phase.size());
  std::vector<std::pair<Range, std::string_view>> all;
  for (const Group& group : groups)
    if (group.track == one_phase.track && group.name.starts_with(prefix))
      for (const Range& range : group.ranges) all.emplace_back(range, group.name.substr(prefix.size()));
  std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first.from; });
  std::string_view first = all.front().second;
  for (const std::string_view wanted : first_phases)
    if (std::ranges::any_of(all, [&](const auto& one) { return one.second == wanted; })) first = wanted;
  Group steps = {prefix.substr(0, prefix.size() - 2), one_phase.track, {}};  // without ": "
  for (const auto& [range, phase] : all) {
    if (phase == first)
      steps.ranges.push_back(range);
    else if (!steps.ranges.empty())
      steps.ranges.back().to = std::max(steps.ranges.back().to, range.to);
  }
  return steps;
}

// The steps that XLA's profiler shows on a device, on a thread of their own.
Group steps_of_device(const Trace& trace) {
  const auto& rows = trace.slices;
  for (trace::TrackId t = 0; t < trace.tracks.size(); ++t) {
    const trace::Track& track = trace.tracks[t];
    if (!track.gpu || trace.text(track.name) != "Steps") continue;
    Group steps = {"Steps", t, {}};
    for (SliceId s = track.first; s < track.last; ++s)
      if (rows.kind[s] == SliceKind::gpu_annotation && rows.duration[s] > 0 &&
          (steps.ranges.empty() || rows.start[s] >= steps.ranges.back().to))
        steps.ranges.push_back({s, rows.start[s], rows.end(s)});
    if (steps.ranges.size() > 1) return steps;
  }
  return {};
}

std::pair<StepsFrom, Group> find_steps(const Trace& trace) {
  const std::vector<Group> all = groups_of(trace, false);
  if (const Group* const found = largest_group(all, [](const Group& one) { return one.name == "ProfilerStep"; }))
    return {StepsFrom::profiler, *found};
  if (const Group* const found = largest_group(all, [&](const Group& one) {
        return one.ranges.size() > 1 && is_server_step(trace.name(one.ranges.front().slice));
      }))
    return {StepsFrom::annotation, *found};
  const std::vector<Group> outer = groups_of(trace, true);
  if (const Group* const found = largest_group(
          outer, [](const Group& one) { return one.ranges.size() > 1 && !one.name.starts_with("Optimizer."); }))
    return {StepsFrom::annotation,
            phase_at(found->name) == std::string_view::npos ? *found : steps_of_phases(outer, *found)};
  if (const Group* const found =
          largest_group(all, [](const Group& one) { return one.name.starts_with("Optimizer.step"); }))
    return {StepsFrom::optimizer, steps_between(trace, *found)};
  if (Group found = steps_of_device(trace); !found.ranges.empty()) return {StepsFrom::annotation, std::move(found)};
  return {};
}

// The GPU's activity over time.
struct GpuTime {
  std::vector<Interval> computing, kernels, busy;

  GpuTime(const Trace& trace, const IdleReport& gpu, const Communication& communication) {
    const auto& rows = trace.slices;
    for (const trace::Track& track : trace.tracks) {
      if (!track.gpu || track.device != gpu.device) continue;
      for (SliceId s = track.first; s < track.last; ++s) {
        if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
        busy.push_back({rows.start[s], rows.end(s)});
        if (rows.kind[s] != SliceKind::kernel) continue;
        kernels.push_back(busy.back());
        if (!communication.is(s)) computing.push_back(busy.back());
      }
    }
    busy = united_intervals(std::move(busy));
    kernels = united_intervals(std::move(kernels));
    computing = united_intervals(std::move(computing));
  }

  void measure(TrainingStep& step) const {
    step.computing = covered_by(computing, step.from, step.to);
    const std::int64_t in_kernels = covered_by(kernels, step.from, step.to);
    step.communicating = in_kernels - step.computing;
    step.copying = covered_by(busy, step.from, step.to) - in_kernels;
  }
};

void count_kernels(const Trace& trace, std::vector<TrainingStep>& steps, std::int64_t device) {
  const auto& rows = trace.slices;
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu || (device != trace::absent && track.device != device)) continue;
    for (SliceId s = track.first; s < track.last; ++s) {
      if (rows.kind[s] != SliceKind::kernel) continue;
      const SliceId launch = trace::launch_of(trace, s);
      const std::int64_t time = rows.start[launch == no_slice ? s : launch];
      const auto after = std::ranges::upper_bound(steps, time, {}, &TrainingStep::from);
      if (after != steps.begin() && time < std::prev(after)->to) ++std::prev(after)->kernels;
    }
  }
}

}  // namespace

std::int64_t TrainingStep::idle_time() const { return std::accumulate(idle.begin(), idle.end(), std::int64_t{0}); }

std::size_t TrainingSteps::slowest() const {
  return static_cast<std::size_t>(std::ranges::max_element(steps, {}, &TrainingStep::duration) - steps.begin());
}

std::size_t TrainingSteps::fastest() const {
  return static_cast<std::size_t>(std::ranges::min_element(steps, {}, &TrainingStep::duration) - steps.begin());
}

std::size_t TrainingSteps::median() const {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return steps[i].duration(); });
  return order[(order.size() - 1) / 2];
}

std::vector<Interval> step_times(const Trace& trace) {
  std::vector<Interval> times;
  for (const Range& range : find_steps(trace).second.ranges) times.push_back({range.from, range.to});
  return times;
}

StepRanges step_ranges(const Trace& trace) {
  auto [from, group] = find_steps(trace);
  StepRanges all;
  all.from = from;
  all.name = std::string(group.name);
  all.thread = group.track;
  all.ranges = std::move(group.ranges);
  if (all.ranges.size() > most_steps) {
    all.left_out = all.ranges.size() - most_steps;
    all.ranges.resize(most_steps);
  }
  all.idle.resize(all.ranges.size());
  return all;
}

void StepRanges::add_idle(std::span<const IdlePart> parts) {
  for (const IdlePart& part : parts) {
    while (next_ < ranges.size() && ranges[next_].to <= part.from) ++next_;
    for (std::size_t i = next_; i < ranges.size() && ranges[i].from < part.to; ++i)
      idle[i][static_cast<std::size_t>(part.cause)] +=
          std::min(part.to, ranges[i].to) - std::max(part.from, ranges[i].from);
  }
}

TrainingSteps training_steps(const Trace& trace, const IdleReport* gpu, const PathFinder& paths, std::size_t limit) {
  StepRanges ranges = step_ranges(trace);
  if (gpu != nullptr) ranges.add_idle(gpu->parts);
  return training_steps(trace, gpu, ranges, paths, limit);
}

TrainingSteps training_steps(const Trace& trace, const IdleReport* gpu, const StepRanges& ranges,
                             const PathFinder& paths, std::size_t limit) {
  TrainingSteps all;
  all.from = ranges.from;
  all.name = ranges.name;
  all.left_out = ranges.left_out;
  const std::optional<GpuTime> time =
      gpu == nullptr ? std::nullopt
                     : std::optional<GpuTime>(std::in_place, trace, *gpu, paths.events().communication());
  for (std::size_t i = 0; i < ranges.ranges.size(); ++i) {
    const Range& range = ranges.ranges[i];
    TrainingStep& step = all.steps.emplace_back();
    step.name = std::string(trace.name(range.slice));
    step.range = range.slice;
    step.thread = ranges.thread;
    step.from = range.from;
    step.to = range.to;
    if (time) time->measure(step);
    step.idle = ranges.idle[i];
    step.outside = step.duration() - step.computing - step.communicating - step.copying - step.idle_time();
    if (limit == 0) {
      step.path_time = paths.times_until(ranges.thread, step.from, step.to);
      continue;
    }
    const CriticalPath path = paths.until(ranges.thread, step.from, step.to);
    step.path_time = path.time;
    step.path = path_rows(trace, path, limit);
    step.path_longest = longest_path_rows(trace, path, limit);
    step.path_names = path_names(trace, path, limit);
  }
  count_kernels(trace, all.steps, gpu == nullptr ? trace::absent : gpu->device);
  return all;
}

}  // namespace warpwalk::analysis
