#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace warpwalk::platform {

/// What ends a program before it ends by itself.
struct ChildLimits {
  std::optional<std::chrono::steady_clock::time_point> until;
  const std::atomic<bool>* cancel = nullptr;  ///< set by somebody else; looked at every 20 ms

  bool any() const { return until || cancel != nullptr; }
};

/// How a program went.
struct ChildRun {
  std::string printed;     ///< on stdout and stderr, in the order in which it came
  int exit_status = 0;     ///< where no signal ended it; -1 where it is not known, since SIGCHLD is ignored
  int signal = 0;          ///< that ended it; 0: none
  bool in_time = true;     ///< else it was ended at its limit
  bool cancelled = false;  ///< it was ended because somebody asked

  bool good() const { return in_time && !cancelled && signal == 0 && exit_status == 0; }
};

/// Runs a program (`words`: its path, then its arguments) until it has ended and closed what it prints to. It reads
/// nothing, holds back no signal, whatever this process does, and, where it has limits, is ended with the process group
/// that it is given. Without limits it stays in this one's, where Ctrl-C reaches it. None where it could not be
/// started.
std::optional<ChildRun> run_child(std::vector<std::string> words, const ChildLimits& limits = {});

}  // namespace warpwalk::platform
