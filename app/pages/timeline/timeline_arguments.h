#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::pages {

/// A recorded field of a slice: the key and the value as they are in the file.
struct SliceField {
  std::string key;
  std::string value;  ///< may have line breaks
  bool operator==(const SliceField&) const = default;
};

/// Every field of a slice that the file has beyond name, time and track: those with a column under the names of
/// PyTorch's profiler, then all others, whose values are JSON.
std::vector<SliceField> recorded_fields(const trace::Trace& trace, trace::SliceId slice);

/// The category of a slice, as the file writes it.
std::string_view category_of_slice(const trace::Trace& trace, trace::SliceId slice);

/// The members of `"a": 1, "b": [2, 3]`, the format of Slices::extra, with their values as they are written.
std::vector<SliceField> json_members(std::string_view members);

/// A JSON string without quotes and escapes; any other value as it is.
std::string plain_json(std::string_view value);

}  // namespace warpwalk::pages
