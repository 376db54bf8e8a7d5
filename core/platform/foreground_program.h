#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpwalk::platform {

/// How a program ended.
struct ProgramEnd {
  std::string error;    ///< one line if it could not be started, else empty
  int exit_status = 0;  ///< valid if no signal ended it
  int signal = 0;       ///< signal that ended it; 0: none
  bool failed() const { return exit_status != 0 || signal != 0; }
  /// "exited with status 3", "was terminated by signal 11 (Segmentation fault)".
  std::string description() const;
};

/// Runs a program (looked up in PATH) with these additions to the environment and waits for it. While it runs, SIGINT,
/// SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 sent to this process are forwarded to the program and do not end this
/// process. `to_stderr`: what the program writes to stdout goes to stderr.
ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& environment, bool to_stderr = false);

}  // namespace warpwalk::platform
