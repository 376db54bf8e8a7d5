#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <sys/types.h>

namespace warpwalk::platform {

/// What one look at the machine found.
struct Found {
  bool ok = false;
  std::string text;  ///< what there is or why there is not, in one line
};

/// A look at the machine that may crash, print or never come back, as drivers do: it is taken in a process of its own.
/// Not for programs that have threads.
class Probe {
 public:
  explicit Probe(const std::function<Found()>& look);
  /// Ends what has not come back.
  ~Probe();
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  /// Waits for the answer, until `deadline` at the longest.
  Found wait(std::chrono::steady_clock::time_point deadline);

 private:
  pid_t child_ = 0;  // 0: none, or waited for
  int answer_ = -1;
};

}  // namespace warpwalk::platform
