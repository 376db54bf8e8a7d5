#pragma once

#include <csignal>

namespace warpwalk::platform {

/// While it lives, SIGINT, SIGTERM and SIGHUP end nothing: they wait until it goes, so that what was begun can be taken
/// away first; then they do what they always do. Writing into a pipe that nobody reads is an error and no end.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Whether one of the three has come.
  bool stop();

 private:
  sigset_t before_;
  int came_ = 0;
};

}  // namespace warpwalk::platform
