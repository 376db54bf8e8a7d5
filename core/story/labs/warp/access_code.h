#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/story/labs/warp/lane_pattern.h"
#include "core/story/labs/warp/mask_run.h"
#include "core/story/pictures/panels.h"

namespace warpwalk::story {

/// A few lines of CUDA C++. Some are lit, by their indices.
struct LabCode {
  std::vector<std::string> lines;
  std::vector<std::size_t> lit = {};
};

/// Lines of a kernel that loads from global memory in this way; the load is lit.
LabCode access_code(const GlobalAccess& access);
/// How the byte address of an element follows from its number `i`: "4 * 11 = 44".
std::string address_text(const GlobalAccess& access, std::int64_t i);

/// Lines of a kernel that reads a tile in this way; the load is lit. `which`: as in tile_element().
LabCode tile_code(const TileLayout& layout, TileWalk walk, std::int64_t which);
/// How the byte address of an element of the tile follows: "(5 * 33 + 3) * 4 = 672".
std::string address_text(const TileLayout& layout, std::int64_t row, std::int64_t column);

/// The program of the masks; its condition, and the path that this lane takes, are lit.
LabCode mask_code(const MaskProgram& program, int lane);
/// The lane's condition, with numbers in place of variables: "20 < 16", "20 % 8 = 4".
std::string condition_text(const MaskProgram& program, int lane);

/// A panel with the code; `values` stand below the first line that is lit.
Panel lab_code_panel(std::string name, const LabCode& code, std::vector<std::string> values, double share);

}  // namespace warpwalk::story
