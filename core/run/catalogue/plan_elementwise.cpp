// Ops that compute each element independently: one thread per element, with or without strides.
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/run/catalogue/planners.h"

namespace warpwalk::run {
namespace {

constexpr std::string_view row_major = "no tensor has gaps: element i is at index i; one thread per element";

bool in_place(std::string_view op) { return op.find("_.") != std::string_view::npos || op.ends_with('_'); }

/// Starts a plan with its inputs and its result: the first input, or a new tensor of these sizes.
Plan elementwise_plan(const PlanRequest& request, const ops::Sizes& sizes) {
  Plan plan;
  plan.operands.assign(request.inputs.begin(), request.inputs.end());
  if (in_place(request.op)) return plan;
  plan.result = plan.operands.size();
  plan.operands.push_back({plan.operands.front().dtype, ops::contiguous_geometry(sizes)});
  return plan;
}

/// The reason why strides are needed, stated for the first tensor that has them.
std::string why_strided(const Plan& plan, std::span<const std::size_t> visited, const ops::Sizes& sizes) {
  for (const std::size_t row : visited) {
    const ops::Geometry& geometry = plan.operands[row].geometry;
    if (geometry.sizes != sizes)
      return fmt::format("{} is broadcast to {}: its elements are found by strides, some of which are 0",
                         ops::shape_text(geometry.sizes), ops::shape_text(sizes));
  }
  return "a view with gaps or permuted dimensions: each thread finds its element by the strides";
}

/// Adds the launch of `module`/`entry`, or of its strided form, over all elements. `visited`: the operands in the
/// kernel's order, the result last; `scalars`: the arguments between the operands and the count.
struct Elementwise {
  std::string module, strided_module;
  std::string entry, strided_entry;
  std::vector<std::pair<ops::DType, std::uint64_t>> scalars;
};

void add_launch(Plan& plan, const Elementwise& kernel, std::span<const std::size_t> visited,
                std::string_view why = row_major) {
  const ops::Sizes& sizes = plan.operands[plan.result].geometry.sizes;
  if (ops::count_of(sizes) == 0) return;
  std::vector<ops::Sizes> strides;
  for (const std::size_t row : visited) strides.push_back(ops::expanded(plan.operands[row].geometry, sizes).strides);
  const CommonLayout layout = common_layout(sizes, strides);
  const bool plain = layout.without_gaps();
  LaunchWriter launch(plain ? kernel.module : kernel.strided_module, plain ? kernel.entry : kernel.strided_entry,
                      plain ? std::string(why) : why_strided(plan, visited, sizes));
  for (const std::size_t row : visited) launch.operand(row);
  for (const auto& [dtype, bits] : kernel.scalars) launch.scalar(dtype, bits);
  if (!plain) launch.structure(layout.bytes());
  plan.launches.push_back(launch.i32(layout.count()).over(layout.count()));
}

/// Modules NAME and NAME_strided; entries STEM_TYPE and STEM_strided_TYPE.
Elementwise kernel_of(std::string_view module, std::string_view stem, std::string_view type) {
  return {std::string(module),
          fmt::format("{}_strided", module),
          fmt::format("{}_{}", stem, type),
          fmt::format("{}_strided_{}", stem, type),
          {}};
}

/// The same if both forms are in one module.
Elementwise kernel_in(std::string_view module, std::string_view type) {
  Elementwise kernel = kernel_of(module, module, type);
  kernel.strided_module = kernel.module;
  return kernel;
}

base::Result<void> check_overlap(const PlanRequest& request) {
  const ops::Geometry& written = request.inputs.front().geometry;
  if (!in_place(request.op) || !written.overlaps_itself()) return {};
  return base::Error{fmt::format("{} into a view of {} whose elements overlap (stride 0): clone it first", request.op,
                                 ops::shape_text(written.sizes))};
}

/// The input check of all elementwise ops; `sizes`: sizes of the result.
base::Result<void> check_elementwise(const PlanRequest& request, const ops::Sizes& sizes) {
  if (auto done = check_count(request, sizes); !done) return done;
  if (auto done = check_overlap(request); !done) return done;
  if (in_place(request.op) && request.inputs.front().geometry.sizes != sizes)
    return base::Error{fmt::format("{}: a result of {} does not fit into {}", request.op, ops::shape_text(sizes),
                                   ops::shape_text(request.inputs.front().geometry.sizes))};
  return {};
}

bool all_f32(const Plan& plan) { return plan.operands.front().dtype == ops::DType::f32; }

/// a + alpha b; for sub, alpha is already negated.
void add_scaled(Plan& plan, double alpha) {
  const ops::DType dtype = plan.operands.front().dtype;
  Elementwise kernel = kernel_in("add_scaled", name_of(dtype));
  kernel.scalars = {{computed_in(dtype), number_bits(computed_in(dtype), alpha)}};
  add_launch(plan, kernel, std::array{std::size_t{0}, std::size_t{1}, plan.result});
}

/// A number rounded to this type. The product of two such numbers is exact in double, unless they are doubles or large
/// integers.
double in_type(ops::DType type, double number) {
  return is_float(type) ? ops::float_value(type, ops::float_bits(type, number)) : number;
}

/// Plans an op on a tensor and a Python number. x - number is computed as x + -number, which is exact.
Planned plan_with_number(const PlanRequest& request, std::string_view stem) {
  if (request.numbers.empty()) return base::Error{fmt::format("{}: one tensor is given, but no number", request.op)};
  const ops::Sizes& sizes = request.inputs.front().geometry.sizes;
  if (auto done = check_elementwise(request, sizes); !done) return base::Error{done.error()};
  Plan plan = elementwise_plan(request, sizes);
  const ops::DType dtype = plan.operands.front().dtype, type = computed_in(dtype);
  double number = request.numbers[0];
  if (request.numbers.size() > 1) number = in_type(type, number) * in_type(type, request.numbers[1]);
  if (stem == "sub") number = -number;
  const std::string_view name = stem == "sub" ? "add" : stem;
  Elementwise kernel = kernel_of("number", fmt::format("{}_number", name), name_of(dtype));
  kernel.strided_entry = fmt::format("{}_number_strided_{}", name, name_of(dtype));
  kernel.scalars = {{type, number_bits(type, number)}};
  add_launch(plan, kernel, std::array{std::size_t{0}, plan.result});
  return plan;
}

}  // namespace

Planned plan_elementwise(const PlanRequest& request) {
  if (request.inputs.empty()) return base::Error{fmt::format("{}: no tensor is given", request.op)};
  if (auto done = check_dtypes(request); !done) return base::Error{done.error()};
  ops::Sizes sizes;
  for (const Operand& input : request.inputs) sizes = ops::broadcast(sizes, input.geometry.sizes);
  if (auto done = check_elementwise(request, sizes); !done) return base::Error{done.error()};
  Plan plan = elementwise_plan(request, sizes);
  const ops::DType dtype = plan.operands.front().dtype, type = computed_in(dtype);
  const ops::KernelChoice choice = choice_of(request);
  const ops::GpuKernel& module = request.kernel;
  Elementwise kernel = kernel_of(module.module, choice.stem, name_of(dtype));
  kernel.strided_module = module.strided_module.empty() ? module.module : module.strided_module;
  if (!module.f32_module.empty() && all_f32(plan)) kernel.module = kernel.entry = module.f32_module;
  for (const double scalar : choice.scalars) kernel.scalars.emplace_back(type, number_bits(type, scalar));
  std::vector<std::size_t> visited(request.inputs.size());
  std::iota(visited.begin(), visited.end(), std::size_t{0});
  visited.push_back(plan.result);
  add_launch(plan, kernel, visited);
  return plan;
}

Planned plan_arithmetic(const PlanRequest& request) {
  const std::string_view stem = stem_of(request.op);
  if (request.inputs.size() != 1)
    if (auto done = check_inputs(request, 2); !done) return base::Error{done.error()};
  if (auto done = check_dtypes(request); !done) return base::Error{done.error()};
  if (request.inputs.size() == 1) return plan_with_number(request, stem);
  const ops::Sizes sizes = ops::broadcast(request.inputs[0].geometry.sizes, request.inputs[1].geometry.sizes);
  if (auto done = check_elementwise(request, sizes); !done) return base::Error{done.error()};
  Plan plan = elementwise_plan(request, sizes);
  const double alpha = request.numbers.empty() ? 1.0 : request.numbers[0];
  if (alpha != 1.0 && (stem == "add" || stem == "sub")) {
    add_scaled(plan, stem == "sub" ? -alpha : alpha);
    return plan;
  }
  Elementwise kernel = kernel_of("binary", stem, name_of(plan.operands.front().dtype));
  if (stem == "add" && all_f32(plan)) kernel.module = kernel.entry = "vecadd";
  add_launch(plan, kernel, std::array{std::size_t{0}, std::size_t{1}, plan.result});
  return plan;
}

Planned plan_fill(const PlanRequest& request) {
  if (auto done = check_inputs(request, 1); !done) return base::Error{done.error()};
  if (request.numbers.size() != 1) return base::Error{fmt::format("{}: takes one number, the value", request.op)};
  const Operand& self = request.inputs.front();
  if (auto done = check_dtypes({request.op, request.inputs, {}, request.kernel}); !done)
    return base::Error{done.error()};
  if (auto done = check_elementwise(request, self.geometry.sizes); !done) return base::Error{done.error()};
  Plan plan = elementwise_plan(request, self.geometry.sizes);
  const auto bits = element_bits(self.dtype, request.numbers[0]);
  if (!bits)
    return base::Error{
        fmt::format("{} with {}: {} cannot represent this value", request.op, request.numbers[0], name_of(self.dtype))};
  const std::size_t bytes = ops::bytes_of(self.dtype);
  Elementwise kernel = kernel_in("fill", fmt::format("b{}", 8 * bytes));
  kernel.scalars = {{bytes == 2 ? ops::DType::u16 : bytes == 4 ? ops::DType::u32 : ops::DType::u64, *bits}};
  add_launch(plan, kernel, std::array{plan.result}, "no gaps: one thread per element; only the bits matter");
  return plan;
}

Planned plan_copy(const PlanRequest& request) {
  if (auto done = check_inputs(request, 2); !done) return base::Error{done.error()};
  for (const Operand& input : request.inputs)
    if (auto done = check_dtypes({request.op, {&input, 1}, {}, request.kernel}); !done)
      return base::Error{done.error()};
  const Operand &self = request.inputs[0], &source = request.inputs[1];
  if (auto done = check_elementwise(request, ops::broadcast(self.geometry.sizes, source.geometry.sizes)); !done)
    return base::Error{done.error()};
  Plan plan = elementwise_plan(request, self.geometry.sizes);
  const std::string moved = fmt::format("b{}", 8 * ops::bytes_of(self.dtype));
  const bool same = self.dtype == source.dtype;
  const Elementwise kernel = kernel_of(
      "copy", "copy", same ? moved + "_" + moved : fmt::format("{}_{}", name_of(source.dtype), name_of(self.dtype)));
  add_launch(plan, kernel, std::array{std::size_t{1}, std::size_t{0}});
  return plan;
}

}  // namespace warpwalk::run
