#include "tests/run/catalogue_plans.h"

#include <string_view>
#include <utility>

#include "core/run/catalogue/catalogue.h"

namespace warpwalk::testing {

using ops::DType;
using ops::Sizes;
using run::Operand;
using run::Plan;

Operand row_major(DType dtype, const Sizes& sizes) { return {dtype, ops::contiguous_geometry(sizes)}; }
Operand turned(DType dtype, const Sizes& sizes) { return {dtype, transposed(ops::contiguous_geometry(sizes), -1, -2)}; }

std::vector<Plan> plans_of_every_kernel() {
  std::vector<Plan> all;
  const auto add = [&](std::string_view op, const std::vector<Operand>& inputs, const std::vector<double>& numbers) {
    auto made = run::plan(op, inputs, numbers);
    if (made) all.push_back(std::move(*made));
  };
  const Sizes small{40, 60};
  for (const DType dtype : tensor_dtypes) {
    for (const Operand& x : {row_major(dtype, small), turned(dtype, small)}) {
      const Operand same = row_major(dtype, x.geometry.sizes);
      for (const std::string_view op : {"aten::neg", "aten::relu", "aten::exp", "aten::sqrt"}) add(op, {x}, {});
      for (const std::string_view op :
           {"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor"}) {
        add(op, {x, same}, {});
        add(op, {x}, {2});
      }
      add("aten::add.Tensor", {x, same}, {2});
      add("aten::threshold_backward", {x, same}, {0});
      add("aten::fill_.Scalar", {x}, {1});
      for (const DType from : tensor_dtypes) add("aten::copy_", {same, {from, x.geometry}}, {});
      add("aten::mm", {x, turned(dtype, x.geometry.sizes)}, {});
      add("aten::mv", {x, row_major(dtype, {x.geometry.sizes[1]})}, {});
      for (const double dim : {0.0, 1.0}) add("aten::sum.dim_IntList", {x}, {dim, 0});
    }
    add("aten::sum", {row_major(dtype, {100000})}, {});
    add("aten::sum", {turned(dtype, {300, 400})}, {});
    for (const std::int64_t side : {64, 1024})
      add("aten::mm", {row_major(dtype, {side, 32}), row_major(dtype, {32, side})}, {});
  }
  return all;
}

}  // namespace warpwalk::testing
