#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/platform/blocked_signals.h"

namespace warpwalk::verbs {

/// The blocks of a simulation that are done, and the time that this took.
class BlockProgress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Work of another name or size, or with fewer blocks done than before, is new work, which begins now.
  /// `limit`: operations after which a block is given up; 0: none.
  void update(const std::string& what, std::uint64_t done, std::uint64_t blocks, Clock::time_point now,
              std::uint64_t limit = 0);
  /// Seconds that the other blocks take if each takes as long as those done so far; nullopt if none is done, or all
  /// are.
  std::optional<double> seconds_left(Clock::time_point now) const;
  /// Seconds until a block that has issued so many operations reaches the limit, if it goes on as it did; nullopt
  /// without a limit, or once a block has ended, since the others are then expected to end, too.
  std::optional<double> seconds_to_limit(Clock::time_point now, std::uint64_t operations) const;

  const std::string& what() const { return what_; }
  std::uint64_t done() const { return done_; }
  std::uint64_t blocks() const { return blocks_; }

 private:
  std::string what_;
  std::uint64_t done_ = 0, blocks_ = 0;
  std::uint64_t done_at_begin_ = 0, limit_ = 0;
  Clock::time_point begun_{};
};

/// Words for a time that is left: "about 3 min left".
std::string time_left(double seconds);
/// Words for the time until the limit: "at most about 8 s to the limit of a block".
std::string time_to_limit(double seconds);

/// A thread during long work: sets `cancel` after a signal, and shows the progress of a simulation or a run until it is
/// destroyed.
class Watch {
 public:
  enum class Shown : unsigned char {
    on_terminal,  ///< on one line, after a second, or as soon as it is known that the work takes ten seconds or more;
                  ///< nothing if stderr is not a terminal
    lines         ///< "progress: WHAT" or "progress: WHAT: 3 of 64"; at once for another WHAT, else up to 20 per second
  };
  explicit Watch(platform::BlockedSignals& signals, Shown shown = Shown::on_terminal)
      : signals_(signals), lines_(shown == Shown::lines), thread_([this] { run(); }) {}
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  const std::atomic<bool>* cancel() const { return &cancel_; }
  /// A simulation stores here how many operations its current block has issued.
  std::atomic<std::uint64_t>* block_operations() { return &block_operations_; }
  /// `what`: the kernel that is simulated, e.g. "relu"; may be empty. If `blocks` is 0: what is being done, e.g.
  /// "recording". On a terminal, the time that is left is estimated from the blocks done so far; before one is done,
  /// from the operations of the current block and their `limit` (0: none).
  void progress(const std::string& what, std::uint64_t blocks_done, std::uint64_t blocks, std::uint64_t limit = 0);

 private:
  void run();
  void show_line();
  void show_on_terminal();

  platform::BlockedSignals& signals_;
  std::atomic<bool> cancel_ = false;
  std::atomic<std::uint64_t> block_operations_ = 0;
  const bool lines_;
  bool shown_ = false;
  std::mutex mutex_;  // guards the members below
  bool done_ = false;
  BlockProgress progress_;
  std::string last_line_;
  std::condition_variable ended_;
  std::thread thread_;  // last, because it uses all others
};

}  // namespace warpwalk::verbs
