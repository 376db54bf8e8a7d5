#include "core/trace/ncu/csv_source.h"

#include <algorithm>
#include <charconv>

#include "core/trace/json/numbers.h"

namespace warpwalk::trace::ncu {
namespace {

std::optional<std::size_t> column_of(const std::vector<std::string>& columns, std::string_view name) {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) return {};
  return static_cast<std::size_t>(found - columns.begin());
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  if (!text.starts_with("0x")) return {};
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::string_view cell_of(const std::vector<std::string>& cells, std::optional<std::size_t> column) {
  return column && *column < cells.size() ? std::string_view(cells[*column]) : std::string_view();
}

}  // namespace

void SourcePage::begin_function(const std::string& name) {
  constexpr std::size_t most_files = 1024;
  metrics_.clear();
  if (launch_) {
    const Launch& current = report_.launches[*launch_];
    const bool new_file = !file_.empty() && current.by_line.size() < most_files &&
                          std::ranges::find(current.by_line, file_, &SourceLines::file) == current.by_line.end();
    if (current.name == name && new_file) return;
    finish();
  }
  if (name.empty()) return;
  if (std::queue<std::size_t>& waiting = waiting_[name]; !waiting.empty()) {
    launch_ = waiting.front();
    waiting.pop();
    return;
  }
  launch_ = report_.launches.size();
  report_.launches.emplace_back().name = name;
}

void SourcePage::set_columns(const std::vector<std::string>& columns) {
  address_cell_ = column_of(columns, "Address");
  line_cell_ = column_of(columns, "Line No");
  // The column "#" counts rows of machine code, or lines of the file.
  if (!line_cell_ && !address_cell_) line_cell_ = column_of(columns, "#");
  text_cell_ = column_of(columns, "Source");
  operation_cell_ = column_of(columns, "Access Operation");
  metrics_.clear();
  constexpr std::size_t most_columns = 4096;
  for (std::size_t cell = 0; cell < columns.size() && metrics_.size() < most_columns; ++cell) {
    const auto metric = metric_of_column(columns[cell]);
    if (!metric) continue;
    const std::uint32_t name = rows_.row(*metric);
    if (std::ranges::find(metrics_, name, &MetricColumn::name) == metrics_.end()) metrics_.push_back({cell, name});
  }
}

bool SourcePage::add_row(const std::vector<std::string>& cells, const NumberStyle& style) {
  if (!launch_) return false;
  if (const auto address = hexadecimal(cell_of(cells, address_cell_))) {
    add_instruction(*address, cells, style);
    return true;
  }
  const auto line = parse_integer(cell_of(cells, line_cell_));
  if (!line || *line <= 0) return false;
  add_line(static_cast<std::uint64_t>(*line), cells, style);
  return true;
}

void SourcePage::add_line(std::uint64_t line, const std::vector<std::string>& cells, const NumberStyle& style) {
  std::vector<SourceLines>& files = report_.launches[*launch_].by_line;
  if (files.empty() || files.back().file != file_) files.emplace_back().file = file_;
  SourceLines& lines = files.back();
  bool any = false;
  for (const MetricColumn& column : metrics_) {
    const auto value = style.number(cell_of(cells, column.cell));
    if (!value || *value == 0) continue;
    any = true;
    auto metric = std::ranges::find(lines.metrics, column.name, &LineMetric::name);
    if (metric == lines.metrics.end()) metric = lines.metrics.insert(metric, {column.name, {}});
    metric->values.emplace_back(line, *value);
  }
  if (any) lines.texts.emplace_back(line, cell_of(cells, text_cell_));
}

void SourcePage::add_instruction(std::uint64_t address, const std::vector<std::string>& cells,
                                 const NumberStyle& style) {
  const auto [known, is_new] = instructions_.try_emplace(address);
  if (!is_new) return;
  for (const MetricColumn& column : metrics_)
    if (const auto value = style.number(cell_of(cells, column.cell)))
      known->second.values.emplace_back(column.name, *value);
  if (const auto type = access_type(cell_of(cells, operation_cell_)))
    known->second.values.emplace_back(access_name_, *type);
}

void SourcePage::finish() {
  if (!launch_) return;
  Launch& launch = report_.launches[*launch_];
  launch_.reset();
  std::map<std::uint32_t, InstructionMetric> metrics;
  std::map<std::uint32_t, double> sums;
  for (const auto& [address, instruction] : instructions_)
    for (const auto& [name, value] : instruction.values) {
      sums[name] += value;
      InstructionMetric& metric = metrics.try_emplace(name, InstructionMetric{name, {}}).first->second;
      if (value != 0) metric.values.push_back({address - instructions_.begin()->first, value});
    }
  instructions_.clear();
  sums.erase(access_name_);
  for (auto& [name, metric] : metrics)
    if (!metric.values.empty()) launch.by_instruction.push_back(std::move(metric));
  for (const auto& [name, sum] : sums)
    if (std::ranges::find(launch.metrics, name, &Metric::name) == launch.metrics.end())
      launch.metrics.push_back({name, sum});
}

}  // namespace warpwalk::trace::ncu
