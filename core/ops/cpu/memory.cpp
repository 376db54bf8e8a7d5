#include "core/ops/cpu/memory.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"

namespace warpwalk::ops {

std::uint64_t CpuMemory::allocate(std::uint64_t bytes) {
  if (bytes == 0) return 0;
  const auto refuse = [&] {
    throw OpError(fmt::format("out of memory on the cpu: {} B requested, {} of {} B in use; use smaller tensors", bytes,
                              allocated_, capacity_));
  };
  if (bytes > capacity_ - allocated_) refuse();
  Block block{bytes, (bytes + alignment - 1) / alignment * alignment, nullptr};
  if (block.rounded > capacity_ - allocated_) refuse();
  block.data.reset(new (std::nothrow) std::uint8_t[bytes]());
  if (block.data == nullptr) refuse();
  const std::uint64_t address = std::exchange(next_, next_ + block.rounded);
  allocated_ += block.rounded;
  report(MemoryChange::Kind::allocate, address, block);
  blocks_.emplace(address, std::move(block));
  return address;
}

void CpuMemory::free(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return;
  allocated_ -= found->second.rounded;
  report(MemoryChange::Kind::free, address, found->second);
  blocks_.erase(found);
}

void CpuMemory::read(std::uint64_t address, std::span<std::uint8_t> out) {
  if (!out.empty()) std::copy_n(range(address, out.size()), out.size(), out.data());
}

void CpuMemory::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  if (!bytes.empty()) std::ranges::copy(bytes, range(address, bytes.size()));
}

std::uint8_t* CpuMemory::host(std::uint64_t address) {
  const std::span<std::uint8_t> rest = from(address);
  return rest.empty() ? nullptr : rest.data();
}

std::span<std::uint8_t> CpuMemory::from(std::uint64_t address) {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return {};
  --found;
  const std::uint64_t offset = address - found->first;
  const Block& block = found->second;
  if (offset >= block.bytes) return {};
  return {block.data.get() + offset, static_cast<std::size_t>(block.bytes - offset)};
}

std::uint8_t* CpuMemory::range(std::uint64_t address, std::uint64_t bytes) {
  const std::span<std::uint8_t> rest = from(address);
  if (bytes > rest.size())
    throw OpError(fmt::format("{} B at {:#x} are not within one allocation of the cpu's memory", bytes, address));
  return rest.data();
}

void CpuMemory::report(MemoryChange::Kind kind, std::uint64_t address, const Block& block) {
  if (observer_ == nullptr) return;
  MemoryChange change;
  change.kind = kind;
  change.address = address;
  change.bytes = block.bytes;
  change.rounded_bytes = block.rounded;
  change.allocated = allocated_;
  change.reserved = allocated_;
  observer_->memory(change);
}

}  // namespace warpwalk::ops
