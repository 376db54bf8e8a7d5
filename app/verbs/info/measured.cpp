#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/verbs/info/overview_json.h"
#include "core/analysis/names/short_names.h"
#include "core/base/quantity_text.h"
#include "core/run/replay/replay_plan.h"

namespace warpwalk::verbs {
namespace {

using trace::KernelRecord;
using trace::SliceId;

/// Kernels whose counters are from Nsight Compute, by start.
std::vector<SliceId> kernels_of_ncu(const trace::Trace& trace) {
  std::vector<SliceId> kernels;
  for (const SliceId kernel : trace.kernel_order) {
    const KernelRecord* const record = run::record_of(trace, kernel);
    if (record != nullptr && record->measured_by.starts_with("Nsight Compute") && !record->counters.empty())
      kernels.push_back(kernel);
  }
  return kernels;
}

std::optional<double> counter_of(const KernelRecord& record, std::string_view name) {
  const auto counter = std::ranges::find(record.counters, name, &trace::NamedCounter::name);
  if (counter == record.counters.end()) return {};
  return counter->value;
}

std::string counter_cell(const KernelRecord& record, std::string_view name) {
  const auto value = counter_of(record, name);
  if (!value) return "–";
  if (*value == std::floor(*value) && std::abs(*value) < 1e15) return base::with_thousands(std::llround(*value));
  return base::decimal_text(*value, 1);
}

// The reason for which warps waited longest, with its share of their cycles.
std::string main_stall(const KernelRecord& record) {
  constexpr std::string_view prefix = "stall_";
  const trace::NamedCounter* most = nullptr;
  double all = 0;
  for (const trace::NamedCounter& counter : record.counters) {
    if (!counter.name.starts_with(prefix) || counter.name == "stall_selected") continue;
    all += counter.value;
    if (most == nullptr || counter.value > most->value) most = &counter;
  }
  if (most == nullptr || !(all > 0)) return "";
  return fmt::format("{} {:.0f} %", most->name.substr(prefix.size()), 100 * most->value / all);
}

}  // namespace

std::string measured_table(const trace::Trace& trace) {
  const std::vector<SliceId> kernels = kernels_of_ncu(trace);
  if (kernels.empty()) return "";
  constexpr std::size_t most_rows = 64;
  std::string out = fmt::format("\nmeasured by {}: what warps wait for most is of their cycles without an issue\n",
                                run::record_of(trace, kernels.front())->measured_by);
  out += fmt::format("  {:>4} {:<28} {:>12} {:>14} {:>14} {:>14} {:>12}  {}\n", "", "kernel", "cycles", "warp instr.",
                     "load sectors", "conflicts", "occupancy %", "waits for");
  for (std::size_t i = 0; i < std::min(kernels.size(), most_rows); ++i) {
    const KernelRecord& record = *run::record_of(trace, kernels[i]);
    out += fmt::format("  {:>4} {:<28} {:>12} {:>14} {:>14} {:>14} {:>12}  {}\n", i + 1,
                       analysis::shortened(analysis::short_kernel_name(trace.name(kernels[i])), 28),
                       counter_cell(record, "cycles"), counter_cell(record, "warp_instructions"),
                       counter_cell(record, "global_load_sectors"), counter_cell(record, "shared_bank_conflicts"),
                       counter_cell(record, "achieved_occupancy_pct"), main_stall(record));
  }
  if (kernels.size() > most_rows)
    out += fmt::format("  and {} more launches: --json has all\n", kernels.size() - most_rows);
  return out;
}

void write_measured_launches(JsonWriter& json, const trace::Trace& trace) {
  const std::vector<SliceId> kernels = kernels_of_ncu(trace);
  if (kernels.empty()) return;
  json.array("launches_measured", kernels, [&](SliceId kernel) {
    const trace::KernelDetail& detail = trace.kernels[trace.slices.detail[kernel]];
    const KernelRecord& record = *run::record_of(trace, kernel);
    const auto number = [](std::int32_t n) { return std::int64_t{n}; };
    json.object([&] {
      json.text("kernel", trace.name(kernel));
      json.integers("grid", detail.grid, number);
      json.integers("block", detail.block, number);
      json.object("metrics", [&] {
        for (const trace::NamedCounter& counter : record.counters)
          if (std::isfinite(counter.value)) json.figure(counter.name.c_str(), counter.value);
      });
    });
  });
}

}  // namespace warpwalk::verbs
