#include "core/analysis/compare/work_profile.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/kernels/kernel_category.h"
#include "core/analysis/kernels/op_arguments.h"
#include "core/analysis/modules/module_tree.h"
#include "core/analysis/time/training_steps.h"
#include "core/base/enum_names.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::Trace;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) { return (hash ^ value) * 0x100000001b3; }
constexpr std::uint64_t hash_start = 0xcbf29ce484222325;

std::string size_text(const std::array<std::int32_t, 3>& size) {
  return fmt::format("{} × {} × {}", size[0], size[1], size[2]);
}

// The name of the GPU that all kernels ran on; empty if there are several or none is known.
std::string gpu_name(const Trace& trace) {
  std::optional<trace::StringId> name;
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu) continue;
    const auto at = std::ranges::find(trace.devices, track.device, &trace::Device::id);
    if (at == trace.devices.end()) continue;
    if (name && *name != at->name) return {};
    name = at->name;
  }
  return name ? std::string(trace.text(*name)) : std::string();
}

class Profiler {
 public:
  Profiler(const Trace& trace, WorkProfile& profile)
      : trace_(trace),
        rows_(trace.slices),
        profile_(profile),
        places_(trace),
        tree_(trace, places_),
        categories_(trace),
        steps_(step_times(trace)) {
    modules_.modules = tree_.take_modules();
    for (const Interval& step : steps_) profile.steps.push_back(step.to - step.from);
  }

  void add_all() {
    for (const trace::Track& track : trace_.tracks)
      for (SliceId s = track.first; track.gpu && s < track.last; ++s)
        if (trace::is_gpu_work(rows_.kind[s]) && rows_.duration[s] > 0) add(s);
    for (std::vector<WorkGroup>& groups : profile_.groups) std::ranges::sort(groups, {}, &WorkGroup::name);
  }

 private:
  static constexpr std::size_t outside = ~std::size_t{0};

  // The step in which work was launched.
  std::size_t step_of(SliceId work, SliceId launch) const {
    const std::int64_t at = rows_.start[launch == no_slice ? work : launch];
    const auto next = std::ranges::upper_bound(steps_, at, {}, &Interval::from);
    if (next == steps_.begin() || at >= std::prev(next)->to) return outside;
    return static_cast<std::size_t>(std::prev(next) - steps_.begin());
  }

  template <class Name>
  WorkGroup& group(WorkGrouping grouping, std::uint64_t key, Name name) {
    const auto at = static_cast<std::size_t>(grouping);
    const auto [found, is_new] = index_[at].try_emplace(key, profile_.groups[at].size());
    if (is_new) {
      WorkGroup& fresh = profile_.groups[at].emplace_back();
      fresh.name = name();
      fresh.by_step.resize(std::min(steps_.size(), most_spread_steps));
    }
    return profile_.groups[at][found->second];
  }

  void add(SliceId s) {
    const SliceId launch = trace::launch_of(trace_, s);
    const std::size_t step = step_of(s, launch);
    const auto add_to = [&](auto& one) {
      WorkTotal& total = step == outside ? one.outside : one.in_steps;
      ++total.launches;
      total.time += rows_.duration[s];
    };
    const WorkAmount amount = categories_.amounts().of(s);
    const auto add_to_group = [&](WorkGroup& one) {
      add_to(one);
      one.flops.add(amount.flops, rows_.duration[s]);
      one.bytes.add(amount.bytes, rows_.duration[s]);
      if (step < one.by_step.size()) one.by_step[step] += static_cast<float>(rows_.duration[s]);
    };
    add_to(profile_);
    const WorkCategory category = categories_.of(s, amount);
    const SliceId op = trace::op_of(trace_, s);
    const std::size_t module = launch == no_slice ? 0 : tree_.module_of(launch);
    const auto op_name = [&] { return op == no_slice ? std::string() : std::string(trace_.name(op)); };
    const auto module_name = [&] { return modules_.path_text(module); };
    add_to_group(group(WorkGrouping::category, static_cast<std::uint64_t>(category),
                       [&] { return std::string(name_of(category)); }));
    add_to_group(group(WorkGrouping::op, op == no_slice ? 0 : rows_.name[op], op_name));
    add_to_group(group(WorkGrouping::module, module, module_name));
    WorkGroup& kernel = group(WorkGrouping::kernel, rows_.name[s], [&] { return std::string(trace_.name(s)); });
    if (kernel.in_steps.launches + kernel.outside.launches == 0) {
      kernel.op = op_name();
      kernel.module = module_name();
    }
    add_to_group(kernel);
    kernel.launches_by_step.resize(kernel.by_step.size());
    if (step < kernel.launches_by_step.size()) ++kernel.launches_by_step[step];
    if (rows_.kind[s] != trace::SliceKind::kernel) return;
    kernel.communicates = category == WorkCategory::communication;
    if (step == outside && !steps_.empty()) return;
    const trace::KernelDetail& detail = trace_.kernels[rows_.detail[s]];
    if (detail.grid[0] > 0) {
      std::uint64_t hash = hash_start;
      for (const auto& size : {detail.grid, detail.block})
        for (const std::int32_t n : size) hash = mixed(hash, static_cast<std::uint64_t>(n));
      if (is_new_value(rows_.name[s], hash))
        kernel.grids.add(hash,
                         [&] { return fmt::format("{} of {}", size_text(detail.grid), size_text(detail.block)); });
    }
    if (op == no_slice || rows_.kind[op] != trace::SliceKind::op) return;
    const trace::StringId dims = trace_.ops[rows_.detail[op]].input_dims;
    if (!trace_.text(dims).empty() && is_new_value(rows_.name[s], mixed(~hash_start, dims)))
      kernel.shapes.add(std::hash<std::string_view>{}(trace_.text(dims)), [&] { return op_shapes_text(trace_, op); });
  }

  // Each value of a kernel counts once.
  bool is_new_value(trace::StringId kernel, std::uint64_t value) { return seen_.insert(mixed(value, kernel)).second; }

  const Trace& trace_;
  const trace::Slices& rows_;
  WorkProfile& profile_;
  CodePlaces places_;
  ModuleTree tree_;
  WorkCategories categories_;
  ModuleTimes modules_;
  std::vector<Interval> steps_;
  std::array<std::unordered_map<std::uint64_t, std::size_t>, work_groupings> index_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

std::string_view name_of(WorkGrouping grouping) { return base::enum_name(grouping); }

std::optional<std::int64_t> WorkProfile::median_step() const {
  if (steps.empty()) return {};
  std::vector<std::int64_t> sorted = steps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

WorkProfile work_profile(const Trace& trace, std::string file) {
  WorkProfile profile;
  profile.file = std::move(file);
  profile.gpu = gpu_name(trace);
  Profiler(trace, profile).add_all();
  return profile;
}

}  // namespace warpwalk::analysis
