#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwalk::story {

/// The order in which a stage of a pipeline runs its microbatches.
enum class PipelineOrder : std::uint8_t {
  gpipe,        ///< all forwards, then all backwards
  one_forward,  ///< 1F1B: as soon as a backward is possible, it goes before the next forward
};

/// One microbatch in one stage. Times are in units of a forward.
struct PipelineWork {
  int stage = 0, microbatch = 0;
  bool backward = false;
  int start = 0, end = 0;
};

struct PipelineRun {
  std::vector<PipelineWork> work;  ///< stage by stage, in order
  int end = 0;
  double bubble = 0;  ///< share of the stages' time in which they are idle
  int most_held = 0;  ///< microbatches whose activations a stage keeps for their backwards: the most of any stage
};

/// Runs a step of training in a pipeline: forward through the stages, backward from the last to the first. Transfers
/// between stages take no time.
PipelineRun run_pipeline(PipelineOrder order, int stages, int microbatches, int backward);

/// (p - 1) / (m + p - 1): the bubble of both orders, with p stages and m microbatches (Y. Huang et al., GPipe, 2019;
/// D. Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters, 2021).
double bubble_formula(int stages, int microbatches);

}  // namespace warpwalk::story
