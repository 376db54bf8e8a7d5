#pragma once

#include <string>

#include "app/verbs/info/json_writer.h"
#include "core/trace/trace.h"

namespace warpwalk::verbs {

/// The launches that Nsight Compute measured, with their main counters, as a table; empty if there are none.
std::string measured_table(const trace::Trace& trace);

/// `launches_measured`: all of them with all counters that have a name in the reports of `simulate`; nothing if there
/// are none.
void write_measured_launches(JsonWriter& json, const trace::Trace& trace);

}  // namespace warpwalk::verbs
