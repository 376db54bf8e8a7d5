#include "core/gpu/exec/run/stack.h"

#include <cstring>

namespace warpwalk::gpu {

namespace {

/// Index of a lane's byte. The same word of the 32 lanes is contiguous, as in the hardware's local memory.
std::size_t place(std::uint32_t address, int lane) {
  return (static_cast<std::size_t>(address / 4) * lanes_per_warp + static_cast<std::size_t>(lane)) * 4 + address % 4;
}

std::size_t written_place(std::uint32_t address, int lane) {
  return static_cast<std::size_t>(address) * lanes_per_warp + static_cast<std::size_t>(lane);
}

}  // namespace

void grow_stack(Warp& warp, std::uint32_t bytes) {
  const std::size_t words = static_cast<std::size_t>((bytes + 3) / 4) * lanes_per_warp;
  if (warp.stack.size() >= words) return;
  warp.stack.resize(words);
  if (!warp.stack_written.empty()) warp.stack_written.resize(words * 4);
}

void read_stack(const Warp& warp, int lane, std::uint32_t address, std::uint32_t bytes, std::uint8_t* into) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(warp.stack.data());
  if (address % 4 == 0 && bytes % 4 == 0) {
    for (std::uint32_t i = 0; i < bytes; i += 4) std::memcpy(into + i, from + place(address + i, lane), 4);
    return;
  }
  for (std::uint32_t i = 0; i < bytes; ++i) into[i] = from[place(address + i, lane)];
}

void write_stack(Warp& warp, int lane, std::uint32_t address, std::uint32_t bytes, const std::uint8_t* from) {
  auto* const into = reinterpret_cast<std::uint8_t*>(warp.stack.data());
  if (address % 4 == 0 && bytes % 4 == 0) {
    for (std::uint32_t i = 0; i < bytes; i += 4) std::memcpy(into + place(address + i, lane), from + i, 4);
    return;
  }
  for (std::uint32_t i = 0; i < bytes; ++i) into[place(address + i, lane)] = from[i];
}

void copy_stack(Warp& warp, std::uint32_t from, std::uint32_t to, std::uint32_t bytes, std::uint32_t lanes_of) {
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    if ((lanes_of >> lane & 1) == 0) continue;
    for (std::uint32_t i = 0; i < bytes; i += 4) {
      std::uint8_t word[4];
      const std::uint32_t size = bytes - i < 4 ? bytes - i : 4;
      read_stack(warp, lane, from + i, size, word);
      write_stack(warp, lane, to + i, size, word);
    }
    for (std::uint32_t i = 0; i < bytes && !warp.stack_written.empty(); ++i) {
      warp.stack_written[written_place(to + i, lane)] = warp.stack_written[written_place(from + i, lane)];
    }
  }
}

}  // namespace warpwalk::gpu
