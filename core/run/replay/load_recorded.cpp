#include "core/run/replay/load_recorded.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/run/replay/recorded_launch.h"
#include "core/run/replay/replay_plan.h"

namespace warpwalk::run {

std::vector<trace::SliceId> recorded_launches(const trace::Trace& trace) {
  std::vector<trace::SliceId> kernels;
  for (const trace::SliceId kernel : trace.kernel_order)
    if (const trace::KernelRecord* const record = record_of(trace, kernel); record != nullptr && record->state)
      kernels.push_back(kernel);
  std::ranges::stable_sort(kernels, {}, [&](trace::SliceId kernel) { return trace.slices.start[kernel]; });
  return kernels;
}

std::string_view gpu_of(const trace::Trace& trace, trace::SliceId kernel) {
  const std::int64_t id = trace.tracks[trace.slices.track[kernel]].device;
  const auto device = std::ranges::find(trace.devices, id, &trace::Device::id);
  return device == trace.devices.end() ? std::string_view() : std::string_view(trace.strings[device->name]);
}

base::Result<LoadedRecording> load_recorded(const trace::Trace& trace, std::uint64_t number,
                                            const std::filesystem::path& file) {
  const std::vector<trace::SliceId> kernels = recorded_launches(trace);
  if (kernels.empty())
    return base::Error{fmt::format(
        "{}: no launch was recorded with its memory; record one with warpwalk record --inside", file.string())};
  if (number > kernels.size())
    return base::Error{fmt::format("--launch {}: {} has {} launch{} recorded with memory", number, file.string(),
                                   kernels.size(), kernels.size() == 1 ? "" : "es")};
  const trace::SliceId kernel = kernels[number - 1];
  const trace::KernelRecord& record = *record_of(trace, kernel);
  LoadedRecording out;
  LoadedLaunch& loaded = out.loaded;
  std::string_view code;
  if (record.module < trace.records.modules.size()) code = recorded_code(record, trace.records.modules[record.module]);
  (record.code == "ptx" ? loaded.ptx : loaded.cubin) = code;
  auto made = recorded_launch(record, code);
  if (!made) return base::Error{fmt::format("{}: {}", file.string(), made.error())};
  auto& launch = *made;
  loaded.file.kernel = record.entry;
  loaded.file.grid = record.grid;
  loaded.file.block = record.block;
  loaded.file.cluster = launch.launch.cluster;
  loaded.file.cooperative = launch.launch.cooperative;
  loaded.file.dynamic_shared_bytes = launch.launch.dynamic_shared_bytes;
  for (const trace::MemoryRange& range : record.state->memory) {
    BufferSpec& spec = loaded.file.buffers.emplace_back();
    spec.name = name_of(range);
    spec.dtype = ops::DType::u8;
    spec.count = range.bytes;
  }
  for (const gpu::Argument& argument : launch.launch.arguments)
    loaded.file.arguments.emplace_back().bytes = argument.bytes;
  loaded.path = file;
  loaded.module_file = file;
  loaded.program = std::move(launch.program);
  loaded.launch = std::move(launch.launch);
  loaded.code = record.code == "ptx" ? "ptx" : "sass, as recorded";
  loaded.registers_origin = "cubin";
  for (const std::string& line : record.state->missing) loaded.notes.push_back(fmt::format("not recorded: {}", line));
  if (launch.seeded) loaded.notes.emplace_back("some memory holds random values: its contents are not in the walk");
  out.record = *record.state;
  out.gpu = gpu_of(trace, kernel);
  loaded.file.caches = gpu::CacheStart::warm;  // if the walk does not say how (recorded_caches)
  // The simulated GPU's time of a kernel is no measurement.
  out.measured_ns = record.simulator_version.empty() ? trace.slices.duration[kernel] : 0;
  return out;
}

}  // namespace warpwalk::run
