#include "instrumentation/simulated/device/memory.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/gpu/exec/address_space.h"
#include "instrumentation/simulated/device/call_site.h"

namespace warpwalk::simulated {
namespace {

constexpr std::uint64_t alignment = 512;
/// Between allocations, so that an index past the end of one does not land in the next.
constexpr std::uint64_t gap = 512;
constexpr std::size_t freed_kept = 4096;
constexpr std::uint64_t page = 4096;

std::uint64_t up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

void* map_anywhere(std::uint64_t bytes, int access) {
  return mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/// A mapping that the simulated GPU's own address windows do not overlap; null if there is none.
void* map_apart(std::uint64_t bytes, int access) {
  // Below the addresses that the system gives to other mappings.
  for (std::uint64_t hint = std::uint64_t{1} << 44; hint < gpu::shared_window; hint += std::uint64_t{1} << 42) {
    void* const at = mmap(reinterpret_cast<void*>(hint), bytes, access,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED) continue;
    if (at == reinterpret_cast<void*>(hint)) return at;
    munmap(at, bytes);
  }
  return nullptr;
}

/// Maps new memory twice: at an address for the program and somewhere else. False if that is not possible.
bool map_twice(std::uint64_t bytes, void*& program, void*& own) {
  const int file = memfd_create("warpwalk", MFD_CLOEXEC);
  if (file < 0) return false;
  program = own = MAP_FAILED;
  void* const place = ftruncate(file, static_cast<off_t>(bytes)) == 0 ? map_apart(bytes, PROT_NONE) : nullptr;
  if (place != nullptr) {
    program = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    own = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (program != MAP_FAILED && own != MAP_FAILED) return true;
  if (place != nullptr) munmap(place, bytes);
  if (own != MAP_FAILED) munmap(own, bytes);
  return false;
}

bool is_device(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::array || kind == MemoryKind::variable;
}

}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity, bool tracks_writes)
    : capacity_(capacity), tracks_writes_(tracks_writes) {
  // Addresses are used again only after twice the capacity, so that the use of freed memory is found.
  for (reserved_bytes_ = up(2 * capacity, std::uint64_t{1} << 30); reserved_bytes_ > page; reserved_bytes_ /= 2) {
    void* const seen = map_apart(reserved_bytes_, PROT_NONE);
    if (seen == nullptr) continue;
    void* const contents = map_anywhere(reserved_bytes_, PROT_READ | PROT_WRITE);
    if (contents != MAP_FAILED) {
      reserved_ = reinterpret_cast<std::uint64_t>(seen);
      contents_ = static_cast<std::uint8_t*>(contents);
      return;
    }
    munmap(seen, reserved_bytes_);
  }
  reserved_bytes_ = 0;
}

DeviceMemory::~DeviceMemory() {
  if (reserved_bytes_ == 0) return;
  munmap(reinterpret_cast<void*>(reserved_), reserved_bytes_);
  munmap(contents_, reserved_bytes_);
}

std::uint64_t DeviceMemory::take_addresses(std::uint64_t bytes) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  const std::uint64_t taken = up(bytes + gap, alignment);
  if (next_ + taken <= reserved_bytes_) return std::exchange(next_, next_ + taken);
  const auto fits = std::ranges::find_if(free_, [&](const auto& range) { return range.second >= taken; });
  if (fits == free_.end()) return none;
  const auto [offset, length] = *fits;
  free_.erase(fits);
  if (length > taken) free_.emplace(offset + taken, length - taken);
  return offset;
}

DeviceMemory::Place DeviceMemory::allocate(MemoryKind kind, std::uint64_t bytes, std::string call,
                                           bool recorded_by_owner) {
  const auto place = std::make_shared<Allocation>();
  place->kind = kind;
  place->bytes = bytes;
  place->call = std::move(call);
  place->recorded_by_owner = recorded_by_owner;
  const std::lock_guard lock(mutex_);
  if (kind != MemoryKind::pinned) {
    if (bytes > capacity_ - std::min(capacity_, used_)) return nullptr;
  }
  if (is_device(kind)) {
    const std::uint64_t offset = take_addresses(bytes);
    if (offset == ~std::uint64_t{0}) return nullptr;
    place->address = reserved_ + offset;
    place->data = contents_ + offset;
  } else {
    const std::uint64_t mapped = up(std::max<std::uint64_t>(bytes, 1), page);
    void *at = nullptr, *data = nullptr;
    if (!tracks_writes_ || !map_twice(mapped, at, data)) at = data = map_apart(mapped, PROT_READ | PROT_WRITE);
    if (at == nullptr) return nullptr;
    place->address = reinterpret_cast<std::uint64_t>(at);
    place->data = static_cast<std::uint8_t*>(data);
    place->frees_data = true;
  }
  place->allocated_at = call_sites::current().site;
  if (tracks_writes_ && kind == MemoryKind::device) place->written.resize(bytes + 4);
  if (kind != MemoryKind::pinned) used_ += bytes;
  place->number = ++count_;
  places_.emplace(place->address, place);
  view_.reset();
  if (on_change && !recorded_by_owner) on_change(*place, false);
  return place;
}

DeviceMemory::Place DeviceMemory::register_host(void* at, std::uint64_t bytes, unsigned flags) {
  const auto address = reinterpret_cast<std::uint64_t>(at);
  const std::lock_guard lock(mutex_);
  const auto after = places_.lower_bound(address + bytes);
  if (after != places_.begin() && std::prev(after)->second->address + std::prev(after)->second->bytes > address)
    return nullptr;
  const auto place = std::make_shared<Allocation>();
  place->kind = MemoryKind::registered;
  place->address = address;
  place->bytes = bytes;
  place->data = static_cast<std::uint8_t*>(at);
  place->flags = flags;
  place->call = "cudaHostRegister";
  place->allocated_at = call_sites::current().site;
  place->number = ++count_;
  places_.emplace(address, place);
  view_.reset();
  if (on_change) on_change(*place, false);
  return place;
}

void DeviceMemory::map(const Place& place) {
  const std::lock_guard lock(mutex_);
  place->mapped = true;
  place->allocated_at = call_sites::current().site;
  place->number = ++count_;
  places_.emplace(place->address, place);
  view_.reset();
  if (on_change) on_change(*place, false);
}

void DeviceMemory::unmap(const Place& place) {
  const std::lock_guard lock(mutex_);
  places_.erase(place->address);
  view_.reset();
  if (on_change) on_change(*place, true);
}

bool DeviceMemory::take(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > capacity_ - std::min(capacity_, used_)) return false;
  used_ += bytes;
  return true;
}

void DeviceMemory::give_back(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
}

Error DeviceMemory::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(address);
  if (found != places_.end() && found->second->mapped) return Error::invalid_value;
  if (found == places_.end()) return Error::invalid_value;
  const Place place = found->second;
  if (on_free) on_free(*place);
  places_.erase(found);
  view_.reset();
  place->freed_at = call_sites::current().site;
  if (on_change && !place->recorded_by_owner) on_change(*place, true);
  if (place->kind != MemoryKind::pinned && place->kind != MemoryKind::registered) used_ -= place->bytes;
  if (place->frees_data) {
    const std::uint64_t mapped = up(std::max<std::uint64_t>(place->bytes, 1), page);
    munmap(place->data, mapped);
    if (reinterpret_cast<std::uint64_t>(place->data) != address) munmap(reinterpret_cast<void*>(address), mapped);
  } else if (is_device(place->kind)) {
    const std::uint64_t offset = address - reserved_, taken = up(place->bytes + gap, alignment);
    free_.emplace(offset, taken);
    const std::uint64_t first = up(offset, page), end = (offset + taken) / page * page;
    if (end > first) madvise(contents_ + first, end - first, MADV_DONTNEED);
  }
  place->data = nullptr;
  place->written = {};
  freed_[address] = place;
  if (freed_.size() > freed_kept)
    freed_.erase(std::ranges::min_element(freed_, {}, [](const auto& one) { return one.second->number; }));
  return Error::success;
}

Error DeviceMemory::restore(const Place& freed) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t offset = freed->address - reserved_, taken = up(freed->bytes + gap, alignment);
  auto range = free_.upper_bound(offset);
  if (range == free_.begin()) return Error::out_of_memory;
  const auto [first, length] = *--range;
  if (first + length < offset + taken) return Error::out_of_memory;
  free_.erase(range);
  if (first < offset) free_.emplace(first, offset - first);
  if (first + length > offset + taken) free_.emplace(offset + taken, first + length - offset - taken);
  freed->data = contents_ + offset;
  if (tracks_writes_) freed->written.resize(freed->bytes + 4);
  used_ += freed->bytes;
  freed_.erase(freed->address);
  places_.emplace(freed->address, freed);
  view_.reset();
  return Error::success;
}

DeviceMemory::Place DeviceMemory::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto after = places_.upper_bound(address);
  if (after == places_.begin()) return nullptr;
  const Place& place = std::prev(after)->second;
  return address - place->address < std::max<std::uint64_t>(place->bytes, 1) ? place : nullptr;
}

DeviceMemory::Place DeviceMemory::find_freed(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto after = freed_.upper_bound(address);
  if (after == freed_.begin()) return nullptr;
  const Place& place = std::prev(after)->second;
  return address - place->address < std::max<std::uint64_t>(place->bytes, 1) ? place : nullptr;
}

std::vector<DeviceMemory::Place> DeviceMemory::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Place> places;
  for (const auto& [address, place] : places_) places.push_back(place);
  return places;
}

std::shared_ptr<const DeviceMemory::View> DeviceMemory::view() const {
  const std::lock_guard lock(mutex_);
  if (view_ == nullptr) {
    const auto view = std::make_shared<View>();
    for (const auto& [address, place] : places_) {
      if (place->bytes == 0) continue;
      view->places.push_back(place);
      gpu::OuterMemory& outer = view->outer.emplace_back();
      outer.name = place->kind == MemoryKind::variable
                       ? fmt::format("variable `{}`", place->call)
                       : fmt::format("the {} bytes of allocation {} ({})", place->bytes, place->number, place->call);
      outer.address = address;
      outer.bytes = place->bytes;
      outer.data = place->data;
      outer.read_only = place->read_only;
      outer.shared_with_host = place->kind == MemoryKind::managed || place->kind == MemoryKind::pinned ||
                               place->kind == MemoryKind::registered;
      outer.written = place->written.empty() ? nullptr : place->written.data();
    }
    view_ = view;
  }
  return view_;
}

std::uint64_t DeviceMemory::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace warpwalk::simulated
