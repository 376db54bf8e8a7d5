// What the GPU's work is for.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/kernels/device_peaks.h"
#include "core/analysis/kernels/kernel_table.h"
#include "core/records/hardware.h"
#include "core/story/labs/overview/overview.h"
#include "core/words/amount_text.h"
#include "core/words/time_column.h"

namespace warpwalk::story {
namespace {

std::int64_t time_of(const analysis::WorkGroup& group) { return group.in_steps.time + group.outside.time; }
std::uint64_t launches_of(const analysis::WorkGroup& group) { return group.in_steps.launches + group.outside.launches; }

}  // namespace

Panel categories_panel(const OverviewLab& lab) {
  std::optional<analysis::WorkProfile> own;
  if (lab.input.work == nullptr) own = analysis::work_profile(lab.trace());
  const analysis::WorkProfile& work = own ? *own : *lab.input.work;
  std::vector<const analysis::WorkGroup*> order;
  std::int64_t all = 0, largest = 0;
  double flops = 0, bytes = 0;
  for (const analysis::WorkGroup& group : work.by(analysis::WorkGrouping::category)) {
    order.push_back(&group);
    all += time_of(group);
    largest = std::max(largest, time_of(group));
    flops = std::max(flops, group.flops.rate().value_or(0));
    bytes = std::max(bytes, group.bytes.rate().value_or(0));
  }
  std::ranges::stable_sort(order, std::ranges::greater{}, [](const auto* group) { return time_of(*group); });
  const analysis::DevicePeaks peaks =
      analysis::device_peaks(analysis::kernel_device(lab.trace(), lab.input.hardware.devices));

  const words::TimeColumn times(largest);
  const words::RateColumn flop_rates(flops), byte_rates(bytes);
  const auto unit = [&](std::string_view section, const words::RateColumn& rates) {
    return lab.input.narration.text(fmt::format("kernels_page.{}", section), rates.unit());
  };
  TablePicture table;
  table.columns = {{lab.word("categories")},
                   {lab.word("head_total"), 1, true, true},
                   {lab.word("head_share"), 1, true, true},
                   {lab.word("head_count"), 1, true, true},
                   {unit("flop_unit", flop_rates), 1, true, true},
                   {unit("byte_unit", byte_rates), 1, true, true},
                   {lab.word("head_intensity"), 1, true, true}};
  if (peaks.bytes_per_second) table.columns.push_back({lab.word("head_dram"), 1, true, true});
  for (const analysis::WorkGroup* const group : order) {
    const auto rate = [&](const analysis::WorkSum& sum, const words::RateColumn& rates, std::string_view formula) {
      return sum.rate() ? lab.derived(rates.text(*sum.rate()), formula) : word_cell("–");
    };
    TableRow row;
    row.cells = {word_cell(lab.input.narration.text("work_category", group->name)),
                 lab.derived(times.text(time_of(*group)), "category_total"),
                 lab.derived(share_text(time_of(*group), all), "share_work"),
                 lab.count(static_cast<std::size_t>(launches_of(*group)), "count"),
                 rate(group->flops, flop_rates, "category_flops"),
                 rate(group->bytes, byte_rates, "category_bytes")};
    const bool both = group->flops.known() && group->bytes.known() && group->bytes.amount > 0 &&
                      group->flops.launches == group->bytes.launches;
    row.cells.push_back(both ? lab.derived(with_marks(fmt::format("{:.3g}", group->flops.amount / group->bytes.amount)),
                                           "category_intensity")
                             : word_cell("–"));
    if (peaks.bytes_per_second)
      row.cells.push_back(
          group->bytes.rate()
              ? lab.derived(with_marks(fmt::format("{:.0f} %", 100 * *group->bytes.rate() / *peaks.bytes_per_second)),
                            "category_dram")
              : word_cell("–"));
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
