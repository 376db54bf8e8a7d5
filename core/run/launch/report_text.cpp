#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/run/launch/cupti_time.h"
#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/report.h"

namespace warpwalk::run {
namespace {

/// Formats 1234567 as 1,234,567.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string counted(std::uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", grouped(number), thing, number == 1 ? "" : "s");
}

std::string shape(const std::array<std::uint32_t, 3>& s) { return fmt::format("{} x {} x {}", s[0], s[1], s[2]); }

class Lines {
 public:
  void line(std::string_view label, std::string_view value) { text_ += fmt::format("  {:<20}{}\n", label, value); }
  void title(std::string_view text) { text_ += fmt::format("{}{}\n", text_.empty() ? "" : "\n", text); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_occupancy(Lines& out, const gpu::Occupancy& occupancy) {
  std::string by;
  for (const gpu::Limiter limiter : occupancy.limiters)
    by += fmt::format("{}{}", by.empty() ? ", limited by " : " and ", gpu::name_of(limiter));
  out.line("occupancy", fmt::format("{:.1f} %: {} at a time on an SM{}", occupancy.percent,
                                    counted(static_cast<std::uint64_t>(occupancy.blocks_per_sm), "block"), by));
}

void report_global(Lines& out, std::string_view label, std::uint64_t requests, std::uint64_t sectors) {
  if (requests == 0) return;
  out.line(label,
           fmt::format("{}, {} of 32 B: {:.1f} per request", counted(requests, "request"), counted(sectors, "sector"),
                       static_cast<double>(sectors) / static_cast<double>(requests)));
}

void report_shared(Lines& out, std::string_view label, std::uint64_t requests, std::uint64_t wavefronts) {
  if (requests == 0) return;
  out.line(label,
           fmt::format("{}, {}: {:.1f} per request", counted(requests, "request"), counted(wavefronts, "wavefront"),
                       static_cast<double>(wavefronts) / static_cast<double>(requests)));
}

void add_counters(Lines& out, const gpu::Counters& counters, bool machine_code) {
  const std::string origin =
      machine_code ? "counted"
                   : fmt::format("estimated; as written in the PTX: {}", grouped(counters.ptx_warp_instructions));
  out.line("warp instructions", fmt::format("{} ({})", grouped(counters.warp_instructions), origin));
  const double lanes = counters.warp_instructions == 0 ? 0
                                                       : static_cast<double>(counters.thread_instructions) /
                                                             static_cast<double>(counters.warp_instructions);
  out.line("thread instructions",
           fmt::format("{}: {:.1f} of 32 lanes active", grouped(counters.thread_instructions), lanes));
  report_global(out, "global loads", counters.global_load_requests, counters.global_load_sectors);
  report_global(out, "global stores", counters.global_store_requests, counters.global_store_sectors);
  if (counters.global_atomic_requests != 0)
    out.line("global atomics", counted(counters.global_atomic_requests, "request"));
  if (counters.local_load_requests + counters.local_store_requests != 0)
    out.line("local memory", fmt::format("{} and {}", counted(counters.local_load_requests, "load"),
                                         counted(counters.local_store_requests, "store")));
  report_shared(out, "shared loads", counters.shared_load_requests, counters.shared_load_wavefronts);
  report_shared(out, "shared stores", counters.shared_store_requests, counters.shared_store_wavefronts);
  if (counters.shared_load_requests + counters.shared_store_requests != 0)
    out.line("bank conflicts", counted(counters.shared_bank_conflicts, "extra wavefront"));
}

/// The reasons with at least 1 % of the warps' cycles, largest first.
std::string stalls_text(const gpu::LaunchTiming& timing) {
  std::vector<CycleFigure> stalls = stall_figures(timing);
  std::ranges::stable_sort(stalls, std::ranges::greater{}, &CycleFigure::value);
  double all = 0;
  for (const CycleFigure& stall : stalls) all += stall.value;
  std::string text;
  for (const CycleFigure& stall : stalls)
    if (stall.value > 0 && 100 * stall.value >= all)
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", stall.name, 100 * stall.value / all);
  return text;
}

void add_cycles(Lines& out, const gpu::Device& device, const LaunchResult& result) {
  if (!result.cycles.timing) return;
  const gpu::LaunchTiming& timing = *result.cycles.timing;
  out.title(timing.estimated ? "cycles (simulated; the schedule is estimated from PTX)" : "cycles (simulated)");
  const auto cycles = [](double number) { return grouped(static_cast<std::uint64_t>(std::round(number))); };
  out.line("cycles",
           fmt::format("{}, {} of them for the launch itself", cycles(timing.cycles), cycles(timing.launch_cost)));
  out.line("time", fmt::format("{:.2f} us at {:.0f} MHz, launch included; the kernel alone {:.2f} us",
                               1e6 * seconds_of(device, timing.cycles), *device.sm_clock / 1e6,
                               1e6 * seconds_of(device, timing.cycles - timing.launch_cost)));
  if (!device.compared)
    out.line("accuracy", fmt::format("unknown: {} was never compared with measured launches", device.name));
  out.line("active cycles", fmt::format("{} per SM, mean", cycles(timing.cycles_active)));
  out.line("achieved occupancy", fmt::format("{:.1f} %", timing.achieved_occupancy));
  const IssueSlots slots = issue_slots_of(timing);
  out.line("issue slots",
           fmt::format("{:.1f} % issued, {:.1f} % no eligible warp, {:.1f} % no warp: {:.2f} instructions per cycle",
                       slots.issued, slots.no_eligible_warp, slots.no_warp, ipc_of(device, timing)));
  out.line("warps' cycles", stalls_text(timing));
  const auto hits = [&](std::string_view label, std::uint64_t part, std::uint64_t whole) {
    if (whole > 0)
      out.line(label, fmt::format("{:.1f} % of {}", 100 * static_cast<double>(part) / static_cast<double>(whole),
                                  counted(whole, "sector")));
  };
  hits("L1 hits", timing.l1_hits, timing.l1_sectors);
  hits("L2 hits", timing.l2_hits, timing.l2_sectors);
  out.line("DRAM",
           fmt::format("{} read, {} written ({})", base::bytes_text(static_cast<double>(timing.dram_read_bytes)),
                       base::bytes_text(static_cast<double>(timing.dram_write_bytes)),
                       fmt::format("{} caches", name_of(timing.caches))));
  if (timing.caches == gpu::CacheStart::warm)
    out.line("caches", "warm: L2 holds what the buffers hold before the launch, as far as it fits; L1 is empty");
  if (timing.caches == gpu::CacheStart::carried)
    out.line("caches", "carried: L2 holds what the earlier work of the program left there, as recorded; L1 is empty");
  const Roofline place = roofline_of(device, timing);
  out.line("roofline",
           fmt::format("{:.1f} % of the issue peak, {:.1f} % of the DRAM peak{}", place.issue_pct, place.dram_pct,
                       place.instructions_per_sector
                           ? fmt::format("; {:.2f} warp instructions per DRAM sector", *place.instructions_per_sector)
                           : ""));
  if (result.policy != gpu::IssuePolicy::greedy_then_youngest) out.line("scheduler policy", name_of(result.policy));
  const double host = timing.host_seconds;
  out.line("simulated in", fmt::format("{:.3f} s: {:.2f} million warp instructions per second", host,
                                       host > 0 ? static_cast<double>(timing.warp_instructions) / host / 1e6 : 0));
}

/// "3.2 (12 ulp)"; omits distances in ulp that are too large to be meaningful.
std::string error_text(const Comparison& comparison) {
  constexpr std::uint64_t most_ulp = 1'000'000;
  if (comparison.max_ulp > most_ulp) return fmt::format("{:.6g}", comparison.max_abs_error);
  return fmt::format("{:.6g} ({} ulp)", comparison.max_abs_error, grouped(comparison.max_ulp));
}

std::string comparison_text(const BufferSpec& buffer, const Comparison& comparison) {
  const std::string values = fmt::format("{} {}", grouped(buffer.count), name_of(buffer.dtype));
  if (comparison.match && comparison.max_ulp == 0) return fmt::format("as expected: all {} are equal", values);
  if (comparison.match) return fmt::format("as expected: all {}, off by at most {}", values, error_text(comparison));
  const Mismatch& first = *comparison.first;
  return fmt::format("NOT as expected: {} of {} differ, by up to {}; first [{}] = {}, expected {}",
                     grouped(comparison.mismatches), values, error_text(comparison), first.index, first.got,
                     first.want);
}

std::string registers_origin(const std::string& origin) {
  if (origin == "cubin") return "of the machine code";
  if (origin == "ptxas") return "assigned by ptxas";
  return origin;
}

void add_recorded(Lines& out, const gpu::Device& device, const LaunchResult& result) {
  const RecordedOutputs& recorded = *result.recorded;
  out.title("beside the recording");
  const std::size_t compared = recorded.same + recorded.different;
  if (recorded.different > 0)
    out.line("memory after it", fmt::format("{} of {} differ; the first is {}", recorded.different,
                                            counted(compared, "range"), recorded.first_different));
  else if (compared > 0)
    out.line("memory after it", fmt::format("the same bits that the GPU left, in {}", counted(compared, "range")));
  if (recorded.unknown > 0)
    out.line("not compared",
             fmt::format("{}: what the GPU left there is not in the walk", counted(recorded.unknown, "range")));
  if (recorded.measured_ns > 0)
    out.line("measured time",
             fmt::format("{:.2f} us, by CUPTI: the blocks, and a fixed time before the first and after the last one",
                         static_cast<double>(recorded.measured_ns) / 1e3));
  if (recorded.measured_ns > 0 && result.cycles.timing) {
    const double ns = cupti_ns(device, *result.cycles.timing, recorded.gpu);
    const OutsideBlocks outside = outside_blocks(recorded.gpu);
    out.line("simulated time",
             fmt::format("{:.2f} us, {:.2f} of them the fixed time{}; {:.2f} times the measured one", ns / 1e3,
                         outside.ns / 1e3, outside.measured ? "" : " (an H200's: this GPU's was not measured)",
                         ns / static_cast<double>(recorded.measured_ns)));
  }
}

void add_outputs(Lines& out, const LoadedLaunch& loaded, const LaunchResult& result) {
  out.title("outputs");
  for (const Output& output : result.outputs) {
    const BufferSpec& buffer = loaded.file.buffers[output.buffer];
    out.line(buffer.name, comparison_text(buffer, output.comparison));
  }
  if (result.outputs.empty()) out.line("none compared", "the launch file has no expected outputs (\"expect\")");
}

void add_values(Lines& out, const LoadedLaunch& loaded, const LaunchResult& result) {
  if (result.values.empty()) return;
  out.title("buffers after the launch");
  for (const BufferFile& value : result.values) {
    const BufferSpec& buffer = loaded.file.buffers[value.buffer];
    out.line(buffer.name, fmt::format("{} {} in {}", grouped(buffer.count), name_of(buffer.dtype), value.file));
  }
}

/// ", at k.cu:9 (PTX line 12)": adds the location, which a finding stores in separate fields.
std::string where(const gpu::Finding& finding) {
  std::string text;
  if (finding.source_line != 0 && !finding.source_file.empty())
    text = fmt::format(", at {}:{}{}", finding.source_file, finding.source_line,
                       finding.inlined.empty() ? "" : fmt::format(", in {} (inlined)", finding.inlined));
  if (finding.ptx_line != 0)
    text += text.empty() ? fmt::format(", at PTX line {}", finding.ptx_line)
                         : fmt::format(" (PTX line {})", finding.ptx_line);
  return text;
}

void add_findings(Lines& out, const gpu::Simulation& simulation) {
  if (simulation.findings.empty()) return;
  out.title("findings");
  for (const gpu::Finding& finding : simulation.findings)
    out.line(gpu::name_of(finding.kind), finding.message + where(finding));
  if (simulation.stopped) out.line("", "the launch was stopped there; the buffers do not hold its result");
}

}  // namespace

std::string report_text(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result) {
  const gpu::Simulation& simulation = result.simulation;
  Lines out;
  out.title(fmt::format("{} on a simulated {}", loaded.file.kernel, device.name));
  out.line("grid", fmt::format("{} blocks of {} threads", shape(loaded.file.grid), shape(loaded.file.block)));
  out.line("code", loaded.code);
  for (const std::string& note : loaded.notes) out.line("note", note);
  if (!result.cycles.missing.empty()) out.line("note", cycles_note(result.cycles));
  out.line("registers",
           fmt::format("{} per thread ({})", simulation.registers, registers_origin(loaded.registers_origin)));
  add_occupancy(out, simulation.occupancy);
  add_counters(out, simulation.counters, loaded.runs_machine_code());
  out.line("simulated in",
           fmt::format("{:.3f} s on {}: {:.1f} million warp instructions per second", simulation.host_seconds,
                       counted(static_cast<std::uint64_t>(simulation.threads_used), "host thread"),
                       warp_instructions_per_second(simulation) / 1e6));
  add_cycles(out, device, result);
  if (result.recorded)
    add_recorded(out, device, result);
  else
    add_outputs(out, loaded, result);
  add_values(out, loaded, result);
  add_findings(out, simulation);
  return out.take() + (result.measured ? beside_measured_text(*result.measured) : std::string());
}

}  // namespace warpwalk::run
