#pragma once

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

/// The verb that the Kernel lab starts as a child process: compiles one CUDA C++ file with NVRTC, with bounded memory
/// and time. It is left out of --help.
Verb add_compile(CLI::App& app);

}  // namespace warpwalk::verbs
