#pragma once

// This folder reads tables of comma-separated values from a stream, as profilers print them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/json/window.h"

namespace warpwalk::trace {

/// Splits the first row of `text` into cells, without their quotes. A cell can be quoted; then it can have separators,
/// line breaks and doubled quotes (RFC 4180). Returns the length of the row with its line break; nullopt if the text
/// ends before the row does.
std::optional<std::size_t> split_csv_row(std::string_view text, char separator, std::vector<std::string>& cells);

/// The rows of a CSV file, one by one. Lines of other programs may stand between them.
class CsvRows {
 public:
  /// `window`: at the start of the file. A byte order mark is skipped.
  explicit CsvRows(Window& window);

  /// Goes to the next row. False at the end.
  bool next();
  /// In UTF-8: other bytes are replaced.
  const std::vector<std::string>& cells() const { return cells_; }
  /// Where the row begins in the text.
  std::uint64_t offset() const { return offset_; }
  /// Whether the text ended within the row: it has no line break.
  bool cut_off() const { return cut_off_; }
  /// The row as it stands in the text.
  std::string_view line() const { return line_; }
  /// What separates the cells from now on; a comma at first.
  void separate_by(char separator) { separator_ = separator; }
  char separator() const { return separator_; }

 private:
  // The length of the row at the start of the window, with its line break. Splits it into cells.
  std::size_t split_row();

  Window& window_;
  std::vector<std::string> cells_;
  std::string_view line_;
  std::uint64_t offset_ = 0;
  std::size_t last_ = 0;  // bytes of the row, which are dropped before the next one
  char separator_ = ',';
  bool cut_off_ = false;
};

}  // namespace warpwalk::trace
