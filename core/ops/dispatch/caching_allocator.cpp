#include "core/ops/dispatch/caching_allocator.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"

namespace warpwalk::ops {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

// PyTorch's names for these: kMinBlockSize, kSmallSize, kSmallBuffer, kLargeBuffer, kMinLargeAlloc, kRoundLarge.
constexpr std::uint64_t block_step = 512;
constexpr std::uint64_t small_request = 1 * mib;
constexpr std::uint64_t small_segment = 2 * mib;
constexpr std::uint64_t large_segment = 20 * mib;
constexpr std::uint64_t own_segment_from = 10 * mib;
constexpr std::uint64_t own_segment_step = 2 * mib;

/// More than any device has; the rounding below cannot overflow.
constexpr std::uint64_t nonsense = std::uint64_t{1} << 60;

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) { return (value + step - 1) / step * step; }

std::uint64_t segment_bytes_for(std::uint64_t rounded) {
  if (rounded <= small_request) return small_segment;
  return rounded < own_segment_from ? large_segment : round_up(rounded, own_segment_step);
}

/// Whether what is left of a block is worth keeping apart. In a large segment pieces of up to 1 MiB would never be
/// used: such requests go to the small pool.
bool worth_splitting(bool small, std::uint64_t rest) { return small ? rest >= block_step : rest > small_request; }

}  // namespace

struct CachingAllocator::Impl {
  struct Piece {
    std::uint64_t bytes = 0, requested = 0;
    std::uint64_t segment = 0;  ///< address
    bool in_use = false;
  };
  struct Whole {
    std::uint64_t bytes = 0;
    bool small = false;
  };
  using Pieces = std::map<std::uint64_t, Piece>;  // by address
  using FreeList =
      std::set<std::pair<std::uint64_t, std::uint64_t>>;  // bytes, address: the first that fits is the best

  explicit Impl(CachingAllocator& allocator) : owner(allocator) {}

  FreeList& free_list(std::uint64_t segment) { return free_lists[segments.at(segment).small ? 1 : 0]; }
  void report(MemoryChange::Kind kind, std::uint64_t address, const Piece& piece) const;
  void report_segment(MemoryChange::Kind kind, std::uint64_t address, std::uint64_t bytes) const;

  bool add_segment(std::uint64_t bytes, bool small);
  void give_back_free_segments();
  Pieces::iterator take(bool small, std::uint64_t rounded);
  void join_with_next(Pieces::iterator piece);

  CachingAllocator& owner;
  Pieces pieces;
  std::map<std::uint64_t, Whole> segments;
  std::array<FreeList, 2> free_lists;  // of large, of small segments
};

void CachingAllocator::Impl::report(MemoryChange::Kind kind, std::uint64_t address, const Piece& piece) const {
  if (owner.observer_ == nullptr) return;
  owner.observer_->memory({.kind = kind,
                           .address = address,
                           .bytes = piece.requested,
                           .rounded_bytes = piece.bytes,
                           .segment = piece.segment,
                           .segment_bytes = segments.at(piece.segment).bytes,
                           .allocated = owner.allocated_,
                           .reserved = owner.reserved_});
}

void CachingAllocator::Impl::report_segment(MemoryChange::Kind kind, std::uint64_t address, std::uint64_t bytes) const {
  if (owner.observer_ == nullptr) return;
  owner.observer_->memory({.kind = kind,
                           .address = address,
                           .bytes = bytes,
                           .rounded_bytes = bytes,
                           .segment = address,
                           .segment_bytes = bytes,
                           .allocated = owner.allocated_,
                           .reserved = owner.reserved_});
}

/// Returns false if the driver is out of memory.
bool CachingAllocator::Impl::add_segment(std::uint64_t bytes, bool small) {
  const std::optional<std::uint64_t> address = owner.source_.allocate(bytes);
  if (!address) return false;
  segments[*address] = {bytes, small};
  pieces[*address] = {.bytes = bytes, .segment = *address};
  free_list(*address).emplace(bytes, *address);
  owner.reserved_ += bytes;
  owner.peak_reserved_ = std::max(owner.peak_reserved_, owner.reserved_);
  report_segment(MemoryChange::Kind::segment_allocate, *address, bytes);
  return true;
}

/// Large ones first, each kind by size and address, as PyTorch does.
void CachingAllocator::Impl::give_back_free_segments() {
  for (FreeList& list : free_lists)
    for (auto entry = list.begin(); entry != list.end();) {
      const auto [bytes, address] = *entry;
      const auto segment = segments.find(address);
      if (segment == segments.end() || segment->second.bytes != bytes) {
        ++entry;
        continue;
      }
      entry = list.erase(entry);
      pieces.erase(address);
      segments.erase(segment);
      owner.source_.free(address, bytes);
      owner.reserved_ -= bytes;
      report_segment(MemoryChange::Kind::segment_free, address, bytes);
    }
}

/// The best free piece, cut to size and removed from its list; end() if none fits.
CachingAllocator::Impl::Pieces::iterator CachingAllocator::Impl::take(bool small, std::uint64_t rounded) {
  FreeList& list = free_lists[small ? 1 : 0];
  const auto best = list.lower_bound({rounded, 0});
  if (best == list.end()) return pieces.end();
  const auto piece = pieces.find(best->second);
  list.erase(best);
  const std::uint64_t rest = piece->second.bytes - rounded;
  if (!worth_splitting(small, rest)) return piece;
  piece->second.bytes = rounded;
  pieces[piece->first + rounded] = {.bytes = rest, .segment = piece->second.segment};
  list.emplace(rest, piece->first + rounded);
  return piece;
}

/// Both free and of one segment; neither is in the list afterwards.
void CachingAllocator::Impl::join_with_next(Pieces::iterator piece) {
  const auto next = std::next(piece);
  FreeList& list = free_list(piece->second.segment);
  list.erase({piece->second.bytes, piece->first});
  list.erase({next->second.bytes, next->first});
  piece->second.bytes += next->second.bytes;
  pieces.erase(next);
}

CachingAllocator::CachingAllocator(SegmentSource& source, Observer* observer)
    : source_(source), observer_(observer), impl_(std::make_unique<Impl>(*this)) {}

CachingAllocator::~CachingAllocator() {
  for (const auto& [address, segment] : impl_->segments) source_.free(address, segment.bytes);
}

std::uint64_t CachingAllocator::allocate(std::uint64_t bytes) {
  if (bytes == 0) return 0;
  const std::uint64_t rounded = round_up(std::min(bytes, nonsense), block_step);
  const bool small = rounded <= small_request;
  auto piece = impl_->take(small, rounded);
  if (piece == impl_->pieces.end() && bytes < nonsense) {
    const std::uint64_t segment = segment_bytes_for(rounded);
    bool found = impl_->add_segment(segment, small);
    if (!found) {
      impl_->give_back_free_segments();
      found = impl_->add_segment(segment, small);
    }
    if (found) piece = impl_->take(small, rounded);
  }
  if (piece == impl_->pieces.end())
    throw OpError(
        fmt::format("out of GPU memory: {} B requested; tensors hold {} B, {} B more are cached, but no free piece of "
                    "them is large enough. Use smaller shapes, or fewer tensors at a time",
                    bytes, allocated_, reserved_ - allocated_));
  piece->second.in_use = true;
  piece->second.requested = bytes;
  allocated_ += piece->second.bytes;
  peak_allocated_ = std::max(peak_allocated_, allocated_);
  impl_->report(MemoryChange::Kind::allocate, piece->first, piece->second);
  return piece->first;
}

void CachingAllocator::free(std::uint64_t address) {
  if (address == 0) return;
  auto piece = impl_->pieces.find(address);
  if (piece == impl_->pieces.end() || !piece->second.in_use)
    throw OpError(fmt::format("no block in use begins at {:#x}: it cannot be freed", address));
  allocated_ -= piece->second.bytes;
  impl_->report(MemoryChange::Kind::free, address, piece->second);
  piece->second.in_use = false;
  piece->second.requested = 0;
  const auto joins = [&](const Impl::Pieces::iterator other) {
    return !other->second.in_use && other->second.segment == piece->second.segment;
  };
  if (const auto next = std::next(piece); next != impl_->pieces.end() && joins(next)) impl_->join_with_next(piece);
  if (piece != impl_->pieces.begin() && joins(std::prev(piece))) impl_->join_with_next(--piece);
  impl_->free_list(piece->second.segment).emplace(piece->second.bytes, piece->first);
}

void CachingAllocator::empty_cache() { impl_->give_back_free_segments(); }

std::vector<CachingAllocator::Segment> CachingAllocator::segments() const {
  std::vector<Segment> result;
  for (const auto& [address, whole] : impl_->segments) {
    Segment& segment = result.emplace_back(Segment{address, whole.bytes, whole.small, {}});
    for (auto piece = impl_->pieces.find(address); piece != impl_->pieces.end() && piece->second.segment == address;
         ++piece)
      segment.blocks.push_back({piece->first, piece->second.bytes, piece->second.requested, piece->second.in_use});
  }
  return result;
}

}  // namespace warpwalk::ops
