// Compares the timing model with a GPU. `validate --help` lists the options; README.md describes the figures.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/gpu/device/device_file.h"
#include "tests/reference/measured.h"
#include "tests/validate/comparison.h"
#include "tests/validate/report.h"
#include "tests/validate/statistics.h"
#include "tests/validate/without.h"

namespace warpwalk::validate {
namespace {

struct Options {
  std::filesystem::path folder = WARPWALK_SOURCE_DIR "/tests/validate/reference", measured;
  std::filesystem::path device = WARPWALK_SOURCE_DIR "/assets/devices/h200.json";
  double limit = 6e7;
  bool stalls = false, code = false, ptx = false, list = false;
  int threads = 1;
  std::string csv;
  std::vector<std::string> only, without;
};

void add_options(CLI::App& program, Options& options) {
  program.add_option("--folder", options.folder, "the launches of FOLDER/timed (default: tests/validate/reference)")
      ->check(CLI::ExistingDirectory);
  program.add_option("--measured", options.measured, "what was measured (default: FOLDER/h200_measured.csv)")
      ->check(CLI::ExistingFile);
  program.add_option("--device", options.device, "description of the measured GPU (default: assets/devices/h200.json)")
      ->check(CLI::ExistingFile);
  program.add_option("--case", options.only, "only launches whose name contains one of the texts")->delimiter(',');
  program.add_option("--limit", options.limit, "only launches of at most so many warp instructions (default: 6e7)")
      ->check(CLI::PositiveNumber);
  program.add_flag("--stalls", options.stalls, "also the shares of the stall reasons");
  program.add_flag("--code", options.code, "also the stall reasons of each instruction");
  program.add_flag("--ptx", options.ptx,
                   "the launches' PTX, with an estimated schedule, instead of their machine code");
  program.add_option("--csv", options.csv, "also writes one line per launch to this file");
  program.add_option("--without", options.without, "makes parameters ineffective")->delimiter(',');
  program.add_flag("--list-parameters", options.list, "prints these parameters and what remains without them");
  program.add_option("--threads", options.threads, "host threads (default: 1)")->check(CLI::PositiveNumber);
}

/// The name of the set in the CSV file: that of the folder.
std::string set_of(const std::filesystem::path& folder) {
  return std::filesystem::weakly_canonical(folder).filename().string();
}

int validate(const Options& options) {
  auto described = gpu::load_device(options.device);
  if (!described) {
    fmt::print(stderr, "validate: {}\n", described.error());
    return 2;
  }
  gpu::Device& device = *described;
  const std::filesystem::path measured =
      options.measured.empty() ? options.folder / "h200_measured.csv" : options.measured;
  for (const std::string& name : options.without)
    if (const auto error = leave_out(device, name)) {
      fmt::print(stderr, "validate: --without {}\n", *error);
      return 2;
    }
  if (!options.without.empty()) fmt::print("without {}\n", fmt::join(options.without, ", "));
  if (options.ptx) fmt::print("PTX with an estimated schedule\n");
  std::FILE* csv = nullptr;
  if (!options.csv.empty()) {
    csv = std::fopen(options.csv.c_str(), "w");
    if (csv == nullptr) {
      fmt::print(stderr, "validate: --csv {}: cannot be written\n", options.csv);
      return 2;
    }
    fmt::print(csv, "{}\n", csv_header());
  }
  std::vector<Comparison> rows;
  print_header();
  for (const auto& row : reference::rows_of(measured)) {
    const std::string& name = row.at("case");
    const auto is_in_name = [&](const std::string& text) { return name.find(text) != std::string::npos; };
    if (!options.only.empty() && std::ranges::none_of(options.only, is_in_name)) continue;
    if (std::stod(row.at("warp_inst")) > options.limit) continue;
    const auto result = compare(device, row, options.folder, options.threads,
                                options.ptx ? run::CodeChoice::ptx : run::CodeChoice::sass);
    if (!result) {
      fmt::print("{:<24} {}\n", name, result.error());
      continue;
    }
    const auto& simulated = *result;
    rows.push_back(simulated.comparison);
    print_row(rows.back());
    if (options.stalls) print_stalls(rows.back());
    if (options.code) print_code(simulated);
    if (csv != nullptr)
      fmt::print(csv, "{}\n", csv_line(rows.back(), set_of(options.folder), options.ptx ? "ptx" : "sass"));
    std::fflush(stdout);
  }
  if (csv != nullptr && std::fclose(csv) != 0) {
    fmt::print(stderr, "validate: --csv {}: cannot be written\n", options.csv);
    return 2;
  }
  const Summary summary = summary_of(rows);
  if (summary.cycles.rows == 0) return 1;
  print_summary(summary);
  return 0;
}

}  // namespace
}  // namespace warpwalk::validate

int main(int argc, char** argv) {
  using namespace warpwalk::validate;
  Options options;
  CLI::App program("Compares the timing model with a GPU.");
  add_options(program, options);
  CLI11_PARSE(program, argc, argv);
  if (options.list) {
    for (const Without& without : withouts()) fmt::print("{}\t{}\n", without.name, without.meaning);
    return 0;
  }
  return validate(options);
}
