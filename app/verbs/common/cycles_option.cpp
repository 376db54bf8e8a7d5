#include "app/verbs/common/cycles_option.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace warpwalk::verbs {

void add_cycles_options(CLI::App& verb, CyclesWords& words) {
  verb.add_option("--cycles", words.cycles,
                  "simulate the cycles too, in a second pass: auto (up to 100 million warp instructions), on or off; "
                  "default: auto");
  verb.add_option(
      "--policy", words.policy,
      "which eligible warp a scheduler picks: greedy-youngest, greedy-oldest, round-robin or one-at-a-time; default: "
      "greedy-youngest");
}

base::Result<void> read_cycles(const CyclesWords& words, run::CyclesOptions& options) {
  const auto choice = run::cycles_choice_of(words.cycles);
  if (!choice) return base::Error{fmt::format("--cycles {}: write auto, on or off", words.cycles)};
  const auto policy = run::issue_policy_of(words.policy);
  if (!policy)
    return base::Error{
        fmt::format("--policy {}: write greedy-youngest, greedy-oldest, round-robin or one-at-a-time", words.policy)};
  options.choice = *choice;
  options.policy = *policy;
  return {};
}

}  // namespace warpwalk::verbs
