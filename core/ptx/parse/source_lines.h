#pragma once

#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// Parses ".file 1 "a.cu", 12, 34" after the .file token.
void parse_file(State& state);
/// Parses ".loc 1 12 3, function_name $L, inlined_at 1 30 1" after the .loc token. Returns the index of the location in
/// Function::locations. Of Triton's kernels, LLVM writes the calls as a comment:
///   .loc 2 263 15    // standard.py:263:15 @[ standard.py:293:36 @[ softmax.py:21:29 ] ]
std::int32_t parse_location(State& state, Function& function);
/// Sets the files of the calls in such comments, which have no numbers and no folders: call it after the last .file.
void resolve_called_files(State& state);
/// Skips ".section .debug_str { ... }" after the .section token.
void skip_section(State& state);

}  // namespace warpwalk::ptx
