#pragma once

#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Adds the devices of a "deviceProperties" array (strict JSON) to the trace; false where it is none.
bool read_devices(std::string_view json, Trace& trace);
/// The array again.
std::string devices_json(const Trace& trace);

}  // namespace warpwalk::trace
