#include "core/analysis/device_match.h"

#include <utility>

#include <fmt/format.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/device/gpu_name.h"

namespace warpwalk::analysis {
namespace {

const trace::Device* recorded_device(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice) return nullptr;
  const std::int64_t id = trace.tracks[trace.slices.track[walk.kernel]].device;
  for (const trace::Device& device : trace.devices)
    if (device.id == id) return &device;
  return nullptr;
}

// The trace's own figures of its GPU take precedence over the description of another GPU.
gpu::Device adapted(gpu::Device device, const trace::Device& recorded, std::string_view name) {
  const auto take = [&](gpu::IntParameter& parameter, std::int64_t value) {
    if (value == trace::absent || value <= 0 || (parameter && *parameter == value)) return;
    parameter = {value, gpu::Status::spec, std::string(recorded_source)};
  };
  const std::int64_t sms = *device.sm_count;
  take(device.sm_count, recorded.sms);
  if (*device.sm_count != sms) {  // the GPCs are known only for the described GPU
    device.gpcs = {};
    device.small_groups = {};
  }
  const std::int64_t threads = recorded.max_threads_per_sm;
  if (threads != trace::absent) take(device.warps_per_sm, threads / *device.threads_per_warp);
  take(device.threads_per_block, recorded.max_threads_per_block);
  take(device.registers_per_sm, recorded.registers_per_sm);
  take(device.registers_per_block, recorded.registers_per_block);
  take(device.shared_per_block, recorded.shared_per_block);
  take(device.memory_bytes, recorded.total_memory);
  // The carve-outs belong to the shared memory, so both are the description's.
  device.name = name;
  return device;
}

}  // namespace

DeviceMatch device_of(const Trace& trace, const Walk& walk, std::span<const gpu::Device> known) {
  DeviceMatch match;
  const trace::Device* recorded = recorded_device(trace, walk);
  if (recorded == nullptr) return match;
  match.recorded = trace.text(recorded->name);
  for (const gpu::Device& device : known)
    if (gpu::same_model(device.name, match.recorded) &&
        (recorded->sms == trace::absent || recorded->sms == *device.sm_count)) {
      match.how = DeviceMatch::How::described;
      match.device = device;
      match.device->name = match.recorded;
      return match;
    }
  // ROCm reports a capability too (9.0 is gfx90a), but the descriptions are of NVIDIA's GPUs.
  if (gpu::is_amd(match.recorded)) return match;
  if (recorded->compute_major == trace::absent || recorded->compute_minor == trace::absent) return match;
  const std::string capability = fmt::format("{}.{}", recorded->compute_major, recorded->compute_minor);
  for (const gpu::Device& device : known) {
    if (*device.compute_capability != capability) continue;
    if (recorded->warp_size != trace::absent && recorded->warp_size != *device.threads_per_warp) continue;
    gpu::Device changed = adapted(device, *recorded, match.recorded);
    if (gpu::consistency_error(changed)) continue;
    match.how = DeviceMatch::How::adapted;
    match.device = std::move(changed);
    break;
  }
  return match;
}

}  // namespace warpwalk::analysis
