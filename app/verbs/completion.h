#pragma once

#include <string>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

/// The version of the program.
inline constexpr const char* program_version = "0.1.0";

/// Registers `warpwalk completion` and `warpwalk man`. `app`: the program with all of its verbs, which must be complete
/// when they run.
Verb add_completion(CLI::App& app);
Verb add_man(CLI::App& app);

}  // namespace warpwalk::verbs
