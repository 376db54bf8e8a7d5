#include "core/gpu/timing/launch/warm_memory.h"

#include <algorithm>

#include "core/gpu/exec/launch_addresses.h"

namespace warpwalk::gpu {
namespace {

/// The parts of a buffer that have contents before the launch.
std::vector<ByteRange> written_parts(const Buffer& buffer) {
  if (buffer.initialized || !buffer.variable.empty()) return {{0, buffer.bytes.size()}};
  return buffer.written;
}

}  // namespace

std::vector<WarmRange> warm_memory(const Program& program, const Launch& launch, std::uint64_t capacity) {
  const std::vector<std::uint64_t> addresses = buffer_addresses(program, launch);
  std::vector<WarmRange> ranges;
  for (std::size_t i = launch.buffers.size(); i-- > 0;) {
    const std::vector<ByteRange> parts = written_parts(launch.buffers[i]);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      const std::uint64_t bytes = std::min(part->end - part->begin, capacity);
      if (bytes > 0) ranges.push_back({addresses[i] + part->end - bytes, bytes});
      capacity -= bytes;
    }
  }
  std::ranges::reverse(ranges);
  return ranges;
}

void warm(L2& l2, const std::vector<WarmRange>& ranges) {
  for (const WarmRange& range : ranges)
    visit_lines(range, [&](std::uint64_t line, std::uint8_t sectors) { l2.hold(line, sectors); });
}

}  // namespace warpwalk::gpu
