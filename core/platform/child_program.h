#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace warpwalk::platform {

/// Conditions that end a program early.
struct ChildLimits {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* cancel = nullptr;  ///< set from another thread; polled every 20 ms

  bool any() const { return deadline || cancel != nullptr; }
};

/// The result of running a program.
struct ChildRun {
  std::string output;      ///< stdout and stderr, in order of arrival
  int exit_status = 0;     ///< valid if no signal ended it; -1 if unknown because SIGCHLD is ignored
  int signal = 0;          ///< signal that ended it; 0: none
  bool in_time = true;     ///< false: it was killed at its time limit
  bool cancelled = false;  ///< it was killed because `cancel` was set

  bool good() const { return in_time && !cancelled && signal == 0 && exit_status == 0; }
};

/// Runs a program (`words`: its path, then its arguments) until it has ended and closed its output. Its stdin is
/// /dev/null, and it blocks no signals even if this process does. With limits, it runs in its own process group, which
/// is killed as a whole at the limit. Without limits, it stays in this process's group, so Ctrl-C reaches it. Returns
/// nullopt if the program could not be started.
std::optional<ChildRun> run_child(std::vector<std::string> words, const ChildLimits& limits = {});

}  // namespace warpwalk::platform
