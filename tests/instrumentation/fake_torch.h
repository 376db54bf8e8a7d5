#pragma once

#include <vector>

// What Ops looks for in PyTorch's library, under PyTorch's names.

namespace at::_ops {
struct sum_dim_IntList {
  static void call(void (*launch)());
};
struct relu {
  static void redispatch(void (*launch)());
};
}  // namespace at::_ops

namespace torch::autograd::generated {
struct SumBackward0 {
  void apply(std::vector<int>&& gradients, void (*launch)());
};
}  // namespace torch::autograd::generated
