#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace warpwalk::gpu {

/// A set-associative cache with lines of 128 bytes that consist of four sectors of 32 bytes, replaced in the order of
/// their last use. It stores which sectors are present, not their data. Sectors may be on their way: `arriving`.
class SectorCache {
 public:
  struct Line {
    std::uint64_t tag = empty;  ///< line number: address / 128
    std::uint32_t last_use = 0;
    std::array<std::uint32_t, 4> requests{};  ///< by sector: the request that fetches it, if it is arriving
    std::uint8_t present = 0;                 ///< a bit for each sector
    std::uint8_t arriving = 0;                ///< fetched, but not here yet
    std::uint8_t written = 0;                 ///< L1: partly written by stores; L2: not written back yet
    std::uint8_t promised = 0;                ///< L2: arriving, but only because they share a pair with others
    std::uint8_t partial = 0;                 ///< L2: written, but some of their bytes are only in memory
    std::uint32_t words = 0;                  ///< L2: 4-byte words that stores have written
    double ready = 0;                         ///< L2: when the last sector arrives
  };
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  /// `lines` is rounded down to a multiple of `ways`; at least one set.
  SectorCache(std::uint64_t lines, unsigned ways);

  /// The line with this number, or null.
  Line* find(std::uint64_t line, std::uint64_t set_hash);
  /// Makes room for a line that is not there: the returned one still has its old contents (tag `empty`: none). Null if
  /// all lines of the set have arriving sectors.
  Line* victim(std::uint64_t set_hash);
  /// The index of a line in the cache, for at().
  std::uint32_t index_of(const Line& line) const { return static_cast<std::uint32_t>(&line - lines_.data()); }
  Line& at(std::uint32_t index) { return lines_[index]; }
  const std::vector<Line>& lines() const { return lines_; }
  /// Notes that the line was used now.
  void use(Line& line) { line.last_use = ++clock_; }

 private:
  std::uint64_t sets_;
  unsigned ways_;
  std::uint32_t clock_ = 0;
  std::vector<Line> lines_;
};

}  // namespace warpwalk::gpu
