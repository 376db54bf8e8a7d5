#pragma once

#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace::rocm {

/// A text that is a member of a JSON object; empty if it is not there.
std::string text_member(std::string_view json, std::string_view name);

/// What the profiler's description of a GPU has: the JSON of an agent, with "cu_count", "wave_front_size" ... Unknown
/// members are skipped; its number and name are left out.
Device device_of_json(std::string_view json);

/// The same, member by member.
void set_device_member(Device& device, std::string_view member, std::int64_t value);

}  // namespace warpwalk::trace::rocm
