#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <sys/types.h>

namespace warpwalk::platform {

/// The result of a probe.
struct ProbeResult {
  bool ok = false;
  std::string text;  ///< one line: what was found, or why nothing was
};

/// Runs a check in a child process, because driver code may crash, print or hang. It forks, so it must not be used in
/// a multithreaded program.
class Probe {
 public:
  explicit Probe(const std::function<ProbeResult()>& look);
  /// Kills the check if it is still running.
  ~Probe();
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  /// Waits for the result, at most until `deadline`.
  ProbeResult wait(std::chrono::steady_clock::time_point deadline);

 private:
  pid_t child_ = 0;  // 0: not started, or already reaped
  int result_fd_ = -1;
};

}  // namespace warpwalk::platform
