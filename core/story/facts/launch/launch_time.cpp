#include "core/story/facts/launch/launch_time.h"

#include <algorithm>
#include <vector>

#include "core/analysis/memory/tensor_layout.h"

namespace warpwalk::story {
namespace {

// FP32 operations of one SM per nanosecond; 1 if the description does not say.
double sm_speed(const gpu::Device& device) {
  const std::optional<double> peak = fp32_peak(device);
  return peak ? *peak / static_cast<double>(*device.sm_count) : 1;
}

// Bytes per nanosecond.
std::optional<double> memory_peak(const gpu::Device& device) {
  if (!device.memory_bandwidth) return {};
  return *device.memory_bandwidth / 1e9;
}

std::int64_t spread_over(const gpu::Device& device, std::uint64_t blocks, std::int64_t most) {
  const auto sms = static_cast<std::uint64_t>(*device.sm_count);
  const auto limit = static_cast<std::uint64_t>(std::max<std::int64_t>(1, most));
  return static_cast<std::int64_t>(std::clamp<std::uint64_t>((blocks + sms - 1) / sms, 1, limit));
}

double all_threads(const LaunchOnGpu& launch) {
  return static_cast<double>(launch.blocks) * static_cast<double>(launch.threads);
}

}  // namespace

std::int64_t LaunchOnGpu::residents(const gpu::Device& device) const {
  return spread_over(device, blocks, blocks_per_sm);
}

std::int64_t LaunchOnGpu::last_residents(const gpu::Device& device) const {
  return spread_over(device, waves.tail_blocks == 0 ? blocks : waves.tail_blocks, blocks_per_sm);
}

std::optional<double> fp32_peak(const gpu::Device& device) {
  if (!device.fp32_lanes || !device.sm_clock) return {};
  return static_cast<double>(*device.sm_count) * static_cast<double>(*device.fp32_lanes) * 2 * *device.sm_clock / 1e9;
}

LaunchTimeModel::LaunchTimeModel(const gpu::Device& device, const LaunchOnGpu& launched, double recorded_ns,
                                 LaunchWork work)
    : sm_speed_(sm_speed(device)),
      resident_threads_(static_cast<double>(launched.residents(device)) * static_cast<double>(launched.threads)),
      all_threads_(all_threads(launched)),
      work_(work) {
  recorded_.total_ns = recorded_ns;
  recorded_.block_ns = recorded_ns / static_cast<double>(std::max<std::uint64_t>(launched.waves.waves(), 1));
  recorded_.last_block_ns = recorded_.block_ns;
  recorded_.residents = launched.residents(device);
  recorded_.last_residents = launched.last_residents(device);
  if (const auto peak = fp32_peak(device); !peak || work_.fp32_operations.value_or(0) > *peak * recorded_ns)
    work_.fp32_operations.reset();
  if (const auto peak = memory_peak(device); !peak || work_.bytes.value_or(0) > *peak * recorded_ns)
    work_.bytes.reset();
}

ScaledTime LaunchTimeModel::on(const gpu::Device& device, const LaunchOnGpu& launch) const {
  const auto block_ns = [&](std::int64_t residents) {
    const double load = static_cast<double>(residents) * static_cast<double>(launch.threads) / resident_threads_;
    return recorded_.block_ns * std::max(1.0, load) * sm_speed_ / sm_speed(device);
  };
  ScaledTime time;
  time.residents = launch.residents(device);
  time.last_residents = launch.last_residents(device);
  time.block_ns = block_ns(time.residents);
  time.last_block_ns = block_ns(time.last_residents);
  const auto waves = static_cast<double>(std::max<std::uint64_t>(launch.waves.waves(), 1));
  time.total_ns = (waves - 1) * time.block_ns + time.last_block_ns;
  // The same work for each thread as in the recorded launch.
  const double work = all_threads(launch) / all_threads_;
  const auto at_least = [&](const std::optional<double>& amount, const std::optional<double>& peak, bool& reached) {
    if (!amount || !peak || *amount * work <= *peak * time.total_ns) return;
    const double longer = *amount * work / *peak / time.total_ns;
    time.total_ns *= longer;
    time.block_ns *= longer;
    time.last_block_ns *= longer;
    time.at_fp32_peak = time.at_memory_peak = false;
    reached = true;
  };
  at_least(work_.fp32_operations, fp32_peak(device), time.at_fp32_peak);
  at_least(work_.bytes, memory_peak(device), time.at_memory_peak);
  return time;
}

namespace {

// The length of the sums of a matrix product, or nullopt if the op is not a product of this form.
std::optional<std::int64_t> sum_length(std::string_view op, const std::vector<analysis::Tensor>& inputs) {
  const std::size_t first = op == "aten::addmm" ? 1 : 0;  // its first input is added to the product
  if (op != "aten::mm" && op != "aten::matmul" && op != "aten::linear" && op != "aten::addmm") return {};
  if (inputs.size() <= first || inputs[first].sizes.empty()) return {};
  return inputs[first].sizes.back();
}

}  // namespace

LaunchWork launch_work(const Trace& trace, const Walk& walk) {
  LaunchWork work;
  if (walk.kernel == no_slice || walk.ops.empty()) return work;
  const SliceId op = walk.ops.back();
  if (follow_op(trace, op).gpu_pieces != 1) return work;
  const std::vector<analysis::Tensor> inputs = analysis::tensors_of(trace, op);
  const std::optional<analysis::Tensor> output = analysis::output_of(trace.name(op), inputs);
  if (!output) return work;
  double bytes = static_cast<double>(output->bytes());
  for (const analysis::Tensor& input : inputs) bytes += static_cast<double>(input.bytes());
  work.bytes = bytes;
  if (const auto k = sum_length(trace.name(op), inputs); k && inputs.front().type == "float")
    work.fp32_operations = 2.0 * static_cast<double>(output->count()) * static_cast<double>(*k);
  return work;
}

}  // namespace warpwalk::story
