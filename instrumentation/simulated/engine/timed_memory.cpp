#include "instrumentation/simulated/engine/timed_memory.h"

#include <algorithm>
#include <new>

#include <sys/mman.h>

namespace warpwalk::simulated {
namespace {

/// Memory that takes room only where it is written.
std::uint8_t* map_sparse(std::uint64_t bytes) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::uint8_t*>(at);
}

}  // namespace

TimedMemory::TimedMemory(gpu::Launch& launch, std::span<const gpu::AccessedPage> pages) {
  for (auto first = pages.begin(); first != pages.end();) {
    const auto behind = std::ranges::upper_bound(launch.outer, first->address, {}, &gpu::OuterMemory::address);
    if (behind == launch.outer.begin() || first->address - std::prev(behind)->address >= std::prev(behind)->bytes) {
      ++first;  // a variable of the launch's own, or the heap
      continue;
    }
    gpu::OuterMemory& memory = *std::prev(behind);
    const auto end = std::find_if(first, pages.end(), [&](const gpu::AccessedPage& page) {
      return page.address - memory.address >= memory.bytes;
    });
    if (std::any_of(first, end, [](const gpu::AccessedPage& page) { return !page.before.empty(); })) {
      constexpr std::uint64_t slack = 4;  // as OuterMemory::data has
      Copy& copy = copies_.emplace_back(Copy{&memory, memory.data, memory.bytes + slack});
      memory.data = map_sparse(copy.mapped);
      for (auto page = first; page != end; ++page) {
        const std::uint64_t offset = page->address - memory.address;
        const std::uint8_t* const from = page->before.empty() ? copy.original + offset : page->before.data();
        std::copy_n(from, std::min(page->bytes, memory.bytes - offset), memory.data + offset);
      }
    }
    first = end;
  }
}

TimedMemory::~TimedMemory() {
  for (const Copy& copy : copies_) {
    munmap(copy.of->data, copy.mapped);
    copy.of->data = copy.original;
  }
}

}  // namespace warpwalk::simulated
