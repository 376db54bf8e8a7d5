#include "core/gpu/exec/shadow/global_shadow.h"

#include <algorithm>
#include <utility>

namespace warpwalk::gpu {

namespace {

/// Bytes of global memory per page.
constexpr std::uint64_t page_bytes = 1024;
constexpr std::size_t word_bytes = 4;

}  // namespace

bool GlobalShadow::reserve(std::size_t bytes) {
  if (bytes > limit_ - used_) {
    full_ = true;
    return false;
  }
  used_ += bytes;
  return true;
}

bool GlobalShadow::split(Page& page) {
  if (!reserve((page_bytes - page.cells.size()) * sizeof(GlobalCell))) return false;
  std::vector<GlobalCell> cells(page_bytes);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = page.cells[i / word_bytes];
  page.cells = std::move(cells);
  page.by_byte = true;
  return true;
}

void GlobalShadow::forget(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  while (address < end) {
    const std::uint64_t offset = address % page_bytes, last = std::min(page_bytes, offset + (end - address));
    if (const auto found = pages_.find(address / page_bytes); found != pages_.end()) {
      const std::uint64_t unit = found->second.by_byte ? 1 : word_bytes;
      const auto cells = std::span(found->second.cells).subspan(offset / unit, (last - offset) / unit);
      std::ranges::fill(cells, GlobalCell{});
    }
    address += last - offset;
  }
}

GlobalShadow::Cells GlobalShadow::at(std::uint64_t address, int bytes) {
  const std::uint64_t number = address / page_bytes;
  if (number != last_number_) {
    auto found = pages_.find(number);
    if (found == pages_.end()) {
      if (!reserve(page_bytes / word_bytes * sizeof(GlobalCell))) return {};
      found = pages_.emplace(number, Page{}).first;
      found->second.cells.resize(page_bytes / word_bytes);
    }
    last_number_ = number;
    last_ = &found->second;
  }
  const auto size = static_cast<std::size_t>(bytes);
  const std::size_t offset = address % page_bytes;
  if (!last_->by_byte && size < word_bytes && !split(*last_)) return {};
  if (last_->by_byte) return {std::span(last_->cells).subspan(offset, size), 1};
  return {std::span(last_->cells).subspan(offset / word_bytes, size / word_bytes), static_cast<int>(word_bytes)};
}

}  // namespace warpwalk::gpu
