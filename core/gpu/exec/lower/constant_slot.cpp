#include "core/gpu/exec/lower/constant_slot.h"

#include <cstring>

namespace warpwalk::gpu {

Slot constant_slot(Program& program, std::uint64_t value, int bytes) {
  if (bytes < 8) value &= (std::uint64_t{1} << 8 * bytes) - 1;
  const auto [found, fresh] = program.constant_slots.try_emplace({value, bytes}, 0);
  if (fresh) {
    const std::size_t offset = program.constants.size();
    program.constants.resize(offset + static_cast<std::size_t>(lanes_per_warp * bytes));
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      std::memcpy(program.constants.data() + offset + static_cast<std::size_t>(lane * bytes), &value,
                  static_cast<std::size_t>(bytes));
    }
    found->second = static_cast<std::uint32_t>(offset);
  }
  return Slot::at(SlotSpace::constant, found->second);
}

}  // namespace warpwalk::gpu
