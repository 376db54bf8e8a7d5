#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace warpwalk::recording {

/// The buffers that CUPTI fills with records. CUPTI asks for one in the program's own thread, in the middle of a
/// launch: ready ones were touched before, so that the program does not pay for the kernel's clearing of fresh pages.
/// For any number of threads; never destroyed before its buffers are out of use.
class BufferPool {
 public:
  BufferPool() { free_.reserve(most_buffers); }  // giving back never fails

  /// CUPTI's advice is 1 to 10 MB a buffer.
  static constexpr std::size_t buffer_bytes = std::size_t{4} << 20;
  /// Bounds the memory: beyond it CUPTI gets none, drops records, and counts them.
  static constexpr std::size_t most_buffers = 64;

  /// A buffer of `buffer_bytes`, aligned to 16 bytes, or null where there may be no more.
  std::uint8_t* take();
  void give_back(std::uint8_t* buffer);
  /// Makes ready what a program that launches without a pause fills until this is called again.
  void refill();

 private:
  static constexpr std::size_t ready_buffers = 4;

  std::mutex mutex_;
  std::vector<std::uint8_t*> free_;
  std::size_t made_ = 0;  // free or with CUPTI
};

}  // namespace warpwalk::recording
