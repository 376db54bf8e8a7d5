#pragma once

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "core/trace/trace.h"

namespace warpwalk::verbs {

/// Writes the figures of the lab "overview" into an object that is open: the GPUs' time by class of work, work by name,
/// the critical path by kind, and steps.
void write_overview(rapidjson::PrettyWriter<rapidjson::StringBuffer>& writer, const trace::Trace& trace);

}  // namespace warpwalk::verbs
