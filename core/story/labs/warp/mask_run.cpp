#include "core/story/labs/warp/mask_run.h"

#include <bit>

#include "core/run/launch/generate.h"

namespace warpwalk::story {
namespace {

using Shape = MaskProgram::Shape;
using Condition = MaskProgram::Condition;

// A number below `limit` that depends on the lane as data would.
int hashed(int lane, int limit) {
  return static_cast<int>(run::splitmix64(3, static_cast<std::uint64_t>(lane)) % static_cast<std::uint64_t>(limit));
}

bool taken(const MaskProgram& program, int lane) {
  switch (program.condition) {
    case Condition::first_lanes: return lane < program.split;
    case Condition::every_nth: return lane % program.split == 0;
    case Condition::by_hash: return hashed(lane, 32) < program.split;
    case Condition::by_warp: return true;
  }
  return true;
}

// 0 to split - 1.
int part_of(const MaskProgram& program, int lane) {
  switch (program.condition) {
    case Condition::first_lanes: return lane * program.split / 32;
    case Condition::every_nth: return lane % program.split;
    case Condition::by_hash: return hashed(lane, program.split);
    case Condition::by_warp: return program.split - 1;
  }
  return 0;
}

}  // namespace

int way_of(const MaskProgram& program, int lane) {
  switch (program.shape) {
    case Shape::one_sided:
    case Shape::two_sided: return taken(program, lane) ? 0 : 1;
    case Shape::cases: return part_of(program, lane);
    case Shape::loop: return part_of(program, lane) + 1;
  }
  return 0;
}

std::vector<MaskSegment> mask_run(const MaskProgram& program) {
  constexpr std::uint32_t all = 0xffffffff;
  std::vector<MaskSegment> run = {{MaskSegment::Part::before, 0, all, 2}};  // a comparison and a branch
  const int ways = program.shape == Shape::one_sided ? 1 : program.shape == Shape::two_sided ? 2 : program.split;
  for (int way = 0; way < ways; ++way) {
    std::uint32_t mask = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const int own = way_of(program, lane);
      if (program.shape == Shape::loop ? own > way : own == way) mask |= std::uint32_t{1} << lane;
    }
    if (mask != 0) run.push_back({MaskSegment::Part::path, way, mask, program.body});
  }
  run.push_back({MaskSegment::Part::after, 0, all, 1});
  return run;
}

MaskCounts counts_of(const std::vector<MaskSegment>& run) {
  MaskCounts counts;
  for (const MaskSegment& segment : run) {
    counts.warp += segment.instructions;
    counts.lanes += std::int64_t{segment.instructions} * std::popcount(segment.mask);
  }
  return counts;
}

}  // namespace warpwalk::story
