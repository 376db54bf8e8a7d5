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

/// The most common case: all lanes access memory, one behind the other.
bool is_adjacent(const LoggedAccess& access, std::uint64_t offset) {
  if (access.mask != 0xffffffff || access.atomic || !std::has_single_bit(access.bytes)) return false;
  std::uint64_t differences = (access.at[0] + offset) % access.bytes;
  for (std::uint64_t lane = 1; lane < 32; ++lane) differences |= access.at[lane] ^ (access.at[0] + lane * access.bytes);
  return differences == 0;
}

/// The `count` lowest bits from bit `first` on.
std::uint32_t bits_from(std::uint64_t first, std::uint64_t count) {
  return static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << first);
}

void fold_adjacent(const LoggedAccess& access, std::uint64_t offset, CoalescedAccess& to) {
  to.count = 0;
  const std::uint64_t first = access.at[0] + offset, end = first + 32u * access.bytes;
  for (std::uint64_t at = first; at < end;) {
    const std::uint64_t behind = std::min(end, (at / 128 + 1) * 128);
    const std::uint64_t sector = at / 32 % 4, word = at / 4 % 32;
    LineAccess& line = to.lines[static_cast<std::size_t>(to.count++)];
    line = {};
    line.line = at / 128;
    line.sectors = static_cast<std::uint8_t>(bits_from(sector, (behind - 1) / 32 % 4 + 1 - sector));
    line.lanes = static_cast<std::uint8_t>((behind - at) / access.bytes);
    if (access.writes) {
      line.words = bits_from(word, (behind - 1) / 4 % 32 + 1 - word);
      line.partial = behind - at < static_cast<std::uint64_t>(std::popcount(line.sectors)) * 32;
    }
    at = behind;
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
  coalesce(access, offset, result);
  return result;
}

void coalesce(const LoggedAccess& access, std::uint64_t offset, CoalescedAccess& result) {
  if (is_adjacent(access, offset)) return fold_adjacent(access, offset, result);
  result.count = 0;
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const std::uint64_t address = access.at[static_cast<std::size_t>(std::countr_zero(mask))] + offset;
    add(result, address / 128, static_cast<std::uint8_t>(1u << (address / 32 % 4)));
  }
  if (!access.writes) return;
  add_words(access, offset, result);
  for (int i = 0; i < result.count; ++i) {
    LineAccess& line = result.lines[static_cast<std::size_t>(i)];
    line.partial = line.lanes * access.bytes < std::popcount(line.sectors) * 32;
  }
  if (access.atomic) count_repeats(access, result);
}

CoalescedAccess coalesce_local(const LoggedAccess& access, std::uint64_t first_line) {
  CoalescedAccess result;
  coalesce_local(access, first_line, result);
  return result;
}

void coalesce_local(const LoggedAccess& access, std::uint64_t first_line, CoalescedAccess& result) {
  result.count = 0;
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const std::uint64_t word = access.at[static_cast<std::size_t>(lane)] / 4;
    const auto sector = static_cast<std::uint8_t>(1u << lane / 8);
    // A wide access takes several words, which lie in following lines; at most 32 lines are counted.
    for (std::uint64_t i = 0; i < (access.bytes + 3u) / 4 && result.count < 32; ++i)
      add(result, first_line + word + i, sector);
  }
  for (int i = 0; i < result.count; ++i) result.lines[static_cast<std::size_t>(i)].words = 0xffffffff;
}

}  // namespace warpwalk::gpu
