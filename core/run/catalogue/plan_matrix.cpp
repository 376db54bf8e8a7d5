// Products of matrices and vectors (kernels/matmul_*.cu, mm.cu, addmm.cu, mv.cu).
#include <algorithm>

#include <fmt/format.h>

#include "core/run/catalogue/planners.h"

namespace warpwalk::run {
namespace {

/// A batch of matrices; strides in elements.
struct Matrices {
  std::int64_t batch = 1, rows = 0, columns = 0;
  std::int64_t batch_stride = 0, row_stride = 0, column_stride = 0;

  /// The struct Strides of kernels/mm.cu.
  std::vector<std::uint8_t> strides() const {
    std::vector<std::uint8_t> bytes;
    for (const std::int64_t stride : {batch_stride, row_stride, column_stride})
      for (int byte = 0; byte < 8; ++byte)
        bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(stride) >> 8 * byte));
    return bytes;
  }
};

Matrices matrices_of(const ops::Geometry& g) {
  const std::size_t d = g.dims() - 2;
  Matrices m{1, g.sizes[d], g.sizes[d + 1], 0, g.strides[d], g.strides[d + 1]};
  if (d == 1) m.batch = g.sizes[0], m.batch_stride = g.strides[0];
  return m;
}

base::Result<void> check_dims(const PlanRequest& request, std::array<std::size_t, 2> dims) {
  if (auto done = check_inputs(request, 2); !done) return done;
  if (auto done = check_dtypes(request); !done) return done;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (request.inputs[i].geometry.dims() != dims[i])
      return base::Error{fmt::format("{}: tensor {} is {}; it must have {} dimension{}", request.op, i + 1,
                                     ops::shape_text(request.inputs[i].geometry.sizes), dims[i],
                                     dims[i] == 1 ? "" : "s")};
  return {};
}

base::Error unequal(const PlanRequest& request) {
  return {fmt::format("{}: {} by {}: the inner sizes must be equal", request.op,
                      ops::shape_text(request.inputs[0].geometry.sizes),
                      ops::shape_text(request.inputs[1].geometry.sizes))};
}

Plan matrix_plan(const PlanRequest& request, ops::Sizes sizes) {
  Plan plan;
  plan.operands.assign(request.inputs.begin(), request.inputs.end());
  plan.result = plan.operands.size();
  plan.operands.push_back({plan.operands.front().dtype, ops::contiguous_geometry(std::move(sizes))});
  return plan;
}

/// The teaching kernels take row-major f32 without a batch dimension, in two-dimensional grids.
std::optional<PlannedLaunch> teaching_kernel(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t max_rows_of_blocks = 65535, enough_blocks = 128;
  const auto launch = [&](const char* name, std::int64_t side, std::string why) -> std::optional<PlannedLaunch> {
    const std::int64_t across = divided_up(n, side), down = divided_up(m, side);
    if (down > max_rows_of_blocks) return {};
    return LaunchWriter(name, name, std::move(why))
        .operand(0)
        .operand(1)
        .operand(2)
        .i32(m)
        .i32(n)
        .i32(k)
        .with({static_cast<std::uint32_t>(across), static_cast<std::uint32_t>(down), 1}, {16, 16, 1});
  };
  const std::int64_t large = divided_up(m, 64) * divided_up(n, 64);
  if (large >= enough_blocks && k >= 16)
    return launch("matmul_registers", 64,
                  fmt::format("row-major f32: {} tiles of 64 x 64 keep a GPU busy; 16 elements per thread in registers "
                              "need the fewest loads",
                              large));
  return launch(
      "matmul_tiled", 16,
      fmt::format(
          "row-major f32: tiles of 16 x 16 in shared memory; there would be only {} of 64 x 64, too few for a GPU",
          large));
}

}  // namespace

Planned plan_matrix_product(const PlanRequest& request) {
  const std::size_t dims = request.op == "aten::bmm" ? 3 : 2;
  if (auto done = check_dims(request, {dims, dims}); !done) return base::Error{done.error()};
  const Matrices a = matrices_of(request.inputs[0].geometry), b = matrices_of(request.inputs[1].geometry);
  if (a.columns != b.rows || a.batch != b.batch) return unequal(request);
  const std::int64_t m = a.rows, n = b.columns, k = a.columns;
  const ops::Sizes sizes = dims == 3 ? ops::Sizes{a.batch, m, n} : ops::Sizes{m, n};
  if (auto done = check_count(request, sizes); !done) return base::Error{done.error()};
  Plan plan = matrix_plan(request, sizes);
  if (ops::count_of(sizes) == 0) return plan;
  const ops::DType dtype = plan.operands.front().dtype;
  if (dims == 2 && dtype == ops::DType::f32 && request.inputs[0].geometry.contiguous() &&
      request.inputs[1].geometry.contiguous())
    if (auto launch = teaching_kernel(m, n, k)) {
      plan.launches.push_back(std::move(*launch));
      return plan;
    }
  constexpr std::int64_t max_batch = 65535;  // blocks in z; each block steps through the batch by this number
  plan.launches.push_back(
      LaunchWriter(
          "mm", fmt::format("mm_{}", name_of(dtype)),
          "tiles of 16 x 16 in shared memory, loaded by strides: works for any view and any type without a copy")
          .operand(0)
          .operand(1)
          .operand(2)
          .i32(a.batch)
          .i32(m)
          .i32(n)
          .i32(k)
          .structure(a.strides())
          .structure(b.strides())
          .with({static_cast<std::uint32_t>(divided_up(m, 16) * divided_up(n, 16)), 1,
                 static_cast<std::uint32_t>(std::min(a.batch, max_batch))},
                {16, 16, 1}));
  return plan;
}

Planned plan_addmm(const PlanRequest& request) {
  if (auto done = check_inputs(request, 3); !done) return base::Error{done.error()};
  const PlanRequest factors{request.op, request.inputs.subspan(1), {}, request.kernel};
  if (auto done = check_dims(factors, {2, 2}); !done) return base::Error{done.error()};
  if (auto done = check_dtypes(request); !done) return base::Error{done.error()};
  if (std::ranges::any_of(request.numbers, [](double number) { return number != 1; }))
    return base::Error{fmt::format("{}: its kernel supports only beta = 1 and alpha = 1", request.op)};
  const Matrices a = matrices_of(request.inputs[1].geometry), b = matrices_of(request.inputs[2].geometry);
  if (a.columns != b.rows) return unequal(factors);
  const ops::Sizes sizes{a.rows, b.columns};
  if (auto done = check_count(request, sizes); !done) return base::Error{done.error()};
  const Matrices added = matrices_of(ops::expanded(request.inputs[0].geometry, sizes));
  Plan plan = matrix_plan(request, sizes);
  if (ops::count_of(sizes) == 0) return plan;
  plan.launches.push_back(
      LaunchWriter("addmm", fmt::format("addmm_{}", name_of(plan.operands.front().dtype)),
                   "tiles of 16 x 16 in shared memory; the sums start from the added tensor")
          .operand(0)
          .operand(1)
          .operand(2)
          .operand(plan.result)
          .i32(a.rows)
          .i32(b.columns)
          .i32(a.columns)
          .structure(added.strides())
          .structure(a.strides())
          .structure(b.strides())
          .with({static_cast<std::uint32_t>(divided_up(a.rows, 16) * divided_up(b.columns, 16)), 1, 1}, {16, 16, 1}));
  return plan;
}

Planned plan_matrix_vector(const PlanRequest& request) {
  const bool dot = request.op == "aten::dot";
  if (auto done = check_dims(request, {dot ? std::size_t{1} : std::size_t{2}, 1}); !done)
    return base::Error{done.error()};
  const ops::Geometry &a = request.inputs[0].geometry, &x = request.inputs[1].geometry;
  if (a.sizes.back() != x.sizes.front()) return unequal(request);
  if (auto done = check_count(request, {}); !done) return base::Error{done.error()};
  const std::int64_t rows = dot ? 1 : a.sizes.front(), k = x.sizes.front();
  Plan plan = matrix_plan(request, dot ? ops::Sizes{} : ops::Sizes{rows});
  if (rows == 0) return plan;
  plan.launches.push_back(
      LaunchWriter("mv", fmt::format("mv_{}", name_of(plan.operands.front().dtype)),
                   dot ? "one block: threads multiply, then lanes and warps add in a fixed order"
                       : "one block per row: threads multiply, then lanes and warps add")
          .operand(0)
          .operand(1)
          .operand(2)
          .i32(k)
          .i64(dot ? 0 : a.strides.front())
          .i64(a.strides.back())
          .i64(x.strides.front())
          .with({static_cast<std::uint32_t>(rows), 1, 1}, {threads_for(k, dot ? 1024 : 256), 1, 1}));
  return plan;
}

}  // namespace warpwalk::run
