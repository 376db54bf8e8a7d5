#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::platform {

/// A program to be run beside the window, and with what.
struct WatchedCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;    ///< without its name
  std::vector<std::string> environment;  ///< "NAME=value", each in place of what this process has under the name
};

/// How it ended.
struct WatchedEnd {
  std::string error;    ///< why it could not be started, in one line; else empty
  int exit_status = 0;  ///< where no signal ended it
  int signal = 0;       ///< that ended it; 0: none
  bool cancelled = false;
};

/// Runs it to its end, on the thread that calls. Every line of its stderr is told as it comes, without its end of line;
/// its stdout goes nowhere. Once `cancel` is set, the program and all that it has started are asked to end (SIGTERM),
/// and a second later are ended. What it has started does not outlive it, and it does not outlive this process.
WatchedEnd run_watched(const WatchedCommand& command, const std::function<void(std::string_view line)>& line,
                       const std::atomic<bool>& cancel);

}  // namespace warpwalk::platform
