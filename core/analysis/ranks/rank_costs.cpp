#include "core/analysis/ranks/rank_costs.h"

#include <algorithm>

#include "core/analysis/slices.h"
#include "core/analysis/time/path_index.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

// What is kept of a stretch, so that 64 ranks with 10,000 collectives stay small.
constexpr std::size_t most_costs = 16;
constexpr std::int64_t least_share = 500;  // one 500th of the stretch

// Damaged traces may have any grid. With this limit, sums fit 64 bits.
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 40;

}  // namespace

RankCosts::RankCosts(const Trace& trace, const PathFinder& paths, const CodePlaces& places,
                     const std::vector<bool>& tracks)
    : trace_(trace), paths_(paths), places_(places) {
  const auto& rows = trace.slices;
  for (const auto& [launch, work] : trace.launched) {
    if (!tracks.empty() && !tracks[rows.track[launch]]) continue;
    if (!paths.events().communication().is(work)) launched_.emplace_back(rows.start[launch], work);
  }
  std::ranges::sort(launched_);
}

std::uint32_t RankCosts::name_id(const std::string& text) {
  const auto [found, fresh] = ids_.try_emplace(text, static_cast<std::uint32_t>(names_.size()));
  if (text.empty()) return 0;
  if (fresh) names_.push_back(text);
  return found->second;
}

// A step is the same in all ranks, and no line: without Python frames, its parts are named by their ops and calls.
SliceId RankCosts::frame_of(SliceId slice) const {
  const SliceId frame = places_.frame_of(slice);
  return frame != no_slice && trace_.name(frame).starts_with("ProfilerStep#") ? no_slice : frame;
}

std::uint32_t RankCosts::line_of(SliceId slice) {
  const SliceId frame = frame_of(slice);
  if (frame == no_slice) return 0;
  const auto [found, fresh] = lines_.try_emplace(trace_.slices.name[frame], 0);
  if (fresh) found->second = name_id(places_.line_text(frame));
  return found->second;
}

// The op in which a call was made, else the call.
SliceId RankCosts::op_around(SliceId slice) const {
  const auto& rows = trace_.slices;
  for (SliceId s = slice; s != no_slice && trace::is_call(rows.kind[s]); s = rows.parent[s])
    if (const SliceId outer = rows.parent[s]; outer != no_slice && rows.kind[outer] == trace::SliceKind::op)
      return outer;
  return slice;
}

std::string RankCosts::name_of_call(SliceId slice) const {
  std::string label = label_of(trace_, slice);
  return label.starts_with("ProfilerStep#") ? std::string() : label;
}

RankCosts::Sum* RankCosts::sum_of(const PathSegment& segment, Sums& sums) {
  const SliceId slice = segment.slice;
  if (is_of_gpu(segment.kind)) return segment.kind == PathKind::communication ? nullptr : &sum_of_work(slice, sums);
  if (!is_of_cpu(segment.kind) || segment.kind == PathKind::profiler) return nullptr;
  CostKind kind = CostKind::line;
  if (segment.kind == PathKind::blocked) kind = CostKind::blocked;
  if (segment.kind == PathKind::loading) kind = CostKind::loading;
  if (segment.kind == PathKind::call && is_wait(trace_, slice))
    kind = CostKind::wait;
  else if (segment.kind == PathKind::call && paths_.events().starts_copy(slice))
    kind = CostKind::transfer;
  // Stretches of one line are one cost, whatever the ops and calls in it. Waits, copies and what blocks a thread are
  // told apart by the call.
  SliceId shown = slice;
  if (slice != no_slice && !is_named_by_call(kind))
    shown = frame_of(slice) != no_slice ? frame_of(slice) : op_around(slice);
  const bool is_frame = shown != slice || (slice != no_slice && trace_.slices.kind[slice] == trace::SliceKind::python);
  // All time of steps outside of calls is one cost.
  if (shown != no_slice && trace_.name(shown).starts_with("ProfilerStep#")) shown = no_slice;
  const std::uint64_t name =
      shown == no_slice ? 0 : std::uint64_t{trace_.slices.name[shown]} << 1 | (is_frame ? 1u : 0u);
  Sum& sum = sums[{name, kind}];
  sum.cost.kind = kind;
  if (sum.cost.slice == no_slice) sum.cost.slice = slice;
  return &sum;
}

RankCosts::Sum& RankCosts::sum_of_work(SliceId work, Sums& sums) {
  const auto& rows = trace_.slices;
  const CostKind kind = rows.kind[work] == trace::SliceKind::kernel ? CostKind::kernel : CostKind::copy;
  Sum& sum = sums[{rows.name[work], kind}];
  sum.cost.kind = kind;
  if (sum.cost.slice == no_slice) sum.cost.slice = work;
  return sum;
}

void RankCosts::finish(Sums& sums, std::vector<StretchCost>& costs) {
  std::int64_t whole[2] = {};  // CPU, GPU
  for (const auto& [key, sum] : sums) whole[is_of_gpu(key.kind)] += sum.cost.time;
  for (const bool gpu : {false, true}) {
    const std::size_t first = costs.size();
    for (const auto& [key, sum] : sums)
      if (is_of_gpu(key.kind) == gpu && sum.cost.time > 0 &&
          std::max(sum.cost.time, sum.cost.on_path) >= whole[gpu] / least_share)
        costs.push_back(sum.cost);
    const auto begin = costs.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, costs.end(), [](const StretchCost& a, const StretchCost& b) {
      return a.time != b.time ? a.time > b.time : a.slice < b.slice;
    });
    if (costs.size() > first + most_costs) costs.resize(first + most_costs);
    for (std::size_t i = first; i < costs.size(); ++i) {
      StretchCost& cost = costs[i];
      if (cost.slice == no_slice) continue;
      cost.line = line_of(cost.slice);
      if (gpu || is_named_by_call(cost.kind) || cost.line == 0)
        cost.name = name_id(gpu ? std::string(trace_.name(cost.slice))
                                : name_of_call(is_named_by_call(cost.kind) ? cost.slice : op_around(cost.slice)));
      else
        cost.name = cost.line;
    }
  }
}

void RankCosts::append(trace::TrackId thread, std::int64_t from, std::int64_t to, std::int64_t arrived,
                       RankCollective& collective, std::vector<StretchCost>& costs) {
  Sums sums;
  if (to > from && thread != PathSegment::no_track && paths_.events().thread_of_track(thread) != PathEvents::no_thread)
    for (const PathSegment& segment : paths_.on_cpu_until(thread, from, to).segments)
      if (Sum* const sum = sum_of(segment, sums)) {
        sum->cost.time += segment.length();
        ++sum->cost.count;
        if (segment.length() > sum->longest) {
          sum->longest = segment.length();
          sum->cost.slice = segment.slice;
        }
      }
  const auto& rows = trace_.slices;
  while (next_ < launched_.size() && launched_[next_].first < from) ++next_;
  for (std::size_t i = next_; i < launched_.size() && launched_[i].first < to; ++i) {
    const SliceId one = launched_[i].second;
    Sum& sum = sum_of_work(one, sums);
    sum.cost.time += rows.duration[one];
    ++sum.cost.count;
    if (rows.kind[one] == trace::SliceKind::kernel) {
      const std::uint64_t blocks = blocks_of(trace_.kernels[rows.detail[one]].grid).value_or(0);
      sum.cost.blocks += static_cast<std::int64_t>(std::min(blocks, most_blocks));
      collective.work_time += rows.duration[one];
      ++collective.work_count;
    }
    if (rows.duration[one] > sum.longest) {
      sum.longest = rows.duration[one];
      sum.cost.slice = one;
    }
  }
  if (collective.work != no_slice && collective.arrival > arrived)
    for (const PathSegment& segment : paths_.leading_to(collective.work, arrived).segments)
      if (Sum* const sum = sum_of(segment, sums)) sum->cost.on_path += segment.length();
  collective.first_cost = costs.size();
  finish(sums, costs);
  collective.costs = costs.size() - collective.first_cost;
}

}  // namespace warpwalk::analysis
