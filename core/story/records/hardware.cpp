#include "core/story/records/hardware.h"

#include <fmt/format.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/device/gpu_name.h"
#include "core/platform/read_file.h"
#include "core/run/exercise/exercise.h"
#include "core/story/records/device_match.h"
#include "core/story/records/lab_runs.h"
#include "core/story/records/observer_record.h"
#include "core/story/records/stream_record.h"
#include "core/story/records/triton_record.h"

namespace warpwalk::story {
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

const gpu::Device* Hardware::find(std::string_view id) const {
  for (const gpu::Device& device : devices)
    if (device.id == id) return &device;
  return nullptr;
}

std::pair<Hardware, std::optional<std::string>> load_hardware(const std::filesystem::path& folder) {
  Hardware hardware;
  std::optional<std::string> first_error;
  const std::vector<std::string> ids = gpu::device_ids(folder);
  if (ids.empty())
    first_error =
        fmt::format("{}: no device descriptions here; set WARPWALK_ASSETS to warpwalk's assets", folder.string());
  for (const std::string& id : ids) {
    auto device = gpu::load_device(folder / (id + ".json"));
    if (device)
      hardware.devices.push_back(*std::move(device));
    else if (!first_error)
      first_error = device.error();
  }
  const auto read_record = [&](const char* name, const auto& parse, auto& to) {
    const std::filesystem::path file = folder / name;
    const auto text = platform::read_text_file(file);
    if (!text) return;
    auto parsed = parse(text->text);
    if (parsed)
      to = std::move(*parsed);
    else if (!first_error)
      first_error = fmt::format("{}: {}", file.string(), parsed.error());
  };
  read_record("h200_validation.csv", parse_validation, hardware.validation);
  read_record("h200_chase.csv", parse_chase, hardware.chase);
  read_record("h200_labs.csv", parse_lab_runs, hardware.lab_runs);
  read_record("h200_cores.csv", parse_core_times, hardware.core_times);
  StreamRecord streams;
  read_record("h200_streams.csv", parse_stream_steps, streams.steps);
  read_record("h200_calls.csv", parse_stream_calls, streams.calls);
  if (!streams.steps.empty()) hardware.streams = std::make_shared<const StreamRecord>(std::move(streams));
  ObserverRecord observers;
  read_record("h200_observed.csv", parse_observer_readings, observers.readings);
  read_record("h200_duty.csv", parse_duty_readings, observers.duty);
  if (!observers.readings.empty()) hardware.observers = std::make_shared<const ObserverRecord>(std::move(observers));
  read_record("h200_views.csv", parse_view_times, hardware.view_times);
  read_record("h200_host_device.csv", parse_host_device, hardware.host_device);
  read_record("h200_collectives.csv", parse_collective_times, hardware.collectives);
  std::vector<CoreTimes> allocator_times;
  read_record("h200_allocator.csv", parse_allocator_times, allocator_times);
  hardware.core_times.insert(hardware.core_times.end(), allocator_times.begin(), allocator_times.end());
  std::vector<std::string> errors;
  std::vector<run::Exercise> exercises = run::shipped_exercises(folder.parent_path(), errors);
  if (!errors.empty() && !first_error) first_error = errors.front();
  if (!exercises.empty()) hardware.exercises = std::make_shared<const std::vector<run::Exercise>>(std::move(exercises));
  auto [levelled, error] = load_kernel_levels(folder.parent_path() / "kernel_lab");
  hardware.levelled = std::move(levelled);
  if (!first_error) first_error = error;
  auto [triton, triton_error] = load_triton_record(folder.parent_path() / "triton");
  hardware.triton = std::move(triton);
  if (!first_error) first_error = triton_error;
  return {std::move(hardware), first_error};
}

DeviceMatch device_of(const Trace& trace, const Walk& walk, const Hardware& hardware) {
  DeviceMatch match;
  const trace::Device* recorded = recorded_device(trace, walk);
  if (recorded == nullptr) return match;
  match.recorded = trace.text(recorded->name);
  for (const gpu::Device& device : hardware.devices)
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
  for (const gpu::Device& device : hardware.devices) {
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

}  // namespace warpwalk::story
