#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Reads the value of a file's "warpwalk" key (strict JSON) into trace.records. Unusable entries are skipped and
/// counted as bad_record; `byte_offset` is the key's position. A broken row of modules, allocations, dispatches or
/// kernels becomes an empty row, so that row numbers stay valid. A broken list whose order matters (arguments, steps,
/// placement) is dropped entirely.
void read_records(std::string_view json, Trace& trace, Problems& problems, std::uint64_t byte_offset);
/// Writes the value of the "warpwalk" key, with "format" first.
std::string records_json(const Records& records);

/// The format version that records_json writes and read_records fully supports.
constexpr int records_format = 1;

}  // namespace warpwalk::trace
