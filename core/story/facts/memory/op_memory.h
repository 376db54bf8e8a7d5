#pragma once

// This folder derives facts about the memory of one op. The state of a whole memory is in core/analysis/memory.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/analysis/memory/memory_map.h"
#include "core/analysis/memory/tensor_layout.h"
#include "core/story/elements/walk.h"

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

/// One op's memory.
struct OpMemory {
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
OpMemory op_memory_of(const Trace& trace, const Walk& walk);

/// The innermost op that ran on this track's thread at this time (ns since the trace's base).
SliceId op_at(const Trace& trace, trace::TrackId track, std::int64_t time);

/// Whether the inputs of this op were recorded.
bool inputs_recorded(const Trace& trace, SliceId op);

/// The op's result by its shape rule, with its address; nullopt unless a block of exactly its bytes was allocated
/// inside the op.
std::optional<analysis::Tensor> placed_result(const Trace& trace, const OpMemory& subject);

}  // namespace warpwalk::story
