#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// Reads the JSON that Triton writes beside a kernel (NAME.json): name, warps, CTAs, stages, shared memory, target.
/// False if it is not such a file.
bool read_triton_metadata(std::string_view json, CompiledKernel& to);

/// The place of a kernel's source: the first location in its TTIR, TTGIR or LLVM IR; line 0 if there is none.
PythonLine triton_place(std::string_view ir);

/// A kernel in Triton's cache, by its NAME.json, with the files beside it. False if it is not one.
bool read_cache_entry(const std::filesystem::path& json_file, CompiledKernel& to);

/// Whether a text is a log of tritonparse: each line is an object with `event_type`.
bool is_tritonparse_log(std::string_view text);

/// Adds the kernels of such a log, as recorded (TRITON_TRACE) or as tritonparse has written it. Accepts any text; lines
/// that cannot be read are left out and counted in `problems`, under the file's `name`.
void read_tritonparse_log(std::string_view text, std::string_view name, Compiled& to);

}  // namespace warpwalk::compiled
