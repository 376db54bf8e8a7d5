#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/story/facts/memory_map.h"
#include "core/story/facts/tensor_layout.h"
#include "core/story/scenes/warehouse/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The block that the op was given: of those made inside it the largest that outlives it, else the largest.
struct OwnBlock {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;   ///< as taken
  std::int64_t asked = -1;  ///< as asked for; -1: not recorded
  std::int64_t born = 0;    ///< ns since the trace's base, like all times here
  std::optional<std::int64_t> freed;
  bool outlives = false;        ///< the op that made it
  SliceId freed_in = no_slice;  ///< the innermost op that ran on that thread when it was freed
  std::int64_t allocated_after = trace::absent, reserved_after = trace::absent;
  std::int64_t allocated_freed = trace::absent, reserved_freed = trace::absent;  ///< after its free
  std::size_t record = trace::no_record;                                         ///< row of Records::allocations

  /// What happened to other blocks of this memory between `born` and `freed`: they change the total too.
  std::int64_t others_bytes = 0;    ///< by how much they changed the total
  std::int64_t others_taken = 0;    ///< bytes handed out since `born` and still held when the block is freed
  SliceId others_taker = no_slice;  ///< the op that took the largest of those

  /// Whether the driver was asked for more.
  enum class Driver : std::uint8_t {
    no,       ///< reserved did not grow
    grew,     ///< reserved grew, by `grown`
    called,   ///< a call of the driver's allocation stands before it, by how much reserved grew is not on record
    unknown,  ///< nothing before it is on record
  };
  Driver driver = Driver::unknown;
  std::int64_t grown = 0;
};

/// What the scene is about: one op's memory.
struct WarehouseSubject {
  bool recorded = false;  ///< the trace holds memory events or allocations of this memory
  bool driver = false;    ///< all that is recorded is what the program took from the driver
  MemorySpace space;
  SliceId root = no_slice;   ///< the outermost op; memory that is taken while it runs on its thread is its own
  SliceId inner = no_slice;  ///< the op whose tensors are shown: the innermost that has its inputs on record
  std::size_t made = 0;      ///< blocks made inside the root
  std::int64_t made_bytes = 0;
  std::size_t refused = 0;  ///< requests inside the root that failed
  std::int64_t refused_bytes = trace::absent;
  std::optional<OwnBlock> block;
};
WarehouseSubject warehouse_subject(const Trace& trace, const Walk& walk);

/// The innermost op that ran on this track's thread at this time (ns since the trace's base).
SliceId op_at(const Trace& trace, trace::TrackId track, std::int64_t time);

/// Whether the profiler wrote down what this op was given.
bool inputs_recorded(const Trace& trace, SliceId op);

/// All that the facts and the picture of one moment are made from.
struct WarehouseView {
  WarehouseSubject subject;
  MemoryMap map;                ///< at `at`: what is drawn
  MemoryTotals told;            ///< at the end of the beat's motion, or as `map` where the moment was set
  std::int64_t at = 0;          ///< ns since the trace's base
  std::vector<Tensor> tensors;  ///< the output last, where it is derived and has the bytes of the op's own block
  std::size_t tensor = 0;       ///< of them, the one that is shown
  const trace::Device* device = nullptr;  ///< as the trace records it
  const trace::KernelRecord* record = nullptr;
  std::string beat;
  double phase = 1;
  bool scrubbed = false;  ///< the moment was set, so nothing moves
  const Tensor* output() const { return !tensors.empty() && tensors.back().output ? &tensors.back() : nullptr; }
};

/// The stage of a kernel whose buffers have only sizes and contents on record (plain_buffers).
Stage buffers_stage(const SceneInput& input, const std::vector<Beat>& beats);

/// The facts of one beat, and what the trace lacks for it.
void warehouse_facts(const SceneInput& input, const WarehouseView& view, const Narration::Values& values, Stage& stage);

std::shared_ptr<const WarehousePicture> warehouse_picture(const SceneInput& input, const WarehouseView& view,
                                                          const Narration::Values& values);
WarehouseColumn warehouse_column(const SceneInput& input, const WarehouseView& view, const Narration::Values& values);

/// "0x7f72a5000000".
std::string address_text(std::uint64_t address);
/// Bytes in full: "4,194,304 B".
std::string full_bytes(std::int64_t bytes);

}  // namespace warpwalk::story
