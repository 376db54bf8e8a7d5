#include "core/gpu/timing/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpwalk::gpu {

namespace {

/// Finds the lines of an access by their number.
class LineTable {
 public:
  explicit LineTable(CoalescedAccess& access) : access_(access) { access.count = 0; }

  /// The line, added if it is not there yet.
  LineAccess& at(std::uint64_t number) {
    // Lanes mostly follow one another, so the last line is tried first.
    if (access_.count > 0 && number == access_.lines[last_].line) return access_.lines[last_];
    constexpr std::uint64_t mixer = 0x9e3779b97f4a7c15;
    std::size_t place = number * mixer >> 58;
    for (; places_[place] != 0; place = (place + 1) % places_.size()) {
      last_ = places_[place] - 1U;
      if (access_.lines[last_].line == number) return access_.lines[last_];
    }
    last_ = static_cast<std::size_t>(access_.count++);
    places_[place] = static_cast<std::uint8_t>(access_.count);
    access_.lines[last_] = {};
    access_.lines[last_].line = number;
    return access_.lines[last_];
  }

 private:
  CoalescedAccess& access_;
  std::size_t last_ = 0;                   ///< index of the line that was found last
  std::array<std::uint8_t, 64> places_{};  ///< by hash: index + 1; 0: free
};

void add(LineAccess& line, std::uint8_t sectors) {
  line.sectors |= sectors;
  ++line.lanes;
}

/// Notes the words that a store of a lane writes.
void add_words(LineAccess& line, std::uint64_t address, unsigned bytes) {
  const std::uint64_t first = address / 4 % 32, end = std::min<std::uint64_t>(32, first + (bytes + 3u) / 4);
  line.words |= static_cast<std::uint32_t>(((std::uint64_t{1} << (end - first)) - 1) << first);
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
  LineTable table(result);
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const std::uint64_t address = access.at[static_cast<std::size_t>(std::countr_zero(mask))] + offset;
    LineAccess& line = table.at(address / 128);
    add(line, static_cast<std::uint8_t>(1u << (address / 32 % 4)));
    if (access.writes) add_words(line, address, access.bytes);
  }
  if (!access.writes) return;
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
  LineTable table(result);
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const std::uint64_t word = access.at[static_cast<std::size_t>(lane)] / 4;
    const auto sector = static_cast<std::uint8_t>(1u << lane / 8);
    // A wide access takes several words, which lie in following lines; at most 32 lines are counted.
    for (std::uint64_t i = 0; i < (access.bytes + 3u) / 4 && result.count < 32; ++i)
      add(table.at(first_line + word + i), sector);
  }
  for (int i = 0; i < result.count; ++i) result.lines[static_cast<std::size_t>(i)].words = 0xffffffff;
}

}  // namespace warpwalk::gpu
