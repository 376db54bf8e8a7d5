#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

namespace warpwalk::platform {

/// How a program ended.
struct ProgramEnd {
  std::string error;    ///< one line if it could not be started, else empty
  int exit_status = 0;  ///< valid if no signal ended it
  int signal = 0;       ///< signal that ended it; 0: none
  int forwarded = 0;    ///< the last signal that this process was sent meanwhile to end it; 0: none
  bool failed() const { return exit_status != 0 || signal != 0; }
  /// "exited with status 3", "was terminated by signal 11 (Segmentation fault)".
  std::string description() const;
};

struct ProgramOptions {
  bool to_stderr = false;  ///< what it writes to stdout goes to stderr
  bool no_input = false;   ///< its stdin is empty
  /// It is a part of this process: it ends with the thread that started it. Unless it has the terminal, it gets a
  /// process group, which is ended as a whole with `cancel` and with signals.
  bool owned = false;
  const std::atomic<bool>* cancel = nullptr;  ///< ends it once it is set: SIGTERM, after two seconds SIGKILL
};

/// Runs a program (looked up in PATH) with these additions to the environment and waits for it. While it runs, SIGINT,
/// SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 sent to this process are forwarded to the program and do not end this
/// process.
ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& environment,
                       const ProgramOptions& options = {});

}  // namespace warpwalk::platform
