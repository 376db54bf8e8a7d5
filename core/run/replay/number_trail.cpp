#include "core/run/replay/number_trail.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/launch_addresses.h"

namespace warpwalk::run {
namespace {

/// The part of a buffer at an address.
std::optional<BufferPlace> place_in(const gpu::Launch& launch, const std::vector<std::uint64_t>& addresses,
                                    std::uint64_t address, std::uint32_t bytes) {
  for (std::size_t b = 0; b < launch.buffers.size(); ++b)
    if (address >= addresses[b] && address - addresses[b] < launch.buffers[b].bytes.size())
      return BufferPlace{b, address - addresses[b], bytes};
  return {};
}

/// The cycles in which the steps of the trail's block were issued.
void find_cycles(TimeTravel& travel, NumberTrail& trail) {
  trail.cycles.assign(trail.origin.steps.size(), -1);
  const std::uint64_t block = trail.warp.block;
  if (block >= travel.timing().sm.size()) return;
  trail.sm = static_cast<std::uint16_t>(travel.timing().sm[block]);
  // By warp and instruction: the cycles in which it was issued.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::int64_t>> issued;
  const std::int64_t end = travel.end(trail.sm);
  const auto window = travel.window(trail.sm, 0, end);
  for (const gpu::Issue& issue : window->issues) {
    if (issue.what.warp.block != block) continue;
    issued[{issue.what.warp.warp, issue.what.instruction}].push_back(issue.what.cycle);
    if (issue.what.warp.warp == trail.warp.warp) trail.warp = issue.what.warp;
  }
  for (std::size_t i = 0; i < trail.origin.steps.size(); ++i) {
    const gpu::OriginStep& step = trail.origin.steps[i];
    if (step.warp.block != block) continue;
    const auto found = issued.find({step.warp.warp, step.instruction});
    if (found != issued.end() && step.occurrence < found->second.size())
      trail.cycles[i] = found->second[step.occurrence];
  }
}

}  // namespace

base::Result<std::shared_ptr<const NumberTrail>> find_number_trail(TimeTravel& travel, const History& history,
                                                                   const NumberRequest& request,
                                                                   const std::atomic<bool>* cancel) {
  const gpu::Launch& before = history.before;
  const std::vector<std::uint64_t> addresses = gpu::buffer_addresses(travel.program(), before);
  const auto element = static_cast<std::uint64_t>(request.row * request.columns + request.column);
  const std::uint64_t size = static_cast<std::uint64_t>(request.rows * request.columns) * request.element_bytes;
  const gpu::OriginOptions options{.cancel = cancel};
  auto trail = std::make_shared<NumberTrail>();
  trail->request = request;
  bool found = false;
  for (std::size_t b = before.buffers.size(); b-- > 0 && !found;) {
    if (before.buffers[b].bytes.size() != size) continue;
    trail->address = addresses[b] + element * request.element_bytes;
    auto origin =
        gpu::find_origin(travel.device(), travel.program(), before, trail->address, request.element_bytes, options);
    if (!origin) return base::Error{origin.error()};
    if (!origin->written()) continue;
    trail->origin = std::move(*origin);
    found = true;
  }
  if (!found)
    return base::Error{fmt::format("The kernel writes no buffer of {} x {} numbers of {} bytes", request.rows,
                                   request.columns, request.element_bytes)};
  trail->place = *place_in(before, addresses, trail->address, request.element_bytes);
  for (const gpu::OriginInput& input : trail->origin.inputs)
    trail->inputs.push_back(place_in(before, addresses, input.address, input.bytes)
                                .value_or(BufferPlace{NumberTrail::no_buffer, 0, input.bytes}));
  const gpu::OriginStep& store = trail->store();
  trail->bits = store.value;
  trail->warp.block = store.warp.block;
  trail->warp.warp = store.warp.warp;
  trail->lane = std::countr_zero(store.lanes);
  find_cycles(travel, *trail);
  return std::shared_ptr<const NumberTrail>(std::move(trail));
}

}  // namespace warpwalk::run
