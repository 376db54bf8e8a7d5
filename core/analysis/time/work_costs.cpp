#include "core/analysis/time/work_costs.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

void add_labels(const Trace& trace, std::vector<WorkCost>& costs) {
  std::vector<std::string_view> names;
  for (const WorkCost& cost : costs)
    if (trace.slices.kind[cost.longest_one] == SliceKind::kernel) names.push_back(trace.name(cost.longest_one));
  std::vector<std::string> labels = kernel_labels(names);
  auto label = labels.begin();
  for (WorkCost& cost : costs)
    cost.label = trace.slices.kind[cost.longest_one] == SliceKind::kernel ? std::move(*label++)
                                                                          : label_of(trace, cost.longest_one);
}

}  // namespace

std::vector<WorkCost> work_costs(const Trace& trace, std::int64_t device) {
  const auto& rows = trace.slices;
  std::vector<WorkCost> costs;
  std::unordered_map<std::uint64_t, std::size_t> index;  // by name and kind
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu || (device != trace::absent && track.device != device)) continue;
    for (SliceId s = track.first; s < track.last; ++s) {
      if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
      const std::uint64_t key = (std::uint64_t{rows.name[s]} << 8) | static_cast<std::uint64_t>(rows.kind[s]);
      const auto [found, fresh] = index.try_emplace(key, costs.size());
      if (fresh) costs.push_back({s, {}, 0, 0, rows.duration[s], 0, {}});
      WorkCost& cost = costs[found->second];
      ++cost.count;
      cost.total += rows.duration[s];
      cost.shortest = std::min(cost.shortest, rows.duration[s]);
      if (rows.duration[s] > cost.longest) {
        cost.longest = rows.duration[s];
        cost.longest_one = s;
      }
    }
  }
  std::ranges::sort(costs, [](const WorkCost& a, const WorkCost& b) {
    return a.total != b.total ? a.total > b.total : a.longest_one < b.longest_one;
  });
  add_labels(trace, costs);
  return costs;
}

std::vector<OpCost> op_costs(const Trace& trace) {
  const auto& rows = trace.slices;
  // Of each op: CPU time without inner ops, GPU time, work on the GPU. Ops are a part of all slices, so that they are
  // numbered for this; `op` has the number of the innermost op at or above each slice.
  struct Sums {
    std::int64_t self = 0, gpu = 0;
    std::uint32_t works = 0;
  };
  constexpr std::uint32_t no_op = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> op(rows.size());
  std::vector<Sums> sums;
  sums.reserve(trace.op_order.size());
  for (SliceId s = 0; s < rows.size(); ++s) {
    const std::uint32_t above = rows.parent[s] == no_slice ? no_op : op[rows.parent[s]];
    op[s] = above;
    const bool is_outer_call =
        trace::is_call(rows.kind[s]) && (rows.parent[s] == no_slice || !trace::is_call(rows.kind[rows.parent[s]]));
    if (is_outer_call && above != no_op) sums[above].self -= rows.duration[s];
    if (rows.kind[s] != SliceKind::op) continue;
    op[s] = static_cast<std::uint32_t>(sums.size());
    sums.push_back({rows.duration[s]});
    if (above != no_op) sums[above].self -= rows.duration[s];
  }
  OpCost outside;
  const auto add_work = [&](SliceId launch, SliceId work) {
    const std::uint32_t of = launch == no_slice ? no_op : op[launch];
    (of == no_op ? outside.gpu : sums[of].gpu) += rows.duration[work];
    if (of == no_op)
      ++outside.works;
    else
      ++sums[of].works;
  };
  for (const trace::Track& track : trace.tracks)
    for (SliceId s = track.first; track.gpu && s < track.last; ++s)
      if (trace::is_gpu_work(rows.kind[s]) && rows.duration[s] > 0) add_work(trace::launch_of(trace, s), s);

  std::vector<OpCost> costs;
  std::unordered_map<trace::StringId, std::size_t> index;
  for (const SliceId s : trace.op_order) {
    const auto [found, fresh] = index.try_emplace(rows.name[s], costs.size());
    if (fresh) costs.push_back({s, 0, 0, 0, 0});
    OpCost& cost = costs[found->second];
    ++cost.count;
    const Sums &here = sums[op[s]], &example = sums[op[cost.example]];
    cost.gpu += here.gpu;
    cost.self += here.self;
    cost.works += here.works;
    if (here.gpu != example.gpu ? here.gpu > example.gpu : here.self > example.self) cost.example = s;
  }
  if (outside.works > 0) costs.push_back(outside);
  std::ranges::stable_sort(
      costs, [](const OpCost& a, const OpCost& b) { return a.gpu != b.gpu ? a.gpu > b.gpu : a.self > b.self; });
  return costs;
}

}  // namespace warpwalk::analysis
