#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/story/facts/memory_map.h"
#include "core/story/facts/tensor_layout.h"
#include "core/story/scenes/warehouse/subject.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

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

}  // namespace warpwalk::story
