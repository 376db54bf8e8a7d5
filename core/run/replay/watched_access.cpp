// The watch: the next or the last access to bytes of memory or to a register.
#include <algorithm>
#include <bit>

#include "core/gpu/exec/program.h"
#include "core/run/replay/timed_writer.h"

namespace warpwalk::run {
namespace {

using PlaceKind = gpu::ValuePlace::Kind;

/// Cycles that are looked through at a time; an SM issues up to four instructions in each.
constexpr std::int64_t stretch = 4096;

/// The lanes of an issue that access the place, and whether they write it.
struct Lanes {
  std::uint32_t reading = 0, writing = 0;
};

Lanes lanes_of(const gpu::Program& program, const gpu::Issue& issue, const gpu::ValuePlace& place) {
  Lanes lanes;
  const gpu::IssuedInstruction& what = issue.what;
  if (place.kind == PlaceKind::lane_register) {
    if (!program.machine_code || what.warp.block != place.warp.block || what.warp.warp != place.warp.warp) return {};
    const gpu::MachineCode& code = *program.machine_code;
    const std::size_t number = (place.address - code.frame.general) / 128;
    if (place.address < code.frame.general || what.instruction >= code.uses.size()) return {};
    const sass::RegisterUse& use = code.uses[what.instruction];
    if (number >= use.reads.general.size()) return {};
    const std::uint32_t lane = what.executing & 1U << place.lane;
    if (use.reads.general.test(number)) lanes.reading = lane;
    if (use.writes.general.test(number)) lanes.writing = lane;
    return lanes;
  }
  if (place.kind != PlaceKind::global && what.warp.block != place.warp.block) return {};
  if (place.kind == PlaceKind::local && what.warp.warp != place.warp.warp) return {};
  using Space = gpu::LoggedAccess::Space;
  const Space space = place.kind == PlaceKind::global   ? Space::global
                      : place.kind == PlaceKind::shared ? Space::shared
                                                        : Space::local;
  for (const gpu::LoggedAccess& access : issue.accesses) {
    if (access.space != space) continue;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (place.kind == PlaceKind::local && lane != place.lane) continue;
      const std::uint64_t at = access.at[static_cast<std::size_t>(lane)];
      if (at >= place.address + place.bytes || place.address >= at + access.bytes) continue;
      (access.writes ? lanes.writing : lanes.reading) |= 1U << lane;
    }
  }
  return lanes;
}

}  // namespace

std::optional<WatchedAccess> next_access(TimeTravel& travel, std::uint16_t sm, const gpu::ValuePlace& place,
                                         std::int64_t cycle, bool forward) {
  const std::int64_t end = travel.end(sm);
  // Without the cycle itself.
  std::int64_t from = forward ? cycle + 1 : std::max<std::int64_t>(0, cycle - stretch);
  std::int64_t to = forward ? std::min(end, cycle + 1 + stretch) : std::min(end, cycle);
  while (from < to) {
    const auto window = travel.window(sm, from, to);
    std::optional<WatchedAccess> found;
    for (const gpu::Issue& issue : window->issues) {
      const Lanes lanes = lanes_of(travel.program(), issue, place);
      if ((lanes.reading | lanes.writing) == 0) continue;
      found = WatchedAccess{sm, issue.what, std::countr_zero(lanes.writing != 0 ? lanes.writing : lanes.reading),
                            lanes.writing != 0};
      if (forward) break;
    }
    if (found) return found;
    from = forward ? to : std::max<std::int64_t>(0, from - stretch);
    to = forward ? std::min(end, to + stretch) : window->from;
  }
  return {};
}

}  // namespace warpwalk::run
