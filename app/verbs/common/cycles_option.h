#pragma once

#include <string>

#include "app/verbs/common/verb.h"
#include "core/base/result.h"
#include "core/run/launch/cycles.h"

namespace warpwalk::verbs {

/// The options --cycles and --policy, as given.
struct CyclesWords {
  std::string cycles = "auto";             ///< auto, on or off
  std::string policy = "greedy-youngest";  ///< or greedy-oldest, round-robin, one-at-a-time
  bool given() const { return cycles != "auto" || policy != "greedy-youngest"; }
};

void add_cycles_options(CLI::App& verb, CyclesWords& words);

/// Sets the choice and the policy. Fails for an unknown word.
base::Result<void> read_cycles(const CyclesWords& words, run::CyclesOptions& options);

}  // namespace warpwalk::verbs
