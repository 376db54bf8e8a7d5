#include "core/story/labs/collectives/gradients.h"

#include <cstddef>

namespace warpwalk::story {
namespace {

using Gradient = DataParallelGradients::Gradient;

constexpr Gradient model_weights = {1, -1, 2, 1};

struct TrainingSample {
  Gradient x{};
  double target = 0;
};

TrainingSample training_sample(int number) {
  TrainingSample sample;
  for (int j = 0; j < DataParallelGradients::weights; ++j)
    sample.x[static_cast<std::size_t>(j)] = ((number + 1) * (2 * j + 3) + number * number + j) % 5 - 2;
  sample.target = (3 * number) % 7 - 3;
  return sample;
}

// Mean gradient over the samples from `first` to before `last`.
Gradient mean_gradient(int first, int last) {
  Gradient mean{};
  for (int number = first; number < last; ++number) {
    const TrainingSample sample = training_sample(number);
    double error = -sample.target;
    for (std::size_t j = 0; j < mean.size(); ++j) error += model_weights[j] * sample.x[j];
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += error * sample.x[j];
  }
  for (double& one : mean) one /= last - first;
  return mean;
}

}  // namespace

DataParallelGradients data_parallel_gradients(int gpus) {
  constexpr int samples = DataParallelGradients::samples;
  DataParallelGradients made;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    made.by_gpu.push_back(mean_gradient(gpu * samples, (gpu + 1) * samples));
    for (std::size_t j = 0; j < made.sum.size(); ++j) made.sum[j] += made.by_gpu.back()[j];
  }
  for (std::size_t j = 0; j < made.sum.size(); ++j) made.mean[j] = made.sum[j] / gpus;
  made.whole = mean_gradient(0, gpus * samples);
  return made;
}

}  // namespace warpwalk::story
