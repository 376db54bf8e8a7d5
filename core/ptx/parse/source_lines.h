#pragma once

#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// ".file 1 "a.cu", 12, 34", of which .file is taken.
void parse_file(State& state);
/// ".loc 1 12 3, function_name $L, inlined_at 1 30 1", of which .loc is taken. The number of the location in the
/// function.
std::int32_t parse_location(State& state, Function& function);
/// ".section .debug_str { ... }", of which .section is taken: skipped.
void skip_section(State& state);

}  // namespace warpwalk::ptx
