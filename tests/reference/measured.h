#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpwalk::reference {

/// A row of a CSV file without quotes: values by column name.
using Row = std::map<std::string, std::string>;
std::vector<Row> rows_of(const std::filesystem::path& file);

/// Addresses and active mask of a warp, from the offsets of 32 lanes ("0 4 8 ..."); -1 marks an inactive lane.
struct Pattern {
  std::uint64_t addresses[32] = {};
  std::uint32_t mask = 0;
};
Pattern pattern_of(const std::string& offsets);

/// The folder tests/reference of the source tree.
std::filesystem::path folder();

}  // namespace warpwalk::reference
