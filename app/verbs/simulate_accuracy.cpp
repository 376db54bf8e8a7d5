// The shipped comparisons of the timing model with an H200 (simulate --accuracy).
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/simulate.h"
#include "core/analysis/names/short_names.h"
#include "core/gpu/device/device_file.h"
#include "core/platform/read_file.h"
#include "core/records/record_table.h"

namespace warpwalk::verbs {
namespace {

using Row = std::vector<std::string_view>;

/// One comparison. The rows of its file are in groups, named in their first cell. The last three cells name the GPU,
/// the latest day of the measurements, and the day of the simulation.
struct Topic {
  std::string_view name, file;
  std::string_view header;           ///< of the file
  std::size_t shown;                 ///< columns that are printed; the first, the group, is a heading
  std::string_view row, rows;        ///< what a row is, and several of them
  std::string_view origin;           ///< how the figures were obtained, and where to read about them
  std::vector<std::size_t> numbers;  ///< the columns that the summary computes with
  std::string (*summary)(const std::vector<Row>& group);
};

/// A number that show_accuracy() has checked.
double checked_number(std::string_view cell) { return records::number_in(cell).value(); }

std::string summary_of_launches(const std::vector<Row>& group) {
  constexpr double spread_limit = 6;  // percent, as in lab/validation
  double sum = 0, worst = 0;
  std::size_t count = 0;
  for (const Row& row : group) {
    if (checked_number(row[2]) > spread_limit) continue;
    const double error = std::abs(100 * (checked_number(row[4]) / checked_number(row[3]) - 1));
    sum += error;
    worst = std::max(worst, error);
    ++count;
  }
  return fmt::format("{} launches with a spread of at most {} %: mean absolute error {:.1f} %, worst {:.1f} %", count,
                     spread_limit, count == 0 ? 0 : sum / static_cast<double>(count), worst);
}

std::string summary_of_recorded(const std::vector<Row>& group) {
  std::vector<double> ratios;
  for (const Row& row : group) ratios.push_back(checked_number(row[8]));
  std::ranges::sort(ratios);
  const double median = (ratios[(ratios.size() - 1) / 2] + ratios[ratios.size() / 2]) / 2;
  return fmt::format("the same bits as on the GPU: {} of {}; median ratio of the times {:.2f}",
                     std::ranges::count(group, "same", [](const Row& row) { return row[5]; }), group.size(), median);
}

std::string summary_of_parameters(const std::vector<Row>& group) {
  return fmt::format("mean absolute error with all parameters: {} %", group.front()[5]);
}

const std::array<Topic, 3> topics = {
    {{"launches",
      "h200_validation.csv",
      "set,case,spread_pct,cycles_measured,cycles_simulated,cycles_error_pct,l1_hit_measured,l1_hit_simulated,"
      "l2_hit_measured,l2_hit_simulated,dram_read_mb_measured,dram_read_mb_simulated,occupancy_measured,"
      "occupancy_simulated,active_measured,active_simulated,stall_measured,stall_simulated,stall_share_measured,"
      "stall_share_simulated,gpu,measured_by,simulated_on",
      14,
      "launch",
      "launches",
      "Cycles of launches: measured with Nsight Compute, median of five, caches flushed before each; simulated from "
      "machine code.\nHit rates and occupancy in percent. tests/validate holds the launches, docs/timing.md describes "
      "the model.",
      {2, 3, 4},
      summary_of_launches},
     {"recorded",
      "h200_recorded.csv",
      "program,kernel,grid,block,warp_instructions,bits,measured_us,simulated_us,ratio,gpu,measured_by,simulated_on",
      9,
      "kernel",
      "kernels",
      "Times of launches that were recorded with their memory: measured with CUPTI in the program, with warm caches;\n"
      "simulated with warm caches, as CUPTI would measure it. docs/inside.md describes the recording.",
      {8},
      summary_of_recorded},
     {"parameters",
      "h200_effects.csv",
      "set,parameter,value,status,without,mean_error_pct,launch,change_pct,gpu,measured_by,simulated_on",
      8,
      "row",
      "rows",
      "The mean absolute error of the cycles of short launches without each parameter of the timing model, and the "
      "launch\nwhose cycles change most (tests/validate/effects.py). docs/timing.md describes the model.",
      {5},
      summary_of_parameters}}};

/// Rows with aligned columns: numbers to the right, words to the left. The last word of a column's name is on a line
/// of its own.
std::string table_text(const Topic& topic, const Row& names, const std::vector<Row>& group) {
  std::vector<Row> lines(2);
  for (const std::string_view name : names) {
    const std::size_t last = name.rfind('_');
    lines[0].push_back(last == std::string_view::npos ? std::string_view() : name.substr(0, last));
    lines[1].push_back(last == std::string_view::npos ? name : name.substr(last + 1));
  }
  lines.insert(lines.end(), group.begin(), group.end());
  std::vector<std::string> text(lines.size());
  for (std::size_t column = 1; column < topic.shown; ++column) {
    constexpr std::size_t limit = 60;  // some kernels have names of 120 characters
    const bool right = std::ranges::all_of(
        group, [&](const Row& row) { return row[column].find_first_not_of("-.0123456789") == std::string_view::npos; });
    std::vector<std::string> cells;
    std::size_t width = 0;
    for (const Row& line : lines) {
      cells.push_back(analysis::shortened(line[column], limit));
      width = std::max(width, cells.back().size());
    }
    for (std::size_t i = 0; i < lines.size(); ++i)
      text[i] += right ? fmt::format("  {:>{}}", cells[i], width) : fmt::format("  {:<{}}", cells[i], width);
  }
  std::string out;
  for (std::string& line : text) out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return out;
}

/// Adds the rows of a file of the topic.
base::Result<void> add_file(const Topic& topic, const std::filesystem::path& file, std::string& text) {
  const auto read = platform::read_text_file(file);
  if (!read) return base::Error{read.error()};
  const auto parsed = records::record_rows(read->text, topic.header);
  if (!parsed) return base::Error{fmt::format("{}: {}", file.string(), parsed.error())};
  const std::vector<Row>& rows = *parsed;
  for (const Row& row : rows)
    for (const std::size_t column : topic.numbers)
      if (!records::number_in(row[column]))
        return base::Error{
            fmt::format("{}: {}, {}: \"{}\" is not a number", file.string(), row[0], row[1], row[column])};
  Row names;
  for (const auto column : topic.header | std::views::split(',')) names.emplace_back(column.begin(), column.end());

  text += fmt::format("\nFrom {}.\n", file.string());
  for (auto from = rows.begin(); from != rows.end();) {
    const auto to = std::find_if(from, rows.end(), [&](const Row& row) { return row.front() != from->front(); });
    const std::vector<Row> group(from, to);
    const Row& first = group.front();
    text += fmt::format("\n{}: {} {}; {}, measured by {}; simulated {}\n{}{}\n", first.front(), group.size(),
                        group.size() == 1 ? topic.row : topic.rows, first.end()[-3], first.end()[-2], first.end()[-1],
                        table_text(topic, names, group), topic.summary(group));
    from = to;
  }
  return {};
}

/// The file of the topic. Launches: those of other GPUs, too.
std::vector<std::filesystem::path> files_of(const Topic& topic, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files = {folder / topic.file};
  constexpr std::string_view ending = "_validation.csv";
  if (!topic.file.ends_with(ending)) return files;
  for (const std::string& id : gpu::device_ids(folder)) {
    std::filesystem::path other = folder / fmt::format("{}{}", id, ending);
    if (std::error_code error; std::filesystem::exists(other, error) && other != files.front())
      files.push_back(std::move(other));
  }
  return files;
}

}  // namespace

std::vector<std::string> accuracy_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : topics) names.emplace_back(topic.name);
  return names;
}

int show_accuracy(std::string_view name) {
  const Topic& topic = *std::ranges::find(topics, name, &Topic::name);
  const auto assets = find_assets();
  if (!assets) return refuse("--accuracy: the folder of assets was not found; set WARPWALK_ASSETS");
  const std::filesystem::path folder = *assets / "devices";
  std::string text = fmt::format("{}\n", topic.origin);
  for (const std::filesystem::path& file : files_of(topic, folder)) {
    const auto added = add_file(topic, file, text);
    if (!added) return refuse(added.error());
  }
  print_report(text);
  return 0;
}

}  // namespace warpwalk::verbs
