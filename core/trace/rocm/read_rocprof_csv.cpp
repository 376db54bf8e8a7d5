#include "core/trace/rocm/read_rocprof_csv.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/platform/byte_source.h"
#include "core/trace/csv/csv_rows.h"
#include "core/trace/json/numbers.h"
#include "core/trace/rocm/json_fields.h"

namespace warpwalk::trace::rocm {
namespace {

namespace fs = std::filesystem;

using CsvCells = std::vector<std::string>;

constexpr std::array<std::string_view, 7> endings = {"agent_info.csv",    "kernel_trace.csv",  "memory_copy_trace.csv",
                                                     "hip_api_trace.csv", "hsa_api_trace.csv", "marker_api_trace.csv",
                                                     "rccl_api_trace.csv"};

enum class CsvTable : std::uint8_t { other, agents, kernels, copies, calls };

bool has_column(const CsvCells& columns, std::string_view name) {
  return std::ranges::find(columns, name) != columns.end();
}

CsvTable table_of(const CsvCells& columns) {
  if (has_column(columns, "Agent_Type") && has_column(columns, "Node_Id")) return CsvTable::agents;
  if (!has_column(columns, "Start_Timestamp") || has_column(columns, "Counter_Name")) return CsvTable::other;
  if (has_column(columns, "Kernel_Name")) return CsvTable::kernels;
  if (has_column(columns, "Direction")) return CsvTable::copies;
  return has_column(columns, "Function") ? CsvTable::calls : CsvTable::other;
}

// The number in "Agent 4" or "4".
std::int64_t number_of_agent(std::string_view text) {
  const std::size_t digit = text.find_first_of("0123456789");
  return digit == std::string_view::npos ? absent : parse_integer(text.substr(digit)).value_or(absent);
}

class RocprofTables {
 public:
  explicit RocprofTables(Recording& recording) : recording_(recording) {}

  /// `name`: of the file, for messages; empty for the file that was opened.
  void read(Window& window, std::string_view name);

 private:
  std::string_view cell(std::string_view column) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(columns_, column) - columns_.begin());
    return at < cells_->size() ? std::string_view((*cells_)[at]) : std::string_view();
  }
  std::int64_t number(std::string_view column) const { return parse_integer(cell(column)).value_or(absent); }
  // GPUs have the number that HIP has for them, if the file of agents says it; else the agent's.
  std::int64_t device(std::string_view column) const {
    const std::int64_t agent = number_of_agent(cell(column));
    if (cell(column).starts_with("GPU")) return agent;  // --agent-index type-relative
    const auto known = gpus_.find(agent);
    return known == gpus_.end() ? agent : known->second;
  }
  std::array<std::int64_t, 3> three(std::string_view prefix) const {
    return {number(fmt::format("{}_X", prefix)), number(fmt::format("{}_Y", prefix)),
            number(fmt::format("{}_Z", prefix))};
  }
  void read_row(CsvTable table);
  void read_agent();
  Work work(std::int64_t device) const {
    return {number("Process_Id"),     device,
            number("Queue_Id"),       number("Stream_Id"),
            number("Correlation_Id"), number("Start_Timestamp"),
            number("End_Timestamp")};
  }

  Recording& recording_;
  CsvCells columns_;
  const CsvCells* cells_ = nullptr;
  std::string place_;
  std::unordered_map<std::int64_t, std::int64_t> gpus_;  // by agent
};

void RocprofTables::read(Window& window, std::string_view name) {
  CsvRows rows(window);
  if (!rows.next()) return;
  columns_ = rows.cells();
  const CsvTable table = table_of(columns_);
  if (table == CsvTable::other) return;
  const std::string of = name.empty() ? std::string() : fmt::format(" of {}", name);
  for (std::uint64_t row = 1; rows.next(); ++row) {
    cells_ = &rows.cells();
    if (cells_->size() == 1 && cells_->front().empty()) continue;
    if (cells_->size() != columns_.size()) {
      recording_.problems().add(rows.cut_off() ? ProblemKind::truncated : ProblemKind::lost_event, rows.offset(), [&] {
        return fmt::format("row {}{} has {} cells in place of {}; it is left out", row, of, cells_->size(),
                           columns_.size());
      });
      continue;
    }
    place_ = fmt::format("row {}{}", row, of);
    read_row(table);
    if (table != CsvTable::agents && !recording_.go_on(place_)) break;
  }
}

void RocprofTables::read_agent() {
  constexpr std::size_t most_devices = 1024;
  std::vector<Device>& devices = recording_.trace().devices;
  if (cell("Agent_Type") != "GPU" || devices.size() == most_devices) return;
  Device device;
  device.id = static_cast<std::int64_t>(devices.size());
  // Kernels name the agent by its number among all agents.
  const std::int64_t logical = number("Logical_Node_Id");
  if (!gpus_.try_emplace(logical == absent ? number("Node_Id") : logical, device.id).second) return;
  for (const char* const column : {"Product_Name", "Model_Name", "Name"})
    if (device.name == 0) device.name = recording_.intern(cell(column));
  struct AgentColumn {
    const char *column, *member;
  };
  constexpr std::array members = {
      AgentColumn{"Cu_Count", "cu_count"}, AgentColumn{"Wave_Front_Size", "wave_front_size"},
      AgentColumn{"Workgroup_Max_Size", "workgroup_max_size"}, AgentColumn{"Lds_Size_In_Kb", "lds_size_in_kb"},
      AgentColumn{"Max_Waves_Per_Cu", "max_waves_per_cu"}};
  for (const AgentColumn& one : members) set_device_member(device, one.member, number(one.column));
  devices.push_back(device);
}

void RocprofTables::read_row(CsvTable table) {
  switch (table) {
    case CsvTable::agents: read_agent(); break;
    case CsvTable::kernels: {
      KernelDetail detail;
      const std::array<std::int64_t, 3> block = three("Workgroup_Size");
      detail.block = checked_block(block);
      detail.grid = blocks_of(three("Grid_Size"), block);
      detail.shared_bytes = number(has_column(columns_, "LDS_Block_Size") ? "LDS_Block_Size" : "Group_Segment_Size");
      detail.registers = number("VGPR_Count");
      constexpr std::int64_t most_registers = 1 << 16;
      const std::int64_t more = number("Accum_VGPR_Count");
      if (detail.registers >= 0 && detail.registers < most_registers && more > 0 && more < most_registers)
        detail.registers += more;
      recording_.kernel(work(device("Agent_Id")), detail, recording_.intern(cell("Kernel_Name")), place_);
      break;
    }
    case CsvTable::copies: {
      const bool to_host = cell("Direction").ends_with("DEVICE_TO_HOST");
      const std::string name = copy_name(cell("Direction"));
      recording_.copy(work(device(to_host ? "Source_Agent_Id" : "Destination_Agent_Id")), absent,
                      recording_.intern(name), place_);
      break;
    }
    case CsvTable::calls:
      recording_.host({number("Process_Id"), number("Thread_Id"), number("Correlation_Id"), number("Start_Timestamp"),
                       number("End_Timestamp")},
                      cell("Domain"), recording_.intern(cell("Function")), place_);
      break;
    case CsvTable::other: break;
  }
}

}  // namespace

bool is_rocprof_csv(std::string_view first_bytes) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (first_bytes.starts_with(byte_order_mark)) first_bytes.remove_prefix(byte_order_mark.size());
  CsvCells columns;
  const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
  constexpr std::size_t longest_header = 4096;
  if (line.size() > longest_header || !split_csv_row(std::string(line) + '\n', ',', columns)) return false;
  if (columns.front() != "Kind" && columns.front() != "Domain") return false;
  const CsvTable table = table_of(columns);
  return table != CsvTable::other && table != CsvTable::agents;
}

std::vector<fs::path> files_beside(const fs::path& file) {
  const std::string name = file.filename().string();
  std::vector<fs::path> files;
  for (const std::string_view ending : endings) {
    if (!name.ends_with(ending)) continue;
    const std::string stem = name.substr(0, name.size() - ending.size());
    for (const std::string_view other : endings) {
      std::error_code failed;
      const fs::path beside = file.parent_path() / (stem + std::string(other));
      if (other != ending && fs::is_regular_file(beside, failed)) files.push_back(beside);
    }
  }
  return files;
}

Result read_rocprof_csv(Window& window, const std::vector<fs::path>& beside, const Options& options, Trace& trace,
                        Problems& problems) {
  constexpr std::size_t window_bytes = std::size_t{1} << 20;
  constexpr std::uint64_t row_cap = std::uint64_t{4} << 20;
  Recording recording(options, trace, problems);
  RocprofTables tables(recording);
  const auto read_file = [&](const fs::path& file) {
    auto source = platform::open_source(file);
    if (!source) {
      problems.add(ProblemKind::lost_metadata, 0, source.error());
      return;
    }
    Window other(**source, window_bytes, row_cap);
    tables.read(other, file.filename().string());
  };
  for (const fs::path& file : beside)
    if (file.string().ends_with(endings[0])) read_file(file);
  tables.read(window, "");
  for (const fs::path& file : beside)
    if (!file.string().ends_with(endings[0]) && !recording.stopped()) read_file(file);
  recording.finish();
  Result result{recording.events(), recording.stopped(), {}};
  if (result.events == 0) result.error = "is a CSV of rocprofv3 without a row; record again";
  return result;
}

}  // namespace warpwalk::trace::rocm
