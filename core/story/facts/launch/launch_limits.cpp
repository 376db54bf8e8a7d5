#include "core/story/facts/launch/launch_limits.h"

#include <algorithm>

#include "core/story/facts/launch/device_parameter.h"

namespace warpwalk::story {

std::vector<LaunchLimit> launch_limits(const Narration& narration, const gpu::LaunchShape& shape, std::int64_t shared,
                                       const gpu::Device* device) {
  constexpr std::string_view grid_parts[] = {"grid_x", "grid_y", "grid_z"};
  constexpr std::string_view block_parts[] = {"block_x", "block_y", "block_z"};
  const std::string guide = narration.text("parameter.source", "guide");
  const auto general = [&](std::uint64_t most) {
    return Figure::constant(static_cast<double>(most), Unit::count, Origin::explained, guide);
  };
  std::vector<LaunchLimit> limits;
  for (std::size_t i = 0; i < 3; ++i) limits.push_back({grid_parts[i], shape.grid[i], general(gpu::max_grid[i])});
  for (std::size_t i = 0; i < 3; ++i) limits.push_back({block_parts[i], shape.block[i], general(gpu::max_block[i])});
  if (device == nullptr) return limits;
  limits.push_back({"block_threads", shape.threads_per_block(), figure_of(device->threads_per_block)});
  const auto size = [](const gpu::IntParameter& most) {
    return Figure::constant(static_cast<double>(*most), Unit::bytes, origin_of(most.status), most.source);
  };
  limits.push_back({"shared", shared, size(device->shared_per_block), true});
  limits.push_back({"optin", shared, size(device->shared_per_block_optin)});
  return limits;
}

const LaunchLimit* broken_limit(const std::vector<LaunchLimit>& limits) {
  const auto at = std::ranges::find_if(limits, &LaunchLimit::fails);
  return at == limits.end() ? nullptr : &*at;
}

}  // namespace warpwalk::story
