#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/launch_observer.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/gpu/exec/run/atomic_value.h"
#include "core/gpu/exec/run/mbarrier_state.h"
#include "core/gpu/exec/run/tensor_map.h"

/// Copies by the tensor memory accelerator are made immediately, in pieces; on a GPU they end as late as the wait for
/// them. They bypass L1, so they are not counted.
namespace warpwalk::gpu {

namespace handlers {

namespace {

constexpr std::uint32_t piece_bytes = 16;

std::uint32_t element_bytes(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16:
    case ptx::Type::bf16: return 2;
    case ptx::Type::u64:
    case ptx::Type::s64:
    case ptx::Type::f64: return 8;
    default: return 4;
  }
}

/// One execution of a copy.
class Transfer {
 public:
  Transfer(Machine& machine, const Op& op)
      : m_(machine),
        op_(op),
        copy_(machine.program.bulk_copies[op.table_index]),
        lane_(std::countr_zero(machine.executing_lanes(op))),
        log_(std::exchange(machine.access_log, nullptr)) {
    const bool stores = copy_.kind == BulkCopy::Kind::store || copy_.kind == BulkCopy::Kind::reduce;
    machine.accessed_by = stores ? AccessedBy::bulk_store : AccessedBy::bulk_copy;
    if (!stores) signal(value(copy_.barrier));
    if (log_ == nullptr) return;
    LoggedBulk& bulk = log_->bulk.emplace_back();
    bulk.writes = stores;
    bulk.reduces = copy_.kind == BulkCopy::Kind::reduce;
  }
  ~Transfer() {
    m_.access_log = log_;
    m_.accessed_by = AccessedBy::thread;
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// The accesses that follow end with bytes of this mbarrier.
  void signal(std::uint32_t barrier) { m_.signalled_mbarrier = barrier; }

  /// Notes an access to adjacent bytes of global memory.
  void note(std::uint64_t address, std::uint64_t bytes, ptx::Type type) {
    if (log_ == nullptr || bytes == 0) return;
    log_->bulk.back().ranges.push_back({address, bytes});
    log_->bulk.back().floating = ptx::is_float(type);
  }

  std::uint32_t value(Slot slot) const { return m_.at<const std::uint32_t>(slot)[lane_]; }
  std::uint64_t global() const { return value(copy_.global[0]) | std::uint64_t{value(copy_.global[1])} << 32; }
  const BulkCopy& copy() const { return copy_; }

  /// Host pointers of up to 16 bytes; null if they cannot be reached.
  std::uint8_t* in_global(std::uint64_t address, std::uint32_t bytes, MemoryObserver::Kind kind) {
    at_[lane_] = address;
    const bool reached = m_.translate_global(op_, 1U << lane_, at_, static_cast<int>(bytes), kind, places_) != 0;
    return reached ? places_.host[lane_] : nullptr;
  }
  std::uint8_t* in_shared(std::uint64_t address, std::uint32_t bytes, bool writes, bool atomic = false) {
    at_[lane_] = address;
    const bool reached =
        m_.translate_shared(op_, 1U << lane_, at_, static_cast<int>(bytes), writes, places_, atomic) != 0;
    return reached ? places_.host[lane_] : nullptr;
  }
  /// Calls visit(address, barrier) for the shared memory of every block that gets the data.
  template <class Visit>
  void for_each_target(std::uint32_t address, Visit visit) const {
    const std::uint32_t barrier = value(copy_.barrier);
    if (!copy_.multicast) return visit(address, barrier);
    constexpr std::uint32_t offset_mask = (1U << block_rank_shift) - 1;
    for_lanes(value(copy_.size) >> 16, [&](int rank) {
      const std::uint32_t base = static_cast<std::uint32_t>(rank) << block_rank_shift;
      visit(base | (address & offset_mask), base | (barrier & offset_mask));
    });
  }
  void complete(std::uint32_t barrier, std::uint32_t bytes) {
    if (log_ != nullptr) return log_->bulk.back().completions.push_back({barrier, bytes});
    m_.completes_bytes = true;
    const AccessedBy by = std::exchange(m_.accessed_by, AccessedBy::thread);
    if (std::uint8_t* const place = in_shared(barrier, 8, true, true)) {
      m_.note_mbarrier(op_, barrier, place, MbarrierStep::copies);
      complete_bytes(place, bytes);
    }
    m_.accessed_by = by;
    m_.completes_bytes = false;
  }
  /// Combines up to 16 bytes of elements with those at `to`.
  void combine(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes, ptx::Type type, bool flushes) const {
    const std::uint32_t size = element_bytes(type);
    for (std::uint32_t i = 0; i + size <= bytes; i += size) {
      std::uint64_t old = 0, added = 0;
      std::memcpy(&old, to + i, size);
      std::memcpy(&added, from + i, size);
      const std::uint64_t now = atomic_value(copy_.action, type, old, added, 0, flushes);
      std::memcpy(to + i, &now, size);
    }
  }
  /// Stores or combines up to 16 bytes of elements in global memory.
  bool put(std::uint64_t address, const std::uint8_t* from, std::uint32_t bytes, ptx::Type type, bool flushes) {
    const bool reduces = copy_.kind == BulkCopy::Kind::reduce;
    std::uint8_t* const to =
        in_global(address, bytes, reduces ? MemoryObserver::Kind::atomic : MemoryObserver::Kind::write);
    if (to == nullptr) return false;
    if (!reduces) {
      std::memcpy(to, from, bytes);
      return true;
    }
    combine(to, from, bytes, type, flushes);
    return true;
  }
  void tell(const CopiedPiece& piece) const {
    if (m_.launch_observer != nullptr) m_.launch_observer->copied(piece);
  }
  void report(FindingKind kind, std::string message) { m_.report(kind, op_, 1U << lane_, std::move(message)); }
  void stop(FindingKind kind, std::string message) { m_.report_and_stop(kind, op_, 1U << lane_, std::move(message)); }

 private:
  Machine& m_;
  const Op& op_;
  const BulkCopy& copy_;
  const int lane_;
  AccessLog* const log_;  ///< pieces are not logged one by one
  std::uint64_t at_[lanes_per_warp] = {};
  Places places_;
};

/// The bytes of a piece that lie inside the tensor: it starts `element` elements behind the first one.
std::uint32_t bytes_inside(const TensorMap& map, std::int64_t element, bool row_inside) {
  const std::int64_t end = static_cast<std::int64_t>(map.sizes[0]);
  if (!row_inside || element < 0 || element >= end) return 0;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(piece_bytes, static_cast<std::uint64_t>(end - element) * map.element_bytes()));
}

/// Converts the elements that a load read from memory, not those that fill: f32 to tf32, to the nearest, ties to even;
/// any NaN becomes the same one. Subnormals stay, also with a type that flushes them (read on an H100).
void convert(const TensorMap& map, std::uint8_t* piece, std::uint32_t bytes) {
  if (!map.rounds_to_tf32) return;
  constexpr std::uint32_t dropped = 0x1fffU, infinity = 0x7f800000U, nan = 0x7fffe000U;
  for (std::uint32_t i = 0; i < bytes; i += 4) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, piece + i, 4);
    if ((bits & 0x7fffffffU) > infinity)
      bits = nan;
    else
      bits = (bits + dropped / 2 + (bits >> 13 & 1)) & ~dropped;
    std::memcpy(piece + i, &bits, 4);
  }
}

/// Reads the first `inside` bytes of a piece from global memory; the others are those of elements outside the tensor.
bool load_piece(Transfer& transfer, const TensorMap& map, std::uint64_t address, std::uint32_t inside,
                std::uint8_t* piece) {
  const std::uint32_t size = map.element_bytes();
  const std::uint64_t fill = map.fill();
  for (std::uint32_t i = inside; i < piece_bytes; i += size) std::memcpy(piece + i, &fill, size);
  // Part of a piece is read element by element, since the tensor may end there.
  const std::uint32_t step = inside == piece_bytes ? piece_bytes : size;
  for (std::uint32_t i = 0; i < inside; i += step) {
    const std::uint8_t* const from = transfer.in_global(address + i, step, MemoryObserver::Kind::read);
    if (from == nullptr) return false;
    std::memcpy(piece + i, from, step);
  }
  convert(map, piece, inside);
  return true;
}

void copy_bytes(Machine& m, const Op& op) {
  Transfer transfer(m, op);
  const BulkCopy& copy = transfer.copy();
  const std::uint32_t bytes = (transfer.value(copy.size) & 0xffff) * piece_bytes;
  if (copy.kind != BulkCopy::Kind::exchange) transfer.note(transfer.global(), bytes, copy.type);
  const std::uint32_t shared = transfer.value(copy.shared);
  switch (copy.kind) {
    case BulkCopy::Kind::load: {
      const std::uint64_t from = transfer.global();
      transfer.for_each_target(shared, [&](std::uint32_t to, std::uint32_t barrier) {
        transfer.signal(barrier);
        for (std::uint32_t i = 0; i < bytes; i += piece_bytes) {
          const std::uint8_t* const source = transfer.in_global(from + i, piece_bytes, MemoryObserver::Kind::read);
          std::uint8_t* const target = transfer.in_shared(to + i, piece_bytes, true);
          if (source == nullptr || target == nullptr) break;
          std::memcpy(target, source, piece_bytes);
          transfer.tell({.from_global = true, .from = from + i, .to = to + i, .bytes = piece_bytes});
        }
        transfer.complete(barrier, bytes);
      });
      return;
    }
    case BulkCopy::Kind::exchange: {
      const std::uint32_t to = transfer.value(copy.target);
      for (std::uint32_t i = 0; i < bytes; i += piece_bytes) {
        const std::uint8_t* const source = transfer.in_shared(shared + i, piece_bytes, false);
        alignas(16) std::uint8_t piece[piece_bytes];
        if (source == nullptr) break;
        std::memcpy(piece, source, piece_bytes);
        std::uint8_t* const target = transfer.in_shared(to + i, piece_bytes, true, copy.combines);
        if (target == nullptr) break;
        if (copy.combines)
          transfer.combine(target, piece, piece_bytes, copy.type, false);
        else
          std::memcpy(target, piece, piece_bytes);
        transfer.tell({.combines = copy.combines, .from = shared + i, .to = to + i, .bytes = piece_bytes});
      }
      return transfer.complete(transfer.value(copy.barrier), bytes);
    }
    default:
      for (std::uint32_t i = 0; i < bytes; i += piece_bytes) {
        const std::uint8_t* const source = transfer.in_shared(shared + i, piece_bytes, false);
        if (source == nullptr || !transfer.put(transfer.global() + i, source, piece_bytes, copy.type, copy.flushes))
          return;
        transfer.tell({.to_global = true,
                       .combines = copy.kind == BulkCopy::Kind::reduce,
                       .from = shared + i,
                       .to = transfer.global() + i,
                       .bytes = piece_bytes});
      }
  }
}

void copy_box(Machine& m, const Op& op) {
  Transfer transfer(m, op);
  const BulkCopy& copy = transfer.copy();
  const std::uint64_t map_address = transfer.global();
  const Region* const region = m.context.memory->find(map_address);
  // Machine code knows the parameters at an address that is 16 more than a multiple of 64.
  const bool is_parameter = m.program.machine_code && region != nullptr && region->base == parameter_base;
  const bool aligned = (map_address + (is_parameter ? 16 : 0)) % 64 == 0;
  if (region == nullptr || !aligned || region->base + region->bytes - map_address < TensorMap::bytes) {
    return transfer.stop(FindingKind::bad_tensor_map,
                         fmt::format("uses a tensor map at address {:#x}, where there is none", map_address));
  }
  const TensorMap map = TensorMap::of(region->data + (map_address - region->base));
  if (map.type == ptx::Type::none || map.rank != copy.dimensions) {
    return transfer.stop(FindingKind::bad_tensor_map,
                         fmt::format("copies a tensor of {} dimensions with a tensor map of {}", copy.dimensions,
                                     map.type == ptx::Type::none ? "an unknown format" : std::to_string(map.rank)));
  }
  if (map.is_image != copy.is_image)
    return transfer.stop(FindingKind::bad_tensor_map,
                         fmt::format("copies {} with a tensor map in {} mode", copy.is_image ? "pixels" : "a box",
                                     map.is_image ? "im2col" : "tiled"));
  if (map.interleave != 0)
    return transfer.stop(FindingKind::unsupported,
                         "uses a tensor map with an interleaved layout, which is not supported");
  TensorMap::Coordinates at{};
  for (unsigned d = 0; d < copy.dimensions; ++d) at[d] = static_cast<std::int32_t>(transfer.value(copy.coordinates[d]));
  const std::uint32_t size = map.element_bytes(), row_bytes = map.row_bytes();
  if (map.rows() * map.row_pitch() > m.context.shared_bytes) {
    return transfer.stop(FindingKind::out_of_bounds,
                         fmt::format("copies a box of {} bytes; the block has {} bytes of shared memory",
                                     map.rows() * map.row_pitch(), m.context.shared_bytes));
  }
  const auto rows = static_cast<std::uint32_t>(map.rows());
  if (at[0] * std::int64_t{size} % piece_bytes != 0) {
    // An H200 stops the launch.
    return transfer.stop(
        FindingKind::misaligned,
        fmt::format("copies a tensor from its element {} of {} bytes on; it must start at a multiple of "
                    "16 bytes",
                    at[0], size));
  }
  const std::uint32_t shared = transfer.value(copy.shared);
  const bool loads = copy.kind == BulkCopy::Kind::load;
  if (!loads && std::ranges::any_of(at, [](std::int32_t coordinate) { return coordinate < 0; })) {
    if (map.is_image)
      return transfer.stop(FindingKind::unsupported, "stores pixels at a negative coordinate, which is not supported");
    return transfer.stop(FindingKind::out_of_bounds,
                         "stores to a tensor at a negative coordinate, for which an H200 stops the launch");
  }
  if (map.is_image && !map.is_in_pixel_box(at)) {
    return transfer.stop(FindingKind::out_of_bounds,
                         "copies pixels from a place outside of the tensor map's box on, for which an H100 stops the "
                         "launch");
  }
  TensorMap::Coordinates pixel = at;
  const auto offsets = map.is_image ? map.offsets_of(transfer.value(copy.size) & 0xffff)
                                    : std::array<std::int32_t, TensorMap::max_image_rank>{};
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint64_t first = 0;
    const bool row_inside = map.is_image ? map.pixel_at(pixel, offsets, first) : map.row_at(at, row, first);
    if (map.is_image) map.to_next_pixel(pixel);
    const std::int64_t begin = std::max(at[0], 0),
                       end = std::min<std::int64_t>(at[0] + std::int64_t{map.box[0]},
                                                    static_cast<std::int64_t>(map.sizes[0]));
    if (row_inside && begin < end)
      transfer.note(first + static_cast<std::uint64_t>(begin - at[0]) * size,
                    static_cast<std::uint64_t>(end - begin) * size, map.type);
    for (std::uint32_t i = 0; i < row_bytes; i += piece_bytes) {
      const std::uint32_t inside = bytes_inside(map, at[0] + i / size, row_inside);
      const std::uint32_t place = shared + row * map.row_pitch() + i;
      alignas(16) std::uint8_t piece[piece_bytes];
      if (!loads) {
        if (inside == 0) continue;
        const std::uint8_t* const source = transfer.in_shared(swizzled(place, map.swizzle_bits), piece_bytes, false);
        if (source == nullptr) return;
        std::memcpy(piece, source, piece_bytes);
        // A piece that begins inside the tensor is stored as a whole (read on an H200).
        if (!transfer.put(first + i, piece, piece_bytes, map.type, map.flushes)) return;
        transfer.tell({.to_global = true,
                       .combines = copy.kind == BulkCopy::Kind::reduce,
                       .from = swizzled(place, map.swizzle_bits),
                       .to = first + i,
                       .bytes = piece_bytes});
        continue;
      }
      if (!load_piece(transfer, map, first + i, inside, piece)) return;
      transfer.for_each_target(place, [&](std::uint32_t to, std::uint32_t barrier) {
        transfer.signal(barrier);
        const std::uint64_t swizzled_to = swizzled(to, map.swizzle_bits);
        std::uint8_t* const target = transfer.in_shared(swizzled_to, piece_bytes, true);
        if (target == nullptr) return;
        std::memcpy(target, piece, piece_bytes);
        transfer.tell({.from_global = true,
                       .from = first + i,
                       .to = swizzled_to,
                       .bytes = inside,
                       .filled = piece_bytes - inside});
      });
    }
  }
  if (loads)
    transfer.for_each_target(
        shared, [&](std::uint32_t, std::uint32_t barrier) { transfer.complete(barrier, rows * row_bytes); });
}

/// With the sanitizer, other warps run after a copy has been issued: where the issuing warp should have waited for
/// them, they then use the data in time, and the race is between their accesses and its next copy.
void let_others_run(Machine& m) {
  if (m.sanitizer != nullptr && m.pause == Pause::running) m.end_turn();
}

/// Makes a copy once for the executing lanes, or for each of them.
template <Handler Copy>
void issue_copies(Machine& m, const Op& op) {
  const std::uint32_t lanes = m.executing_lanes(op);
  if (lanes == 0) return;
  if (!m.program.bulk_copies[op.table_index].each_lane) return Copy(m, op);
  const std::uint32_t active = m.active_mask;
  for_lanes(lanes, [&](int lane) {
    if (m.pause == Pause::stop) return;
    m.active_mask = 1U << lane;
    Copy(m, op);
  });
  m.active_mask = active;
}

}  // namespace

void copy_contiguous(Machine& m, const Op& op) {
  issue_copies<copy_bytes>(m, op);
  let_others_run(m);
}
void copy_tensor(Machine& m, const Op& op) {
  issue_copies<copy_box>(m, op);
  let_others_run(m);
}

void address_words(Machine& m, const Op& op) {
  const Access& access = m.program.accesses[op.table_index];
  alignas(64) std::uint64_t at[lanes_per_warp];
  m.addresses(op, access, at);
  auto* const low = m.at<std::uint32_t>(op.d);
  auto* const high = m.at<std::uint32_t>(op.e);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    const bool generic = access.space == ptx::Space::shared && at[lane] - shared_window < shared_window_bytes;
    const std::uint64_t address = generic ? at[lane] - shared_window : at[lane];
    low[lane] = static_cast<std::uint32_t>(address);
    high[lane] = static_cast<std::uint32_t>(address >> 32);
  }
}

void copy_size(Machine& m, const Op& op) {
  constexpr std::uint32_t most_pieces = 0xffff;
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::uint32_t bytes = m.at<const std::uint32_t>(op.a)[lane];
    if (bytes % piece_bytes != 0)
      m.report(FindingKind::misaligned, op, 1U << lane,
               fmt::format("bulk-copies {} bytes, which is not a multiple of {}", bytes, piece_bytes));
    // More than shared memory has is out of bounds anyway.
    m.at<std::uint32_t>(op.d)[lane] =
        std::min(bytes / piece_bytes, most_pieces) | std::uint32_t{m.at<const std::uint16_t>(op.b)[lane]} << 16;
  });
}

void insert_field(Machine& m, const Op& op) {
  const auto part = [&](unsigned first) { return op.immediate >> first & 0xff; };
  const std::uint64_t mask = part(8) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << part(8)) - 1;
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::uint64_t given =
        op.bytes == 8 ? m.at<const std::uint64_t>(op.b)[lane] : m.at<const std::uint32_t>(op.b)[lane];
    const std::uint64_t value = (given - part(24)) >> part(16) & mask;
    std::uint64_t& word = m.at<std::uint64_t>(op.d)[lane];
    word = (m.at<const std::uint64_t>(op.a)[lane] & ~(mask << part(0))) | value << part(0);
  });
}

void pixel_offsets(Machine& m, const Op& op) {
  const Slot offsets[3] = {op.a, op.b, op.c};
  const unsigned bits = image_coordinate_bits(static_cast<unsigned>(op.immediate));
  for_lanes(m.executing_lanes(op), [&](int lane) {
    std::uint32_t packed = 0;
    for (unsigned k = 0; k < op.immediate; ++k)
      packed |= (m.at<const std::uint16_t>(offsets[k])[lane] & ((1U << bits) - 1)) << k * bits;
    m.at<std::uint32_t>(op.d)[lane] |= packed;
  });
}

void store_async(Machine& m, const Op& op) {
  const Access& access = m.program.accesses[op.table_index];
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  alignas(64) std::uint64_t at[lanes_per_warp], barriers[lanes_per_warp];
  m.addresses(op, access, at);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    barriers[lane] = m.at<const std::uint32_t>(op.b)[lane];
    if (at[lane] - shared_window < shared_window_bytes) at[lane] -= shared_window;
  }
  const bool reduces = op.bytes != 0;
  const std::uint32_t bytes = std::uint32_t{access.bytes} * access.elements;
  for_lanes(mask, [&](int lane) {
    const std::uint32_t one = 1U << lane;
    Places places;
    if (m.translate_shared(op, one, at, static_cast<int>(bytes), true, places, reduces) != 0) {
      std::uint8_t value[16] = {};
      for (std::size_t k = 0; k < access.elements; ++k)
        std::memcpy(value + access.bytes * k,
                    m.at<const std::uint8_t>(access.values[k]) + access.register_bytes[k] * lane, access.bytes);
      if (reduces) {
        const Atomic& how = m.program.atomics[access.atomic];
        std::uint64_t old = 0, added = 0;
        std::memcpy(&old, places.host[lane], bytes);
        std::memcpy(&added, value, bytes);
        const std::uint64_t now = atomic_value(how.action, how.type, old, added, 0, false);
        std::memcpy(value, &now, bytes);
      }
      std::memcpy(places.host[lane], value, bytes);
    }
    m.completes_bytes = true;
    if (m.translate_shared(op, one, barriers, 8, true, places, true) != 0) {
      m.note_mbarrier(op, barriers[lane], places.host[lane], MbarrierStep::copies);
      complete_bytes(places.host[lane], bytes);
    }
    m.completes_bytes = false;
  });
}

// All copies are made immediately, so only the sanitizer needs the waits for them.

void commit_copies(Machine& m, const Op& op) {
  if (m.sanitizer == nullptr) return;
  for_lanes(m.executing_lanes(op), [&](int lane) {
    if ((op.bytes & thread_copies) != 0) m.block->shadow->commit_copies(m.shadow_thread(lane));
    if ((op.bytes & bulk_copies) != 0) m.block->shadow->commit_bulk_group(m.shadow_thread(lane));
  });
}

void wait_for_copies(Machine& m, const Op& op) {
  if (m.sanitizer == nullptr) return;
  const auto pending = static_cast<std::uint32_t>(op.immediate);
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::uint32_t thread = m.shadow_thread(lane);
    if ((op.bytes & thread_copies) != 0) m.block->shadow->wait_for_copies(thread, pending);
    if ((op.bytes & bulk_copies) != 0)
      m.block->shadow->wait_for_bulk_groups(thread, pending, (op.bytes & only_reads) != 0);
  });
}

void wait_for_all_copies(Machine& m, const Op& op) {
  if (m.sanitizer == nullptr) return;
  for_lanes(m.executing_lanes(op), [&](int lane) { m.block->shadow->wait_for_all_copies(m.shadow_thread(lane)); });
}

}  // namespace handlers

void complete_bytes(std::uint8_t* barrier, std::uint32_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, barrier, sizeof bits);
  MbarrierState state = Layout90::state_of(bits);
  state.expect_bytes(0U - bytes);
  state.end_phase_if_complete();
  bits = Layout90::bits_of(state);
  std::memcpy(barrier, &bits, sizeof bits);
}

bool is_odd_phase(const std::uint8_t* barrier) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, barrier, sizeof bits);
  return Layout90::state_of(bits).odd;
}

}  // namespace warpwalk::gpu
