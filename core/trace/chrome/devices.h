#pragma once

#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Adds the devices of a "deviceProperties" array (strict JSON) to the trace. Returns false if `json` is not
/// an array of objects.
bool read_devices(std::string_view json, Trace& trace);
/// Writes the trace's devices as a "deviceProperties" array.
std::string devices_json(const Trace& trace);

}  // namespace warpwalk::trace
