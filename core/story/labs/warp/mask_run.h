#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpwalk::story {

/// A small program that one warp runs, and by what its lanes take different ways through it.
struct MaskProgram {
  enum class Shape : std::uint8_t {
    one_sided,  ///< if (c) A
    two_sided,  ///< if (c) A else B
    cases,      ///< switch with `split` cases
    loop,       ///< for (i = 0; i < trips; ++i) A
  };
  enum class Condition : std::uint8_t {
    first_lanes,  ///< lane < split; the case is lane * split / 32; trips rise with the lane
    every_nth,    ///< lane % split == 0; the case and the trips are lane % split
    by_hash,      ///< by a hash of the lane, as data would have it
    by_warp,      ///< the same for all lanes of the warp
  };
  Shape shape = Shape::two_sided;
  Condition condition = Condition::first_lanes;
  int split = 16;  ///< 1 to 32: lanes that take the branch, cases, or the largest trip count
  int body = 8;    ///< instructions of each path, or of one trip
};

/// Instructions that the lanes of a mask run together.
struct MaskSegment {
  enum class Part : std::uint8_t { before, path, after };
  Part part = Part::path;
  int path = 0;  ///< of a path: 0 for A, 1 for B, the case, or the trip
  std::uint32_t mask = 0;
  int instructions = 1;
};

/// The instructions that the warp issues, in order. Paths that no lane takes are left out. Before the paths, all lanes
/// evaluate the condition; after them, all lanes run together again.
std::vector<MaskSegment> mask_run(const MaskProgram& program);

/// Instructions that the warp issues, and those of its lanes added up.
struct MaskCounts {
  std::int64_t warp = 0, lanes = 0;
  /// Percent of the lanes that are active in an instruction, on average.
  double efficiency() const {
    return warp == 0 ? 0 : 100.0 * static_cast<double>(lanes) / static_cast<double>(32 * warp);
  }
};
MaskCounts counts_of(const std::vector<MaskSegment>& run);

/// The way that a lane takes: its case, 0 for A and 1 for B, or its number of trips.
int way_of(const MaskProgram& program, int lane);

}  // namespace warpwalk::story
