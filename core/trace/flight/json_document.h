#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/trace/pickle/document.h"

namespace warpwalk::trace::flight {

/// JSON as the values of a pickle. Of text that is cut off or damaged, everything before that is kept.
struct JsonDocument {
  pickle::Value top;
  std::optional<std::size_t> damaged_at;  ///< the byte; none: the text is whole
};

JsonDocument read_json(std::string_view text, pickle::Document& document);

}  // namespace warpwalk::trace::flight
