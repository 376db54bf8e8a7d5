// Compares the timing model with a GPU: validate [--case NAME] [--folder FOLDER] [--limit WARP_INSTRUCTIONS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/exec/program.h"
#include "core/gpu/timing/time_launch.h"
#include "core/run/launch/run_launch.h"
#include "core/sass/text.h"
#include "tests/reference/compared.h"

namespace warpwalk {
namespace {

struct Options {
  std::string only;
  std::filesystem::path folder = WARPWALK_SOURCE_DIR "/tests/validate/reference";
  double limit = 6e7;
  bool stalls = false, code = false;
  int threads = 1;
};

double percent(double got, double want) { return want == 0 ? 0 : 100 * (got - want) / want; }
double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

struct Error {
  std::string name;
  double cycles;
};

void print_stalls(const gpu::LaunchTiming& timing, const reference::Row& row) {
  // Measured: warps that wait for a reason, per issued instruction.
  double total = 0;
  for (const auto& [column, value] : row)
    if (column.starts_with("stall_")) total += std::stod(value);
  std::uint64_t cycles = 0;
  for (const std::uint64_t part : timing.stalls) cycles += part;
  fmt::print("    measured/simulated share of warp-cycles, %:");
  for (std::size_t i = 0; i < gpu::stall_reasons; ++i) {
    const std::string name(gpu::name_of(static_cast<gpu::StallReason>(i)));
    const auto found = row.find("stall_" + name);
    const double want = found == row.end() ? 0 : 100 * std::stod(found->second) / total;
    const double got = share(timing.stalls[i], cycles);
    if (want >= 1 || got >= 1) fmt::print("  {} {:.0f}/{:.0f}", name, want, got);
  }
  fmt::print("\n");
}

/// Each instruction with its warp-cycles by reason, in percent of all.
void print_code(const gpu::LaunchTiming& timing, const gpu::Program& program) {
  std::uint64_t cycles = 0;
  for (const std::uint64_t part : timing.stalls) cycles += part;
  for (std::size_t i = 0; i < program.machine_code->instructions.size(); ++i) {
    std::string parts;
    std::uint64_t sum = 0;
    for (std::size_t r = 0; r < gpu::stall_reasons; ++r) {
      const std::uint64_t part = timing.stalls_by_instruction[i][r];
      sum += part;
      if (share(part, cycles) >= 0.5)
        parts += fmt::format(" {} {:.1f}", gpu::name_of(static_cast<gpu::StallReason>(r)), share(part, cycles));
    }
    if (sum == 0) continue;
    const sass::Instruction& instruction = program.machine_code->instructions[i];
    fmt::print("    {:04x} {:<60} {:>5.1f} {}\n", instruction.address,
               sass::text_of(instruction, sass::Architecture::sm_90), share(sum, cycles), parts);
  }
}

int validate(const Options& options) {
  const gpu::Device device = reference::h200();
  std::vector<Error> errors;
  fmt::print("{:<24} {:>10} {:>10} {:>7} {:>6} | {:>10} {:>10} {:>7} | {:>11} {:>11} {:>11} {:>11} | {:>11} | {:>6}\n",
             "case", "cycles", "simulated", "error", "spread", "active", "simulated", "error", "L1 hit", "L2 hit",
             "DRAM read", "DRAM write", "occupancy", "M/s");
  for (const auto& row : reference::rows_of(options.folder / "h200_measured.csv")) {
    const std::string name = row.at("case");
    if (!options.only.empty() && name.find(options.only) == std::string::npos) continue;
    if (std::stod(row.at("warp_inst")) > options.limit) continue;
    run::LoadOptions load;
    load.code = run::CodeChoice::sass;
    auto loaded = run::load_launch(options.folder / "timed" / (name + ".json"), device, load);
    if (auto* const error = std::get_if<std::string>(&loaded)) {
      fmt::print("{:<24} {}\n", name, *error);
      continue;
    }
    auto& launch = std::get<run::LoadedLaunch>(loaded);
    gpu::TimingOptions timing_options;
    timing_options.threads = options.threads;
    const std::clock_t began = std::clock();
    const auto timed = gpu::time_launch(device, *launch.program, launch.launch, timing_options);
    if (auto* const error = std::get_if<std::string>(&timed)) {
      fmt::print("{:<24} {}\n", name, *error);
      continue;
    }
    const auto& timing = std::get<gpu::LaunchTiming>(timed);
    const double cpu_seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    const auto measured = [&](const char* column) { return std::stod(row.at(column)); };
    const auto bytes = [](double value) { return value / 1e6; };
    const double spread = measured("cycles_elapsed_spread_pct");
    const double error = percent(timing.cycles, measured("cycles_elapsed"));
    fmt::print(
        "{:<24} {:>10.0f} {:>10.0f} {:>+6.1f}% {:>5.1f}% | {:>10.0f} {:>10.0f} {:>+6.1f}% | {:>5.1f} {:>5.1f} {:>5.1f} "
        "{:>5.1f} "
        "{:>5.1f} {:>5.1f} {:>5.1f} {:>5.1f} | {:>5.1f} {:>5.1f} | {:>6.2f}{}\n",
        name, measured("cycles_elapsed"), timing.cycles, error, spread, measured("sm_cycles_active_avg"),
        timing.cycles_active, percent(timing.cycles_active, measured("sm_cycles_active_avg")), measured("l1_hit_pct"),
        share(timing.l1_hits, timing.l1_sectors), measured("l2_hit_pct"), share(timing.l2_hits, timing.l2_sectors),
        bytes(measured("dram_read_bytes")), bytes(static_cast<double>(timing.dram_read_bytes)),
        bytes(measured("dram_write_bytes")), bytes(static_cast<double>(timing.dram_write_bytes)),
        measured("achieved_occupancy_pct"), timing.achieved_occupancy,
        static_cast<double>(timing.warp_instructions) / cpu_seconds / 1e6, timing.stopped ? " STOPPED" : "");
    if (options.stalls) print_stalls(timing, row);
    if (options.code) print_code(timing, *launch.program);
    std::fflush(stdout);
    if (spread <= 6) errors.push_back({name, error});
  }
  if (errors.empty()) return 1;
  std::vector<double> sizes;
  double sum = 0, signed_sum = 0;
  for (const Error& error : errors) {
    sizes.push_back(std::abs(error.cycles));
    sum += std::abs(error.cycles);
    signed_sum += error.cycles;
  }
  std::ranges::sort(sizes);
  const auto at = [&](double part) {
    return sizes[std::min(sizes.size() - 1, static_cast<std::size_t>(part * static_cast<double>(sizes.size())))];
  };
  fmt::print(
      "{} launches with a spread of at most 6 %: mean absolute error {:.1f} %, mean {:+.1f} %, median {:.1f} %, 90th "
      "percentile {:.1f} %, worst {:.1f} %\n",
      sizes.size(), sum / static_cast<double>(sizes.size()), signed_sum / static_cast<double>(sizes.size()), at(0.5),
      at(0.9), sizes.back());
  return 0;
}

}  // namespace
}  // namespace warpwalk

int main(int argc, char** argv) {
  warpwalk::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--stalls") {
      options.stalls = true;
    } else if (word == "--code") {
      options.code = true;
    } else if (word == "--threads" && has_value) {
      options.threads = std::stoi(argv[++i]);
    } else if (word == "--case" && has_value) {
      options.only = argv[++i];
    } else if (word == "--folder" && has_value) {
      options.folder = argv[++i];
    } else if (word == "--limit" && has_value) {
      options.limit = std::stod(argv[++i]);
    } else {
      std::fputs(
          "validate: usage: validate [--case NAME] [--folder FOLDER] [--limit WARP_INSTRUCTIONS] [--stalls] [--code] "
          "[--threads N]\n",
          stderr);
      return 2;
    }
  }
  return warpwalk::validate(options);
}
