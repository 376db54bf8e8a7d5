#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/ncu/csv_columns.h"
#include "core/trace/ncu/csv_numbers.h"
#include "core/trace/ncu/report.h"

namespace warpwalk::trace::ncu {

/// Reads the rows of ncu's source page: for each function and file a header and rows of source lines and machine
/// instructions, as `--print-source` says. Instructions are listed again under each line that they belong to.
class SourcePage {
 public:
  SourcePage(Report& report, MetricRows& rows)
      : report_(report), rows_(rows), access_name_(rows.row("memory_access_type")) {}

  /// Launches of another page, in their order, get the functions of the same name.
  void add_launch(const std::string& name, std::size_t row) { waiting_[name].push(row); }
  /// The row "File Path". It stands before the row of the function.
  void set_file(std::string file) { file_ = std::move(file); }
  /// The row "Function Name". Rows up to the next one are of this function. A function that comes again with another
  /// file is the same launch.
  void begin_function(const std::string& name);
  void set_columns(const std::vector<std::string>& columns);
  /// A row of a line or an instruction; others are skipped. False if it has nothing of both.
  bool add_row(const std::vector<std::string>& cells, const NumberStyle& style);
  /// Adds what was read of the last launch to the report.
  void finish();

 private:
  struct MetricColumn {
    std::size_t cell;
    std::uint32_t name;
  };
  struct ReadInstruction {
    std::vector<std::pair<std::uint32_t, double>> values;
  };

  void add_line(std::uint64_t line, const std::vector<std::string>& cells, const NumberStyle& style);
  void add_instruction(std::uint64_t address, const std::vector<std::string>& cells, const NumberStyle& style);

  Report& report_;
  MetricRows& rows_;
  std::uint32_t access_name_;
  std::string file_;
  std::vector<MetricColumn> metrics_;
  std::optional<std::size_t> line_cell_, address_cell_, text_cell_, operation_cell_;
  std::optional<std::size_t> launch_;                                 // the row of the launch that is read
  std::unordered_map<std::string, std::queue<std::size_t>> waiting_;  // rows of launches without a source, by name
  std::map<std::uint64_t, ReadInstruction> instructions_;             // of the launch, by address
};

}  // namespace warpwalk::trace::ncu
