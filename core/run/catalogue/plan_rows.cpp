// Ops on whole rows: softmax, layer_norm and their gradients. One block per row.
#include <algorithm>

#include <fmt/format.h>

#include "core/run/catalogue/planners.h"

namespace warpwalk::run {
namespace {

/// The dimensions of one group, for all tensors.
CommonLayout layout_of(const Plan& plan, std::size_t tensors, const std::vector<bool>& reduced, bool of_row) {
  const ops::Sizes& sizes = plan.operands[plan.result].geometry.sizes;
  ops::Sizes chosen;
  std::vector<ops::Sizes> strides(tensors);
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (reduced[d] != of_row) continue;
    chosen.push_back(sizes[d]);
    for (std::size_t t = 0; t < tensors; ++t)
      strides[t].push_back(ops::expanded(plan.operands[t].geometry, sizes).strides[d]);
  }
  return common_layout(chosen, strides);
}

bool takes_teaching_kernel(const PlanRequest& request, const CommonLayout& row) {
  const Operand& input = request.inputs.front();
  return !request.kernel.f32_module.empty() && request.inputs.size() == 1 && input.dtype == ops::DType::f32 &&
         input.geometry.contiguous() && row.without_gaps();
}

}  // namespace

Planned plan_rows(const PlanRequest& request) {
  if (request.inputs.empty()) return base::Error{fmt::format("{}: no tensor is given", request.op)};
  // The numbers are dimensions and sizes, which fit every type.
  if (auto done = check_dtypes({request.op, request.inputs, {}, request.kernel}); !done)
    return base::Error{done.error()};
  const ops::Sizes& sizes = request.inputs.front().geometry.sizes;
  for (const Operand& input : request.inputs)
    if (ops::broadcast(sizes, input.geometry.sizes) != sizes)
      return base::Error{fmt::format("{}: {} does not fit {}", request.op, ops::shape_text(input.geometry.sizes),
                                     ops::shape_text(sizes))};
  if (auto done = check_count(request, sizes); !done) return base::Error{done.error()};
  const ops::KernelChoice choice = choice_of(request);
  Plan plan;
  plan.operands.assign(request.inputs.begin(), request.inputs.end());
  plan.result = plan.operands.size();
  plan.operands.push_back({plan.operands.front().dtype, ops::contiguous_geometry(sizes)});
  if (ops::count_of(sizes) == 0) return plan;
  const std::size_t tensors = plan.operands.size();
  const CommonLayout rows = layout_of(plan, tensors, choice.reduced, false),
                     row = layout_of(plan, tensors, choice.reduced, true);
  const ops::DType dtype = plan.operands.front().dtype, type = computed_in(dtype);
  const std::array grid{static_cast<std::uint32_t>(rows.count()), 1u, 1u}, block{threads_for(row.count(), 256), 1u, 1u};
  if (takes_teaching_kernel(request, row)) {
    const std::string name(request.kernel.f32_module);
    plan.launches.push_back(LaunchWriter(name, name, "row-major f32: one block per row, its threads side by side")
                                .operand(0)
                                .operand(1)
                                .i32(rows.count())
                                .i32(row.count())
                                .with(grid, block));
    return plan;
  }
  LaunchWriter launch(std::string(request.kernel.module), fmt::format("{}_{}", choice.stem, name_of(dtype)),
                      "one block per row: threads, lanes, then warps combine its elements, found by strides");
  for (std::size_t t = 0; t < tensors; ++t) launch.operand(t);
  for (const double scalar : choice.scalars) launch.scalar(type, number_bits(type, scalar));
  plan.launches.push_back(launch.structure(rows.bytes()).structure(row.bytes()).i32(row.count()).with(grid, block));
  return plan;
}

}  // namespace warpwalk::run
