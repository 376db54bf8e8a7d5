#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace warpwalk::recording {

/// How a program went that may not take long.
struct LimitedRun {
  std::string printed;  ///< on stdout and stderr
  bool good = false;    ///< it ended with exit status 0
  bool in_time = true;  ///< else it was ended
};

/// Runs a program until its end or `until`, whichever comes first. None where it could not be started.
std::optional<LimitedRun> run_until(std::vector<std::string> words, std::chrono::steady_clock::time_point until);

}  // namespace warpwalk::recording
