#include "core/analysis/modules/module_table.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "core/base/csv.h"

namespace warpwalk::analysis {
namespace {

ModuleRow row_with_all(const ModuleTimes& times, std::size_t module) {
  const ModuleTime& one = times.modules[module];
  return {module, false, one.calls, one.total, one.longest};
}

ModuleRow row_of_own(const ModuleTimes& times, std::size_t module) {
  const ModuleTime& one = times.modules[module];
  return {module, true, one.calls, one.self, one.longest_self};
}

std::int64_t sort_key(const ModuleRow& row, ModuleColumn by, ModuleMeasure measure) {
  switch (by) {
    case ModuleColumn::module: return static_cast<std::int64_t>(row.module);
    case ModuleColumn::calls: return static_cast<std::int64_t>(row.calls);
    case ModuleColumn::cpu: return row.cost.cpu();
    case ModuleColumn::gpu_forward: return row.cost.gpu_forward;
    case ModuleColumn::gpu_backward: return row.cost.gpu_backward;
    case ModuleColumn::idle: return row.cost.idle;
    case ModuleColumn::share: break;
  }
  return measured(row.cost, measure);
}

}  // namespace

std::int64_t measured(const ModuleCost& cost, ModuleMeasure measure) {
  switch (measure) {
    case ModuleMeasure::gpu: return cost.gpu();
    case ModuleMeasure::cpu: return cost.cpu();
    case ModuleMeasure::idle: break;
  }
  return cost.idle;
}

std::int64_t measured_backward(const ModuleCost& cost, ModuleMeasure measure) {
  switch (measure) {
    case ModuleMeasure::gpu: return cost.gpu_backward;
    case ModuleMeasure::cpu: return cost.cpu_backward;
    case ModuleMeasure::idle: break;
  }
  return 0;
}

std::vector<ModuleRow> rows_inside(const ModuleTimes& times, std::size_t module) {
  std::vector<ModuleRow> rows;
  const ModuleTime& one = times.modules[module];
  for (const std::size_t child : one.children) rows.push_back(row_with_all(times, child));
  if (one.self != ModuleCost{} || one.children.empty()) rows.push_back(row_of_own(times, module));
  return rows;
}

std::vector<ModuleRow> own_rows(const ModuleTimes& times, std::size_t module) {
  std::vector<bool> inside(times.modules.size());
  std::vector<ModuleRow> rows;
  for (std::size_t i = module; i < times.modules.size(); ++i) {
    inside[i] = i == module || (i > 0 && inside[times.modules[i].parent]);
    if (inside[i]) rows.push_back(row_of_own(times, i));
  }
  return rows;
}

void sort_rows(std::vector<ModuleRow>& rows, ModuleColumn by, bool descending, ModuleMeasure measure) {
  std::ranges::stable_sort(rows, [&](const ModuleRow& a, const ModuleRow& b) {
    const std::int64_t left = sort_key(a, by, measure), right = sort_key(b, by, measure);
    return descending ? left > right : left < right;
  });
}

std::string module_table_csv(const ModuleTimes& times) {
  std::string csv =
      "module,depth,calls,cpu_forward_ns,cpu_backward_ns,gpu_forward_ns,gpu_backward_ns,gpu_idle_ns,"
      "own_cpu_forward_ns,own_cpu_backward_ns,own_gpu_forward_ns,own_gpu_backward_ns,own_gpu_idle_ns\r\n";
  for (std::size_t i = 0; i < times.modules.size(); ++i) {
    const ModuleTime& one = times.modules[i];
    fmt::format_to(std::back_inserter(csv), "{},{},{}", base::csv_cell(times.path_text(i)), one.depth, one.calls);
    for (const ModuleCost* const cost : {&one.total, &one.self})
      fmt::format_to(std::back_inserter(csv), ",{},{},{},{},{}", cost->cpu_forward, cost->cpu_backward,
                     cost->gpu_forward, cost->gpu_backward, cost->idle);
    csv += "\r\n";
  }
  return csv;
}

}  // namespace warpwalk::analysis
