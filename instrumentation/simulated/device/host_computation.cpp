#include "instrumentation/simulated/device/host_computation.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>

namespace warpwalk::simulated {

const gpu::OuterMemory* HostRun::memory_with(std::uint64_t address, std::uint64_t bytes) const {
  const auto after = std::ranges::upper_bound(view_.outer, address, {}, &gpu::OuterMemory::address);
  if (after == view_.outer.begin()) return nullptr;
  const gpu::OuterMemory& memory = *std::prev(after);
  const std::uint64_t offset = address - memory.address;
  return offset <= memory.bytes && bytes <= memory.bytes - offset ? &memory : nullptr;
}

const std::uint8_t* HostRun::input(std::uint64_t address, std::uint64_t bytes) const {
  const gpu::OuterMemory* const memory = memory_with(address, bytes);
  return memory == nullptr ? nullptr : memory->data + (address - memory->address);
}

std::uint8_t* HostRun::output(std::uint64_t address, std::uint64_t bytes, StoredAs as, double tolerance) {
  const gpu::OuterMemory* const memory = memory_with(address, bytes);
  if (memory == nullptr || memory->read_only) return nullptr;
  Output& output = outputs_.emplace_back();
  output.address = address, output.bytes = bytes, output.as = as, output.tolerance = tolerance;
  output.data = memory->data + (address - memory->address);
  output.before.assign(output.data, output.data + bytes);
  return output.data;
}

void HostRun::parallel(std::size_t count, const std::function<void(std::size_t)>& body) const {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failed;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (failed == nullptr) failed = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t most = std::min(count, static_cast<std::size_t>(std::max(threads_, 1)));
    for (std::size_t i = 1; i < most; ++i) helpers.emplace_back(work);
    work();
  }
  if (failed != nullptr) std::rethrow_exception(failed);
}

void HostRun::restore() {
  // The last one first: outputs may overlap.
  for (auto output = outputs_.rbegin(); output != outputs_.rend(); ++output)
    std::ranges::copy(output->before, output->data);
}

}  // namespace warpwalk::simulated
