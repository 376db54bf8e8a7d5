#include "core/story/facts/launch_time.h"

#include <algorithm>

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

double resident_threads(const gpu::Device& device, const LaunchOnGpu& launch) {
  return static_cast<double>(launch.residents(device)) * static_cast<double>(launch.threads);
}

double all_threads(const LaunchOnGpu& launch) {
  return static_cast<double>(launch.blocks) * static_cast<double>(launch.threads);
}

}  // namespace

std::int64_t LaunchOnGpu::residents(const gpu::Device& device) const {
  const auto sms = static_cast<std::uint64_t>(*device.sm_count);
  const std::uint64_t spread = (blocks + sms - 1) / sms;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(
                                       spread, static_cast<std::uint64_t>(std::max<std::int64_t>(1, blocks_per_sm)))));
}

std::optional<double> fp32_peak(const gpu::Device& device) {
  if (!device.fp32_lanes || !device.sm_clock) return {};
  return static_cast<double>(*device.sm_count) * static_cast<double>(*device.fp32_lanes) * 2 * *device.sm_clock / 1e9;
}

LaunchTimeModel::LaunchTimeModel(const gpu::Device& device, const LaunchOnGpu& launched, double recorded_ns,
                                 LaunchWork work)
    : sm_speed_(sm_speed(device)),
      resident_threads_(resident_threads(device, launched)),
      all_threads_(all_threads(launched)),
      work_(work) {
  recorded_.total_ns = recorded_ns;
  recorded_.block_ns = recorded_ns / static_cast<double>(std::max<std::uint64_t>(launched.waves.waves(), 1));
  recorded_.residents = launched.residents(device);
  if (const auto peak = fp32_peak(device); !peak || work_.fp32_operations.value_or(0) > *peak * recorded_ns)
    work_.fp32_operations.reset();
  if (const auto peak = memory_peak(device); !peak || work_.bytes.value_or(0) > *peak * recorded_ns)
    work_.bytes.reset();
}

ScaledTime LaunchTimeModel::on(const gpu::Device& device, const LaunchOnGpu& launch) const {
  const double load = resident_threads(device, launch) / resident_threads_;
  ScaledTime time;
  time.residents = launch.residents(device);
  time.block_ns = recorded_.block_ns * std::max(1.0, load) * sm_speed_ / sm_speed(device);
  const auto waves = static_cast<double>(std::max<std::uint64_t>(launch.waves.waves(), 1));
  time.total_ns = waves * time.block_ns;
  // The same work for each thread as in the recorded launch.
  const double work = all_threads(launch) / all_threads_;
  const auto at_least = [&](const std::optional<double>& amount, const std::optional<double>& peak, bool& reached) {
    if (!amount || !peak || *amount * work <= *peak * time.total_ns) return;
    time.total_ns = *amount * work / *peak;
    time.block_ns = time.total_ns / waves;
    time.at_fp32_peak = time.at_memory_peak = false;
    reached = true;
  };
  at_least(work_.fp32_operations, fp32_peak(device), time.at_fp32_peak);
  at_least(work_.bytes, memory_peak(device), time.at_memory_peak);
  return time;
}

}  // namespace warpwalk::story
