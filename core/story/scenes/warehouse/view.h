#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/story/facts/memory/memory_map.h"
#include "core/story/facts/memory/tensor_layout.h"
#include "core/story/scenes/warehouse/subject.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The data for the facts and the picture of one moment.
struct WarehouseView {
  WarehouseSubject subject;
  MemoryMap map;                ///< at `at`; it is drawn
  MemoryTotals totals;          ///< at the end of the beat's motion, or as `map` if the moment was set
  std::int64_t at = 0;          ///< ns since the trace's base
  std::vector<Tensor> tensors;  ///< the output last, if it could be derived and has the bytes of the op's own block
  std::size_t tensor = 0;       ///< index of the shown tensor
  const trace::Device* device = nullptr;  ///< the trace's description
  const trace::KernelRecord* record = nullptr;
  std::string beat;
  double phase = 1;
  bool scrubbed = false;  ///< the moment was set, so nothing moves
  const Tensor* output() const { return !tensors.empty() && tensors.back().output ? &tensors.back() : nullptr; }
};

}  // namespace warpwalk::story
