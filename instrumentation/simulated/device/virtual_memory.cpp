#include "instrumentation/simulated/device/virtual_memory.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "core/gpu/exec/address_space.h"

namespace warpwalk::simulated {
namespace {

/// Addresses for all ranges together. They cost nothing.
constexpr std::uint64_t arena_bytes = std::uint64_t{1} << 42;

constexpr bool is_multiple(std::uint64_t value) { return value % VirtualMemory::granularity == 0; }

}  // namespace

PhysicalMemory::~PhysicalMemory() {
  close(file);
  of.give_back(bytes);
}

/// The program cannot access the arena: there, only kernels can.
bool VirtualMemory::make_arena() {
  if (arena_ != 0) return true;
  for (std::uint64_t hint = std::uint64_t{1} << 44; hint < gpu::shared_window; hint += arena_bytes) {
    void* const at = mmap(reinterpret_cast<void*>(hint), arena_bytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED) continue;
    if (at == reinterpret_cast<void*>(hint)) {
      arena_ = hint;
      free_.emplace(arena_, arena_bytes);
      return true;
    }
    munmap(at, arena_bytes);
  }
  return false;
}

Error VirtualMemory::reserve(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t& address) {
  if (bytes == 0 || !is_multiple(bytes) || (alignment != 0 && !std::has_single_bit(alignment)))
    return Error::invalid_value;
  alignment = std::max(alignment, granularity);
  const std::lock_guard lock(mutex_);
  if (!make_arena()) return Error::out_of_memory;
  for (const auto& [first, room] : free_) {
    const std::uint64_t at = (first + alignment - 1) / alignment * alignment, before = at - first;
    if (before > room || bytes > room - before) continue;
    void* const contents =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (contents == MAP_FAILED) return Error::out_of_memory;
    const std::uint64_t after = room - before - bytes, begin = first;
    free_.erase(free_.find(begin));
    if (before != 0) free_.emplace(begin, before);
    if (after != 0) free_.emplace(at + bytes, after);
    Range& range = ranges_[at];
    range.bytes = bytes;
    range.contents = static_cast<std::uint8_t*>(contents);
    address = at;
    return Error::success;
  }
  return Error::out_of_memory;
}

Error VirtualMemory::end_reservation(std::uint64_t address, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = ranges_.find(address);
  if (found == ranges_.end() || found->second.bytes != bytes || !found->second.mappings.empty())
    return Error::invalid_value;
  munmap(found->second.contents, bytes);
  ranges_.erase(found);
  auto place = free_.emplace(address, bytes).first;
  if (const auto next = std::next(place); next != free_.end() && next->first == address + bytes) {
    place->second += next->second;
    free_.erase(next);
  }
  if (place != free_.begin())
    if (const auto before = std::prev(place); before->first + before->second == address) {
      before->second += place->second;
      free_.erase(place);
    }
  return Error::success;
}

Error VirtualMemory::create(std::uint64_t bytes, std::uint64_t& handle) {
  if (bytes == 0 || !is_multiple(bytes)) return Error::invalid_value;
  if (!memory_.take(bytes)) return Error::out_of_memory;
  const int file = memfd_create("warpwalk", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    if (file >= 0) close(file);
    memory_.give_back(bytes);
    return Error::out_of_memory;
  }
  const auto made = std::make_shared<PhysicalMemory>(memory_, bytes, file);
  const std::lock_guard lock(mutex_);
  made->number = ++last_number_;
  handles_.emplace(made->number, made);
  handle = made->number;
  return Error::success;
}

Error VirtualMemory::release(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = handles_.find(handle);
  if (found == handles_.end()) return Error::invalid_value;
  if (--found->second->users == 0) handles_.erase(found);
  return Error::success;
}

bool VirtualMemory::is_handle(std::uint64_t handle) const {
  const std::lock_guard lock(mutex_);
  return handles_.contains(handle);
}

Error VirtualMemory::retain(std::uint64_t address, std::uint64_t& handle) {
  const std::lock_guard lock(mutex_);
  const Range* const range = range_of(address, 1);
  if (range == nullptr) return Error::invalid_value;
  const auto after = range->mappings.upper_bound(address);
  if (after == range->mappings.begin()) return Error::invalid_value;
  const auto& [first, mapping] = *std::prev(after);
  if (address - first >= mapping.bytes) return Error::invalid_value;
  // The program may have released all handles of memory that is mapped.
  const auto [known, is_new] = handles_.emplace(mapping.memory->number, mapping.memory);
  mapping.memory->users = is_new ? 1 : mapping.memory->users + 1;
  handle = known->first;
  return Error::success;
}

const VirtualMemory::Range* VirtualMemory::range_of(std::uint64_t address, std::uint64_t bytes) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return nullptr;
  const auto& [first, range] = *std::prev(after);
  const std::uint64_t offset = address - first;
  return offset < range.bytes && bytes <= range.bytes - offset ? &range : nullptr;
}

Error VirtualMemory::map(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset, std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = handles_.find(handle);
  const bool multiples = is_multiple(address) && is_multiple(bytes) && is_multiple(offset);
  const Range* const known = range_of(address, bytes);
  if (found == handles_.end() || known == nullptr || bytes == 0 || !multiples) return Error::invalid_value;
  const PhysicalMemory& memory = *found->second;
  if (offset > memory.bytes || bytes > memory.bytes - offset) return Error::invalid_value;
  const auto of = std::prev(ranges_.upper_bound(address));
  Range& range = of->second;
  const auto after = range.mappings.lower_bound(address + bytes);
  if (after != range.mappings.begin()) {
    const auto& [first, before] = *std::prev(after);
    if (first + before.bytes > address) return Error::invalid_value;
  }
  if (mmap(range.contents + (address - of->first), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory.file,
           static_cast<off_t>(offset)) == MAP_FAILED)
    return Error::out_of_memory;
  range.mappings.emplace(address, Mapping{bytes, found->second});
  return Error::success;
}

bool VirtualMemory::are_whole(const Range& range, std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t next = address;
  for (auto mapping = range.mappings.find(address); mapping != range.mappings.end() && next < address + bytes;
       ++mapping) {
    if (mapping->first != next) return false;
    next += mapping->second.bytes;
  }
  return bytes != 0 && next == address + bytes;
}

Error VirtualMemory::unmap(std::uint64_t address, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const Range* const known = range_of(address, bytes);
  if (known == nullptr || !are_whole(*known, address, bytes)) return Error::invalid_value;
  const auto of = std::prev(ranges_.upper_bound(address));
  Range& range = of->second;
  range.mappings.erase(range.mappings.find(address), range.mappings.lower_bound(address + bytes));
  publish(of->first, range);
  mmap(range.contents + (address - of->first), bytes, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return Error::success;
}

Error VirtualMemory::set_access(std::uint64_t address, std::uint64_t bytes, MappedAccess access) {
  const std::lock_guard lock(mutex_);
  const Range* const known = range_of(address, bytes);
  if (known == nullptr || !are_whole(*known, address, bytes)) return Error::invalid_value;
  const auto of = std::prev(ranges_.upper_bound(address));
  Range& range = of->second;
  for (auto mapping = range.mappings.find(address); mapping != range.mappings.end() && mapping->first < address + bytes;
       ++mapping)
    mapping->second.access = access;
  publish(of->first, range);
  return Error::success;
}

Error VirtualMemory::access(std::uint64_t address, MappedAccess& access) const {
  const std::lock_guard lock(mutex_);
  const Range* const range = range_of(address, 1);
  if (range == nullptr) return Error::invalid_value;
  const auto after = range->mappings.upper_bound(address);
  if (after == range->mappings.begin()) return Error::invalid_value;
  const auto& [first, mapping] = *std::prev(after);
  if (address - first >= mapping.bytes) return Error::invalid_value;
  access = mapping.access;
  return Error::success;
}

void VirtualMemory::publish(std::uint64_t first, Range& range) {
  std::vector<DeviceMemory::Place> now;
  for (const auto& [address, mapping] : range.mappings) {
    if (mapping.access == MappedAccess::none) continue;
    const bool read_only = mapping.access == MappedAccess::read;
    if (!now.empty() && now.back()->address + now.back()->bytes == address && now.back()->read_only == read_only) {
      now.back()->bytes += mapping.bytes;
      continue;
    }
    Allocation& place = *now.emplace_back(std::make_shared<Allocation>());
    place.address = address;
    place.bytes = mapping.bytes;
    place.data = range.contents + (address - first);
    place.read_only = read_only;
    place.call = "cuMemMap";
  }
  const auto is_in = [](const std::vector<DeviceMemory::Place>& all, const Allocation& one) {
    return std::ranges::any_of(all, [&](const DeviceMemory::Place& other) {
      return other->address == one.address && other->bytes == one.bytes && other->read_only == one.read_only;
    });
  };
  std::vector<DeviceMemory::Place> kept;
  for (const DeviceMemory::Place& old : range.places)
    if (is_in(now, *old))
      kept.push_back(old);
    else
      memory_.unmap(old);
  for (DeviceMemory::Place& place : now) {
    if (is_in(kept, *place)) continue;
    memory_.map(place);
    kept.push_back(std::move(place));
  }
  range.places = std::move(kept);
}

}  // namespace warpwalk::simulated
