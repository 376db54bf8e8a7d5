// Changes of how long kernels take.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/analysis/kernels/data_sheet.h"
#include "core/analysis/kernels/op_arguments.h"
#include "core/analysis/predict/apply.h"
#include "core/analysis/slices.h"
#include "core/gpu/device/gpu_name.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

// What a kernel takes at least, whatever its work: the shortest kernels of PyTorch on an H200.
constexpr double shortest_kernel = 1'200;  // ns
// Start, first tiles and end of a product, whatever its work.
constexpr double shortest_product = 2'500;  // ns
// How much of the memory's bandwidth kernels of PyTorch reach.
constexpr double bandwidth_reached = 0.8;

bool is_kernel(const Trace& trace, const WorkNode& node) {
  return node.gpu && !node.removed && trace.slices.kind[node.slice] == trace::SliceKind::kernel;
}

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

// A peak of one GPU relative to that of another; 1 if they are not known.
double ratio_of(const DevicePeaks& from, const DevicePeaks& to, MathUnit unit) {
  const UnitPeak *const before = from.find(from.present(unit)), *const after = to.find(to.present(unit));
  return before == nullptr || after == nullptr ? 1 : after->flops_per_second / before->flops_per_second;
}

// The share of a GPU's SMs that blocks keep busy; 1 if the SMs are not known.
double filled(double blocks, std::int64_t sms) {
  if (sms <= 0 || blocks <= 0) return 1;
  const auto count = static_cast<double>(sms);
  return blocks / (std::ceil(blocks / count) * count);
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

// How much longer a kernel that was recorded with its memory takes on another GPU; none if it cannot be simulated.
std::optional<double> simulated_ratio(const ChangeInput& input, const gpu::Device* target, const WorkNode& node) {
  if (input.simulate == nullptr || input.device == nullptr || target == nullptr) return {};
  if (input.trace.kernels[input.trace.slices.detail[node.slice]].record == trace::absent) return {};
  const auto before = (*input.simulate)(node.slice, *input.device);
  const auto after = before && *before > 0 ? (*input.simulate)(node.slice, *target) : std::nullopt;
  return after ? std::optional(*after / *before) : std::nullopt;
}

}  // namespace

base::Result<AppliedChange> change_gpu(const ChangeInput& input, WorkGraph& graph, const Change& change, Doubt doubt) {
  DevicePeaks target;
  const gpu::Device* described_target = nullptr;
  std::string names, name;
  for (const gpu::Device& device : input.known) {
    names += (names.empty() ? "" : ", ") + device.id;
    if (device.id != change.name && !gpu::same_model(device.name, change.name)) continue;
    name = device.name;
    described_target = &device;
    target = device_peaks({DeviceMatch::How::described, device, device.name});
  }
  if (!target.known()) {
    DeviceMatch match;
    match.recorded = change.name;
    target = device_peaks(match);
    name = change.name;
  }
  if (!target.known())
    return base::Error{
        fmt::format("{}: not a known GPU; possible are {}, and names of data sheets such as NVIDIA A100-SXM4-80GB",
                    change.text, names)};
  AppliedChange applied;
  applied.origin = BasisOrigin::scaled;
  if (!input.peaks.known()) {
    applied.cannot = "the peaks of the trace's own GPU are not known";
    return applied;
  }
  const double memory = *target.bytes_per_second / *input.peaks.bytes_per_second;
  double time_known = 0, time_all = 0, time_simulated = 0;
  std::size_t simulated = 0;
  for (WorkNode& node : graph.nodes) {
    if (!is_kernel(input.trace, node)) continue;
    if (const auto ratio = simulated_ratio(input, described_target, node)) {
      ++simulated;
      time_all += node.duration;
      time_known += node.duration;
      time_simulated += node.duration;
      const double least = std::min(node.duration, shortest_kernel);
      node.duration = least + (node.duration - least) * *ratio * choose(doubt, 0.85, 1, 1.15);
      continue;
    }
    const WorkAmount amount = amount_of(input, node);
    const MathUnit unit = unit_of(amount.math, tensor_core_use(input.trace.name(node.slice)).use);
    const bool by_math = amount.flops && unit != MathUnit::none;
    time_all += node.duration;
    double ratio = memory, least = memory, most = memory;
    if (by_math) {
      time_known += node.duration;
      const UnitPeak* const peak = input.peaks.find(input.peaks.present(unit));
      const double flops = peak == nullptr ? 0 : *amount.flops / peak->flops_per_second;
      const double bytes = amount.bytes ? *amount.bytes / *input.peaks.bytes_per_second : 0;
      double math = ratio_of(input.peaks, target, unit);
      // Few blocks do not fill the SMs of one GPU or of both.
      if (const auto blocks = blocks_of(input.trace.kernels[input.trace.slices.detail[node.slice]].grid))
        math *=
            filled(static_cast<double>(*blocks), target.sms) / filled(static_cast<double>(*blocks), input.peaks.sms);
      ratio = flops >= bytes ? math : memory;
      // Work that is far from the ridge of the roofline is bound by one of the two.
      const bool clear = flops >= 3 * bytes || bytes >= 3 * flops;
      least = clear ? 0.9 * ratio : std::min(math, memory);
      most = clear ? 1.1 * ratio : std::max(math, memory);
    } else if (amount.bytes) {
      // A kernel that does not reach the bandwidth is bound by something else, which may stay.
      time_known += node.duration;
      if (node.duration * *input.peaks.bytes_per_second > 3e9 * *amount.bytes) {
        least = std::min(1.0, memory);
        most = std::max(1.0, memory);
      }
    } else {
      for (const MathUnit one : {MathUnit::f32, MathUnit::f16_tensor}) {
        least = std::min(least, ratio_of(input.peaks, target, one));
        most = std::max(most, ratio_of(input.peaks, target, one));
      }
    }
    const double fixed = std::min(node.duration, shortest_kernel);
    node.duration = fixed + (node.duration - fixed) / choose(doubt, most, ratio, least);
  }
  if (time_all <= 0) {
    applied.cannot = "the trace has no kernels";
    return applied;
  }
  const auto origin_of = [&](const DevicePeaks& peaks, std::string_view gpu) {
    if (!peaks.document.empty()) return std::string(peaks.document);
    const auto described = std::ranges::find_if(
        input.known, [&](const gpu::Device& one) { return one.name == gpu || gpu::same_model(one.name, gpu); });
    return std::string(described != input.known.end() && described->compared
                           ? "a description compared with measurements"
                           : "a description from published figures");
  };
  applied.text = fmt::format(
      "Kernels are scaled from {} ({}) to {} ({}): those bound by memory by {:.2f}, products by the peak of their "
      "unit. "
      "The work of {:.0f} % of the kernels' time is known{}. CPU and PCI Express stay.",
      input.gpu, origin_of(input.peaks, input.gpu), name, origin_of(target, name), memory, 100 * time_known / time_all,
      time_known < 0.9 * time_all ? "; the rest counts as bound by memory, in the range by any unit" : "");
  if (simulated > 0) {
    applied.text = fmt::format("{} launch{} that {} recorded inside {} simulated with the machine code on both. {}",
                               simulated, simulated == 1 ? "" : "es", simulated == 1 ? "was" : "were",
                               simulated == 1 ? "is" : "are", applied.text);
    if (time_simulated > 0.5 * time_all) applied.origin = BasisOrigin::simulated;
  }
  applied.peaks = target;
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
