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
  BufferPool() { free_.reserve(max_buffers); }  // so that give_back() never allocates

  /// CUPTI recommends 1 to 10 MB per buffer.
  static constexpr std::size_t buffer_bytes = std::size_t{4} << 20;
  /// Bounds the memory use. Past this limit CUPTI gets no buffer, drops records and counts them.
  static constexpr std::size_t max_buffers = 64;

  /// Returns a buffer of `buffer_bytes`, aligned to 16 bytes, or null at the limit.
  std::uint8_t* take();
  void give_back(std::uint8_t* buffer);
  /// Prepares enough buffers for a program that launches continuously until the next call.
  void refill();

 private:
  static constexpr std::size_t ready_buffers = 4;

  std::mutex mutex_;
  std::vector<std::uint8_t*> free_;
  std::size_t allocated_ = 0;  // buffers that exist, free or held by CUPTI
};

}  // namespace warpwalk::instrumentation
