#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace warpwalk::instrumentation {

/// The buffers that CUPTI fills with records. CUPTI requests one on the program's own thread, in the middle of a
/// launch. Buffers prepared by refill() have been written to, so the program does not pay for the page faults of fresh
/// memory. Thread-safe. Must outlive the use of its buffers.
class BufferPool {
 public:
  BufferPool() { free_.reserve(max_buffers), known_.reserve(max_buffers); }  // so that give_back() never allocates

  /// CUPTI recommends 1 to 10 MB per buffer.
  static constexpr std::size_t buffer_bytes = std::size_t{4} << 20;
  /// Bounds the memory use. Past this limit CUPTI gets no buffer, drops records and counts them.
  static constexpr std::size_t max_buffers = 64;

  /// Returns a buffer of `buffer_bytes`, aligned to 16 bytes, or null at the limit.
  std::uint8_t* take();
  /// Ignores a buffer of another client of CUPTI, which CUPTI returns to whoever has registered last.
  void give_back(std::uint8_t* buffer);
  /// Prepares enough buffers for a program that launches continuously until the next call.
  void refill();
  /// Frees the buffers that CUPTI does not hold.
  void release();
  /// Called around a fork, so that the child does not inherit a lock held by a thread that it does not have.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  static constexpr std::size_t ready_buffers = 4;

  std::mutex mutex_;
  std::vector<std::uint8_t*> free_;
  std::vector<std::uint8_t*> known_;  // buffers that exist, free or held by CUPTI
};

}  // namespace warpwalk::instrumentation
