#include "core/run/expression/sim_memory.h"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "core/gpu/exec/address_space.h"
#include "core/ops/tensor/error.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t segment_alignment = std::uint64_t{2} << 20;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + segment_alignment - 1) / segment_alignment * segment_alignment;
}

}  // namespace

std::optional<std::uint64_t> SimDriver::allocate(std::uint64_t bytes) {
  if (bytes > capacity_ - used_) return {};
  std::uint64_t address = gpu::buffers_base;
  for (const auto& [begin, size] : segments_) {
    if (begin - address >= aligned(bytes)) break;
    address = begin + aligned(size);
  }
  used_ += bytes;
  segments_.emplace(address, bytes);
  return address;
}

void SimDriver::free(std::uint64_t address, std::uint64_t bytes) {
  segments_.erase(address);
  used_ -= bytes;
}

SimMemory::SimMemory(std::uint64_t device_bytes, ops::Observer* observer)
    : driver_(device_bytes), allocator_(driver_, observer) {}

std::uint64_t SimMemory::allocate(std::uint64_t bytes) {
  const std::uint64_t address = allocator_.allocate(bytes);
  if (bytes == 0) return address;
  try {
    blocks_[address].bytes.resize(bytes);
  } catch (const std::bad_alloc&) {
    blocks_.erase(address);
    allocator_.free(address);
    throw ops::OpError(
        fmt::format("the simulated GPU has room for {} bytes, but this machine does not have enough memory to hold "
                    "them: make the tensors smaller",
                    bytes));
  }
  return address;
}

void SimMemory::free(std::uint64_t address) {
  blocks_.erase(address);
  allocator_.free(address);
}

SimMemory::Place SimMemory::find(std::uint64_t address) {
  auto after = blocks_.upper_bound(address);
  if (after != blocks_.begin()) {
    auto& [begin, block] = *std::prev(after);
    if (address - begin <= block.bytes.size()) return {begin, &block};
  }
  throw ops::OpError(fmt::format("address {:#x} of the simulated GPU is not in any tensor's memory", address));
}

SimMemory::Place SimMemory::reach(std::uint64_t address, std::size_t bytes) {
  const Place place = find(address);
  if (bytes > place.block->bytes.size() - (address - place.address))
    throw ops::OpError(
        fmt::format("{} bytes at {:#x} of the simulated GPU reach beyond their tensor's memory of {} bytes", bytes,
                    address, place.block->bytes.size()));
  return place;
}

void SimMemory::read(std::uint64_t address, std::span<std::uint8_t> out) {
  if (out.empty()) return;
  const Place place = reach(address, out.size());
  std::copy_n(place.block->bytes.data() + (address - place.address), out.size(), out.begin());
}

void SimMemory::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  const Place place = reach(address, bytes.size());
  std::copy(bytes.begin(), bytes.end(), place.block->bytes.data() + (address - place.address));
  place.block->written = true;
}

}  // namespace warpwalk::run
