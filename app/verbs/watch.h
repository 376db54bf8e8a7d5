#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "app/verbs/signals.h"

namespace warpwalk::verbs {

/// Beside long work: sets `cancel` where a signal came, and shows on a terminal how far a simulation is that takes more
/// than a second. Ends with its lifetime.
class Watch {
 public:
  explicit Watch(HeldSignals& signals) : signals_(signals), thread_([this] { run(); }) {}
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  const std::atomic<bool>* cancel() const { return &cancel_; }
  /// `what` is simulated, as "relu"; empty: nothing needs to be named.
  void progress(const std::string& what, std::uint64_t blocks_done, std::uint64_t blocks);

 private:
  void run();

  HeldSignals& signals_;
  std::atomic<bool> cancel_ = false;
  bool shown_ = false;
  std::mutex mutex_;  // of what follows
  bool done_ = false;
  std::string what_;
  std::uint64_t blocks_done_ = 0, blocks_ = 0;
  std::condition_variable ended_;
  std::thread thread_;  // last: it uses all others
};

}  // namespace warpwalk::verbs
