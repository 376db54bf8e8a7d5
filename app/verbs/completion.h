#pragma once

#include <string>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

/// Registers `warpwalk completion` and `warpwalk man`. `app`: the program with all of its verbs, which must be complete
/// when they run.
Verb add_completion(CLI::App& app);
Verb add_man(CLI::App& app, const std::string& version);

}  // namespace warpwalk::verbs
