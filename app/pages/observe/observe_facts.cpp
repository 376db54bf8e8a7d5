#include "app/pages/observe/observe_facts.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

namespace warpwalk::pages {
namespace {

using story::Figure;
using story::Origin;
using story::Unit;

// The peak of what one GPU's driver gave out, bytes.
std::int64_t peak_taken(const trace::Trace& trace) {
  std::map<std::int64_t, std::int64_t> held;  // by device
  std::int64_t maximum = 0;
  for (const trace::DriverMemory& change : trace.driver_memory)
    maximum = std::max(maximum, held[change.device] += change.bytes);
  return maximum;
}

template <typename Value, typename Say>
GpuFact gpu_fact(std::string label, const std::optional<Value>& value, Say say) {
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

GpuHeads gpu_heads(const story::Narration& words, const instrumentation::GpuSample& gpu) {
  const auto label = [&](const char* key) { return words.text("observe", key); };
  return {gpu_fact(label("busy"), gpu.busy_pct, percent), gpu_fact(label("memory_busy"), gpu.memory_busy_pct, percent),
          gpu_fact(label("memory_used"), gpu.memory_used, bytes), gpu_fact(label("power"), gpu.power_mw, watts)};
}

std::vector<GpuFact> gpu_facts(const story::Narration& words, const instrumentation::GpuSample& gpu) {
  const auto label = [&](const char* key) { return words.text("observe", key); };
  return {gpu_fact(label("memory_free"), gpu.memory_free, bytes),
          gpu_fact(label("memory_total"), gpu.memory_total, bytes),
          gpu_fact(label("sm_clock"), gpu.sm_clock_mhz, megahertz),
          gpu_fact(label("memory_clock"), gpu.memory_clock_mhz, megahertz),
          gpu_fact(label("power_limit"), gpu.power_limit_mw, watts),
          gpu_fact(label("temperature"), gpu.temperature_c, degrees)};
}

std::vector<ProcessRow> process_rows(const instrumentation::GpuSample& gpu) {
  std::vector<instrumentation::GpuProcess> processes = gpu.processes;
  std::ranges::stable_sort(processes, std::greater{}, &instrumentation::GpuProcess::bytes);
  std::vector<ProcessRow> rows;
  for (const instrumentation::GpuProcess& process : processes)
    rows.push_back({process.pid, process.name, gpu_fact("", process.bytes, bytes).figure});
  return rows;
}

WalkMemory walk_memory(const story::Narration& words, const trace::Trace& trace, const std::string& name) {
  constexpr std::int64_t cuda = 1;  // MemoryEvent::device_type
  WalkMemory out;
  if (trace.records.time_origin() != Origin::measured) {
    out.words = words.text("observe", "walk.simulated");
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
    out.taken =
        Figure::derived(static_cast<double>(peak_taken(trace)), Unit::bytes, words.text("observe", "taken.formula"));
  const bool any = out.allocated || out.reserved || out.taken;
  out.words = words.text("observe", any ? "walk.peak" : "walk.none", {{"walk", name}});
  return out;
}

}  // namespace warpwalk::pages
