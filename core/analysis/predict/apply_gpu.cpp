// Another GPU.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/analysis/kernels/data_sheet.h"
#include "core/analysis/predict/apply.h"
#include "core/analysis/slices.h"
#include "core/gpu/device/gpu_name.h"

namespace warpwalk::analysis {
namespace {

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

}  // namespace warpwalk::analysis
