#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "core/platform/blocked_signals.h"

namespace warpwalk::verbs {

/// A thread during long work: sets `cancel` after a signal, and shows the progress of a simulation or a run until it is
/// destroyed.
class Watch {
 public:
  enum class Shown : unsigned char {
    on_terminal,  ///< on one line, after a second; nothing if stderr is not a terminal
    lines         ///< "progress: WHAT" or "progress: WHAT: 3 of 64", one line per change
  };
  explicit Watch(platform::BlockedSignals& signals, Shown shown = Shown::on_terminal)
      : signals_(signals), lines_(shown == Shown::lines), thread_([this] { run(); }) {}
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  const std::atomic<bool>* cancel() const { return &cancel_; }
  /// `what`: the kernel that is simulated, e.g. "relu"; may be empty. If `blocks` is 0: what is being done, e.g.
  /// "recording". On a terminal, the time that is left is estimated from the blocks done so far.
  void progress(const std::string& what, std::uint64_t blocks_done, std::uint64_t blocks);

 private:
  void run();
  void show_line(std::string& shown) const;
  void show_on_terminal();

  platform::BlockedSignals& signals_;
  std::atomic<bool> cancel_ = false;
  const bool lines_;
  bool shown_ = false;
  std::mutex mutex_;  // guards the members below
  bool done_ = false;
  std::string what_;
  std::uint64_t blocks_done_ = 0, blocks_ = 0;
  std::chrono::steady_clock::time_point begun_{};  // of the work whose blocks are counted
  std::condition_variable ended_;
  std::thread thread_;  // last, because it uses all others
};

/// Words for the time that is left, from the time since the start and the share of the work that is done: ", about 3
/// min left"; empty if nothing is done yet or all is.
std::string time_left(std::chrono::duration<double> elapsed, std::uint64_t done, std::uint64_t all);

}  // namespace warpwalk::verbs
