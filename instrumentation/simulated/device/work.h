#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "instrumentation/simulated/device/call_site.h"
#include "instrumentation/simulated/device/clock.h"
#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated {

/// The part of the GPU that does a piece of work. One copy runs at a time in each direction; kernels share the SMs.
enum class Unit : std::uint8_t { none, sms, to_device, to_host };

/// How a piece of work ended.
struct Outcome {
  std::int64_t duration = 0;     ///< simulated ns
  double share = 1;              ///< of the SMs, at its fullest
  Error error = Error::success;  ///< not success: the context is lost, as after an illegal address on a GPU
};

/// What is done, as streams, events and waits guarantee it: by stream, the number of the last such work.
using Order = std::map<std::uint32_t, std::uint64_t>;

/// A piece of work in a stream.
struct Work {
  Unit unit = Unit::none;
  bool on_host = false;        ///< a function of the program, which may take long: other streams go on
  std::int64_t submitted = 0;  ///< simulated times, ns since the epoch; it starts `latency` after this at the earliest
  std::int64_t latency = 0;
  std::vector<std::shared_ptr<Work>> after;   ///< work that it waits for, its stream's last among them
  std::function<Outcome()> run;               ///< on the GPU's thread; empty: takes no time
  std::function<void(const Work&)> recorded;  ///< on the GPU's thread, when all times are known; may be empty
  std::int64_t start = 0, end = 0;            ///< simulated, once it is done
  bool done = false, begun = false;
  // With the sanitizer:
  std::uint32_t stream = 0;  ///< 0: of none
  std::uint64_t number = 0;  ///< in its stream
  Order order;               ///< what is done when this is done
  call_sites::Call call;     ///< that submitted it
};
using WorkPtr = std::shared_ptr<Work>;

/// Runs work in the order in which it was submitted, on a thread of its own; work that waits for a function of the
/// program, which has another thread, is overtaken. That order is one of those that streams and events allow, because a
/// stream can only wait for events that were recorded before. The simulated times are those of a GPU on which
/// independent streams run side by side. Thread-safe.
class WorkQueue {
 public:
  /// `traces`: work gets what it has for the sanitizer.
  WorkQueue(ProgramClock& clock, bool traces) : clock_(clock), traces_(traces) {}
  ~WorkQueue();

  void submit(WorkPtr work);
  /// Waits until the work is done (null: no wait) and moves the program's clock to its end.
  void wait(const WorkPtr& work);
  /// Waits until all work is done that has been submitted so far.
  void wait_all();
  /// True if the work would have ended by now on a GPU. Waits until that is known, but not for functions of the
  /// program, which take their time on a GPU, too.
  bool has_ended(const WorkPtr& work);
  /// Waits until the work has run, for a limited time, without the program's clock. For the sanitizer: what the work
  /// does is known when the call that submitted it returns.
  void settle(const WorkPtr& work);
  /// The work that the calling thread runs; null: it runs none.
  static const Work* running();
  /// Called after the host has waited for work, with all that is done by then; may be empty.
  std::function<void(const Order&)> on_wait;
  /// The first error of a kernel; sticky.
  Error error() const;
  /// Forgets errors and resources (cudaDeviceReset). Waits for all work.
  void reset();
  /// For a forked child, which has no thread: work that is not done is dropped.
  void abandon_in_child();

 private:
  void run(bool on_host);
  /// The first work of its thread that can run; null: none.
  WorkPtr next(bool on_host) const;
  void place(Work& work, const Outcome& outcome);
  /// Whether the work waits for a function of the program that is running. The caller holds the lock.
  static bool waits_for_host(const Work& work);
  /// Where the work stands among the other work.
  void trace(Work& work);
  void note_wait(const Order& done);

  ProgramClock& clock_;
  const bool traces_;
  Order last_numbers_;  ///< of the work that was submitted
  Order host_order_;    ///< what the host has waited for
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<WorkPtr> waiting_;
  WorkPtr last_;  ///< the last that was submitted
  bool ends_ = false;
  Error error_ = Error::success;
  std::thread thread_, host_thread_;
  // Simulated time.
  std::array<std::int64_t, 4> unit_free_{};  ///< by unit: when its last work ends
  struct Running {
    std::int64_t start = 0, end = 0;
    double share = 0;
  };
  std::vector<Running> running_;  ///< kernels that may still run
};

}  // namespace warpwalk::simulated
