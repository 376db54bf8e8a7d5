#pragma once

#include <csignal>

namespace warpwalk::platform {

/// Blocks SIGINT, SIGTERM and SIGHUP during its lifetime, so that unfinished work can be cleaned up first. The
/// destructor raises the signal that arrived. SIGPIPE is blocked too: writing to a closed pipe fails with an error.
class BlockedSignals {
 public:
  BlockedSignals();
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  /// True once one of the three signals has arrived.
  bool stop_requested();

 private:
  sigset_t before_;
  int received_ = 0;
};

}  // namespace warpwalk::platform
