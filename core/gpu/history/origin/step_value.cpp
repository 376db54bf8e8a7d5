#include "core/gpu/history/origin/step_value.h"

namespace warpwalk::gpu {

using Flow = OperationFlow::Kind;

std::uint8_t width_of_place(const Program& program, const Op& op, Flow kind, std::uint32_t place) {
  const auto is_place = [&](Slot slot) {
    return slot.space() == static_cast<std::uint32_t>(SlotSpace::frame) && slot.offset() == place;
  };
  switch (kind) {
    case Flow::load:
    case Flow::store:
    case Flow::store_async: {
      const Access& access = program.accesses[op.table_index];
      for (std::size_t i = 0; i < access.elements; ++i)
        if (is_place(access.values[i])) return access.register_bytes[i];
      return 0;
    }
    case Flow::atomic: return program.accesses[op.table_index].register_bytes[is_place(op.d) ? 1 : 0];
    case Flow::lanes:
    case Flow::select: return is_place(op.d) ? op.bytes : 0;
    case Flow::exchange:
    case Flow::first_lane:
    case Flow::to_all_lanes: return is_place(op.d) ? 4 : 0;
    case Flow::mma: return static_cast<std::uint8_t>(program.matrices[op.table_index].mma.register_bytes);
    case Flow::load_matrix:
    case Flow::store_matrix:
    case Flow::move_matrix:
    case Flow::load_fragment:
    case Flow::store_fragment:
    case Flow::group_mma: return 4;
    default: return 0;
  }
}

bool is_store(Flow kind) {
  return kind == Flow::store || kind == Flow::store_async || kind == Flow::store_matrix || kind == Flow::store_fragment;
}

OriginStep::Kind step_kind(Flow kind) {
  switch (kind) {
    case Flow::load:
    case Flow::load_matrix:
    case Flow::load_fragment: return OriginStep::Kind::load;
    case Flow::store:
    case Flow::store_async:
    case Flow::store_matrix:
    case Flow::store_fragment:
    case Flow::atomic: return OriginStep::Kind::store;
    case Flow::copy_async:
    case Flow::bulk_copy: return OriginStep::Kind::copy;
    case Flow::lanes:
    case Flow::select: return OriginStep::Kind::compute;
    case Flow::exchange:
    case Flow::first_lane:
    case Flow::to_all_lanes:
    case Flow::move_matrix: return OriginStep::Kind::exchange;
    case Flow::mma:
    case Flow::group_mma: return OriginStep::Kind::matrix;
    default: return OriginStep::Kind::other;
  }
}

}  // namespace warpwalk::gpu
