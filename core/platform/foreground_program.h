#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpwalk::platform {

/// How a program ended.
struct ProgramEnd {
  std::string error;    ///< one line where it could not be started, else empty
  int exit_status = 0;  ///< where no signal ended it
  int signal = 0;       ///< that ended it; 0: none
  bool failed() const { return exit_status != 0 || signal != 0; }
  /// "ended with exit status 3", "was ended by signal 11 (Segmentation fault)".
  std::string words() const;
};

/// Runs a program (looked up in PATH) with these additions to the environment, and waits for it. Signals that are sent
/// to this process meanwhile (interrupt, terminate, hang up, quit, user's) are passed on to it, and end nothing here.
ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace warpwalk::platform
