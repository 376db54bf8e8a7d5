#include "core/trace/ncu/read_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/trace/csv/csv_rows.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/ncu/csv_columns.h"
#include "core/trace/ncu/csv_source.h"

namespace warpwalk::trace::ncu {
namespace {

using Cells = std::vector<std::string>;

enum class CsvPage : std::uint8_t {
  none,
  raw,      ///< a row for each launch, a column for each metric, and a row of units
  details,  ///< a row for each metric of a launch
  source,   ///< rows of lines and instructions
  summary,  ///< of several launches
};

bool has_cell(const Cells& cells, std::string_view name) { return std::ranges::find(cells, name) != cells.end(); }

CsvPage page_of_header(const Cells& cells) {
  constexpr std::size_t least_columns = 3;
  if (cells.size() < least_columns) return CsvPage::none;
  const std::string& first = cells.front();
  if (has_cell(cells, "Source") && (first == "Line No" || first == "#" || first == "Address")) return CsvPage::source;
  if (!has_cell(cells, "Kernel Name") || !(first == "ID" || first == "Process ID" || first == "Kernel Name"))
    return CsvPage::none;
  if (has_cell(cells, "Invocations") || has_cell(cells, "Average")) return CsvPage::summary;
  return has_cell(cells, "Metric Name") && has_cell(cells, "Metric Value") ? CsvPage::details : CsvPage::raw;
}

bool names_a_function(const Cells& cells) {
  return cells.size() == 2 && (cells[0] == "Function Name" || cells[0] == "Kernel Name");
}

// A header that was saved by another program may have no quotes, or semicolons.
char separator_of(std::string_view line) {
  for (const char separator : {',', ';', '\t'}) {
    Cells cells;
    if (!split_csv_row(std::string(line) + '\n', separator, cells)) continue;
    if (page_of_header(cells) != CsvPage::none) return separator;
  }
  return '\0';
}

// "(256, 1, 1)"
std::array<std::uint64_t, 3> shape_in(std::string_view text) {
  std::array<std::uint64_t, 3> shape{};
  for (std::uint64_t& size : shape) {
    const std::size_t digit = text.find_first_of("0123456789");
    if (digit == std::string_view::npos) return {};
    text.remove_prefix(digit);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc{}) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return shape;
}

constexpr std::size_t no_launch_row = static_cast<std::size_t>(-1);
constexpr std::size_t most_launch_metrics = std::size_t{1} << 14;  // of a launch

class CsvReader {
 public:
  CsvReader(CsvRows& rows, Window& window, Report& report, Problems& problems)
      : rows_(rows), window_(window), report_(report), problems_(problems), names_(report), source_(report, names_) {}

  void read_row();
  void finish();
  std::string missing() const;

 private:
  bool read_header();
  void learn_style(const Cells& columns);
  void read_raw(const Cells& cells);
  void read_details(const Cells& cells);
  std::size_t launch_row(const Cells& cells);
  void add_metric(std::size_t row, std::string_view metric, std::string_view value, std::string_view unit);
  void describe_device(const Cells& cells);
  std::string_view cell(const Cells& cells, std::string_view column) const;
  std::size_t column_at(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(columns_, name) - columns_.begin());
  }
  std::string_view unit_at(std::size_t column) const {
    return column < units_.size() ? std::string_view(units_[column]) : std::string_view();
  }
  static bool is_of_launch(std::string_view column);
  void note_lost();

  CsvRows& rows_;
  Window& window_;
  Report& report_;
  Problems& problems_;
  MetricRows names_;
  SourcePage source_;
  NumberStyle style_;
  CsvPage page_ = CsvPage::none;
  bool style_known_ = false;
  Cells columns_;
  Cells units_;
  std::unordered_map<std::string, std::size_t> launches_;  // by process, ID and name
  std::unordered_set<std::uint32_t> known_metrics_;        // of the launch indexed_
  std::size_t indexed_ = no_launch_row;
  std::string error_of_ncu_;  // "==ERROR== ..."
  bool summary_ = false;
};

// The columns that describe the launch.
bool CsvReader::is_of_launch(std::string_view column) {
  constexpr std::array names = {
      std::string_view("ID"),        std::string_view("Process ID"),  std::string_view("Process Name"),
      std::string_view("Host Name"), std::string_view("Kernel Name"), std::string_view("Kernel Time"),
      std::string_view("Context"),   std::string_view("Stream"),      std::string_view("Block Size"),
      std::string_view("Grid Size"), std::string_view("Device"),      std::string_view("CC")};
  return std::ranges::find(names, column) != names.end();
}

std::string_view CsvReader::cell(const Cells& cells, std::string_view column) const {
  const std::size_t at = column_at(column);
  return at < cells.size() ? std::string_view(cells[at]) : std::string_view();
}

// Numbers are written in one style in the whole file, which the next part of it shows.
void CsvReader::learn_style(const Cells& columns) {
  if (std::exchange(style_known_, true)) return;
  const std::size_t values = static_cast<std::size_t>(std::ranges::find(columns, "Metric Value") - columns.begin());
  constexpr std::size_t searched = std::size_t{1} << 20;
  window_.fill(searched);
  std::string_view text = window_.text().substr(0, searched);
  Cells cells;
  while (const auto length = split_csv_row(text, rows_.separator(), cells)) {
    text.remove_prefix(*length);
    for (std::size_t i = 0; i < cells.size() && cells.size() == columns.size(); ++i)
      if (page_ == CsvPage::details ? i == values : !is_of_launch(columns[i]) && columns[i] != "Source")
        style_.learn(cells[i]);
  }
}

bool CsvReader::read_header() {
  CsvPage page = page_of_header(rows_.cells());
  if (page == CsvPage::none && page_ == CsvPage::none && rows_.line().find("Kernel Name") != std::string_view::npos) {
    const char separator = separator_of(rows_.line());
    if (separator == '\0') return false;
    rows_.separate_by(separator);
    Cells cells;
    split_csv_row(std::string(rows_.line()) + '\n', separator, cells);
    columns_ = std::move(cells);
    page = page_of_header(columns_);
  } else if (page != CsvPage::none) {
    columns_ = rows_.cells();
  } else {
    return false;
  }
  page_ = page;
  units_.clear();
  summary_ = summary_ || page == CsvPage::summary;
  learn_style(columns_);
  if (page == CsvPage::source) source_.set_columns(columns_);
  return true;
}

void CsvReader::read_row() {
  const Cells& cells = rows_.cells();
  // The last cell of a quoted row ends with its quote.
  const bool cut = rows_.cut_off() && rows_.line().starts_with('"') && !rows_.line().ends_with('"');
  if (cut && page_ != CsvPage::none) {
    note_lost();
  } else if (cells.size() == 2 && cells[0] == "File Path") {
    source_.set_file(cells[1]);
    page_ = CsvPage::none;
  } else if (names_a_function(cells)) {
    source_.begin_function(cells[1]);
    page_ = CsvPage::none;
  } else if (read_header()) {
  } else if (rows_.line().starts_with("==")) {
    if (rows_.line().starts_with("==ERROR==") && error_of_ncu_.empty()) error_of_ncu_ = rows_.line();
  } else if (page_ != CsvPage::none && cells.size() == columns_.size()) {
    if (page_ == CsvPage::raw) read_raw(cells);
    if (page_ == CsvPage::details) read_details(cells);
    if (page_ == CsvPage::source) source_.add_row(cells, style_);
  } else if (page_ != CsvPage::none && rows_.line().starts_with('"')) {
    note_lost();
  }
}

void CsvReader::note_lost() {
  if (rows_.cut_off())
    problems_.add(ProblemKind::truncated, rows_.offset(),
                  fmt::format("the file ends within the row at byte {}, which is left out", rows_.offset()));
  else
    problems_.add(ProblemKind::lost_event, rows_.offset(), [&] {
      return fmt::format("the row at byte {} has {} cells in place of {}; it is left out", rows_.offset(),
                         rows_.cells().size(), columns_.size());
    });
}

std::size_t CsvReader::launch_row(const Cells& cells) {
  std::string key = fmt::format("{}\n{}\n{}", cell(cells, "Process ID"), cell(cells, "ID"), cell(cells, "Kernel Name"));
  const auto [known, is_new] = launches_.try_emplace(std::move(key), report_.launches.size());
  if (!is_new) return known->second;
  Launch& launch = report_.launches.emplace_back();
  launch.name = cell(cells, "Kernel Name");
  launch.function = function_of(launch.name);
  launch.grid = shape_in(cell(cells, "Grid Size"));
  launch.block = shape_in(cell(cells, "Block Size"));
  launch.context = parse_integer(cell(cells, "Context")).value_or(absent);
  launch.stream = parse_integer(cell(cells, "Stream")).value_or(absent);
  if (const auto process = parse_integer(cell(cells, "Process ID")); process && *process > 0)
    launch.process = static_cast<std::uint64_t>(*process);
  if (const auto device = parse_integer(cell(cells, "Device")); device && *device >= 0)
    launch.metrics.push_back({names_.row("launch__device_id"), static_cast<double>(*device)});
  describe_device(cells);
  source_.add_launch(launch.name, known->second);
  return known->second;
}

// The attributes of the GPU, from the first row of one of its launches.
void CsvReader::describe_device(const Cells& cells) {
  constexpr std::size_t most_devices = 256;
  const std::int64_t id = parse_integer(cell(cells, "Device")).value_or(0);
  const auto known = std::ranges::find(report_.devices, id, &ReportDevice::id);
  if (known != report_.devices.end() || report_.devices.size() == most_devices) return;
  ReportDevice& device = report_.devices.emplace_back();
  device.id = id;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!columns_[i].starts_with("device__attribute_")) continue;
    if (columns_[i] == "device__attribute_display_name") device.name = cells[i];
    if (const auto number = style_.number(cells[i]))
      device.attributes.emplace_back(columns_[i], *number * unit_factor(unit_at(i)));
  }
  const std::string_view capability = cell(cells, "CC");
  const std::size_t point = capability.find('.');
  if (point == std::string_view::npos || device.attribute("device__attribute_compute_capability_major")) return;
  const auto major = parse_integer(capability.substr(0, point)), minor = parse_integer(capability.substr(point + 1));
  if (!major || !minor) return;
  device.attributes.emplace_back("device__attribute_compute_capability_major", static_cast<double>(*major));
  device.attributes.emplace_back("device__attribute_compute_capability_minor", static_cast<double>(*minor));
}

// A metric that the launch has already is left out.
void CsvReader::add_metric(std::size_t row, std::string_view metric, std::string_view value, std::string_view unit) {
  const auto number = style_.number(value);
  if (!number) return;
  Launch& launch = report_.launches[row];
  if (std::exchange(indexed_, row) != row) {
    known_metrics_.clear();
    for (const Metric& known : launch.metrics) known_metrics_.insert(known.name);
  }
  const std::uint32_t name = names_.row(metric);
  if (launch.metrics.size() < most_launch_metrics && known_metrics_.insert(name).second)
    launch.metrics.push_back({name, *number * unit_factor(unit)});
}

void CsvReader::read_raw(const Cells& cells) {
  // The units stand in a row without a launch.
  if (cell(cells, "Kernel Name").empty()) {
    units_ = cells;
    return;
  }
  const std::size_t row = launch_row(cells);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!is_of_launch(columns_[i]) && !columns_[i].starts_with("device__attribute_"))
      add_metric(row, columns_[i], cells[i], unit_at(i));
}

void CsvReader::read_details(const Cells& cells) {
  const std::size_t row = launch_row(cells);
  if (const auto metric = metric_of_label(cell(cells, "Metric Name")))
    add_metric(row, *metric, cell(cells, "Metric Value"), cell(cells, "Metric Unit"));
}

void CsvReader::finish() {
  source_.finish();
  for (Launch& launch : report_.launches)
    if (launch.function.empty()) launch.function = function_of(launch.name);
}

std::string CsvReader::missing() const {
  if (!error_of_ncu_.empty())
    return fmt::format("is output of Nsight Compute without a launch; it says {}", excerpt(error_of_ncu_, 160));
  if (summary_)
    return "is a summary of launches, as ncu --print-summary prints it; print the launches: ncu --import REPORT --csv "
           "--page raw";
  return "is output of Nsight Compute without a launch in CSV; print it with ncu --csv --page raw";
}

}  // namespace

bool is_csv(std::string_view first_bytes) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (first_bytes.starts_with(byte_order_mark)) first_bytes.remove_prefix(byte_order_mark.size());
  const std::size_t first = first_bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || first_bytes[first] == '{' || first_bytes[first] == '[') return false;  // JSON
  constexpr std::size_t searched = std::size_t{1} << 16;
  std::string_view text = first_bytes.substr(0, searched);
  Cells cells;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("==PROF==") || line.starts_with("==ERROR==")) return true;
    if (line.find("Name") == std::string_view::npos && line.find("File Path") == std::string_view::npos) continue;
    if (line.find("Kernel Name") != std::string_view::npos && separator_of(line) != '\0') return true;
    if (!split_csv_row(std::string(line) + '\n', ',', cells)) continue;
    if (names_a_function(cells) || (cells.size() == 2 && cells[0] == "File Path")) return true;
  }
  return false;
}

ReportRead read_csv(Window& window, const Options& options, Problems& problems) {
  constexpr std::uint64_t rows_per_check = 1024;
  ReportRead read;
  read.report.from_csv = true;
  CsvRows rows(window);
  CsvReader reader(rows, window, read.report, problems);
  for (std::uint64_t row = 1; rows.next(); ++row) {
    reader.read_row();
    if (row % rows_per_check != 0) continue;
    if (read.report.bytes() > options.memory_cap_bytes) {
      read.stopped = true;
      problems.add(
          ProblemKind::memory_cap, rows.offset(),
          fmt::format("reading stopped at byte {}: the launches reached the cap of {}; those before it are kept",
                      rows.offset(), base::bytes_text(static_cast<double>(options.memory_cap_bytes))));
    } else if (options.go_on && !options.go_on(read.report.launches.size())) {
      read.stopped = true;
      problems.add(ProblemKind::cancelled, rows.offset(),
                   fmt::format("reading was cancelled at byte {}; the launches before it are kept", rows.offset()));
    }
    if (read.stopped) break;
  }
  reader.finish();
  if (read.report.launches.empty()) read.error = reader.missing();
  return read;
}

}  // namespace warpwalk::trace::ncu
