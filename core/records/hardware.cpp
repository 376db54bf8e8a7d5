#include "core/records/hardware.h"

#include <fmt/format.h>

#include "core/gpu/device/device_file.h"
#include "core/platform/read_file.h"
#include "core/records/lab_runs.h"
#include "core/records/observer_record.h"
#include "core/records/stream_record.h"
#include "core/records/triton_record.h"
#include "core/run/exercise/exercise.h"

namespace warpwalk::records {

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
  read_record("h200_read_only.csv", parse_read_only_times, hardware.read_only);
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

}  // namespace warpwalk::records
