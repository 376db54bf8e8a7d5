#pragma once

#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// Parses ".file 1 "a.cu", 12, 34" after the .file token.
void parse_file(State& state);
/// Parses ".loc 1 12 3, function_name $L, inlined_at 1 30 1" after the .loc token. Returns the index of the location in
/// Function::locations.
std::int32_t parse_location(State& state, Function& function);
/// Skips ".section .debug_str { ... }" after the .section token.
void skip_section(State& state);

}  // namespace warpwalk::ptx
