#pragma once

#include <csignal>

namespace warpwalk::platform {

/// Blocks SIGINT, SIGTERM and SIGHUP during its lifetime, so that unfinished work can be cleaned up first. The
/// destructor raises the signal that arrived. SIGPIPE is blocked too: writing to a closed pipe fails with an error.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// True once one of the three signals has arrived.
  bool stop();

 private:
  sigset_t before_;
  int came_ = 0;
};

}  // namespace warpwalk::platform
