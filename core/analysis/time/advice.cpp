#include "core/analysis/time/advice.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/analysis/slices.h"
#include "core/base/enum_names.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

constexpr std::int64_t least_part_of_path = 100;  // a hundredth

// The GPU began so long after the launch that the trace does not say what kept it.
bool is_unexplained(const Trace& trace, const PathSegment& segment) {
  const SliceId launch = segment.kind == PathKind::launch ? trace::launch_of(trace, segment.slice) : no_slice;
  const std::int64_t call = launch == no_slice ? 0 : trace.slices.duration[launch];
  return segment.length() - call > longest_start;
}

// What a stretch of the path advises outside of what reads results; none where nothing is known, or what a wait ends,
// which is idle time of the GPU.
std::optional<AdviceKind> advised_by_kind(const Trace& trace, const PathSegment& segment) {
  switch (segment.kind) {
    case PathKind::python:
    case PathKind::op: return AdviceKind::host;
    case PathKind::call:
      if (is_wait(trace, segment.slice)) return {};
      if (is_allocation(trace, segment.slice)) return AdviceKind::allocation;
      return copies_pageable(trace, segment.slice) ? AdviceKind::pageable : AdviceKind::host;
    case PathKind::blocked: return AdviceKind::blocked;
    case PathKind::loading: return AdviceKind::loading;
    case PathKind::profiler: return AdviceKind::profiler;
    case PathKind::launch: return is_unexplained(trace, segment) ? std::nullopt : std::optional(AdviceKind::launch);
    case PathKind::queue: return is_unexplained(trace, segment) ? std::nullopt : std::optional(AdviceKind::between);
    case PathKind::communication: return AdviceKind::communication;
    case PathKind::copy: return is_pageable_copy(trace.name(segment.slice)) ? AdviceKind::pageable : AdviceKind::copy;
    case PathKind::kernel: return AdviceKind::kernel;
    case PathKind::unrecorded:  // idle time of the GPU tells it from waits that are not recorded
    case PathKind::wait_end: break;
  }
  return {};
}

bool is_by_name(AdviceKind kind) {
  return kind == AdviceKind::kernel || kind == AdviceKind::layout || kind == AdviceKind::copy ||
         kind == AdviceKind::communication;
}

// Of no line.
bool is_one_sum(AdviceKind kind) {
  return kind == AdviceKind::profiler || kind == AdviceKind::unrecorded_cpu || kind == AdviceKind::unrecorded_gpu;
}

bool launches_work(const Trace& trace, SliceId call) {
  const std::size_t first = trace::first_launched(trace, call);
  return first < trace.launched.size() && trace.launched[first].first == call;
}

// An op, a call or a function in C: "<built-in method item of Tensor object at 0x7f...>".
bool is_below_python(const Trace& trace, SliceId slice) {
  const trace::SliceKind kind = trace.slices.kind[slice];
  return kind == trace::SliceKind::op || trace::is_call(kind) ||
         (kind == trace::SliceKind::python && trace.name(slice).starts_with('<'));
}

// What a part of a gap advises beside the path; none where the path itself has it.
std::optional<AdviceKind> advised_by_part(const IdlePart& part) {
  switch (part.cause) {
    case IdleCause::synchronisation:
    case IdleCause::restart: return AdviceKind::synchronise;
    case IdleCause::pageable: return AdviceKind::pageable;
    case IdleCause::unknown:
    case IdleCause::unrecorded: return AdviceKind::unrecorded_gpu;
    case IdleCause::late_launch:
      return part.seen_in == no_slice ? std::optional(AdviceKind::unrecorded_cpu) : std::nullopt;
    default: return {};
  }
}

}  // namespace

std::string_view name_of(AdviceKind kind) { return base::enum_name(kind); }

void AdviceSums::add(std::span<const IdlePart> parts) {
  for (const IdlePart& part : parts) {
    const std::optional<AdviceKind> kind = advised_by_part(part);
    if (!kind) continue;
    add(*kind, part.seen_in, part.length());
    if (!is_one_sum(*kind)) held_.push_back({part.from, part.to});
  }
}

void AdviceSums::add(const CriticalPath& path) {
  span_ += path.span();
  held_ = united_intervals(std::move(held_));
  WorkCategories categories(trace_);
  std::unordered_map<trace::StringId, bool> only_move;  // by a kernel's name
  find_readers();
  for (const PathSegment& segment : path.segments) {
    std::optional<AdviceKind> kind = advised_by(segment);
    if (!kind) continue;
    if (kind == AdviceKind::kernel) {
      const auto [found, fresh] = only_move.try_emplace(trace_.slices.name[segment.slice]);
      if (fresh) found->second = categories.of(segment.slice) == WorkCategory::layout;
      if (found->second) kind = AdviceKind::layout;
    }
    add(segment, *kind);
  }
  add_fusable(path, categories);
}

std::optional<AdviceKind> AdviceSums::advised_by(const PathSegment& segment) const {
  if (segment.kind == PathKind::call && segment.to <= begin_ && !launches_work(trace_, segment.slice)) return {};
  const bool of_gpu = segment.kind == PathKind::copy || segment.kind == PathKind::launch;
  const SliceId on_cpu = of_gpu ? trace::launch_of(trace_, segment.slice) : segment.slice;
  const bool can_read = of_gpu || segment.kind == PathKind::python || segment.kind == PathKind::op ||
                        segment.kind == PathKind::call || segment.kind == PathKind::wait_end;
  if (segment.kind == PathKind::op && trace_.name(segment.slice) == "aten::_local_scalar_dense")
    return AdviceKind::synchronise;  // of .item(), also where the call that waits is not recorded
  return can_read && is_of_reader(on_cpu) ? AdviceKind::synchronise : advised_by_kind(trace_, segment);
}

// From each wait outwards: .item() is a function in C, in it aten::item, aten::_local_scalar_dense, a copy and the
// wait.
void AdviceSums::find_readers() {
  const trace::Slices& rows = trace_.slices;
  enum class Waits : std::uint8_t { unknown, no, yes };
  std::vector<Waits> by_name(trace_.strings.size(), Waits::unknown);
  readers_.assign(rows.size(), false);
  std::unordered_set<SliceId> others;
  for (SliceId wait = 0; wait < rows.size(); ++wait) {
    if (!trace::is_call(rows.kind[wait])) continue;
    Waits& waits = by_name[rows.name[wait]];
    if (waits == Waits::unknown) waits = is_wait(trace_, wait) ? Waits::yes : Waits::no;
    if (waits == Waits::no) continue;
    for (SliceId s = wait; s != no_slice && is_below_python(trace_, s) && !readers_[s]; s = rows.parent[s]) {
      if (others.contains(s)) break;
      if (launches_kernels(s)) {
        others.insert(s);
        break;
      }
      readers_[s] = true;
    }
  }
}

// Or copies pageable memory to the GPU, for which PyTorch waits too.
bool AdviceSums::launches_kernels(SliceId around) const {
  const trace::Slices& rows = trace_.slices;
  const SliceId last = trace_.tracks[rows.track[around]].last;
  for (SliceId s = around; s < last && (s == around || rows.start[s] < rows.end(around)); ++s) {
    if (!trace::is_call(rows.kind[s])) continue;
    for (std::size_t i = trace::first_launched(trace_, s); i < trace_.launched.size() && trace_.launched[i].first == s;
         ++i) {
      const SliceId work = trace_.launched[i].second;
      if (rows.kind[work] == trace::SliceKind::kernel || is_pageable_copy(trace_.name(work))) return true;
    }
  }
  return false;
}

bool AdviceSums::is_of_reader(SliceId slice) const {
  for (SliceId s = slice; s != no_slice && is_below_python(trace_, s); s = trace_.slices.parent[s])
    if (readers_[s]) return true;
  return false;
}

void AdviceSums::add(const PathSegment& segment, AdviceKind kind) {
  const bool of_cpu = is_of_cpu(segment.kind) || segment.kind == PathKind::wait_end;
  const std::int64_t time = segment.length() - (of_cpu ? covered_by(held_, segment.from, segment.to) : 0);
  if (time <= 0) return;
  Sum& sum = add(kind, segment.slice, time);
  if (kind != AdviceKind::host || segment.kind != PathKind::call) return;
  if (segment.from != trace_.slices.start[segment.slice]) return;  // another stretch of the same call
  for (std::size_t i = trace::first_launched(trace_, segment.slice);
       i < trace_.launched.size() && trace_.launched[i].first == segment.slice; ++i) {
    if (trace_.slices.kind[trace_.launched[i].second] != trace::SliceKind::kernel) continue;
    ++sum.launches;
    sum.kernels += trace_.slices.duration[trace_.launched[i].second];
  }
}

// A line of which most time goes into launches: that of one is what PyTorch needs for an op, with the profiler's
// stacks.
bool AdviceSums::launches_small_kernels(const Sum& sum) {
  constexpr std::size_t least = 8;                // launches
  constexpr std::int64_t most_for_one = 200'000;  // ns
  if (sum.launches < least) return false;
  return sum.time / static_cast<std::int64_t>(sum.launches) <= most_for_one && sum.kernels <= sum.time;
}

void AdviceSums::add_fusable(const CriticalPath& path, WorkCategories& categories) {
  FusableRun run(trace_, categories);
  const auto end_run = [&] {
    if (run.at_most() > 0) add(AdviceKind::fuse, run.first(), run.at_most());
    run = FusableRun(trace_, categories);
  };
  for (const PathSegment& segment : path.segments) {
    if (segment.kind == PathKind::queue || segment.kind == PathKind::launch) continue;
    const bool kernel = segment.kind == PathKind::kernel;
    if (kernel && run.add(segment.slice, segment.length())) continue;
    end_run();
    if (kernel) run.add(segment.slice, segment.length());
  }
  end_run();
}

AdviceSums::Sum& AdviceSums::add(AdviceKind kind, SliceId slice, std::int64_t time) {
  std::uint64_t key = 0;
  if (slice != no_slice && !is_one_sum(kind)) {
    const SliceId frame = is_by_name(kind) ? no_slice : places_.frame_of(slice);
    key = frame != no_slice ? std::uint64_t{trace_.slices.name[frame]} + 1
                            : (std::uint64_t{trace_.slices.name[slice]} + 1) << 32;
  }
  Sum& sum = sums_[{kind, key}];
  sum.add(slice, time);
  if (slice == no_slice || is_by_name(kind) || is_one_sum(kind)) return sum;
  const SliceId named = named_slice(slice);
  sum.names[trace_.slices.name[named]].add(named, time);
  return sum;
}

// The call itself, else the innermost frame with a file, else the slice.
SliceId AdviceSums::named_slice(SliceId slice) const {
  constexpr int most_levels = 64;  // a file can nest thousands of slices
  int levels = 0;
  for (SliceId s = slice; s != no_slice && levels < most_levels; s = trace_.slices.parent[s], ++levels) {
    const trace::SliceKind kind = trace_.slices.kind[s];
    if (trace::is_call(kind) || (kind == trace::SliceKind::python && parse_frame_name(trace_.name(s)))) return s;
  }
  return slice;
}

Advice AdviceSums::advice_of(AdviceKind kind, const Sum& sum) const {
  Advice advice;
  advice.kind = kind;
  advice.at_most = sum.time;
  advice.slice = sum.slice;
  if (sum.slice == no_slice || is_one_sum(kind)) return advice;
  if (kind == AdviceKind::host && launches_small_kernels(sum)) {
    advice.kind = AdviceKind::small_kernels;
    advice.launches = sum.launches;
    advice.kernels = sum.kernels;
  }
  advice.name = label_of(trace_, sum.slice);
  advice.name_time = sum.time;
  const auto most = std::ranges::max_element(sum.names, {}, [](const auto& name) { return name.second.time; });
  if (most != sum.names.end()) {
    advice.name = label_of(trace_, most->second.slice);
    advice.name_time = most->second.time;
  }
  advice.line = places_.line_text(sum.slice);
  advice.module = places_.path_text(sum.slice);
  return advice;
}

std::vector<Advice> AdviceSums::first(std::size_t limit) const {
  std::vector<std::pair<AdviceKind, const Sum*>> order;
  for (const auto& [key, sum] : sums_)
    if (sum.time > 0 && sum.time >= span_ / least_part_of_path) order.emplace_back(key.first, &sum);
  std::ranges::stable_sort(order, std::ranges::greater{}, [](const auto& one) { return one.second->time; });
  if (order.size() > limit) order.resize(limit);
  std::vector<Advice> all;
  for (const auto& [kind, sum] : order) all.push_back(advice_of(kind, *sum));
  return all;
}

}  // namespace warpwalk::analysis
