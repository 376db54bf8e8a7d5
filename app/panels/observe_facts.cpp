#include "app/panels/observe_facts.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

namespace warpwalk::panels {
namespace {

using story::Figure;
using story::Origin;
using story::Unit;

// In bytes, on any one GPU.
std::int64_t most_taken(const trace::Trace& trace) {
  std::map<std::int64_t, std::int64_t> held;  // by device
  std::int64_t most = 0;
  for (const trace::DriverMemory& change : trace.driver_memory)
    most = std::max(most, held[change.device] += change.bytes);
  return most;
}

template <typename Value, typename Say>
GpuFact fact(std::string label, const std::optional<Value>& value, Say say) {
  GpuFact out = {std::move(label), {}};
  if (value) out.figure = say(*value);
  return out;
}

Figure percent(std::uint32_t value) { return Figure::recorded(fmt::format("{} %", value), Origin::measured); }
Figure bytes(std::uint64_t value) {
  return Figure::recorded(static_cast<double>(value), Unit::bytes, Origin::measured);
}
Figure megahertz(std::uint32_t value) {
  return Figure::recorded(story::with_thousands(value) + " MHz", Origin::measured);
}
Figure watts(std::uint32_t milliwatts) {
  return Figure::recorded(fmt::format("{:.0f} W", milliwatts / 1e3), Origin::measured);
}
Figure degrees(std::uint32_t value) { return Figure::recorded(fmt::format("{} °C", value), Origin::measured); }

}  // namespace

GpuHeads gpu_heads(const recording::GpuSample& gpu) {
  return {fact("Utilisation: a kernel ran", gpu.busy_pct, percent),
          fact("memory was read or written", gpu.memory_busy_pct, percent), fact("Memory used", gpu.memory_used, bytes),
          fact("Power", gpu.power_mw, watts)};
}

std::vector<GpuFact> gpu_facts(const recording::GpuSample& gpu) {
  return {fact("Memory free", gpu.memory_free, bytes),
          fact("Memory in all", gpu.memory_total, bytes),
          fact("Clock of the SMs", gpu.sm_clock_mhz, megahertz),
          fact("Clock of the memory", gpu.memory_clock_mhz, megahertz),
          fact("Power limit", gpu.power_limit_mw, watts),
          fact("Temperature", gpu.temperature_c, degrees)};
}

std::vector<ProcessRow> process_rows(const recording::GpuSample& gpu) {
  std::vector<recording::GpuProcess> processes = gpu.processes;
  std::ranges::stable_sort(processes, std::greater{}, &recording::GpuProcess::bytes);
  std::vector<ProcessRow> rows;
  for (const recording::GpuProcess& process : processes)
    rows.push_back({process.pid, process.name, fact("", process.bytes, bytes).figure});
  return rows;
}

WalkMemory walk_memory(const trace::Trace& trace, const std::string& name) {
  constexpr std::int64_t cuda = 1;  // MemoryEvent::device_type
  WalkMemory out;
  if (trace.records.time_origin() != Origin::measured) {
    out.words = "The walk that is open ran on the simulated GPU: it held nothing of a real one's memory.";
    return out;
  }
  std::int64_t allocated = trace::absent, reserved = trace::absent;
  for (const trace::MemoryEvent& event : trace.memory) {
    if (event.device_type != cuda) continue;
    if (event.allocated != trace::absent) allocated = std::max(allocated, event.allocated);
    if (event.reserved != trace::absent) reserved = std::max(reserved, event.reserved);
  }
  const auto figure = [](std::int64_t value) -> std::optional<Figure> {
    if (value == trace::absent) return {};
    return Figure::recorded(static_cast<double>(value), Unit::bytes, Origin::measured);
  };
  out.allocated = figure(allocated);
  out.reserved = figure(reserved);
  if (!out.allocated && !out.reserved && !trace.driver_memory.empty())
    out.taken = Figure::derived(static_cast<double>(most_taken(trace)), Unit::bytes,
                                "the largest total that one GPU's pieces had, of those not given back yet");
  out.words =
      out.allocated || out.reserved || out.taken
          ? fmt::format("At its highest in the walk that is open, {}. It is over: this window holds none.", name)
          : "The walk that is open tells of no GPU memory; one of warpwalk run --on cuda, or of warpwalk record, does.";
  return out;
}

std::string sampling_words(const recording::NvmlSampler::Options& options) {
  return fmt::format("asked of NVML every {} ms", options.interval.count());
}

// The definitions are those of nvmlUtilization_t and nvmlMemory_t in NVIDIA's NVML API reference.
const std::vector<std::pair<std::string, std::string>>& observe_notes() {
  static const std::vector<std::pair<std::string, std::string>> notes = {
      {"Memory used is not utilisation",
       "It is room that is taken, and a program that waits keeps it; utilisation is time in which work was done."},
      {"100 % is not all SMs busy",
       "NVML gives the share of its last sampling period (1/6 to 1\u00a0s) in which any kernel ran, were it one block "
       "on "
       "one SM."},
      {"Whose memory",
       "Used is everybody's and the driver's own, and cudaMemGetInfo gives the same free bytes; reserved is what one "
       "program's allocator took of it, allocated what its tensors use of that."},
  };
  return notes;
}

const std::string& observe_promise() {
  static const std::string words =
      "With a GPU there stand here, four times a second: utilisation, memory, clocks, power, temperature, the "
      "processes with their memory, and the last minute of it as strips.";
  return words;
}

}  // namespace warpwalk::panels
