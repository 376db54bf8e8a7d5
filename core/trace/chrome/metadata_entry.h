#pragma once

#include <optional>
#include <string_view>

#include <rapidjson/document.h>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// The object that stands at the top of a trace's file under this name, as "warpwalk_recording". None where there is
/// none, or something else, or what cannot be read.
std::optional<rapidjson::Document> metadata_entry(const Trace& trace, std::string_view name);

}  // namespace warpwalk::trace
