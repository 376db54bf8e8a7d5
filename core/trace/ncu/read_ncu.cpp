#include "core/trace/ncu/read_ncu.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"
#include "core/trace/link.h"
#include "core/trace/ncu/metrics.h"

namespace warpwalk::trace::ncu {
namespace {

struct DeviceAttribute {
  std::string_view name;
  std::int64_t Device::*value;
};
constexpr std::array device_attributes = {
    DeviceAttribute{"total_memory", &Device::total_memory},
    DeviceAttribute{"compute_capability_major", &Device::compute_major},
    DeviceAttribute{"compute_capability_minor", &Device::compute_minor},
    DeviceAttribute{"multiprocessor_count", &Device::sms},
    DeviceAttribute{"warp_size", &Device::warp_size},
    DeviceAttribute{"max_threads_per_block", &Device::max_threads_per_block},
    DeviceAttribute{"max_threads_per_multiprocessor", &Device::max_threads_per_sm},
    DeviceAttribute{"max_registers_per_block", &Device::registers_per_block},
    DeviceAttribute{"max_registers_per_multiprocessor", &Device::registers_per_sm},
    DeviceAttribute{"max_shared_memory_per_block", &Device::shared_per_block},
    DeviceAttribute{"max_shared_memory_per_block_optin", &Device::shared_per_block_optin},
    DeviceAttribute{"max_shared_memory_per_multiprocessor", &Device::shared_per_sm}};

// Any number can stand in a damaged file.
std::int64_t whole_number(std::optional<double> value) {
  if (!value || !(*value >= 0) || *value > 0x1p53) return absent;
  return static_cast<std::int64_t>(*value);
}

std::array<std::int32_t, 3> trace_shape(const std::array<std::uint64_t, 3>& shape) {
  std::array<std::int32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (shape[i] == 0 || shape[i] > 0x7fffffff) return {};
    out[i] = static_cast<std::int32_t>(shape[i]);
  }
  return out;
}

std::array<std::uint32_t, 3> record_shape(const std::array<std::uint64_t, 3>& shape) {
  const std::array<std::int32_t, 3> checked = trace_shape(shape);
  return {static_cast<std::uint32_t>(checked[0]), static_cast<std::uint32_t>(checked[1]),
          static_cast<std::uint32_t>(checked[2])};
}

class LaunchTracks {
 public:
  explicit LaunchTracks(Trace& trace) : trace_(trace) {}

  TrackId track(const Launch& launch, std::int64_t device) {
    const auto [known, is_new] = tracks_.try_emplace(std::tuple{launch.process, device, launch.stream},
                                                     static_cast<TrackId>(trace_.tracks.size()));
    if (!is_new) return known->second;
    const bool shared = !streams_.emplace(device, launch.stream).second;
    Track& track = trace_.tracks.emplace_back();
    track.gpu = true;
    track.device = device;
    track.stream = launch.stream;
    track.pid = trace_.strings.intern(std::to_string(device));
    track.process_labels = trace_.strings.intern(fmt::format("GPU {}", device));
    std::string tid = launch.stream == absent ? std::string() : std::to_string(launch.stream);
    if (shared) {  // by another process
      tid = fmt::format("{} (process {})", tid, launch.process);
      track.tid_is_text = true;
    }
    if (!tid.empty()) track.name = trace_.strings.intern("stream " + tid);
    track.tid = trace_.strings.intern(tid);
    return known->second;
  }

 private:
  Trace& trace_;
  std::map<std::tuple<std::uint64_t, std::int64_t, std::int64_t>, TrackId> tracks_;
  std::set<std::pair<std::int64_t, std::int64_t>> streams_;
};

void add_devices(const Report& report, Trace& trace) {
  for (const ReportDevice& described : report.devices) {
    Device device;
    device.id = described.id;
    device.name = trace.strings.intern(described.name);
    for (const DeviceAttribute& row : device_attributes)
      device.*row.value = whole_number(described.attribute(fmt::format("device__attribute_{}", row.name)));
    trace.devices.push_back(device);
  }
}

// The text of a module is that of its main file: the first one that came with a text.
void add_modules(Report& report, Trace& trace) {
  for (Source& source : report.sources) {
    Module& module = trace.records.modules.emplace_back();
    module.name = fmt::format("module {}", trace.records.modules.size());
    module.cubin.assign(source.cubin.begin(), source.cubin.end());
    for (SourceText& file : source.files) {
      if (!module.source_file.empty()) break;
      module.source_file = file.name;
      module.source = std::move(file.text);
    }
  }
}

std::size_t module_row(const Report& report, const Launch& launch) {
  const Source* const source = report.source_of(launch);
  return source == nullptr ? no_record : static_cast<std::size_t>(source - report.sources.data());
}

KernelRecord kernel_record(const Report& report, const Launch& launch) {
  KernelRecord record;
  record.module = module_row(report, launch);
  record.entry = launch.mangled.empty() ? launch.function : launch.mangled;
  record.grid = record_shape(launch.grid);
  record.block = record_shape(launch.block);
  if (const std::int64_t dynamic = whole_number(report.value(launch, "launch__shared_mem_per_block_dynamic"));
      dynamic != absent)
    record.dynamic_shared_bytes = static_cast<std::uint64_t>(dynamic);
  if (const std::int64_t registers = whole_number(report.value(launch, "launch__registers_per_thread"));
      registers > 0 && registers <= 0xffff) {
    record.registers = static_cast<std::uint32_t>(registers);
    record.registers_origin = "cubin";
  }
  for (MeasuredFigure& figure : measured_figures(report, launch)) {
    if (figure.name == "cycles") record.cycles = std::max<std::int64_t>(whole_number(figure.value), -1);
    record.counters.push_back({std::move(figure.name), figure.value, Origin::measured});
  }
  record.measured_by = report.measured_by();
  return record;
}

KernelDetail kernel_detail(const Report& report, const Launch& launch) {
  KernelDetail detail;
  const auto number = [&](std::string_view metric) { return whole_number(report.value(launch, metric)); };
  detail.device = std::max<std::int64_t>(number("launch__device_id"), 0);
  detail.context = launch.context;
  detail.stream = launch.stream;
  detail.registers = number("launch__registers_per_thread");
  const std::int64_t fixed = number("launch__shared_mem_per_block_static");
  const std::int64_t dynamic = number("launch__shared_mem_per_block_dynamic");
  if (fixed != absent || dynamic != absent)
    detail.shared_bytes = std::max<std::int64_t>(fixed, 0) + std::max<std::int64_t>(dynamic, 0);
  if (const auto occupancy = report.value(launch, "sm__warps_active.avg.pct_of_peak_sustained_active"))
    detail.occupancy_pct = *occupancy;
  detail.grid = trace_shape(launch.grid);
  detail.block = trace_shape(launch.block);
  return detail;
}

}  // namespace

void fill_trace(Report& report, Trace& trace, Problems& problems) {
  constexpr double latest_ns = 0x1p61;  // far below the limit of a trace's times
  if (report.created > 0 && report.created < (std::uint64_t{1} << 32))
    trace.base_time_ns = static_cast<std::int64_t>(report.created) * 1'000'000'000;
  add_devices(report, trace);
  LaunchTracks tracks(trace);
  Slices& rows = trace.slices;
  double at = 0;
  for (const Launch& launch : report.launches) {
    std::optional<double> duration = duration_ns(report, launch);
    if (!duration)
      problems.add(ProblemKind::missing_field, 0, [&] {
        return fmt::format(
            "{} has no duration: gpu__time_duration was not collected (ncu --set full does); it is "
            "listed without a time",
            excerpt(launch.name));
      });
    if (duration && at + *duration > latest_ns) {
      problems.add(ProblemKind::time_out_of_range, 0, [&] {
        return fmt::format("{} lasts {} ns, which is out of range; it is listed without a time", excerpt(launch.name),
                           *duration);
      });
      duration.reset();
    }
    KernelDetail detail = kernel_detail(report, launch);
    const TrackId track = tracks.track(launch, detail.device);
    detail.record = static_cast<std::int64_t>(trace.records.kernels.size());
    trace.records.kernels.push_back(kernel_record(report, launch));
    trace.kernels.push_back(detail);
    rows.start.push_back(std::llround(at));
    rows.duration.push_back(std::llround(at + duration.value_or(0)) - std::llround(at));
    rows.name.push_back(trace.strings.intern(launch.name));
    rows.extra.push_back(0);
    rows.track.push_back(track);
    rows.detail.push_back(static_cast<std::uint32_t>(trace.kernels.size() - 1));
    rows.kind.push_back(SliceKind::kernel);
    at += duration.value_or(0);
  }
  add_modules(report, trace);
  for (const char* const what : {"times", "counters"})
    trace.records.sources.push_back({what, report.measured_by(), Origin::measured});
  if (!report.launches.empty() && problems.count(ProblemKind::profiled_alone, 0, report.launches.size()))
    problems.rows().back().message =
        "Nsight Compute ran each launch alone, several times, and did not record when: the launches follow each other "
        "here without the times between them";
  Problems linking;
  link(trace, linking);
  // The report has no calls, so that no kernel can have its launch.
  for (const Problem& problem : linking.rows())
    if (problem.kind != ProblemKind::launch_outside_window &&
        problems.count(problem.kind, problem.byte_offset, problem.count))
      problems.rows().back().message = problem.message;
}

Result read_ncu(Window& window, const Options& options, Trace& trace, Problems& problems) {
  ReportRead read = read_report(window, options, problems);
  Result result{read.report.launches.size(), read.stopped, std::move(read.error)};
  if (!result.error) fill_trace(read.report, trace, problems);
  return result;
}

}  // namespace warpwalk::trace::ncu
