#pragma once

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

/// The verb that the Kernel lab starts as a child process: compiles one CUDA C++ file (compile_cuda.h) with bounded memory
/// and time. It is left out of --help.
Verb add_compile(CLI::App& app);

}  // namespace warpwalk::verbs
