#include "core/run/replay/number_trail.h"

#include <algorithm>
#include <bit>
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

/// The origin of an element of the last buffer of its size that the launch writes; its store was found.
struct FoundOrigin {
  std::uint64_t address = 0;
  gpu::Origin origin;
};
base::Result<FoundOrigin> origin_of_element(const gpu::Device& device, const gpu::Program& program,
                                            const gpu::Launch& before, const NumberRequest& request,
                                            const std::atomic<bool>* cancel) {
  const std::vector<std::uint64_t> addresses = gpu::buffer_addresses(program, before);
  const auto element = static_cast<std::uint64_t>(request.row * request.columns + request.column);
  const std::uint64_t size = static_cast<std::uint64_t>(request.rows * request.columns) * request.element_bytes;
  for (std::size_t b = before.buffers.size(); b-- > 0;) {
    if (before.buffers[b].bytes.size() != size) continue;
    const std::uint64_t address = addresses[b] + element * request.element_bytes;
    auto origin = gpu::find_origin(device, program, before, address, request.element_bytes, {.cancel = cancel});
    if (!origin) return base::Error{origin.error()};
    if (origin->written()) return FoundOrigin{address, std::move(*origin)};
    // The launch writes this buffer, so an earlier one is not the result.
    if (std::string reason = std::move(origin->incomplete); !reason.empty()) {
      if (reason.ends_with('.')) reason.pop_back();
      return base::Error{std::move(reason)};
    }
  }
  return base::Error{fmt::format("The kernel writes no buffer of {} x {} numbers of {} bytes", request.rows,
                                 request.columns, request.element_bytes)};
}

/// The thread of the next kernel that writes the element at the same place; none if its launch cannot be run again.
std::optional<NextNumber> next_number(const trace::Trace& trace, const NumberRequest& request,
                                      const HistoryOptions& options) {
  const auto built = build_history(trace, request.next, options);
  const auto* const history = std::get_if<0>(&built);
  if (history == nullptr || (*history)->stand_in) return {};
  const auto found =
      origin_of_element((*history)->device, *(*history)->program, (*history)->before, request, options.cancel);
  if (!found) return {};
  const gpu::OriginStep& store = found->origin.steps.back();
  NextNumber next{store.warp, std::countr_zero(store.lanes), 0, store.value};
  for (const gpu::OriginStep& step : found->origin.steps)
    if (step.kind == gpu::OriginStep::Kind::load && step.space == gpu::OriginStep::Space::global &&
        step.value_bytes == request.element_bytes)
      next.read = step.value;
  return next;
}

}  // namespace

base::Result<std::shared_ptr<const NumberTrail>> find_number_trail(const trace::Trace& trace, TimeTravel& travel,
                                                                   const History& history, const NumberRequest& request,
                                                                   const HistoryOptions& options) {
  const gpu::Launch& before = history.before;
  auto found = origin_of_element(travel.device(), travel.program(), before, request, options.cancel);
  if (!found) return base::Error{found.error()};
  auto trail = std::make_shared<NumberTrail>();
  trail->request = request;
  trail->address = found->address;
  trail->origin = std::move(found->origin);
  const std::vector<std::uint64_t> addresses = gpu::buffer_addresses(travel.program(), before);
  for (const gpu::OriginInput& input : trail->origin.inputs)
    trail->inputs.push_back(place_in(before, addresses, input.address, input.bytes)
                                .value_or(BufferPlace{NumberTrail::no_buffer, 0, input.bytes}));
  const gpu::OriginStep& store = trail->store();
  trail->bits = store.value;
  trail->warp.block = store.warp.block;
  trail->warp.warp = store.warp.warp;
  trail->lane = std::countr_zero(store.lanes);
  find_cycles(travel, *trail);
  if (request.next != trace::no_slice) trail->next = next_number(trace, request, options);
  return std::shared_ptr<const NumberTrail>(std::move(trail));
}

}  // namespace warpwalk::run
