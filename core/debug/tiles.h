#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/debug/recording.h"
#include "core/run/tiles/find_tile.h"
#include "core/run/tiles/kernel_tiles.h"

namespace warpwalk::debug {

class Session;

/// A tensor of a Triton program at a stop, for the block in focus.
struct Tile {
  const run::TileName* name = nullptr;
  const run::TileValue* value = nullptr;
  std::uint32_t executions = 0;  ///< of its operation in the whole block
  run::FoundTile found;          ///< where the run has it
  bool written = false;          ///< `found` is in registers that the run wrote, which may have other values now

  const compiled::TensorValue& tensor() const { return *value->value; }
  /// "2,048 of 2,048 places have the run's values in registers", or "derived: ...".
  std::string basis() const;
};

/// A tile, or a part of it: "acc", "acc[3]", "acc[3, 5]", "%acc_6".
struct TilePart {
  std::string name;
  std::vector<std::int64_t> indices;
};
/// Nullopt if the text is none.
std::optional<TilePart> parse_tile_part(std::string_view text);
/// The row-major number of the part's first element, and how many elements it has; nullopt if it is outside.
std::optional<std::pair<std::size_t, std::size_t>> elements_of_part(const Tile& tile, const TilePart& part);

/// The tensors of a Triton program at the stops of a session.
class Tiles {
 public:
  explicit Tiles(std::unique_ptr<run::KernelTiles> kernel) : kernel_(std::move(kernel)) {}

  const run::KernelTiles& kernel() const { return *kernel_; }
  /// What the block in focus computes.
  base::Result<const run::BlockValues*> block(Session& session);
  /// The variables that the thread in focus has computed so far, in the order of the program. Valid until the next
  /// stop.
  base::Result<const std::vector<Tile>*> at(Session& session);
  /// A variable of Python or a value of the TTIR. The error is one line.
  base::Result<Tile> find(Session& session, std::string_view name);
  /// The register that an element was written to, with the instruction that wrote it; nullopt if it is not known.
  std::optional<run::ElementRegister> written_register(const Tile& tile, std::size_t element) const;
  /// Whether the program has a value of this name.
  bool knows(std::string_view name) const;
  /// The stores of all blocks, compared with what the run leaves in global memory.
  struct StoredValues {
    std::uint64_t blocks = 0, elements = 0, equal = 0, same_bits = 0;
    std::string first_difference, incomplete;
  };
  base::Result<StoredValues> compare_stores(Session& session);
  /// run::tile_of_finding.
  std::string of_finding(const Recording& recording, const gpu::Finding& finding);

 private:
  struct Progress {
    std::uint64_t issued = 0, all = 0;
  };
  /// A value among the registers that the run wrote.
  struct WrittenTile {
    run::FoundTile found;
    std::int64_t cycle = 0;  ///< in which the warp in focus had issued all of its part
  };
  void look(Session& session);
  void look_at_block(Session& session);
  const WrittenTile& written_tile(const run::TileName& name, std::size_t value);
  std::uint32_t done(const run::TileName& name) const;
  std::optional<Tile> tile_of(const run::TileName& name);
  void find_now(Tile& tile, const std::vector<compiled::LinearLayout>& layouts) const;
  bool written_elsewhere(const Recording& recording, std::uint64_t block, std::uint64_t address, int bytes);
  base::Result<const run::BlockValues*> values_of(Recording& recording, std::uint64_t block);

  std::unique_ptr<run::KernelTiles> kernel_;
  /// By region of global memory and word: the block that writes it, from 1; the largest number: several.
  std::vector<std::vector<std::uint32_t>> writers_;
  bool writers_known_ = false;
  std::vector<std::string> places_;  ///< by instruction
  // Of the block in focus:
  std::optional<std::uint64_t> block_;
  std::vector<run::WarpRegisters> written_;
  std::map<std::pair<std::size_t, std::uint32_t>, WrittenTile> written_tiles_;  ///< by value and warp
  // At the stop:
  const Recording* recording_ = nullptr;
  std::optional<std::pair<std::int64_t, std::pair<std::uint64_t, std::uint32_t>>> stop_;  ///< cycle, block, warp
  const run::BlockValues* values_ = nullptr;
  std::string problem_;
  std::map<std::pair<std::int32_t, std::uint32_t>, std::vector<std::uint32_t>> by_value_;  ///< indices into values
  std::map<std::string, Progress, std::less<>> progress_;  ///< of the warp in focus, by place
  std::vector<run::WarpRegisters> warps_;
  std::vector<std::uint8_t> shared_;
  std::optional<std::vector<Tile>> tiles_;
};

}  // namespace warpwalk::debug
