#pragma once

#include <rapidjson/document.h>

#include "core/trace/chrome/record_input.h"
#include "core/trace/chrome/record_output.h"
#include "core/trace/records.h"

namespace warpwalk::trace {

void write_inside(RecordOutput& out, const RecordedState& inside);

/// Reads what write_inside() wrote. Returns false, with a problem reported, if it is not usable.
bool read_inside(RecordInput& in, const rapidjson::Value& value, RecordedState& inside);

}  // namespace warpwalk::trace
