#include "tests/instrumentation/fake_torch.h"

namespace {
/// Keeps the compiler from leaving a function by a jump to the one it calls last.
void do_something() {
  static volatile int calls = 0;
  calls = calls + 1;
}
}  // namespace

namespace at::_ops {
void sum_dim_IntList::call(void (*launch)()) {
  launch();
  do_something();
}
void relu::redispatch(void (*launch)()) {
  launch();
  do_something();
}
}  // namespace at::_ops

namespace torch::autograd::generated {
void SumBackward0::apply(std::vector<int>&& gradients, void (*launch)()) {
  if (gradients.empty())
    at::_ops::sum_dim_IntList::call(launch);
  else
    at::_ops::relu::redispatch(launch);
  do_something();
}
}  // namespace torch::autograd::generated
