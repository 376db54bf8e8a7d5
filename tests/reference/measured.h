#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpwalk::reference {

/// The rows of a CSV file without quotes, each by its column's name.
using Row = std::map<std::string, std::string>;
std::vector<Row> rows_of(const std::filesystem::path& file);

/// The offsets of 32 lanes ("0 4 8 ..."), -1 where a lane took no part: addresses and the mask of the others.
struct Pattern {
  std::uint64_t addresses[32] = {};
  std::uint32_t mask = 0;
};
Pattern pattern_of(const std::string& offsets);

/// tests/reference of the source tree.
std::filesystem::path folder();

}  // namespace warpwalk::reference
