#include "core/analysis/time/advice.h"

#include <algorithm>
#include <optional>

#include "core/analysis/slices.h"
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

// What a stretch of the path advises; none where nothing is known, or what a wait ends, which `synchronise` covers.
std::optional<AdviceKind> advised_by(const Trace& trace, const PathSegment& segment) {
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
    case PathKind::copy: return AdviceKind::copy;
    case PathKind::kernel: return AdviceKind::kernel;
    case PathKind::unrecorded:
    case PathKind::wait_end: break;
  }
  return {};
}

bool is_by_name(AdviceKind kind) {
  return kind == AdviceKind::kernel || kind == AdviceKind::copy || kind == AdviceKind::communication;
}

}  // namespace

std::string_view name_of(AdviceKind kind) {
  static constexpr std::array<std::string_view, advice_kinds> names = {
      "host",   "blocked", "synchronise",   "loading", "allocation", "pageable", "profiler",
      "launch", "between", "communication", "copy",    "kernel",     "fuse"};
  return names[static_cast<std::size_t>(kind)];
}

void AdviceSums::add(const CriticalPath& path) {
  span_ += path.span();
  for (const PathSegment& segment : path.segments)
    if (const std::optional<AdviceKind> kind = advised_by(trace_, segment)) add(*kind, segment.slice, segment.length());
  add_fusable(path);
}

void AdviceSums::add_fusable(const CriticalPath& path) {
  WorkCategories categories(trace_);
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

void AdviceSums::add(std::span<const IdlePart> parts) {
  for (const IdlePart& part : parts)
    if (part.cause == IdleCause::synchronisation || part.cause == IdleCause::restart)
      add(AdviceKind::synchronise, part.seen_in, part.length());
}

void AdviceSums::add(AdviceKind kind, SliceId slice, std::int64_t time) {
  std::uint64_t key = 0;
  if (slice != no_slice && kind != AdviceKind::profiler) {
    const SliceId frame = is_by_name(kind) ? no_slice : places_.frame_of(slice);
    key = frame != no_slice ? std::uint64_t{trace_.slices.name[frame]} + 1
                            : (std::uint64_t{trace_.slices.name[slice]} + 1) << 32;
  }
  Sum& sum = sums_[{kind, key}];
  sum.add(slice, time);
  if (slice == no_slice || is_by_name(kind) || kind == AdviceKind::profiler) return;
  const SliceId named = named_slice(slice);
  sum.names[trace_.slices.name[named]].add(named, time);
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
  if (sum.slice == no_slice || kind == AdviceKind::profiler) return advice;
  advice.slice = sum.slice;
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
