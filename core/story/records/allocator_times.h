#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/story/records/lab_runs.h"

namespace warpwalk::story {

/// Reads assets/devices/ID_allocator.csv, which tests/ops/allocator/times.py writes: times of one call by the bytes
/// asked for, as rows of the works cached_alloc, cached_free, cuda_malloc and cuda_free. On failure, returns a one-line
/// message without the file's name.
std::variant<std::vector<CoreTimes>, std::string> parse_allocator_times(std::string_view text);

}  // namespace warpwalk::story
