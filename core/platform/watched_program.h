#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::platform {

/// A program to run alongside the window, with its arguments and environment.
struct WatchedCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;    ///< without the program's name
  std::vector<std::string> environment;  ///< "NAME=value"; overrides this process's variables
};

/// How a watched program ended.
struct WatchedEnd {
  std::string error;    ///< one line saying why it could not be started, else empty
  int exit_status = 0;  ///< valid if no signal ended it
  int signal = 0;       ///< signal that ended it; 0: none
  bool cancelled = false;
};

/// Runs the program to its end on the calling thread. `line` receives every line of stderr as it arrives, without the
/// newline. stdout is discarded. When `cancel` is set, the program and its descendants receive SIGTERM and, one second
/// later, SIGKILL. Its descendants do not outlive it, and it does not outlive this process.
WatchedEnd run_watched(const WatchedCommand& command, const std::function<void(std::string_view line)>& line,
                       const std::atomic<bool>& cancel);

}  // namespace warpwalk::platform
