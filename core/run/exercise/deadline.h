#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace warpwalk::run {

/// Sets a flag when a time is over, or when the caller cancels the work.
class Deadline {
 public:
  /// `caller`: its flag; null if it cannot cancel.
  Deadline(std::chrono::seconds time, const std::atomic<bool>* caller)
      : time_(time), caller_(caller), thread_([this] { watch(); }) {}
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  const std::atomic<bool>* flag() const { return &stop_; }
  /// The time was over before the caller cancelled.
  bool is_over() const { return stop_ && !cancelled(); }

 private:
  bool cancelled() const { return caller_ != nullptr && *caller_; }
  void watch();

  const std::chrono::seconds time_;
  const std::atomic<bool>* const caller_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;  // guarded by mutex_
  std::thread thread_;  // last, because it uses all others
};

}  // namespace warpwalk::run
