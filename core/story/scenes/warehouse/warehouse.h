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
#include "core/story/elements/walk.h"
#include "core/story/scenes/warehouse/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The op's own block: of those allocated inside it the largest that outlives it, else the largest.
struct OwnBlock {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;   ///< as taken
  std::int64_t asked = -1;  ///< as requested; -1: not recorded
  std::int64_t born = 0;    ///< ns since the trace's base, like all times here
  std::optional<std::int64_t> freed;
  bool outlives = false;        ///< freed after the end of the op that allocated it
  SliceId freed_in = no_slice;  ///< the innermost op that ran on that thread when it was freed
  std::int64_t allocated_after = trace::absent, reserved_after = trace::absent;
  std::int64_t allocated_freed = trace::absent, reserved_freed = trace::absent;  ///< after its free
  std::size_t record = trace::no_record;                                         ///< row of Records::allocations

  /// Changes of other blocks of this memory between `born` and `freed`, which also change the total.
  std::int64_t others_bytes = 0;    ///< their change of the total
  std::int64_t others_taken = 0;    ///< bytes allocated since `born` and still held when the block is freed
  SliceId others_taker = no_slice;  ///< the outermost op that took the largest of those

  /// Whether memory was allocated from the driver for this block.
  enum class Driver : std::uint8_t {
    no,       ///< reserved did not grow
    grew,     ///< reserved grew, by `grown`
    called,   ///< a call that allocates from the driver comes before it; by how much reserved grew is not known
    unknown,  ///< nothing before it was recorded
  };
  Driver driver = Driver::unknown;
  std::int64_t grown = 0;
};

/// One op's memory: the subject of the scene.
struct WarehouseSubject {
  bool recorded = false;  ///< the trace has memory events or allocations of this memory
  bool driver = false;    ///< only the driver's allocations were recorded
  analysis::MemorySpace space;
  SliceId root = no_slice;   ///< the outermost op; memory allocated on its thread while it runs is its own
  SliceId inner = no_slice;  ///< the op whose tensors are shown: the innermost one with recorded inputs
  std::size_t made = 0;      ///< blocks allocated inside the root
  std::int64_t made_bytes = 0;
  std::size_t refused = 0;  ///< requests inside the root that failed
  std::int64_t refused_bytes = trace::absent;
  std::optional<OwnBlock> block;
};
WarehouseSubject warehouse_subject(const Trace& trace, const Walk& walk);

/// The innermost op that ran on this track's thread at this time (ns since the trace's base).
SliceId op_at(const Trace& trace, trace::TrackId track, std::int64_t time);

/// Whether the inputs of this op were recorded.
bool inputs_recorded(const Trace& trace, SliceId op);

/// The data for the facts and the picture of one moment.
struct WarehouseView {
  WarehouseSubject subject;
  analysis::MemoryMap map;        ///< at `at`; it is drawn
  analysis::MemoryTotals totals;  ///< at the end of the beat's motion, or as `map` if the moment was set
  std::int64_t at = 0;            ///< ns since the trace's base
  std::vector<analysis::Tensor>
      tensors;             ///< the output last, if it could be derived and has the bytes of the op's own block
  std::size_t tensor = 0;  ///< index of the shown tensor
  const trace::Device* device = nullptr;  ///< the trace's description
  const trace::KernelRecord* record = nullptr;
  std::string beat;
  double phase = 1;
  bool scrubbed = false;  ///< the moment was set, so nothing moves
  const analysis::Tensor* output() const {
    return !tensors.empty() && tensors.back().output ? &tensors.back() : nullptr;
  }
};

/// The picture of one moment.
std::shared_ptr<const WarehousePicture> warehouse_picture(const SceneInput& input, const WarehouseView& view,
                                                          const Narration::Values& values);

/// The column beside the map: the request, a tensor, the account, or a block's life.
WarehouseColumn warehouse_column(const SceneInput& input, const WarehouseView& view, const Narration::Values& values);

/// The stage of a kernel whose buffers have only sizes and contents in the trace (plain_buffers): no addresses, no
/// allocator.
Stage buffers_stage(const SceneInput& input, const std::vector<Beat>& beats);

/// Adds the facts of a beat, and what the trace lacks for it.
void warehouse_facts(const SceneInput& input, const WarehouseView& view, const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
