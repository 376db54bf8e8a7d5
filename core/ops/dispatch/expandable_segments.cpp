// Segments that grow (expandable_segments:True): addresses are reserved once per pool, and memory is put behind them
// page by page.
#include <algorithm>

#include "core/ops/dispatch/caching_allocator_state.h"

namespace warpwalk::ops {
namespace {

constexpr std::uint64_t mebibyte = 1024 * 1024;

std::uint64_t page_of(bool small) { return small ? 2 * mebibyte : 20 * mebibyte; }

}  // namespace

std::uint64_t CachingAllocator::Impl::larger_when_grown(Pieces::iterator piece) const {
  const auto next = std::next(piece);
  const bool grows = next != pieces.end() && next->second.segment == piece->second.segment && !next->second.mapped;
  return piece->second.bytes + (grows ? next->second.bytes : 0);
}

/// The lowest free addresses that can hold the request: free memory and addresses without memory, one after the other.
CachingAllocator::Impl::Pieces::iterator CachingAllocator::Impl::growing_place(bool small, std::uint64_t rounded) {
  for (auto hole = pieces.begin(); hole != pieces.end(); ++hole) {
    if (hole->second.mapped || segments.at(hole->second.segment).small != small) continue;
    auto first = hole;
    if (first != pieces.begin())
      if (const auto before = std::prev(first);
          !before->second.in_use && before->second.segment == first->second.segment)
        first = before;
    std::uint64_t room = 0;
    for (auto at = first; at != pieces.end() && room < rounded; ++at) {
      if (at->second.in_use || at->second.segment != first->second.segment) break;
      room += at->second.bytes;
    }
    if (room >= rounded) return first;
  }
  const auto range = owner.source_.reserve_addresses();
  if (!range || range->second < rounded) return pieces.end();
  const auto [address, bytes] = *range;
  segments[address] = {bytes, small, true};
  return pieces.insert_or_assign(address, Piece{.bytes = bytes, .segment = address, .mapped = false}).first;
}

/// Maps the pages of the first `bytes` of a piece without memory. Returns the free piece that contains them, in its
/// list; end() if the driver refuses.
CachingAllocator::Impl::Pieces::iterator CachingAllocator::Impl::map(Pieces::iterator piece, std::uint64_t bytes) {
  const std::uint64_t base = piece->second.segment, page = page_of(segments.at(base).small);
  const std::uint64_t end = base + (piece->first + bytes - base + page - 1) / page * page;
  const std::uint64_t mapped = std::min(end - piece->first, piece->second.bytes);
  if (!owner.source_.map(piece->first, mapped)) return pieces.end();
  if (mapped < piece->second.bytes)
    pieces.insert_or_assign(piece->first + mapped,
                            Piece{.bytes = piece->second.bytes - mapped, .segment = base, .mapped = false});
  piece->second.bytes = mapped;
  piece->second.mapped = true;
  owner.reserved_ += mapped;
  owner.peak_reserved_ = std::max(owner.peak_reserved_, owner.reserved_);
  report_segment(MemoryChange::Kind::segment_allocate, piece->first, mapped);
  piece = join_around(piece);
  insert_free(piece);
  return piece;
}

CachingAllocator::Impl::Pieces::iterator CachingAllocator::Impl::expand(bool small, std::uint64_t rounded) {
  auto piece = growing_place(small, rounded);
  if (piece == pieces.end()) return piece;
  if (!piece->second.mapped) piece = map(piece, std::min(piece->second.bytes, rounded));
  while (piece != pieces.end() && piece->second.bytes < rounded) {
    const auto next = std::next(piece);
    piece = map(next, std::min(rounded - piece->second.bytes, next->second.bytes));
  }
  if (piece != pieces.end()) erase_free(piece);
  return piece;
}

/// Gives back the whole pages of a free piece.
void CachingAllocator::Impl::unmap(Pieces::iterator piece) {
  const std::uint64_t base = piece->second.segment, page = page_of(segments.at(base).small);
  const std::uint64_t from = base + (piece->first - base + page - 1) / page * page;
  const std::uint64_t end = piece->first + piece->second.bytes;
  const std::uint64_t to = base + (end - base) / page * page;
  if (to <= from) return;
  erase_free(piece);
  if (from > piece->first) {
    piece->second.bytes = from - piece->first;
    insert_free(piece);
    piece = pieces.insert_or_assign(from, Piece{.segment = base}).first;
  }
  piece->second.bytes = to - from;
  piece->second.mapped = false;
  if (end > to) insert_free(pieces.insert_or_assign(to, Piece{.bytes = end - to, .segment = base}).first);
  owner.source_.unmap(from, to - from);
  owner.reserved_ -= to - from;
  report_segment(MemoryChange::Kind::segment_free, from, to - from);
  piece = join_around(piece);
  if (piece->second.bytes == segments.at(base).bytes) {
    pieces.erase(piece);
    segments.erase(base);
  }
}

}  // namespace warpwalk::ops
