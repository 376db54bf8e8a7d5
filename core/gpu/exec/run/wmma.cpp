#include <cstring>

#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/memory/access_cost_cache.h"

namespace warpwalk::gpu::handlers {

namespace {

/// Locates the elements of one matrix in memory: start address, and the distances of rows and columns.
class MatrixElements {
 public:
  MatrixElements(Machine& m, const Op& op)
      : m_(m), op_(op), access_(m.program.accesses[op.table_index]), matrix_(m.program.matrices[op.target]) {
    std::uint64_t begins[lanes_per_warp];
    m.addresses(op, access_, begins);
    begin_ = begins[0];  // must be the same in every lane
    const std::uint64_t stride = m.at<const std::uint32_t>(op.b)[0];
    row_ = matrix_.by_rows ? stride : 1;
    column_ = matrix_.by_rows ? 1 : stride;
    shared_ = access_.space == ptx::Space::shared;
    if (access_.space == ptx::Space::generic && begin_ - shared_window < shared_window_bytes) {
      shared_ = true;
      begin_ -= shared_window;
    }
  }

  /// Finds the host pointers of `each` elements, starting at element i of register r. Returns the valid lanes.
  std::uint32_t reach(int r, int i, int each, Places& places) {
    alignas(64) std::uint64_t at[lanes_per_warp];
    for (int lane = 0; lane < lanes_per_warp; ++lane) at[lane] = address(lane, r, i);
    const int bytes = each * access_.bytes;
    Counters& counters = m_.tally.counters;
    const bool store = access_.store;
    if (shared_) {
      counters.add_shared_request(store);
      counters.add_wavefronts(store, wavefronts_of(at, all_lanes, bytes, store));
      return m_.translate_shared(op_, all_lanes, at, bytes, store, places);
    }
    ++(store ? counters.global_store_requests : counters.global_load_requests);
    counters.add_sectors(store ? &Counters::global_store_sectors : &Counters::global_load_sectors,
                         static_cast<std::uint64_t>(count_sectors(at, all_lanes, bytes)), lanes_per_warp, bytes);
    return m_.translate_global(op_, all_lanes, at, bytes,
                               store ? MemoryObserver::Kind::write : MemoryObserver::Kind::read, places);
  }

  /// Number of a register's elements that are contiguous and aligned in memory in every lane: all of them, or 1.
  int together() const {
    const int count = matrix_.wmma.elements_per_register;
    if (count == 1 || address(0, 0, 1) != address(0, 0, 0) + access_.bytes) return 1;
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      if (address(lane, 0, 0) % static_cast<std::uint64_t>(count * access_.bytes) != 0) return 1;
    }
    return count;
  }

  /// Calls each(pointer in memory, pointer in the register, bytes) for every contiguous piece of the matrix.
  template <class Each>
  void for_pieces(Each each) {
    const int step = together();
    for (std::size_t r = 0; r < matrix_.d.size(); ++r) {
      auto* const values = m_.at<std::uint8_t>(matrix_.d[r]);
      const int width = access_.bytes == 8 ? 8 : 4;
      for (int i = 0; i < matrix_.wmma.elements_per_register; i += step) {
        Places places;
        const std::uint32_t reached = reach(static_cast<int>(r), i, step, places);
        for_lanes(reached, [&](int lane) {
          each(places.host[lane], values + width * lane + i * access_.bytes,
               static_cast<std::size_t>(step * access_.bytes));
        });
      }
    }
  }

 private:
  std::uint64_t address(int lane, int r, int i) const {
    const auto [row, column] = element_position(matrix_.wmma, lane, r, i);
    const std::uint64_t element = static_cast<std::uint64_t>(row) * row_ + static_cast<std::uint64_t>(column) * column_;
    return begin_ + element * access_.bytes;
  }

  Machine& m_;
  const Op& op_;
  const Access& access_;
  const MatrixOp& matrix_;
  std::uint64_t begin_ = 0, row_ = 0, column_ = 0;
  bool shared_ = false;
};

}  // namespace

void load_fragment(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  MatrixElements(m, op).for_pieces(
      [](const std::uint8_t* place, std::uint8_t* value, std::size_t bytes) { std::memcpy(value, place, bytes); });
}

void store_fragment(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  MatrixElements(m, op).for_pieces(
      [](std::uint8_t* place, const std::uint8_t* value, std::size_t bytes) { std::memcpy(place, value, bytes); });
}

}  // namespace warpwalk::gpu::handlers
