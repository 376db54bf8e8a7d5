#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/compiled/evaluate/tensor_value.h"
#include "core/compiled/layout/linear_layout.h"
#include "core/run/tiles/kernel_tiles.h"

namespace warpwalk::run {

/// The registers of a warp at a moment of the run, or all that it writes.
struct WarpRegisters {
  struct Row {
    std::string name;  ///< "R4"
    std::array<std::uint32_t, 32> lanes{};
    std::uint32_t instruction = 0, occurrence = 0;  ///< that wrote it: which, and how often the warp issued it before
  };
  std::uint32_t warp = 0;
  std::vector<Row> rows;  ///< a value of 64 bits is in two that follow each other
};

/// Where a run holds a tile.
struct FoundTile {
  enum class Where : std::uint8_t { nowhere, registers, shared };
  Where where = Where::nowhere;
  std::uint64_t compared = 0, equal = 0;  ///< places in registers of all warps, or elements in shared memory
  std::string reason;                     ///< nowhere: why, or what was looked for
  compiled::LinearLayout layout;          ///< that fits
  std::uint64_t shared_begin = 0;         ///< of the tile in shared memory
  /// By warp and register of the layout: the row of WarpRegisters; -1: not found.
  std::vector<std::vector<std::int32_t>> rows;
};

/// Looks for the values of a tile in the registers of the warps of its block: by the layout, all 32 lanes of a register
/// must have the values of their elements. Reals may differ by rounding, those that depend on a product of matrices by
/// more. It counts as found if the warp `focus` has all of its part, and if the values are not so alike that they could
/// be there by chance. The last layout that fits is the one reported.
FoundTile find_in_registers(const TileName& name, const compiled::TensorValue& value,
                            std::span<const compiled::LinearLayout> layouts, std::span<const WarpRegisters> warps,
                            std::uint32_t focus);

/// Looks for a tile in the bytes of shared memory of its block, by the layouts that it may have there.
FoundTile find_in_shared(const TileName& name, const compiled::TensorValue& value,
                         std::span<const compiled::LinearLayout> layouts, std::span<const std::uint8_t> shared);

/// The register of an element of a tile that was found in registers.
struct ElementRegister {
  const WarpRegisters::Row* row = nullptr;
  std::uint32_t warp = 0;
  int lane = 0;
};
std::optional<ElementRegister> register_of(const FoundTile& tile, std::span<const WarpRegisters> warps,
                                           std::uint64_t element);

}  // namespace warpwalk::run
