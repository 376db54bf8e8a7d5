#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "core/platform/held_signals.h"

namespace warpwalk::verbs {

/// Beside long work: sets `cancel` where a signal came, and shows how far a simulation or a run is. Ends with its
/// lifetime.
class Watch {
 public:
  enum class Shown : unsigned char {
    on_terminal,  ///< in one place, once it takes a second; nowhere where stderr is no terminal
    lines         ///< "progress: WHAT" or "progress: WHAT: 3 of 64", a line for each change that lasts
  };
  explicit Watch(platform::HeldSignals& signals, Shown shown = Shown::on_terminal)
      : signals_(signals), lines_(shown == Shown::lines), thread_([this] { run(); }) {}
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  const std::atomic<bool>* cancel() const { return &cancel_; }
  /// `what` is simulated, as "relu"; empty: nothing needs to be named. Without blocks: what is being done, as
  /// "recording".
  void progress(const std::string& what, std::uint64_t blocks_done, std::uint64_t blocks);

 private:
  void run();
  void tell_line(std::string& told) const;
  void tell_terminal();

  platform::HeldSignals& signals_;
  std::atomic<bool> cancel_ = false;
  const bool lines_;
  bool shown_ = false;
  std::mutex mutex_;  // of what follows
  bool done_ = false;
  std::string what_;
  std::uint64_t blocks_done_ = 0, blocks_ = 0;
  std::condition_variable ended_;
  std::thread thread_;  // last: it uses all others
};

}  // namespace warpwalk::verbs
