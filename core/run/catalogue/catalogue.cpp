#include "core/run/catalogue/catalogue.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/tensor/error.h"
#include "core/platform/read_file.h"
#include "core/run/catalogue/planners.h"

namespace warpwalk::run {
namespace {

using Form = ops::GpuKernel::Form;

Planned planned(const PlanRequest& request) {
  switch (request.kernel.form) {
    case Form::elementwise: return plan_elementwise(request);
    case Form::arithmetic: return plan_arithmetic(request);
    case Form::rows: return plan_rows(request);
    case Form::reduction: return plan_reduction(request);
    case Form::matrices: return plan_matrix_product(request);
    case Form::addmm: return plan_addmm(request);
    case Form::vectors: return plan_matrix_vector(request);
    case Form::fill: return plan_fill(request);
    case Form::copy: return plan_copy(request);
    case Form::none: break;
  }
  return base::Error{fmt::format("{}: there is no kernel for this op", request.op)};
}

}  // namespace

base::Result<Plan> plan(std::string_view op, std::span<const Operand> inputs, std::span<const double> numbers) {
  const ops::OpDefinition* const definition = ops::find_definition(op);
  if (definition == nullptr) return base::Error{fmt::format("{}: there is no kernel for this op", op)};
  if (const std::size_t limit = ops::tensors_of(definition->schema); inputs.size() > limit)
    return base::Error{fmt::format("{}: {} tensors given; it takes {}", op, inputs.size(), limit)};
  try {
    return planned({op, inputs, numbers, definition->gpu});
  } catch (const ops::OpError& error) {
    return base::Error{fmt::format("{}: {}", op, error.what())};
  }
}

std::vector<std::string_view> planned_ops() {
  std::vector<std::string_view> planned;
  for (const ops::OpDefinition& op : ops::all_definitions())
    if (op.gpu.form != Form::none) planned.push_back(op.name);
  return planned;
}

std::string shipped_cubin(const std::filesystem::path& folder, std::string_view compute_capability,
                          std::string_view module) {
  std::string architecture = "sm_";
  for (const char c : compute_capability)
    if (c != '.') architecture += c;
  auto cubin = platform::read_compressed_file(folder / architecture / fmt::format("{}.cubin.gz", module));
  return cubin ? std::move(cubin->text) : std::string();
}

std::filesystem::path kernel_sources(const std::filesystem::path& assets) {
  std::error_code error;
  const std::filesystem::path inside = assets / "kernels";
  return std::filesystem::is_directory(inside, error) ? inside : assets.parent_path() / "kernels";
}

}  // namespace warpwalk::run
