// Changes of how long kernels take.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/analysis/kernels/op_arguments.h"
#include "core/analysis/predict/apply.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

// Start, first tiles and end of a product, whatever its work.
constexpr double shortest_product = 2'500;  // ns
// How much of the memory's bandwidth kernels of PyTorch reach.
constexpr double bandwidth_reached = 0.8;

bool is_product(WorkCategory category) {
  return category == WorkCategory::gemm || category == WorkCategory::convolution || category == WorkCategory::attention;
}

// The time at the peaks of a GPU, ns; none if neither work nor peaks are known.
std::optional<double> roofline_of(const WorkAmount& amount, MathUnit on, const DevicePeaks& peaks) {
  std::optional<double> time;
  const UnitPeak* const unit = peaks.find(peaks.present(on));
  if (amount.flops && unit != nullptr && !amount.fewer) time = 1e9 * *amount.flops / unit->flops_per_second;
  if (amount.bytes && peaks.bytes_per_second)
    time = std::max(time.value_or(0), 1e9 * *amount.bytes / *peaks.bytes_per_second);
  return time;
}

// Whether the kernel's op has a shape that is not only of the optimizer's tensors: its work grows with the batch.
bool has_samples(const Trace& trace, SliceId op, const std::set<std::vector<std::int64_t>>& parameters, bool& known) {
  const OpArguments arguments = op_arguments(trace, trace.ops[trace.slices.detail[op]]);
  bool any = false;
  for (const OpArgument& argument : arguments.all()) {
    if (!argument.tensor || argument.sizes.empty()) continue;
    known = true;
    std::vector<std::int64_t> sizes = argument.sizes;
    std::ranges::sort(sizes);
    any = any || !parameters.contains(sizes);
  }
  return any;
}

}  // namespace

bool is_kernel(const Trace& trace, const WorkNode& node) {
  return node.gpu && !node.removed && trace.slices.kind[node.slice] == trace::SliceKind::kernel;
}

WorkAmount amount_of(const ChangeInput& input, const WorkNode& node) {
  WorkAmount amount = input.categories.amounts().of(node.slice);
  if (amount.flops) *amount.flops *= node.work;
  if (amount.bytes) *amount.bytes *= node.work * node.width;
  return amount;
}

base::Result<AppliedChange> speed_up_kernels(const ChangeInput& input, WorkGraph& graph, const Change& change) {
  const Trace& trace = input.trace;
  std::size_t found = 0, unknown = 0;
  std::set<std::string> names;
  for (WorkNode& node : graph.nodes) {
    if (!is_kernel(trace, node)) continue;
    const std::string_view name = trace.name(node.slice);
    if (name.find(change.name) == std::string_view::npos &&
        label_of(trace, node.slice).find(change.name) == std::string::npos) {
      if (names.size() < 8) names.insert(label_of(trace, node.slice));
      continue;
    }
    ++found;
    if (!change.roofline) {
      node.duration /= change.factor;
      continue;
    }
    const WorkAmount amount = amount_of(input, node);
    const MathUnit unit = node.unit != MathUnit::none ? node.unit : unit_of(amount.math, tensor_core_use(name).use);
    const auto least = roofline_of(amount, unit, input.peaks);
    if (!least) ++unknown;
    if (least) node.duration = std::min(node.duration, std::max(*least, shortest_kernel));
  }
  if (found == 0) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return base::Error{fmt::format("{}: no kernel has this in its name; the trace has {}", change.text,
                                   list.empty() ? "no kernels" : list)};
  }
  AppliedChange applied;
  if (!change.roofline) {
    applied.text = fmt::format("{} launches of the kernel take 1/{} of their recorded time.", found, change.factor);
  } else if (unknown == found) {
    applied.cannot = "the kernel's work or the GPU's peaks are not known (record_shapes=True records shapes)";
  } else {
    applied.origin = BasisOrigin::scaled;
    applied.text =
        fmt::format("{} launches take the time of their FLOPs and bytes at the peaks of the GPU{}.", found - unknown,
                    unknown > 0 ? fmt::format("; the work of {} more is not known, they stay", unknown) : "");
  }
  return applied;
}

namespace {

// Scores of all pairs of positions: their work grows with the square of the sequence.
bool is_of_pairs(std::string_view op, WorkCategory category) {
  return category == WorkCategory::attention || op.find("bmm") != std::string_view::npos ||
         op.find("softmax") != std::string_view::npos;
}

// How much more work a kernel has. Of a hidden size, products of layers have its square, those at the ends of the
// network less; so do kernels of parameters alone.
double growth_of_work(const Change& change, std::string_view op, WorkCategory category, bool samples, Doubt doubt) {
  const double by = change.factor;
  const bool pairs = is_of_pairs(op, category);
  if (change.kind == ChangeKind::sequence) return pairs ? by * by : by;
  if (change.kind == ChangeKind::batch) return by;
  const bool squared = !samples || (is_product(category) && !pairs);
  return squared ? std::pow(by, by > 1 ? choose(doubt, 1.5, 2, 2) : choose(doubt, 2, 2, 1.5)) : by;
}

std::string text_of_sizes(const Change& change, std::size_t scaled, std::size_t kept) {
  switch (change.kind) {
    case ChangeKind::sequence:
      return fmt::format(
          "{} kernels with the samples in their shapes do {} times the work, attention and softmax its square: their "
          "time grows as far as their blocks fill the GPU. {} others, the optimizer and the CPU keep their times.",
          scaled, change.factor, kept);
    case ChangeKind::hidden:
      return fmt::format(
          "Products of layers and the optimizer do {} times the work squared, {} other kernels as much as the factor; "
          "the CPU keeps its times. All layers are counted as if they had this size.",
          change.factor, scaled);
    default:
      return fmt::format(
          "{} kernels with the batch in their shapes do {} times the work: their time grows as far as their blocks "
          "fill the GPU. {} others, the optimizer and the CPU keep their times.",
          scaled, change.factor, kept);
  }
}

}  // namespace

AppliedChange change_sizes(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt) {
  const Trace& trace = input.trace;
  AppliedChange applied;
  applied.origin = BasisOrigin::scaled;
  std::set<std::vector<std::int64_t>> parameters;
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.kind[s] != trace::SliceKind::op || trace.name(s) != accumulate_gradient) continue;
    const OpArguments gradient = op_arguments(trace, trace.ops[trace.slices.detail[s]]);
    for (const OpArgument& argument : gradient.all())
      if (argument.tensor && !argument.sizes.empty()) {
        std::vector<std::int64_t> sizes = argument.sizes;
        std::ranges::sort(sizes);
        parameters.insert(std::move(sizes));
      }
  }
  const double sms = input.peaks.sms > 0 ? static_cast<double>(input.peaks.sms) : 132;
  const bool hidden = change.kind == ChangeKind::hidden;
  std::size_t scaled = 0, kept = 0;
  bool known = false, any_pairs = false;
  for (WorkNode& node : graph.nodes) {
    if (!node.gpu || node.removed || node.reader || node.phase == Phase::outside) continue;
    if (node.phase == Phase::optimizer && !hidden) continue;
    const SliceId op = trace::op_of(trace, node.slice);
    if (trace.slices.kind[node.slice] == trace::SliceKind::memcpy) {
      const bool samples = op == no_slice || has_samples(trace, op, parameters, known);
      if (hidden || !samples || trace.name(node.slice).find("DtoH") != std::string_view::npos) continue;
      const double fixed = std::min(node.duration, shortest_kernel);
      node.duration = fixed + (node.duration - fixed) * change.factor;
      continue;
    }
    if (!is_kernel(trace, node)) continue;
    const bool in_op = op != no_slice && trace.slices.kind[op] == trace::SliceKind::op;
    const bool samples = in_op && has_samples(trace, op, parameters, known) && node.phase != Phase::optimizer;
    if (!samples && !hidden) {
      ++kept;
      continue;
    }
    ++scaled;
    const trace::KernelDetail& detail = trace.kernels[trace.slices.detail[node.slice]];
    const auto blocks = blocks_of(detail.grid);
    const WorkAmount amount = amount_of(input, node);
    const WorkCategory category = input.categories.of(node.slice, amount);
    const std::string_view op_name = in_op ? trace.name(op) : std::string_view();
    const double more = growth_of_work(change, op_name, category, samples, doubt);
    any_pairs = any_pairs || is_of_pairs(op_name, category);
    // A product takes as long as its waves of blocks: few blocks more cost nothing while SMs are idle. In the backward
    // pass, some products have a longer sum instead of more blocks. Other kernels give each block more work.
    double growth = more;
    if (is_product(category) && blocks) {
      const double count = static_cast<double>(*blocks);
      const double waves = std::ceil(std::ceil(count * more) / sms) / std::ceil(count / sms);
      const double share = node.phase == Phase::backward ? choose(doubt, 1, 0.5, 0) : choose(doubt, 1, 0.8, 0);
      growth = share * waves + (1 - share) * more;
    }
    growth *= choose(doubt, 0.94, 1, 1.06);  // clocks and caches under another load
    const double fixed = std::min(node.duration, is_product(category) ? shortest_product : shortest_kernel);
    double time = fixed + (node.duration - fixed) * growth;
    // A library may choose a better kernel for the larger product: at best, one at half of the peak.
    const UnitPeak* const peak =
        input.peaks.find(input.peaks.present(unit_of(amount.math, tensor_core_use(trace.name(node.slice)).use)));
    if (doubt == Doubt::low && is_product(category) && amount.flops && peak != nullptr && more > 1)
      time = std::min(time, std::max(node.duration, fixed + 2e9 * more * *amount.flops / peak->flops_per_second));
    if (amount.bytes && input.peaks.bytes_per_second && more > 1)  // caches no longer hold what they held
      time = std::max(time, choose(doubt, 0, 1, 1) * 1e9 * more * *amount.bytes / *input.peaks.bytes_per_second);
    node.duration = time;
    node.work *= more;
  }
  if (!known || scaled == 0) {
    applied.cannot = "the shapes of its ops are not recorded (record_shapes=True records them)";
    return applied;
  }
  if (change.kind == ChangeKind::sequence && !any_pairs) {
    applied.cannot = "it has no attention or softmax, so that it is not known which of its tensors have sequences";
    return applied;
  }
  applied.text = text_of_sizes(change, scaled, kept);
  return applied;
}

AppliedChange narrow_type(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt) {
  const Trace& trace = input.trace;
  AppliedChange applied;
  applied.origin = BasisOrigin::scaled;
  const MathUnit unit = change.type == NarrowType::tf32  ? MathUnit::tf32_tensor
                        : change.type == NarrowType::fp8 ? MathUnit::f8_tensor
                                                         : MathUnit::f16_tensor;
  const UnitPeak* const peak = input.peaks.find(unit);
  if (peak == nullptr || !input.peaks.bytes_per_second) {
    applied.cannot = "the peaks of its GPU for this type are not known";
    return applied;
  }
  const double bandwidth = *input.peaks.bytes_per_second * bandwidth_reached / 1e9;  // bytes per ns
  const double reached = choose(doubt, 0.75, 0.55, 0.4);
  const bool casts = change.type == NarrowType::bf16 || change.type == NarrowType::f16;
  const double width = change.type == NarrowType::tf32 ? 1 : change.type == NarrowType::fp8 ? 0.25 : 0.5;
  std::size_t products = 0;
  // What a conversion costs the CPU under the profiler, relative to its launch alone (PyTorch 2.11, host of an H200).
  const double cast_cpu = choose(doubt, 3, 5, 8) * graph.typical.launch_call;
  std::size_t calls = 0, throttled = 0;
  for (const WorkNode& node : graph.nodes) {
    calls += node.call && launches_kernel(trace, node.slice);
    throttled += node.throttled;
  }
  // A thread that waits at each launch finds its caches cold. If the GPU is faster, it no longer waits.
  if (throttled * 3 > calls)
    for (WorkNode& node : graph.nodes)
      if (!node.gpu && !node.call) node.duration *= choose(doubt, 0.6, 0.72, 1);
  std::set<SliceId> cast_ops;
  for (WorkNode& node : graph.nodes) {
    if (!is_kernel(trace, node) || (node.phase != Phase::forward && node.phase != Phase::backward)) continue;
    const WorkAmount amount = amount_of(input, node);
    const WorkCategory category = input.categories.of(node.slice, amount);
    const bool product =
        category == WorkCategory::gemm || category == WorkCategory::convolution || category == WorkCategory::attention;
    if (product && amount.math == MathType::f32 && amount.flops) {
      ++products;
      const double bytes = amount.bytes.value_or(0) * width;
      const double fixed = shortest_product;
      const double time = fixed + std::max(1e9 * *amount.flops / (peak->flops_per_second * reached), bytes / bandwidth);
      // Few blocks do not fill the GPU: then tensor cores gain less than their peak.
      const auto blocks = blocks_of(trace.kernels[trace.slices.detail[node.slice]].grid);
      const double sms = static_cast<double>(std::max<std::int64_t>(input.peaks.sms, 1));
      const double full = blocks ? std::min(1.0, static_cast<double>(*blocks) / sms) : 1;
      double after = std::min(node.duration, fixed + (time - fixed) / std::max(full, 0.25));
      // TF32 is on tensor cores already, at half the rate of 16 bits.
      if (tensor_core_use(trace.name(node.slice)).use == TensorCoreUse::yes)
        after = std::max(after, node.duration * (unit == MathUnit::tf32_tensor ? 1
                                                 : unit == MathUnit::f8_tensor ? 0.25
                                                                               : 0.5));
      node.duration = after;
      node.unit = unit;
      node.width *= width;
      if (!casts) continue;
      // autocast converts weight and bias of a product, and their gradients back. Attention has neither.
      if (category == WorkCategory::attention) continue;
      const double cast = shortest_kernel + amount.bytes.value_or(0) * 0.5 / bandwidth;
      node.duration += cast;
      const SliceId op = outermost_op(trace, graph.nodes[node.launcher == no_node ? 0 : node.launcher].slice);
      if (node.launcher != no_node && !graph.nodes[node.launcher].removed && op != no_slice &&
          cast_ops.insert(op).second)
        graph.nodes[node.launcher].duration += cast_cpu * 2;
    } else if (casts && category == WorkCategory::elementwise && amount.math == MathType::f32) {
      const double fixed = std::min(node.duration, shortest_kernel);
      node.duration = fixed + (node.duration - fixed) * choose(doubt, 0.5, 0.65, 1);
    }
  }
  if (products == 0) {
    applied.cannot = "it has no products of float32 whose shapes are recorded (record_shapes=True records them)";
    return applied;
  }
  applied.text = fmt::format(
      "{} products of float32 run at {:.0f} % of the tensor cores' peak ({:.0f} TFLOP/s){}.", products, 100 * reached,
      peak->flops_per_second / 1e12,
      casts ? fmt::format(
                  "; autocast adds conversions, each {:.0f} us of the CPU, and elementwise kernels move fewer bytes",
                  cast_cpu / 1e3)
            : "");
  return applied;
}

}  // namespace warpwalk::analysis
