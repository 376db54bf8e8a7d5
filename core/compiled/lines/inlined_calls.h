#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// The line table of a Triton kernel's cubin names the innermost position alone. Returns a copy of the cubin whose line
/// table has the calls as well, as nvcc's have, with the names of the inlined functions ("tl.sum"). So everything that
/// reads the copy knows the line of the program. `kernel`: its other files; the calls are those of the PTX
/// (kernel_lines.h). Returns the cubin itself if its table has calls, or if nothing is inlined.
std::string with_inlined_calls(std::string_view cubin, const CompiledKernel& kernel);

/// The same with the files of the same name beside the cubin, of which the PTX is needed.
std::string with_inlined_calls(std::string_view cubin, const std::filesystem::path& file);

}  // namespace warpwalk::compiled
