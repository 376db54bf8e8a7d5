#include "tests/reference/measured.h"

#include <fstream>
#include <sstream>

namespace warpwalk::reference {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  if (!cells.empty() && cells.back().ends_with('\r')) cells.back().pop_back();
  return cells;
}

}  // namespace

std::vector<Row> rows_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    Row row;
    for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) row[names[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

Pattern pattern_of(const std::string& offsets) {
  // Nonzero, with the alignment of the original memory.
  constexpr std::uint64_t base = 1u << 16;
  Pattern pattern;
  std::istringstream in(offsets);
  for (int lane = 0; lane < 32; ++lane) {
    long long offset = -1;
    in >> offset;
    if (offset < 0) continue;
    pattern.mask |= 1u << lane;
    pattern.addresses[lane] = base + static_cast<std::uint64_t>(offset);
  }
  return pattern;
}

std::filesystem::path folder() { return WARPWALK_SOURCE_DIR "/tests/reference"; }

}  // namespace warpwalk::reference
