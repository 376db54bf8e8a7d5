#include "instrumentation/simulated/device/host_computation.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>

namespace warpwalk::simulated {

namespace {

/// The memory that contains the bytes; null if none does.
const gpu::OuterMemory* memory_with(const DeviceMemory::View& view, std::uint64_t address, std::uint64_t bytes) {
  const auto after = std::ranges::upper_bound(view.outer, address, {}, &gpu::OuterMemory::address);
  if (after == view.outer.begin()) return nullptr;
  const gpu::OuterMemory& memory = *std::prev(after);
  const std::uint64_t offset = address - memory.address;
  return offset <= memory.bytes && bytes <= memory.bytes - offset ? &memory : nullptr;
}

}  // namespace

std::uint8_t* data_at(const DeviceMemory::View& view, std::uint64_t address, std::uint64_t bytes) {
  const gpu::OuterMemory* const memory = memory_with(view, address, bytes);
  return memory == nullptr ? nullptr : memory->data + (address - memory->address);
}

const std::uint8_t* HostRun::input(std::uint64_t address, std::uint64_t bytes) {
  const std::uint8_t* const data = data_at(view_, address, bytes);
  if (data != nullptr) inputs_.push_back({address, address + bytes});
  return data;
}

std::uint8_t* HostRun::output(std::uint64_t address, std::uint64_t bytes, StoredAs as, double tolerance) {
  const gpu::OuterMemory* const memory = memory_with(view_, address, bytes);
  if (memory == nullptr || memory->read_only) return nullptr;
  const bool overlaps = std::ranges::any_of(outputs_, [&](const Output& other) {
    return address < other.address + other.bytes && other.address < address + bytes;
  });
  if (overlaps) return nullptr;
  Output& output = outputs_.emplace_back();
  output.address = address, output.bytes = bytes, output.as = as, output.tolerance = tolerance;
  output.data = memory->data + (address - memory->address);
  output.before.assign(output.data, output.data + bytes);
  return output.data;
}

void HostRun::parallel(std::size_t count, const std::function<void(std::size_t)>& body) const {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::jthread> helpers;
  const std::size_t most = std::min(count, static_cast<std::size_t>(std::max(threads_, 1)));
  for (std::size_t i = 1; i < most; ++i) helpers.emplace_back(work);
  work();
}

void HostRun::exchange() {
  for (Output& output : outputs_) std::swap_ranges(output.before.begin(), output.before.end(), output.data);
}

}  // namespace warpwalk::simulated
