#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Reads the value of a file's "warpwalk" key (strict JSON) into trace.records. What cannot be used is left out and
/// counted as bad_record; `byte_offset` is that of the key. A broken row of modules, allocations, dispatches or kernels
/// leaves an empty row, so that the numbers of the others hold; of a broken list whose order matters (arguments, steps,
/// placement) nothing is kept.
void read_records(std::string_view json, Trace& trace, Problems& problems, std::uint64_t byte_offset);
/// The value again, "format" first.
std::string records_json(const Records& records);

/// The format that records_json writes and read_records knows whole.
constexpr int records_format = 1;

}  // namespace warpwalk::trace
