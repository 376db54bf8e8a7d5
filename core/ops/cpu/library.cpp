#include "core/ops/dispatch/library.h"

#include <string_view>

#include "core/ops/cpu/functions.h"

namespace warpwalk::ops {

void register_cpu(Dispatcher& dispatcher) {
  struct Row {
    std::string_view op, name;
    Tensor (*function)(Dispatcher&, const Call&);
  };
  constexpr Row rows[] = {
      {"aten::empty.memory_format", "cpu: allocate", cpu_empty},
      {"aten::fill_.Scalar", "cpu loop: fill", cpu_fill},
      {"aten::copy_", "cpu loop: copy and cast", cpu_copy},
      {"aten::add.Tensor", "cpu loop: add", cpu_add},
      {"aten::sub.Tensor", "cpu loop: subtract", cpu_sub},
      {"aten::mul.Tensor", "cpu loop: multiply", cpu_mul},
      {"aten::div.Tensor", "cpu loop: divide", cpu_div},
      {"aten::neg", "cpu loop: negate", cpu_neg},
      {"aten::relu", "cpu loop: relu", cpu_relu},
      {"aten::exp", "cpu loop: exp in double", cpu_exp},
      {"aten::sqrt", "cpu loop: square root", cpu_sqrt},
      {"aten::mm", "cpu loops: mm, sums in double", cpu_mm},
      {"aten::bmm", "cpu loops: bmm, sums in double", cpu_bmm},
      {"aten::mv", "cpu loops: mv, sums in double", cpu_mv},
      {"aten::dot", "cpu loop: dot, sum in double", cpu_dot},
      {"aten::sum.dim_IntList", "cpu loop: sums in double", cpu_sum},
      {"aten::threshold_backward", "cpu loop: gradient where x > 0", cpu_threshold_backward},
      {"aten::add_.Tensor", "cpu loop: add in place", cpu_add_in_place},
      {"aten::mul_.Tensor", "cpu loop: multiply in place", cpu_mul_in_place},
      {"aten::relu_", "cpu loop: relu in place", cpu_relu_in_place},
  };
  for (const Row& row : rows)
    dispatcher.add(row.op, Key::CPU, Registration::Kind::kernel, std::string(row.name), row.function);
}

}  // namespace warpwalk::ops
