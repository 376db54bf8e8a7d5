#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "instrumentation/simulated/device/memory.h"

namespace warpwalk::simulated {

/// How the elements of an output are compared with what the simulated blocks of the same launch have stored there.
enum class StoredAs : std::uint8_t {
  anything,  ///< not compared, e.g. sums that blocks add up with atomics
  bytes,     ///< equal, e.g. integers
  f16,
  bf16,
  f32,
  f64,
};

/// The host's pointer to device memory; null if the bytes are not all in one allocation.
std::uint8_t* data_at(const DeviceMemory::View& view, std::uint64_t address, std::uint64_t bytes);

/// What the host's own code uses while it computes what a launch stores: the launch's memory, and host threads.
class HostRun {
 public:
  /// Device memory that the host's code writes.
  struct Output {
    std::uint64_t address = 0, bytes = 0;
    StoredAs as = StoredAs::bytes;
    double tolerance = 0;
    std::uint8_t* data = nullptr;
    std::vector<std::uint8_t> before;  ///< its contents before the launch; while exchanged, those after it
  };

  HostRun(const DeviceMemory::View& view, int threads) : view_(view), threads_(threads) {}

  /// The host's pointer to device memory; null if the bytes are not all in one allocation.
  const std::uint8_t* input(std::uint64_t address, std::uint64_t bytes);
  /// The same for bytes among which the launch stores; also null if they are read-only, or overlap another output.
  /// Everything that the launch stores must be in an output. Rows with gaps between them can be one. `tolerance`: the
  /// largest difference of an element, relative to the largest element that is compared; NaN equals NaN.
  std::uint8_t* output(std::uint64_t address, std::uint64_t bytes, StoredAs as, double tolerance = 0);
  /// Calls body(0) to body(count - 1) on all host threads, and returns when all are done. The body throws nothing:
  /// libraries have C++ libraries of their own.
  void parallel(std::size_t count, const std::function<void(std::size_t)>& body) const;
  int threads() const { return threads_; }

  const std::vector<gpu::ByteRange>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  /// Exchanges the contents of all outputs with those before the launch. A second call undoes the first.
  void exchange();

 private:
  const DeviceMemory::View& view_;
  const int threads_;
  std::vector<gpu::ByteRange> inputs_;  ///< addresses
  std::vector<Output> outputs_;
};

/// How the host's own code computes what a launch stores, in place of blocks that would take long to simulate. A
/// stand-in for a library gives it to launches whose kernel is known to be right (KernelLaunch::on_host). The engine
/// uses it for large launches; it also simulates some of the blocks, and compares what they store.
struct HostComputation {
  /// Computes the launch from the contents of memory when it starts, and stores the results. Returns false if it
  /// cannot, e.g. since HostRun has no memory at an address: the launch is then simulated. It may be called on the
  /// GPU's thread after the call that launched the kernel has returned, so it keeps copies of all arguments. It throws
  /// nothing.
  std::function<bool(HostRun&)> run;
};

}  // namespace warpwalk::simulated
