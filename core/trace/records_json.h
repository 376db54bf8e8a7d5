#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Reads the value of a file's "warpwalk" key (strict JSON) into trace.records. What cannot be used is left out and
/// counted as bad_record; `byte_offset` is that of the key.
void read_records(std::string_view json, Trace& trace, Problems& problems, std::uint64_t byte_offset);
/// The value again, "format" first.
std::string records_json(const Trace& trace);

}  // namespace warpwalk::trace
