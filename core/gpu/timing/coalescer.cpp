#include "core/gpu/timing/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpwalk::gpu {

namespace {

void add(CoalescedAccess& to, std::uint64_t line, std::uint8_t sectors) {
  // Lanes mostly follow one another, so the last line is tried first.
  for (int i = to.count - 1; i >= 0; --i) {
    if (to.lines[static_cast<std::size_t>(i)].line != line) continue;
    to.lines[static_cast<std::size_t>(i)].sectors |= sectors;
    ++to.lines[static_cast<std::size_t>(i)].lanes;
    return;
  }
  LineAccess& added = to.lines[static_cast<std::size_t>(to.count++)];
  added = {};
  added.line = line;
  added.sectors = sectors;
  added.lanes = 1;
}

/// Notes the words that a store writes.
void add_words(const LoggedAccess& access, std::uint64_t offset, CoalescedAccess& to) {
  int last = 0;  // lanes mostly stay in a line
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const std::uint64_t address = access.at[static_cast<std::size_t>(std::countr_zero(mask))] + offset;
    for (int i = 0; i < to.count && to.lines[static_cast<std::size_t>(last)].line != address / 128; ++i) last = i;
    const std::uint64_t first = address / 4 % 32, end = std::min<std::uint64_t>(32, first + (access.bytes + 3u) / 4);
    for (std::uint64_t word = first; word < end; ++word)
      to.lines[static_cast<std::size_t>(last)].words |= std::uint32_t{1} << word;
  }
}

void count_repeats(const LoggedAccess& access, CoalescedAccess& to) {
  for (int i = 0; i < to.count; ++i) {
    LineAccess& line = to.lines[static_cast<std::size_t>(i)];
    std::array<std::uint8_t, 64> lanes{};  // by 2 bytes of the line
    std::array<std::uint8_t, 4> most{};    // by sector
    for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
      const std::uint64_t address = access.at[static_cast<std::size_t>(std::countr_zero(mask))];
      if (address / 128 != line.line) continue;
      std::uint8_t& in_sector = most[address / 32 % 4];
      in_sector = std::max(in_sector, ++lanes[address / 2 % 64]);
    }
    for (const std::uint8_t passes : most) line.repeats += passes > 0 ? passes - 1 : 0;
  }
}

}  // namespace

int CoalescedAccess::sectors() const {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += std::popcount(lines[static_cast<std::size_t>(i)].sectors);
  return sum;
}

CoalescedAccess coalesce(const LoggedAccess& access, std::uint64_t offset) {
  CoalescedAccess result;
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const std::uint64_t address = access.at[static_cast<std::size_t>(std::countr_zero(mask))] + offset;
    add(result, address / 128, static_cast<std::uint8_t>(1u << (address / 32 % 4)));
  }
  if (!access.writes) return result;
  add_words(access, offset, result);
  for (int i = 0; i < result.count; ++i) {
    LineAccess& line = result.lines[static_cast<std::size_t>(i)];
    line.partial = line.lanes * access.bytes < std::popcount(line.sectors) * 32;
  }
  if (access.atomic) count_repeats(access, result);
  return result;
}

CoalescedAccess coalesce_local(const LoggedAccess& access, std::uint64_t first_line) {
  CoalescedAccess result;
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const std::uint64_t word = access.at[static_cast<std::size_t>(lane)] / 4;
    const auto sector = static_cast<std::uint8_t>(1u << lane / 8);
    // A wide access takes several words, which lie in following lines; at most 32 lines are counted.
    for (std::uint64_t i = 0; i < (access.bytes + 3u) / 4 && result.count < 32; ++i)
      add(result, first_line + word + i, sector);
  }
  for (int i = 0; i < result.count; ++i) result.lines[static_cast<std::size_t>(i)].words = 0xffffffff;
  return result;
}

}  // namespace warpwalk::gpu
