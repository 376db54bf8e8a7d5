#include "core/analysis/kernels/kernel_columns.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/base/enum_names.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

char in_lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool holds_text(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return in_lower_case(a) == in_lower_case(b); }) != text.end();
}

bool comes_before(std::string_view a, std::string_view b) {
  return std::ranges::lexicographical_compare(a, b, {}, in_lower_case, in_lower_case);
}

std::optional<double> as_number(const Spread& spread) {
  if (!spread.known()) return {};
  return static_cast<double>(spread.most);
}

std::optional<double> sort_value(const KernelTable& table, const KernelRow& row, KernelColumn column) {
  switch (column) {
    case KernelColumn::total: return row.timed == 0 ? std::nullopt : std::optional(static_cast<double>(row.total));
    case KernelColumn::share: return row.share;
    case KernelColumn::count: return static_cast<double>(row.count);
    case KernelColumn::mean: return row.mean();
    case KernelColumn::min: return row.timed == 0 ? std::nullopt : std::optional(static_cast<double>(row.min));
    case KernelColumn::max: return row.timed == 0 ? std::nullopt : std::optional(static_cast<double>(row.max));
    case KernelColumn::grid: return as_number(row.grid.count);
    case KernelColumn::block: return as_number(row.block.count);
    case KernelColumn::registers: return as_number(row.registers);
    case KernelColumn::shared: return as_number(row.shared);
    case KernelColumn::occupancy:
      if (row.occupancy) return (*row.occupancy)[1];
      return table.device.device ? std::nullopt : row.occupancy_profiler;
    case KernelColumn::tensor_cores:
      if (row.tensor_cores.use == TensorCoreUse::unknown) return {};
      return row.tensor_cores.use == TensorCoreUse::yes ? 1 : 0;
    case KernelColumn::flops: return row.flops.rate();
    case KernelColumn::bytes: return row.bytes.rate();
    case KernelColumn::peak:
      if (const auto share = table.share_of_peak(row)) return share->share;
      return {};
    case KernelColumn::category: return static_cast<double>(row.category);
    case KernelColumn::name: break;
  }
  return {};
}

// The text by which launches are ordered in a column of words.
std::string_view launch_text(const Trace& trace, const CodePlaces& places, SliceId work, LaunchColumn column) {
  const SliceId slice = column == LaunchColumn::line ? places.of(work).frame : trace::op_of(trace, work);
  if (slice == no_slice) return {};
  if (column != LaunchColumn::shapes) return trace.name(slice);
  return trace.text(trace.ops[trace.slices.detail[slice]].input_dims);
}

double launch_number(const Trace& trace, SliceId work, LaunchColumn column) {
  if (column == LaunchColumn::start) return static_cast<double>(trace.slices.start[work]);
  if (column == LaunchColumn::duration) return static_cast<double>(trace.slices.duration[work]);
  if (column == LaunchColumn::stream) return static_cast<double>(trace.slices.track[work]);
  double blocks = 1;
  if (trace.slices.kind[work] != trace::SliceKind::kernel) return 0;
  for (const std::int32_t size : trace.kernels[trace.slices.detail[work]].grid) blocks *= size;
  return blocks;
}

bool is_worded(LaunchColumn column) {
  return column == LaunchColumn::op || column == LaunchColumn::shapes || column == LaunchColumn::line;
}

}  // namespace

std::string_view name_of(KernelColumn column) { return base::enum_name(column); }

std::string_view name_of(LaunchColumn column) { return base::enum_name(column); }

std::vector<std::uint32_t> ordered_rows(const Trace& trace, const KernelTable& table, const TableOrder& order,
                                        std::string_view filter) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < table.rows.size(); ++i)
    if (filter.empty() || holds_text(table.rows[i].label, filter) || holds_text(trace.text(table.rows[i].name), filter))
      rows.push_back(i);
  if (order.column == KernelColumn::name) {
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
      const std::string &left = table.rows[a].label, &right = table.rows[b].label;
      return order.descending ? comes_before(right, left) : comes_before(left, right);
    });
    return rows;
  }
  struct Key {
    bool unknown;
    double value;
    std::uint32_t row;
  };
  std::vector<Key> keys;
  keys.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const std::optional<double> value = sort_value(table, table.rows[row], order.column);
    keys.push_back({!value, order.descending ? -value.value_or(0) : value.value_or(0), row});
  }
  std::ranges::sort(keys, {}, [](const Key& key) { return std::tuple(key.unknown, key.value, key.row); });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].row;
  return rows;
}

std::vector<SliceId> ordered_launches(const Trace& trace, const CodePlaces& places, std::span<const SliceId> launches,
                                      const LaunchOrder& order) {
  std::vector<SliceId> ordered(launches.begin(), launches.end());
  const auto sort_by = [&](const auto& value_of) {
    std::vector<std::pair<decltype(value_of(SliceId{})), std::size_t>> keys;
    for (std::size_t i = 0; i < launches.size(); ++i) keys.emplace_back(value_of(launches[i]), i);
    std::ranges::stable_sort(
        keys, [&](const auto& a, const auto& b) { return order.descending ? b.first < a.first : a.first < b.first; });
    for (std::size_t i = 0; i < keys.size(); ++i) ordered[i] = launches[keys[i].second];
  };
  if (is_worded(order.column))
    sort_by([&](SliceId work) { return launch_text(trace, places, work, order.column); });
  else
    sort_by([&](SliceId work) { return launch_number(trace, work, order.column); });
  return ordered;
}

}  // namespace warpwalk::analysis
