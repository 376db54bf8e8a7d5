#pragma once

// The parts of the scene "warehouse": the memory of one op, its state at one moment, the picture, and the facts. The
// types of the picture are those of picture.h, which its painter reads.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/memory/memory_map.h"
#include "core/analysis/memory/tensor_layout.h"
#include "core/story/beats/beat_of.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/memory/op_memory.h"
#include "core/story/scenes/warehouse/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// What a beat's picture shows, and what moves in it.
struct WarehouseShows {
  WarehouseColumn::Kind column = WarehouseColumn::Kind::none;  ///< beside the map, unless another one is pointed at
  bool block_comes = false;                                    ///< the op's block appears in the map
  bool block_goes = false;                                     ///< it is freed
  enum class Capacity : std::uint8_t { hidden, appears, shown };
  Capacity capacity = Capacity::hidden;  ///< of the GPU
};

/// The subject of the warehouse's beats: the op's memory at one moment.
struct WarehouseView {
  const SceneInput& input;
  OpMemory subject;
  WarehouseShows shows;                ///< of the beat
  analysis::MemoryMap map = {};        ///< at `at`; it is drawn
  analysis::MemoryTotals totals = {};  ///< at the end of the beat's motion, or as `map` if the moment was set
  std::int64_t at = 0;                 ///< ns since the trace's base
  std::int64_t settled = 0;            ///< the beat's time: `at` at the end of its motion, if the moment was not set
  /// The output last, if it could be derived and has the bytes of the op's own block.
  std::vector<analysis::Tensor> tensors = {};
  std::size_t tensor = 0;                 ///< index of the shown tensor
  const trace::Device* device = nullptr;  ///< the trace's description
  const trace::KernelRecord* record = nullptr;
  double phase = 1;
  bool scrubbed = false;  ///< the moment was set, so nothing moves
  Narration::Values values = {};

  const Trace& trace() const { return input.trace; }
  bool has_capacity() const { return device != nullptr && device->total_memory > 0; }
  /// Bytes allocated right after the op's block was freed; `absent` if it was not freed or no total was recorded.
  std::int64_t allocated_after_free() const;
  const analysis::Tensor* output() const {
    return !tensors.empty() && tensors.back().output ? &tensors.back() : nullptr;
  }
};
using WarehouseBeat = BeatOf<WarehouseView, WarehouseShows>;
WarehouseView warehouse_view(const Here& here);

/// The picture of one moment.
std::shared_ptr<const WarehousePicture> warehouse_picture(const WarehouseView& view);

/// The column beside the map: the request, a tensor, the account, or a block's life.
WarehouseColumn warehouse_column(const WarehouseView& view);

void order_facts(const WarehouseView& view, FactWriter& facts);
void taken_facts(const WarehouseView& view, FactWriter& facts);
void carve_facts(const WarehouseView& view, FactWriter& facts);
void tensor_facts(const WarehouseView& view, FactWriter& facts);
void capacity_facts(const WarehouseView& view, FactWriter& facts);
void free_facts(const WarehouseView& view, FactWriter& facts);

/// The buffers of a kernel if the trace has only their sizes and contents (plain_buffers): no addresses, no allocator.
struct WarehouseBuffers {
  const SceneInput& input;
  std::vector<std::size_t> rows;  ///< of Records::allocations
};
WarehouseBuffers warehouse_buffers(const Here& here);
void buffers_values(const WarehouseBuffers& buffers, Narration::Values& values);
void buffers_facts(const WarehouseBuffers& buffers, FactWriter& facts);
void buffers_picture(const WarehouseBuffers& buffers, Stage& stage);

}  // namespace warpwalk::story
