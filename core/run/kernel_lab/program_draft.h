#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/kernel_lab/draft.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// A launch of a kernel in a recorded program.
struct ProgramLaunch {
  std::string kernel;  ///< as a person reads it, "saxpy(float*, int)"
  std::array<std::int32_t, 3> grid{}, block{};
  std::int64_t shared_bytes = 0;  ///< per block, static and dynamic
};

/// The launches of kernels in a recording of a program, in the order in which the program launched them.
std::vector<ProgramLaunch> program_launches(const trace::Trace& trace);

/// The draft of the launch that was recorded with the whole of its memory (`record --inside-whole`), which must be the
/// only one. Its buffers have the contents that the program gave them, and the caches are warm. `name`, `source`: of
/// the program's file, without its extension. `number`: of the launch, from 1, for the comment. On failure, one
/// sentence without its full stop that says what the Kernel lab cannot express.
base::Result<KernelDraft> draft_of_launch(const trace::Trace& trace, const std::string& name, const std::string& source,
                                          std::size_t number);

}  // namespace warpwalk::run
