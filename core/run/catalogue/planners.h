#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ops/definitions/gpu_kernel.h"
#include "core/run/catalogue/launch_writer.h"

namespace warpwalk::run {

/// The arguments of plan().
struct PlanRequest {
  std::string_view op;
  std::span<const Operand> inputs;
  std::span<const double> numbers;
  const ops::GpuKernel& kernel;
};

using Planned = base::Result<Plan>;

/// The planners, one per kernel form (ops::GpuKernel::Form). They may throw ops::OpError (geometry.h).
Planned plan_elementwise(const PlanRequest& request);
Planned plan_arithmetic(const PlanRequest& request);
Planned plan_fill(const PlanRequest& request);
Planned plan_copy(const PlanRequest& request);
Planned plan_rows(const PlanRequest& request);
Planned plan_reduction(const PlanRequest& request);
Planned plan_matrix_product(const PlanRequest& request);
Planned plan_addmm(const PlanRequest& request);
Planned plan_matrix_vector(const PlanRequest& request);

/// Returns "add" for "aten::add_.Tensor".
std::string_view stem_of(std::string_view op);
/// The kernel that the op's definition chooses for this call. Without a choice: the op's name, with all numbers as
/// scalars.
ops::KernelChoice choice_of(const PlanRequest& request);

/// Checks of the inputs.
base::Result<void> check_inputs(const PlanRequest& request, std::size_t count);
/// Checks that all inputs have the same type, that the kernels support it, and that the numbers fit it.
base::Result<void> check_dtypes(const PlanRequest& request);
base::Result<void> check_count(const PlanRequest& request, const ops::Sizes& result);

}  // namespace warpwalk::run
