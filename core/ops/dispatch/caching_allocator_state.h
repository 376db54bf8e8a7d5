#pragma once

// The state of CachingAllocator, shared by the files that implement it.
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/ops/dispatch/caching_allocator.h"

namespace warpwalk::ops {

struct CachingAllocator::Impl {
  struct Piece {
    std::uint64_t bytes = 0, requested = 0;
    std::uint64_t segment = 0;  ///< address
    bool in_use = false;
    bool mapped = true;       ///< false: addresses of an expandable segment without memory
    std::uint64_t since = 0;  ///< number of searches of the pool when it became free
  };
  struct Whole {
    std::uint64_t bytes = 0;
    bool small = false, expandable = false;
  };
  using Pieces = std::map<std::uint64_t, Piece>;  // by address
  using FreeList =
      std::set<std::pair<std::uint64_t, std::uint64_t>>;  // bytes, address: the first that fits is the best

  explicit Impl(CachingAllocator& allocator) : owner(allocator) {}

  FreeList& free_list(std::uint64_t segment) { return free_lists[segments.at(segment).small ? 1 : 0]; }
  const AllocatorSettings& settings() const { return owner.settings_; }
  bool counts_searches() const {
    return settings().collect_from > 0 && settings().limit != AllocatorSettings::unlimited;
  }
  void report(MemoryChange::Kind kind, std::uint64_t address, const Piece& piece) const;
  void report_segment(MemoryChange::Kind kind, std::uint64_t address, std::uint64_t bytes) const;

  void insert_free(Pieces::iterator piece);
  void erase_free(Pieces::iterator piece) {
    free_list(piece->second.segment).erase({piece->second.bytes, piece->first});
  }
  /// The free piece that PyTorch would take, still in its list; end() if none fits.
  Pieces::iterator best_free(bool small, std::uint64_t rounded);
  /// Cuts a piece, which is in no list, to size.
  void cut(Pieces::iterator piece, std::uint64_t rounded);
  /// Whether the neighbours are of one segment, not in use and alike.
  bool joins(Pieces::iterator piece, Pieces::iterator next) const;
  /// Joins a free piece, which is in no list, with its free neighbours, which are taken off theirs.
  Pieces::iterator join_around(Pieces::iterator piece);

  bool is_whole(Pieces::iterator piece) const {
    const Whole& whole = segments.at(piece->second.segment);
    return !whole.expandable && whole.bytes == piece->second.bytes;
  }
  /// A new piece for the request, in no list; end() if the driver or the limit refuses.
  Pieces::iterator add_segment(bool small, std::uint64_t rounded);
  void give_back(Pieces::iterator piece);
  void give_back_free_segments();
  bool give_back_for(bool small, std::uint64_t rounded);
  void collect();

  // Expandable segments (expandable_segments.cpp).
  Pieces::iterator expand(bool small, std::uint64_t rounded);
  Pieces::iterator growing_place(bool small, std::uint64_t rounded);
  Pieces::iterator map(Pieces::iterator piece, std::uint64_t bytes);
  void unmap(Pieces::iterator piece);
  std::uint64_t larger_when_grown(Pieces::iterator piece) const;

  CachingAllocator& owner;
  Pieces pieces;
  std::map<std::uint64_t, Whole> segments;
  std::array<FreeList, 2> free_lists;          // of large, of small segments
  std::array<std::uint64_t, 2> searches = {};  // of the lists; counted only if free pieces are collected
};

}  // namespace warpwalk::ops
