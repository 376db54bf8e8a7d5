// Reductions over some or all dimensions (kernels/sum.cu, kernels/amax.cu, kernels/reduce_shuffle.cu).
#include <algorithm>

#include <fmt/format.h>

#include "core/run/catalogue/planners.h"

namespace warpwalk::run {
namespace {

/// The input's dimensions, split into kept and reduced ones.
struct Reduction {
  ops::Sizes sizes;  ///< of the result
  CommonLayout kept, reduced;
};

Reduction reduction_of(const ops::Geometry& input, const std::vector<bool>& over, bool keep_dims) {
  Reduction reduction;
  ops::Sizes kept, kept_strides, reduced, reduced_strides;
  for (std::size_t d = 0; d < input.dims(); ++d) {
    (over[d] ? reduced : kept).push_back(input.sizes[d]);
    (over[d] ? reduced_strides : kept_strides).push_back(input.strides[d]);
    if (!over[d]) reduction.sizes.push_back(input.sizes[d]);
    if (over[d] && keep_dims) reduction.sizes.push_back(1);
  }
  reduction.kept = common_layout(kept, {&kept_strides, 1});
  reduction.reduced = common_layout(reduced, {&reduced_strides, 1});
  return reduction;
}

bool innermost_in_a_row(const CommonLayout& layout) {
  return !layout.sizes.empty() && layout.strides.front().front() == 1;
}

std::string entry_of(std::string_view kernel, ops::DType from, ops::DType to) {
  return fmt::format("{}_{}_{}", kernel, name_of(from), name_of(to));
}

/// The number of blocks per output and the elements per block, for `outputs` sums of `count` elements each.
struct Split {
  std::int64_t blocks = 1, part = 1;
};
Split split_of(std::int64_t outputs, std::int64_t count) {
  constexpr std::int64_t enough_for_one = 4096, blocks_wanted = 128;
  if (outputs >= blocks_wanted || count <= 2 * enough_for_one) return {1, std::max<std::int64_t>(count, 1)};
  Split split;
  split.part = divided_up(count, std::min(blocks_wanted, divided_up(count, enough_for_one)));
  split.blocks = divided_up(count, split.part);
  return split;
}

/// Uses the teaching kernel: reduces a whole row-major f32 tensor in one or two launches.
void add_shuffles(Plan& plan, std::int64_t count) {
  const auto launch = [&](std::size_t from, std::size_t to, std::int64_t n, std::int64_t blocks, std::string why) {
    plan.launches.push_back(LaunchWriter("reduce_shuffle", "reduce_shuffle", std::move(why))
                                .operand(from)
                                .operand(to)
                                .i32(n)
                                .with({static_cast<std::uint32_t>(blocks), 1, 1}, {threads_for(n, 256), 1, 1}));
  };
  const Split split = split_of(1, count);
  if (split.blocks == 1) {
    launch(0, plan.result, count, 1, "row-major f32, few enough for one block: threads, lanes, then warps add");
    return;
  }
  const std::size_t scratch = plan.operands.size();
  plan.operands.push_back({ops::DType::f32, ops::contiguous_geometry({split.blocks})});
  launch(0, scratch, count, split.blocks, "row-major f32: each block adds its share, one partial sum per block");
  launch(scratch, plan.result, split.blocks, 1, "one block adds the partial sums: the same order every time");
}

void add_reductions(Plan& plan, const ops::GpuKernel& kernel, const Reduction& reduction) {
  const ops::DType from = plan.operands.front().dtype, to = plan.operands[plan.result].dtype;
  const std::int64_t outputs = reduction.kept.count(), count = reduction.reduced.count();
  const auto launch = [&](std::string entry, std::size_t source, std::size_t target, const CommonLayout& kept,
                          const CommonLayout& reduced, std::string why) {
    return LaunchWriter(std::string(kernel.module), std::move(entry), std::move(why))
        .operand(source)
        .operand(target)
        .structure(kept.bytes())
        .structure(reduced.bytes());
  };
  if (innermost_in_a_row(reduction.kept) && !innermost_in_a_row(reduction.reduced) && outputs >= 32) {
    plan.launches.push_back(launch(entry_of(fmt::format("{}_columns", kernel.module), from, to), 0, plan.result,
                                   reduction.kept, reduction.reduced,
                                   "down the columns: one thread per column, lanes read neighbours")
                                .i32(outputs)
                                .i32(count)
                                .over(outputs, 128));
    return;
  }
  const auto blocks = [&](std::int64_t parts) {
    return std::array{static_cast<std::uint32_t>(outputs), static_cast<std::uint32_t>(parts), 1u};
  };
  const Split split = split_of(outputs, count);
  if (split.blocks == 1) {
    plan.launches.push_back(launch(entry_of(kernel.module, from, to), 0, plan.result, reduction.kept, reduction.reduced,
                                   "one block per result: threads, lanes, then warps combine in a fixed order")
                                .i32(count)
                                .i32(split.part)
                                .with(blocks(1), {threads_for(count, 256), 1, 1}));
    return;
  }
  const ops::DType partial = kernel.adds ? computed_in(to) : to;
  const std::size_t scratch = plan.operands.size();
  plan.operands.push_back({partial, ops::contiguous_geometry({outputs, split.blocks})});
  plan.launches.push_back(
      launch(entry_of(kernel.module, from, partial), 0, scratch, reduction.kept, reduction.reduced,
             "few results of many elements each: several blocks per result, each with a partial result")
          .i32(count)
          .i32(split.part)
          .with(blocks(split.blocks), {threads_for(split.part, 256), 1, 1}));
  const Reduction second = reduction_of(plan.operands[scratch].geometry, {false, true}, false);
  plan.launches.push_back(launch(entry_of(kernel.module, partial, to), scratch, plan.result, second.kept,
                                 second.reduced,
                                 "one block per result combines the partial results: the same order every time")
                              .i32(split.blocks)
                              .i32(split.blocks)
                              .with(blocks(1), {threads_for(split.blocks, 256), 1, 1}));
}

}  // namespace

Planned plan_reduction(const PlanRequest& request) {
  if (auto done = check_inputs(request, 1); !done) return base::Error{done.error()};
  if (auto done = check_dtypes({request.op, request.inputs, {}, request.kernel}); !done)
    return base::Error{done.error()};
  if (auto done = check_count(request, {}); !done) return base::Error{done.error()};
  const Operand& input = request.inputs.front();
  const std::size_t dims = input.geometry.dims();
  std::vector<bool> over(std::max<std::size_t>(dims, 1), request.numbers.size() < 2);
  for (std::size_t i = 0; i + 1 < request.numbers.size(); ++i) {
    const std::size_t d = ops::wrapped_dim(static_cast<std::int64_t>(request.numbers[i]), over.size());
    if (over[d]) return base::Error{fmt::format("{}: dimension {} is named twice", request.op, d)};
    over[d] = true;
  }
  over.resize(dims);
  const bool keep_dims = !request.numbers.empty() && request.numbers.back() != 0;
  const Reduction reduction = reduction_of(input.geometry, over, keep_dims);
  Plan plan;
  plan.operands = {input, {is_float(input.dtype) || !request.kernel.adds ? input.dtype : ops::DType::i64, {}}};
  plan.result = 1;
  plan.operands[1].geometry = ops::contiguous_geometry(reduction.sizes);
  if (plan.operands[1].geometry.count() == 0) return plan;
  const std::int64_t count = reduction.reduced.count();
  // reduce_shuffle's int index advances by the whole grid at each step.
  if (request.kernel.adds && input.dtype == ops::DType::f32 && reduction.kept.count() == 1 &&
      reduction.reduced.without_gaps() && count <= max_elements - 256 * 128)
    add_shuffles(plan, count);
  else
    add_reductions(plan, request.kernel, reduction);
  return plan;
}

}  // namespace warpwalk::run
