#pragma once

#include <optional>
#include <string_view>

#include <rapidjson/document.h>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// The top-level JSON object with this name in a trace's file, e.g. "warpwalk_recording". Returns nullopt if it is
/// missing, not an object, or cannot be parsed.
std::optional<rapidjson::Document> metadata_entry(const Trace& trace, std::string_view name);

}  // namespace warpwalk::trace
