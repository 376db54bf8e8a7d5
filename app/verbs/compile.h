#pragma once

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

/// The verb that compiles a whole CUDA program with clang (cuda_program.h). The Kernel lab also starts it as a child
/// process: with --into, it compiles one file (compile_cuda.h) with bounded memory and time.
Verb add_compile(CLI::App& app);

}  // namespace warpwalk::verbs
