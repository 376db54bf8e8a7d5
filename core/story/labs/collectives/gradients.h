#pragma once

#include <array>
#include <vector>

namespace warpwalk::story {

/// The gradients of a tiny model on several GPUs: y = w · x with four weights, loss ½ (y - target)², and two samples
/// for each GPU, made of small whole numbers. A GPU's gradient is the mean over its samples.
struct DataParallelGradients {
  static constexpr int weights = 4, samples = 2;  ///< samples per GPU
  using Gradient = std::array<double, weights>;

  std::vector<Gradient> by_gpu;
  Gradient sum{};    ///< over the GPUs: what the all-reduce gives
  Gradient mean{};   ///< sum / GPUs
  Gradient whole{};  ///< of one GPU that has all samples
};
DataParallelGradients data_parallel_gradients(int gpus);

}  // namespace warpwalk::story
