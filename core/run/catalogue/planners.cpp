#include "core/run/catalogue/planners.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/ops/tensor/promotion.h"

namespace warpwalk::run {

std::string_view stem_of(std::string_view op) {
  op.remove_prefix(op.rfind(':') + 1);
  op = op.substr(0, op.find('.'));
  return op.ends_with('_') ? op.substr(0, op.size() - 1) : op;
}

ops::KernelChoice choice_of(const PlanRequest& request) {
  if (request.kernel.choose != nullptr)
    return request.kernel.choose(request.inputs.front().geometry.sizes, request.inputs.size(), request.numbers);
  return {std::string(stem_of(request.op)), {request.numbers.begin(), request.numbers.end()}, {}};
}

base::Result<void> check_inputs(const PlanRequest& request, std::size_t count) {
  if (request.inputs.size() == count) return {};
  return base::Error{fmt::format("{}: {} tensors given; it takes {}", request.op, request.inputs.size(), count)};
}

base::Result<void> check_dtypes(const PlanRequest& request) {
  const ops::DType first = request.inputs.front().dtype;
  for (const Operand& input : request.inputs) {
    if (!ops::is_tensor_dtype(input.dtype))
      return base::Error{fmt::format("{}: there is no kernel for {}; there are kernels for f16 bf16 f32 f64 i32 i64",
                                     request.op, name_of(input.dtype))};
    if (input.dtype != first)
      return base::Error{fmt::format("{}: {} and {}: its kernels take tensors of the same type; cast one of them first",
                                     request.op, name_of(first), name_of(input.dtype))};
  }
  if (request.kernel.types == ops::GpuKernel::Types::floats && !is_float(first))
    return base::Error{fmt::format("{}: there is no kernel for {}; cast it to f32 first", request.op, name_of(first))};
  if (is_float(first)) return {};
  constexpr double limit = 9223372036854775808.0;  // 2^63
  for (const double number : request.numbers)
    if (std::trunc(number) != number || std::abs(number) >= limit)
      return base::Error{
          fmt::format("{}: the number {} with a tensor of {}: cast the tensor to a floating-point type first",
                      request.op, number, name_of(first))};
  return {};
}

base::Result<void> check_count(const PlanRequest& request, const ops::Sizes& result) {
  std::int64_t maximum = ops::count_of(result);
  for (const Operand& input : request.inputs) maximum = std::max(maximum, input.geometry.count());
  if (maximum <= max_elements) return {};
  return base::Error{
      fmt::format("{}: {} elements; the kernels index elements with 32 bits, up to {}: use smaller tensors", request.op,
                  maximum, max_elements)};
}

}  // namespace warpwalk::run
