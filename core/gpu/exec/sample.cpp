#include "core/gpu/exec/sample.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

namespace {

/// Blocks `begin` to `end` - 1 of an axis.
struct AxisPart {
  std::uint32_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};

enum class AxisDivision : std::uint8_t { whole, last_apart, first_and_last_apart };

std::vector<AxisPart> parts_of_axis(std::uint32_t extent, AxisDivision division) {
  std::vector<AxisPart> parts{{0, extent}};
  const auto split_at = [&](std::uint32_t at) {
    if (at <= parts.back().begin || at >= parts.back().end) return;
    const std::uint32_t end = parts.back().end;
    parts.back().end = at;
    parts.push_back({at, end});
  };
  if (division == AxisDivision::first_and_last_apart) split_at(1);
  if (division != AxisDivision::whole) split_at(extent - 1);
  return parts;
}

/// Chooses numbers below `size`, spread evenly and without a period, so that they fall on all rows and columns alike.
std::vector<std::uint64_t> spread_over(std::uint64_t size, std::uint64_t count) {
  constexpr double golden_ratio = 0.6180339887498949;
  std::set<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double place = 0.5 + golden_ratio * static_cast<double>(i);
    auto at = static_cast<std::uint64_t>((place - std::floor(place)) * static_cast<double>(size));
    at = std::min(at, size - 1);
    while (!chosen.insert(at).second) at = (at + 1) % size;
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace

std::vector<BlockSample> sample_blocks(const std::array<std::uint32_t, 3>& grid, std::uint64_t most) {
  std::array<std::vector<AxisPart>, 3> axes;
  const auto part_count = [&] { return axes[0].size() * axes[1].size() * axes[2].size(); };
  for (const AxisDivision division :
       {AxisDivision::first_and_last_apart, AxisDivision::last_apart, AxisDivision::whole}) {
    for (std::size_t i = 0; i < 3; ++i) axes[i] = parts_of_axis(grid[i], division);
    if (part_count() <= most) break;
  }
  const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
  const std::uint64_t more = most - std::min<std::uint64_t>(most, part_count());
  std::vector<BlockSample> samples;
  for (const AxisPart& z : axes[2])
    for (const AxisPart& y : axes[1])
      for (const AxisPart& x : axes[0]) {
        BlockSample& sample = samples.emplace_back();
        sample.blocks = x.size() * y.size() * z.size();
        const double share = static_cast<double>(sample.blocks) / static_cast<double>(blocks);
        const auto count = 1 + static_cast<std::uint64_t>(share * static_cast<double>(more));
        for (const std::uint64_t at : spread_over(sample.blocks, std::min(count, sample.blocks)))
          sample.chosen.push_back(x.begin + at % x.size() +
                                  grid[0] * (y.begin + at / x.size() % y.size() +
                                             std::uint64_t{grid[1]} * (z.begin + at / x.size() / y.size())));
      }
  return samples;
}

bool can_run_alone(const Program& program, const Launch& launch) {
  return !program.needs_block_order && !program.uses_clusters && !cluster_of(program, launch) && !launch.cooperative;
}

}  // namespace warpwalk::gpu
