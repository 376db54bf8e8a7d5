#include "core/ops/dispatch/caching_allocator.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/ops/dispatch/caching_allocator_state.h"
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
/// max_non_split_rounding_size: how much larger a block may be that is handed out whole.
constexpr std::uint64_t unsplit_excess = 20 * mib;

/// More than any device has; the rounding below cannot overflow.
constexpr std::uint64_t nonsense = std::uint64_t{1} << 60;

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) { return (value + step - 1) / step * step; }

/// Whether what is left of a block is worth keeping apart. In a large segment pieces of up to 1 MiB would never be
/// used: such requests go to the small pool.
bool worth_splitting(const AllocatorSettings& settings, bool small, std::uint64_t rounded, std::uint64_t rest) {
  if (small || settings.expandable) return rest >= block_step;
  return rounded < settings.max_split && rest > small_request;
}

}  // namespace

std::uint64_t CachingAllocator::rounded(std::uint64_t bytes, const AllocatorSettings& settings) {
  bytes = std::min(bytes, nonsense);
  if (bytes < block_step) return block_step;
  const std::uint64_t divisions = settings.round_up_divisions;
  if (divisions <= 1 || bytes <= block_step * divisions) return round_up(bytes, block_step);
  const std::uint64_t step = std::bit_floor(bytes) >> (std::bit_width(divisions) - 1);
  return std::has_single_bit(bytes) ? bytes : round_up(bytes, step);
}

bool CachingAllocator::is_small(std::uint64_t rounded) { return rounded <= small_request; }

std::uint64_t CachingAllocator::segment_for(std::uint64_t rounded) {
  if (is_small(rounded)) return small_segment;
  return rounded < own_segment_from ? large_segment : round_up(rounded, own_segment_step);
}

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

void CachingAllocator::Impl::insert_free(Pieces::iterator piece) {
  piece->second.since = searches[segments.at(piece->second.segment).small ? 1 : 0];
  free_list(piece->second.segment).emplace(piece->second.bytes, piece->first);
}

CachingAllocator::Impl::Pieces::iterator CachingAllocator::Impl::best_free(bool small, std::uint64_t rounded) {
  if (counts_searches()) ++searches[small ? 1 : 0];
  const FreeList& list = free_lists[small ? 1 : 0];
  auto best = list.lower_bound({rounded, 0});
  if (best == list.end()) return pieces.end();
  if (settings().expandable)
    // A block that can grow counts as large as it can become.
    for (auto next = std::next(best); next != list.end(); ++next) {
      if (larger_when_grown(pieces.find(next->second)) >= larger_when_grown(pieces.find(best->second))) break;
      best = next;
    }
  if (rounded < settings().max_split && best->first >= settings().max_split) return pieces.end();
  if (rounded >= settings().max_split && best->first >= rounded + unsplit_excess) return pieces.end();
  return pieces.find(best->second);
}

void CachingAllocator::Impl::cut(Pieces::iterator piece, std::uint64_t rounded) {
  const std::uint64_t rest = piece->second.bytes - rounded;
  if (!worth_splitting(settings(), segments.at(piece->second.segment).small, rounded, rest)) return;
  piece->second.bytes = rounded;
  insert_free(
      pieces.insert_or_assign(piece->first + rounded, Piece{.bytes = rest, .segment = piece->second.segment}).first);
}

bool CachingAllocator::Impl::joins(Pieces::iterator piece, Pieces::iterator next) const {
  return !piece->second.in_use && !next->second.in_use && piece->second.segment == next->second.segment &&
         piece->second.mapped == next->second.mapped;
}

CachingAllocator::Impl::Pieces::iterator CachingAllocator::Impl::join_around(Pieces::iterator piece) {
  if (const auto next = std::next(piece); next != pieces.end() && joins(piece, next)) {
    if (next->second.mapped) erase_free(next);
    piece->second.bytes += next->second.bytes;
    pieces.erase(next);
  }
  if (piece != pieces.begin() && joins(std::prev(piece), piece)) {
    const auto before = std::prev(piece);
    if (before->second.mapped) erase_free(before);
    before->second.bytes += piece->second.bytes;
    pieces.erase(piece);
    piece = before;
  }
  return piece;
}

CachingAllocator::Impl::Pieces::iterator CachingAllocator::Impl::add_segment(bool small, std::uint64_t rounded) {
  const std::uint64_t bytes = segment_for(rounded);
  if (bytes > settings().limit || owner.reserved_ > settings().limit - bytes) return pieces.end();
  if (settings().expandable) return expand(small, rounded);
  const std::optional<std::uint64_t> address = owner.source_.allocate(bytes);
  if (!address) return pieces.end();
  segments[*address] = {bytes, small};
  owner.reserved_ += bytes;
  owner.peak_reserved_ = std::max(owner.peak_reserved_, owner.reserved_);
  report_segment(MemoryChange::Kind::segment_allocate, *address, bytes);
  return pieces.insert_or_assign(*address, Piece{.bytes = bytes, .segment = *address}).first;
}

void CachingAllocator::Impl::give_back(Pieces::iterator piece) {
  const auto [address, bytes] = std::pair(piece->first, piece->second.bytes);
  erase_free(piece);
  pieces.erase(piece);
  segments.erase(address);
  owner.source_.free(address, bytes);
  owner.reserved_ -= bytes;
  report_segment(MemoryChange::Kind::segment_free, address, bytes);
}

/// Large ones first, each kind by size and address, as PyTorch does.
void CachingAllocator::Impl::give_back_free_segments() {
  for (const FreeList& list : free_lists) {
    std::vector<std::uint64_t> grown;
    for (auto entry = list.begin(); entry != list.end();) {
      const auto piece = pieces.find((entry++)->second);
      if (segments.at(piece->second.segment).expandable)
        grown.push_back(piece->first);
      else if (is_whole(piece))
        give_back(piece);
    }
    for (const std::uint64_t address : grown) unmap(pieces.find(address));
  }
}

/// With max_split: gives back blocks that are not split, as many as the request needs. Returns whether they suffice.
bool CachingAllocator::Impl::give_back_for(bool small, std::uint64_t rounded) {
  if (settings().max_split == AllocatorSettings::unlimited) return false;
  FreeList& list = free_lists[small ? 1 : 0];
  const std::uint64_t wanted = std::max(rounded, settings().max_split);
  if (const auto one = list.lower_bound({wanted, 0}); one != list.end()) {
    give_back(pieces.find(one->second));
    return true;
  }
  std::uint64_t released = 0;
  while (!list.empty() && released < wanted && std::prev(list.end())->first >= settings().max_split) {
    released += std::prev(list.end())->first;
    give_back(pieces.find(std::prev(list.end())->second));
  }
  return released >= wanted;
}

/// garbage_collection_threshold: gives back the free segments that were not used for longer than the average one.
void CachingAllocator::Impl::collect() {
  if (!counts_searches()) return;
  const auto threshold = static_cast<std::uint64_t>(settings().collect_from * static_cast<double>(settings().limit));
  if (owner.reserved_ <= threshold) return;
  const std::uint64_t target = owner.reserved_ - threshold;
  const auto age = [&](Pieces::iterator piece) { return searches[0] - piece->second.since; };
  std::vector<Pieces::iterator> candidates;
  std::uint64_t total_age = 0, reclaimed = 0;
  for (const auto& entry : free_lists[0])
    if (const auto piece = pieces.find(entry.second); is_whole(piece)) {
      candidates.push_back(piece);
      total_age += age(piece);
    }
  for (bool freed = true; reclaimed < target && freed && !candidates.empty();) {
    const double average = static_cast<double>(total_age) / static_cast<double>(candidates.size());
    freed = false;
    std::vector<Pieces::iterator> left;
    for (const auto piece : candidates) {
      if (static_cast<double>(age(piece)) < average) {
        left.push_back(piece);
        continue;
      }
      freed = true;
      reclaimed += piece->second.bytes;
      total_age -= age(piece);
      give_back(piece);
    }
    candidates = std::move(left);
  }
}

CachingAllocator::CachingAllocator(SegmentSource& source, Observer* observer, const AllocatorSettings& settings)
    : source_(source), observer_(observer), settings_(settings), impl_(std::make_unique<Impl>(*this)) {}

CachingAllocator::~CachingAllocator() {
  for (const auto& [address, segment] : impl_->segments)
    if (!segment.expandable) source_.free(address, segment.bytes);
  for (const auto& [address, piece] : impl_->pieces)
    if (piece.mapped && impl_->segments.at(piece.segment).expandable) source_.unmap(address, piece.bytes);
}

std::uint64_t CachingAllocator::allocate(std::uint64_t bytes) {
  if (bytes == 0) return 0;
  const std::uint64_t size = rounded(bytes, settings_);
  const bool small = is_small(size);
  const auto none = impl_->pieces.end();
  auto piece = impl_->best_free(small, size);
  if (piece != none) {
    impl_->erase_free(piece);
  } else if (bytes < nonsense) {
    impl_->collect();
    piece = impl_->add_segment(small, size);
    if (piece == none && impl_->give_back_for(small, size)) piece = impl_->add_segment(small, size);
    if (piece == none) {
      impl_->give_back_free_segments();
      piece = impl_->add_segment(small, size);
    }
  }
  if (piece == none)
    throw OpError(
        fmt::format("out of GPU memory: {} B requested; tensors hold {} B, {} B more are cached, but no free piece of "
                    "them is large enough. Use smaller shapes, or fewer tensors at a time",
                    bytes, allocated_, reserved_ - allocated_));
  impl_->cut(piece, size);
  piece->second.in_use = true;
  piece->second.requested = bytes;
  allocated_ += piece->second.bytes;
  peak_allocated_ = std::max(peak_allocated_, allocated_);
  impl_->report(MemoryChange::Kind::allocate, piece->first, piece->second);
  return piece->first;
}

void CachingAllocator::free(std::uint64_t address) {
  if (address == 0) return;
  const auto piece = impl_->pieces.find(address);
  if (piece == impl_->pieces.end() || !piece->second.in_use)
    throw OpError(fmt::format("no block in use begins at {:#x}: it cannot be freed", address));
  allocated_ -= piece->second.bytes;
  impl_->report(MemoryChange::Kind::free, address, piece->second);
  piece->second.in_use = false;
  piece->second.requested = 0;
  impl_->insert_free(impl_->join_around(piece));
}

void CachingAllocator::empty_cache() { impl_->give_back_free_segments(); }

std::vector<CachingAllocator::Segment> CachingAllocator::segments() const {
  std::vector<Segment> result;
  std::uint64_t last = 0, end = 0;  // segment and end of the previous piece
  for (const auto& [address, piece] : impl_->pieces) {
    if (!piece.mapped) continue;
    if (result.empty() || piece.segment != last || address != end)
      result.push_back({address, 0, impl_->segments.at(piece.segment).small, {}});
    result.back().bytes += piece.bytes;
    result.back().blocks.push_back({address, piece.bytes, piece.requested, piece.in_use});
    last = piece.segment;
    end = address + piece.bytes;
  }
  return result;
}

std::uint64_t CachingAllocator::inactive_split() const {
  std::uint64_t bytes = 0;
  for (const Impl::FreeList& list : impl_->free_lists)
    for (const auto& [size, address] : list)
      if (const auto piece = impl_->pieces.find(address);
          !impl_->is_whole(piece) && !impl_->segments.at(piece->second.segment).expandable)
        bytes += size;
  return bytes;
}

std::uint64_t CachingAllocator::largest_free(std::uint64_t bytes) const {
  const Impl::FreeList& list = impl_->free_lists[is_small(rounded(bytes, settings_)) ? 1 : 0];
  return list.empty() ? 0 : std::prev(list.end())->first;
}

}  // namespace warpwalk::ops
