#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwalk {

/// The delay of one rank of a made-up run, in each step.
enum class Delay { none, sleep, python_loop, kernels, synchronize, more_work, copy };

struct MadeRun {
  std::size_t ranks = 2, steps = 4, layers = 6;
  Delay delay = Delay::none;
  std::size_t late = 0;           ///< the rank that is delayed
  std::int64_t time = 4'000'000;  ///< ns of the delay; `more_work`: its kernels take half as long again
  bool bound_by_gpu = false;      ///< kernels take longer than what the CPU needs to launch them
  bool waits_at_end = true;       ///< every rank waits for the GPU at the end of a step (loss.item())
  bool shifted_clocks = false;    ///< clocks of ranks differ by seconds and drift by up to 20 ppm
  unsigned seed = 1;              ///< equal seeds: equal times of everything but the delay
};

struct MadeTraces {
  std::vector<std::string> texts;  ///< by rank
  std::int64_t duration = 0;       ///< ns from the start to the end of the last rank
};

/// Traces as torch.profiler writes them, one per rank, of a data-parallel training that is simulated: each rank has a
/// CPU thread, a compute stream and a stream for all-reduces, which end in all ranks together.
MadeTraces made_traces(const MadeRun& run);

}  // namespace warpwalk
