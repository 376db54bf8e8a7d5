#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/timing/l2.h"

namespace warpwalk::gpu {

/// What stays in the caches from launch to launch of a program: the lines of L2, with what is written in them and the
/// order of their use. L1 and the constant caches are empty at the start of each kernel, as measured on an H200
/// (tests/cuda/microbench, carried). Lines stay by address: memory that is freed and allocated again finds its own.
class CacheState {
 public:
  /// Empty caches. Fails, with one line, if the GPU cannot be timed.
  static base::Result<CacheState> make(const Device& device);
  /// Of saved(); nullopt if the bytes are not those of this GPU's caches.
  static std::optional<CacheState> restored(const Device& device, std::span<const std::uint8_t> saved);

  /// The GPU moves these bytes in its memory, and reads or writes each of them once. `by_engine`: a copy engine, from
  /// or for the host; else a kernel of the driver.
  struct Transfer {
    std::uint64_t address = 0, bytes = 0;
    bool writes = false, by_engine = false;
  };
  void pass(const Transfer& transfer);
  /// A copy within the device: a bit of one, a bit of the other, and so on.
  void copy_within(std::uint64_t from, std::uint64_t to, std::uint64_t bytes);
  /// What pass() and copy_within() do next is used later than everything before.
  void begin_transfer();
  /// How many lines of 128 bytes of these addresses are in L2.
  std::uint64_t count_held(const ByteRange& addresses) const;
  /// Forgets lines of these addresses, which are sorted and do not overlap. L2 keeps no memory of the host after a
  /// kernel: an H200 reads it again (tests/cuda/microbench, carried).
  void drop(const std::vector<ByteRange>& addresses);

  /// What a launch finds here that has turned this state into `after`: the sets of L2 that it uses. Compressed.
  std::vector<std::uint8_t> saved(const CacheState& after) const { return l2_.saved(after.l2_); }

  /// For time_launch(): L2 at the start, as a copy if it may be asked for again before keep().
  L2 l2(bool copied) { return copied ? L2(l2_) : L2(std::move(l2_)); }
  void keep(L2 l2) { l2_ = std::move(l2); }

 private:
  explicit CacheState(L2 l2) : l2_(std::move(l2)) {}
  /// Counts bytes that are about to be moved; what a large transfer moves first counts as used earlier.
  void count(std::uint64_t bytes);
  void pass_part(const Transfer& part);

  L2 l2_;
  std::uint64_t moved_ = 0;  ///< since the last step
};

}  // namespace warpwalk::gpu
