#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// Reads a CSV file without quotes whose first line is `header`: the cells of each further line, as many as the header
/// has. On failure, returns a one-line message without the file's name ("line 3: expected 4 cells").
base::Result<std::vector<std::vector<std::string_view>>> record_rows(std::string_view text, std::string_view header);

/// The number in a cell; none if it is not one, not finite, or negative.
std::optional<double> number_in(std::string_view cell);

}  // namespace warpwalk::records
