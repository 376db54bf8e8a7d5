#include "core/analysis/time/outline.h"

#include <algorithm>
#include <unordered_map>

#include "core/analysis/names/short_names.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void name_groups(const Trace& trace, std::vector<KernelGroup>& groups) {
  std::vector<std::string_view> names;
  for (const KernelGroup& group : groups) names.push_back(trace.text(group.name));
  std::vector<std::string> labels = kernel_labels(names);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].label = std::move(labels[i]);
}

}  // namespace

std::int64_t Outline::gpu_idle() const {
  std::int64_t sum = 0;
  for (const IdleReport& report : idle) sum += report.idle();
  return sum;
}

Outline outline_of(const Trace& trace) {
  const auto& rows = trace.slices;
  Outline outline;
  const std::vector<std::int64_t> time = gpu_time_by_slice(trace);
  std::vector<std::uint32_t> depth(rows.size(), 0);  // ops at or above each slice; parents come before children
  for (SliceId s = 0; s < rows.size(); ++s)
    depth[s] = (rows.parent[s] == no_slice ? 0 : depth[rows.parent[s]]) + (rows.kind[s] == SliceKind::op);
  outline.ops.reserve(trace.op_order.size());
  for (const SliceId s : trace.op_order) outline.ops.push_back({s, depth[s] - 1, time[s]});
  for (const OutlineOp& op : outline.ops) outline.longest_op = std::max(outline.longest_op, op.gpu_time);
  for (const auto& [launch, work] : trace.launched)
    outline.longest_work = std::max(outline.longest_work, rows.duration[work]);

  std::unordered_map<trace::StringId, std::size_t> group_of;
  for (const SliceId s : trace.kernel_order) {
    const auto [found, is_new] = group_of.try_emplace(rows.name[s], outline.kernels.size());
    if (is_new) outline.kernels.push_back({rows.name[s], {}, 0, 0, s, 0});
    KernelGroup& group = outline.kernels[found->second];
    ++group.count;
    group.total += rows.duration[s];
    if (rows.duration[s] > rows.duration[group.longest]) group.longest = s;
    outline.kernel_time += rows.duration[s];
  }
  for (KernelGroup& group : outline.kernels)
    if (outline.kernel_time > 0)
      group.share = static_cast<double>(group.total) / static_cast<double>(outline.kernel_time);
  std::stable_sort(outline.kernels.begin(), outline.kernels.end(),
                   [](const KernelGroup& a, const KernelGroup& b) { return a.total > b.total; });
  name_groups(trace, outline.kernels);
  outline.idle = idle_reports(trace);
  return outline;
}

std::vector<char> names_holding(const Trace& trace, std::string_view text) {
  std::vector<char> holds(trace.strings.size(), 0);
  for (trace::StringId id = 0; id < trace.strings.size(); ++id) {
    const std::string_view name = trace.text(id);
    holds[id] = std::search(name.begin(), name.end(), text.begin(), text.end(),
                            [](char a, char b) { return lower_case(a) == lower_case(b); }) != name.end() ||
                text.empty();
  }
  return holds;
}

}  // namespace warpwalk::analysis
