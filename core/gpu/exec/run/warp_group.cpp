#include <algorithm>
#include <cstring>
#include <utility>

#include "core/gpu/alu/matrix/group_mma.h"
#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/gpu/exec/run/matrix_place.h"

namespace warpwalk::gpu {

namespace handlers {

namespace {

constexpr std::uint32_t core_matrix_bytes = 16;

/// Reads `rows` rows of a matrix in shared memory from row `first` on, group_line_bytes each. The tensor cores read on
/// their own, so the accesses are neither counted nor logged. Returns false if a piece cannot be read.
bool gather(Machine& m, const Op& op, const MatrixPlace& place, bool transposed, std::uint32_t first,
            std::uint32_t rows, std::uint8_t* to) {
  AccessLog* const log = std::exchange(m.access_log, nullptr);
  bool all = true;
  // Every row has two pieces. Transposed, each eight rows have one piece for each of the 16 elements along k.
  for (std::uint32_t begin = 0; begin < 2 * rows; begin += lanes_per_warp) {
    alignas(64) std::uint64_t at[lanes_per_warp] = {};
    const std::uint32_t count = std::min<std::uint32_t>(2 * rows - begin, lanes_per_warp);
    const std::uint32_t mask = count == lanes_per_warp ? all_lanes : (1u << count) - 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t piece = begin + i;
      at[i] = m.block->shared_base + (transposed ? place.across_k(first / 8 + piece / 16, piece % 16)
                                                 : place.along_k(first + piece / 2, piece % 2));
    }
    Places places;
    const std::uint32_t reached = m.translate_shared(op, mask, at, core_matrix_bytes, false, places);
    all = all && reached == mask;
    for_lanes(reached, [&](int lane) {
      const std::uint32_t piece = begin + static_cast<std::uint32_t>(lane);
      if (!transposed) {
        std::memcpy(to + piece * core_matrix_bytes, places.host[lane], core_matrix_bytes);
        return;
      }
      for (std::uint32_t row = 0; row < 8; ++row)
        std::memcpy(to + (piece / 16 * 8 + row) * group_line_bytes + piece % 16 * 2, places.host[lane] + 2 * row, 2);
    });
  }
  m.access_log = log;
  return all;
}

/// A from registers: register r of a lane has 4 bytes of row lane / 4, plus 8 if r is odd.
void gather_registers(Machine& m, const std::vector<Slot>& a, std::uint8_t* to) {
  for (std::size_t r = 0; r < a.size(); ++r) {
    const auto* const values = m.at<const std::uint32_t>(a[r]);
    for (std::size_t lane = 0; lane < lanes_per_warp; ++lane)
      std::memcpy(to + (lane / 4 + r % 2 * 8) * group_line_bytes + r / 2 * core_matrix_bytes + lane % 4 * 4,
                  values + lane, 4);
  }
}

/// Calls visit(warp) for the other warps of the current warp's group that have not ended.
template <class Visit>
void for_each_other(Machine& m, Visit visit) {
  const std::uint32_t first = m.warp->id / warps_per_group * warps_per_group;
  for (std::uint32_t id = first; id < first + warps_per_group && id < m.block->warps.size(); ++id)
    if (id != m.warp->id && !m.block->warps[id].done()) visit(m.block->warps[id]);
}

std::uint32_t count_of(const Warp& warp, const Op& op) {
  return op.run == wait_for_group_products ? warp.group_commits : warp.group_arrivals;
}

/// True if all warps of the current warp's group have a count that is not below `needed`.
bool all_reached(Machine& m, const Op& op, std::uint32_t needed) {
  bool all = true;
  // Counts may wrap.
  for_each_other(m, [&](Warp& other) { all = all && static_cast<std::int32_t>(count_of(other, op) - needed) >= 0; });
  return all;
}

/// The warps of the group have met at `op`, and the current one, which has waited there for this count, goes on.
void meet(Machine& m, const Op& op, std::uint32_t needed) {
  if (m.sanitizer == nullptr) return;
  // wgmma.fence is no barrier: it orders only accesses to registers. A wait for products orders what each warp of the
  // group has done before its own products.
  if (op.run != wait_for_group_products) return m.sanitizer->warp_sync(m, all_lanes);
  const std::uint32_t first = m.warp->id / warps_per_group * warps_per_group;
  const auto count = std::min<std::size_t>(warps_per_group, m.block->warps.size() - first);
  SharedShadow& shadow = *m.block->shadow;
  const std::uint32_t channel = m.warp_group_channel();
  shadow.synchronize_warp_group(((std::uint64_t{1} << count) - 1) << first, m.block->first_warp, channel);
  if (static_cast<std::int32_t>(needed) <= 0) return;
  shadow.complete(m.shadow_warp(), channel, needed);
  ProductRegisters::complete(m, needed);
}

/// Waits until the other warps of the group have reached this count.
void wait_for(Machine& m, const Op& op, std::uint32_t needed) {
  if (all_reached(m, op, needed)) return meet(m, op, needed);
  m.split->barrier = needed;
  m.wait(SplitState::at_warp_group, op);
}

/// Computes a product.
void multiply(Machine& m, const Op& op) {
  const GroupProduct& product = m.program.group_products[op.table_index];
  const GroupMma& mma = product.mma;
  const auto descriptor = [&](std::size_t first) {
    return MatrixPlace::of(*m.at<const std::uint32_t>(product.descriptors[first]) |
                           std::uint64_t{*m.at<const std::uint32_t>(product.descriptors[first + 1])} << 32);
  };
  alignas(64) std::uint8_t a[group_warp_rows * group_line_bytes] = {};
  alignas(64) std::uint8_t b[group_max_columns * group_line_bytes] = {};
  if (!product.a.empty()) {
    gather_registers(m, product.a, a);
  } else if (!gather(m, op, descriptor(0), product.transposes_a, m.warp->id % 4 * group_warp_rows, group_warp_rows,
                     a)) {
    return;
  }
  if (!gather(m, op, descriptor(2), product.transposes_b, 0, static_cast<std::uint32_t>(mma.columns), b)) return;
  const bool adds = op.p_in < 0 || ((m.predicate(op.p_in) & 1) != 0) != op.p_in_negated;
  void* d[group_max_columns / 2];
  const void* c[group_max_columns / 2];
  for (std::size_t k = 0; k < product.d.size(); ++k) d[k] = m.at<void>(product.d[k]);
  for (std::size_t k = 0; k < product.c.size(); ++k) c[k] = m.at<const void>(product.c[k]);
  gpu::run(mma, {a, b, d, adds && !product.c.empty() ? c : nullptr});
}

}  // namespace

void multiply_warp_group(Machine& m, const Op& op) {
  // The product is complete at once; on a GPU, its registers are valid after WARPGROUP.DEPBAR at the latest, and it
  // reads its operands until then.
  if (!m.require_full_warp(op)) return;
  m.accessed_by = AccessedBy::product;
  multiply(m, op);
  m.accessed_by = AccessedBy::thread;
  if (m.checks_products()) ProductRegisters::issue(m, op);
  if (!m.program.group_products[op.table_index].commits) return;
  ++m.warp->group_commits;
  m.release_warp_group();
}

void commit_group_products(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  ++m.warp->group_commits;
  m.release_warp_group();
}

void arrive_at_warp_group(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  ProductRegisters::fence(m);
  ++m.warp->group_arrivals;
  m.release_warp_group();
  if (op.immediate != 0) wait_for(m, op, m.warp->group_arrivals);
}

void wait_for_warp_group(Machine& m, const Op& op) {
  if (m.require_full_warp(op)) wait_for(m, op, m.warp->group_arrivals);
}

void wait_for_group_products(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  m.warp->fenced_since_wait = false;
  wait_for(m, op, m.warp->group_commits - static_cast<std::uint32_t>(op.immediate));
}

}  // namespace handlers

void Machine::release_warp_group() {
  Warp* const current = warp;
  const std::uint32_t first = warp->id / warps_per_group * warps_per_group;
  for (std::uint32_t id = first; id < first + warps_per_group && id < block->warps.size(); ++id) {
    for (Split& waiting : block->warps[id].used_splits()) {
      if (waiting.state != SplitState::at_warp_group) continue;
      warp = &block->warps[id];
      const Op& op = program.ops[waiting.pc];
      if (!handlers::all_reached(*this, op, waiting.barrier)) continue;
      handlers::meet(*this, op, waiting.barrier);
      ++waiting.pc;
      waiting.state = SplitState::ready;
    }
  }
  warp = current;
}

}  // namespace warpwalk::gpu
