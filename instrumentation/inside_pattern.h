#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::instrumentation {

/// Which launches `record --inside` records with their memory: PATTERN[:N] or PATTERN:each.
struct InsidePattern {
  std::string text;         ///< part of a kernel's name or of the name of an op around the launch; * is any text
  std::uint64_t which = 1;  ///< of the launches that match, from 1
  bool each = false;        ///< instead, the first launch of each different kernel
};

/// Reads PATTERN, PATTERN:N or PATTERN:each. A colon that is a part of a name (aten::mm) belongs to the pattern.
/// Returns nothing if PATTERN is empty, or N is 0 or too large.
std::optional<InsidePattern> parse_inside_pattern(std::string_view text);

/// True if the pattern is a part of the name.
bool matches(const InsidePattern& pattern, std::string_view name);

/// The patterns as one value of an environment variable, and back; one per line.
std::string join_patterns(const std::vector<std::string>& patterns);
std::vector<InsidePattern> split_patterns(std::string_view joined);

}  // namespace warpwalk::instrumentation
