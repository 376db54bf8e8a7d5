#include "tests/validate/report.h"

#include <fmt/format.h>

#include "core/sass/text.h"

namespace warpwalk::validate {

void print_header() {
  fmt::print(
      "{:<24} {:>10} {:>10} {:>7} {:>6} {:>6} | {:>10} {:>10} {:>7} | {:>11} {:>11} {:>11} {:>11} | {:>11} | {:>6}\n",
      "case", "cycles", "simulated", "error", "spread", "launch", "active", "simulated", "error", "L1 hit", "L2 hit",
      "DRAM read", "DRAM write", "occupancy", "M/s");
}

void print_row(const Comparison& row) {
  const auto both = [](const Pair& pair, double unit) {
    return fmt::format("{:>5.1f} {:>5.1f}", pair.measured / unit, pair.simulated / unit);
  };
  fmt::print(
      "{:<24} {:>10.0f} {:>10.0f} {:>+6.1f}% {:>5.1f}% {:>6.0f} | {:>10.0f} {:>10.0f} {:>+6.1f}% | {} {} {} {} | {} | "
      "{:>6.2f}{}\n",
      row.name, row.cycles.measured, row.cycles.simulated, row.cycles.error(), row.spread, row.launch_cost,
      row.active.measured, row.active.simulated, row.active.error(), both(row.l1_hits, 1), both(row.l2_hits, 1),
      both(row.dram_read, 1e6), both(row.dram_write, 1e6), both(row.occupancy, 1),
      row.warp_instructions.simulated / row.cpu_seconds / 1e6, row.stopped ? " STOPPED" : "");
}

void print_stalls(const Comparison& row) {
  fmt::print("    measured/simulated share of warp-cycles, %:");
  for (std::size_t i = 0; i < gpu::stall_reasons; ++i) {
    const Pair& share = row.stalls[i];
    if (share.measured >= 1 || share.simulated >= 1)
      fmt::print("  {} {:.0f}/{:.0f}", gpu::name_of(static_cast<gpu::StallReason>(i)), share.measured, share.simulated);
  }
  fmt::print("\n");
}

namespace {

/// An instruction as the address and text of the machine code, or as the line and opcode of the PTX.
std::string text_of(const gpu::Program& program, std::size_t i) {
  if (program.machine_code) {
    const sass::Instruction& instruction = program.machine_code->instructions[i];
    return fmt::format("{:04x} {}", instruction.address, sass::text_of(instruction, sass::Architecture::sm_90));
  }
  const ptx::Instruction& instruction = *program.sources[i].instruction;
  return fmt::format("line {} {}", instruction.line, ptx::name_of(instruction.opcode));
}

}  // namespace

void print_code(const Simulated& simulated) {
  const gpu::LaunchTiming& timing = simulated.timing;
  std::uint64_t cycles = 0;
  for (const std::uint64_t part : timing.stalls) cycles += part;
  const auto percent = [&](std::uint64_t part) {
    return cycles == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(cycles);
  };
  const gpu::Program& program = *simulated.program;
  for (std::size_t i = 0; i < timing.stalls_by_instruction.size(); ++i) {
    std::string parts;
    std::uint64_t sum = 0;
    for (std::size_t r = 0; r < gpu::stall_reasons; ++r) {
      const std::uint64_t part = timing.stalls_by_instruction[i][r];
      sum += part;
      if (percent(part) >= 0.5)
        parts += fmt::format(" {} {:.1f}", gpu::name_of(static_cast<gpu::StallReason>(r)), percent(part));
    }
    if (sum == 0) continue;
    fmt::print("    {:<65} {:>5.1f} {}\n", text_of(program, i), percent(sum), parts);
  }
}

void print_summary(const Summary& summary) {
  const auto cycles = [](const char* what, const Spread& spread, double correlation) {
    fmt::print(
        "  {:<46} mean absolute error {:.1f} %, mean {:+.1f} %, median {:.1f} %, 90th percentile {:.1f} %, worst "
        "{:.1f} "
        "%, correlation {:.4f}\n",
        what, spread.mean, spread.signed_mean, spread.median, spread.ninetieth, spread.worst, correlation);
  };
  fmt::print("{} launches with a spread of at most {} %:\n", summary.cycles.rows, spread_limit);
  cycles("with launch cost (cycles_elapsed)", summary.cycles, summary.cycles_correlation);
  cycles("without launch cost (sm_cycles_active_avg)", summary.active, summary.active_correlation);
  fmt::print("  The correlation is Pearson's, of the logarithms of measured and simulated cycles.\n");
  fmt::print("  L1 hit rate: mean difference {:.1f} points, worst {:.1f}; L2 hit rate: {:.1f}, worst {:.1f}\n",
             summary.l1_hits.mean, summary.l1_hits.worst, summary.l2_hits.mean, summary.l2_hits.worst);
  fmt::print(
      "  DRAM bytes of the {} launches with at least 1,000,000 bytes: mean absolute error {:.1f} %, worst {:.1f} %\n",
      summary.dram.rows, summary.dram.mean, summary.dram.worst);
  fmt::print("  warp instructions: mean absolute error {:.3f} %, worst {:.3f} %\n", summary.warp_instructions.mean,
             summary.warp_instructions.worst);
  fmt::print("  largest stall reason as measured: {} of {}\n", summary.same_stall, summary.cycles.rows);
}

std::string csv_header() {
  std::string header =
      "set,code,case,spread_pct,launch_cost,cycles_measured,cycles_simulated,cycles_error_pct,active_measured,"
      "active_simulated,active_error_pct,warp_inst_measured,warp_inst_simulated,l1_hit_measured,l1_hit_simulated,"
      "l2_hit_measured,l2_hit_simulated,dram_read_measured,dram_read_simulated,dram_write_measured,"
      "dram_write_simulated,occupancy_measured,occupancy_simulated,largest_stall_measured,largest_stall_simulated";
  for (std::size_t i = 0; i < gpu::stall_reasons; ++i) {
    const std::string_view name = gpu::name_of(static_cast<gpu::StallReason>(i));
    header += fmt::format(",{}_measured,{}_simulated", name, name);
  }
  return header + ",cpu_seconds,stopped";
}

std::string csv_line(const Comparison& row, const std::string& set, const std::string& code) {
  const auto whole = [](const Pair& pair) { return fmt::format("{:.0f},{:.0f}", pair.measured, pair.simulated); };
  const auto percent = [](const Pair& pair) { return fmt::format("{:.2f},{:.2f}", pair.measured, pair.simulated); };
  const LargestStall stall = largest_stall(row);
  std::string line =
      fmt::format("{},{},{},{:.1f},{:.0f},{:.0f},{:.0f},{:.2f},{:.1f},{:.1f},{:.2f},{},{},{},{},{},{},{},{}", set, code,
                  row.name, row.spread, row.launch_cost, row.cycles.measured, row.cycles.simulated, row.cycles.error(),
                  row.active.measured, row.active.simulated, row.active.error(), whole(row.warp_instructions),
                  percent(row.l1_hits), percent(row.l2_hits), whole(row.dram_read), whole(row.dram_write),
                  percent(row.occupancy), gpu::name_of(stall.measured), gpu::name_of(stall.simulated));
  for (const Pair& share : row.stalls) line += ',' + percent(share);
  return line + fmt::format(",{:.2f},{}", row.cpu_seconds, row.stopped ? 1 : 0);
}

}  // namespace warpwalk::validate
