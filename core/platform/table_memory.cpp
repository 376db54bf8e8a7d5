#include "core/platform/table_memory.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace warpwalk::platform {
namespace {

// Before this size, a trace is not worth a large page for each of its tables.
constexpr std::size_t small_limit = std::size_t{8} << 20;
constexpr std::size_t page = std::size_t{2} << 20;
// Address space is cheap: only the pages that are written to take memory.
constexpr std::size_t region_size = std::size_t{64} << 20;
constexpr std::size_t line = 64;  // of the cache

[[maybe_unused]] char* next_page(char* at) { return at + (page - reinterpret_cast<std::uintptr_t>(at) % page) % page; }

std::size_t whole_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

}  // namespace

TableMemory::~TableMemory() {
#ifdef __linux__
  for (const Region& region : regions_) munmap(region.mapping, region.bytes);
#endif
}

void* TableMemory::allocate(std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (small_bytes_ >= small_limit) {
      const std::size_t rounded = whole_lines(bytes);
      if (char* const block = take_free(rounded)) return block;
      if (add_region(rounded)) return take_free(rounded);
    }
    small_bytes_ += bytes;
  }
  return ::operator new(bytes);
}

void TableMemory::release(void* block, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto* at = static_cast<char*>(block);
  if (!in_region(at)) {
    small_bytes_ -= bytes;
    ::operator delete(block);
    return;
  }
  std::size_t size = whole_lines(bytes);
  const auto next = free_.lower_bound(at);
  if (next != free_.end() && next->first == at + size) size += free_.extract(next).mapped();
  const auto after = free_.lower_bound(at);
  if (after != free_.begin())
    if (const auto before = std::prev(after); before->first + before->second == at) {
      before->second += size;
      return;
    }
  free_.emplace(at, size);
}

// Takes from the smallest part that is large enough, so that memory that has not been used yet stays so.
char* TableMemory::take_free(std::size_t bytes) {
  auto best = free_.end();
  for (auto part = free_.begin(); part != free_.end(); ++part)
    if (part->second >= bytes && (best == free_.end() || part->second < best->second)) best = part;
  if (best == free_.end()) return nullptr;
  const auto [at, size] = *best;
  free_.erase(best);
  if (size != bytes) free_.emplace(at + bytes, size - bytes);
  return at;
}

bool TableMemory::add_region([[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)  // whose checks need blocks of their own
  const std::size_t size = std::max(region_size, (bytes + page - 1) / page * page);
  void* const mapping =
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return false;
  auto* const from = static_cast<char*>(mapping);
  char* const aligned = next_page(from);
  use_large_pages(aligned, size);
  regions_.push_back({from, size + page});
  free_.emplace(aligned, size);
  return true;
#else
  return false;
#endif
}

bool TableMemory::in_region(const char* block) const {
  return std::ranges::any_of(regions_, [&](const Region& region) {
    return std::uintptr_t(block) - std::uintptr_t(region.mapping) < region.bytes;
  });
}

void use_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  auto* const from = static_cast<char*>(memory);
  char* const aligned = next_page(from);
  const auto before = static_cast<std::size_t>(aligned - from);
  if (bytes >= before + page) madvise(aligned, (bytes - before) / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace warpwalk::platform
