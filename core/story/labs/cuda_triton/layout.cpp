#include "core/story/labs/cuda_triton/layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::story {

int BlockedLayout::slots() const { return std::max(per_thread, elements / threads()); }

int BlockedLayout::copies() const { return std::max(1, threads() / elements); }

int BlockedLayout::element(const Holder& holder) const {
  const int round = holder.slot / per_thread, neighbour = holder.slot % per_thread;
  return (round * tile() + (holder.warp * lanes + holder.lane) * per_thread + neighbour) % elements;
}

Holder BlockedLayout::holder(int element) const {
  const int round = element / tile(), rest = element % tile();
  const int thread = rest / per_thread;
  return {thread / lanes, thread % lanes, round * per_thread + rest % per_thread};
}

std::string BlockedLayout::text() const {
  return fmt::format("#ttg.blocked<{{sizePerThread = [{}], threadsPerWarp = [{}], warpsPerCTA = [{}], order = [0]}}>",
                     per_thread, lanes, warps);
}

BlockedLayout blocked_layout(int elements, int warps, int element_bytes) {
  const int threads = BlockedLayout::lanes * warps;
  return {elements, std::clamp(elements / threads, 1, 16 / element_bytes), warps};
}

int access_width(const BlockedLayout& layout, std::int64_t n) { return n % 16 == 0 ? layout.per_thread : 1; }

}  // namespace warpwalk::story
