// Prints how the simulated GPU compares with an H200: reference_report cases | counters [all] | speed.
#include "core/run/launch/report.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "tests/reference/compared.h"

namespace warpwalk {
namespace {

/// Compares the outputs of every launch file below a folder with the GPU's.
int print_cases(const gpu::Device& device) {
  int good = 0, all = 0;
  for (const char* const part : {"reference/cases", "cases"}) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(WARPWALK_SOURCE_DIR "/tests") / part)) {
      if (std::filesystem::exists(entry.path() / "launch.json")) files.push_back(entry.path() / "launch.json");
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      ++all;
      const std::string name = file.parent_path().filename().string();
      auto loaded = run::load_launch(file, device);
      if (!loaded) {
        fmt::print("{:<28} {}\n", name, loaded.error());
        continue;
      }
      auto& launch = *loaded;
      auto ran = run::run_launch(device, launch, {});
      if (!ran) {
        fmt::print("{:<28} {}\n", name, ran.error());
        continue;
      }
      const auto& result = *ran;
      std::uint64_t elements = 0;
      double ulp = 0;
      bool exact = true;
      for (std::size_t i = 0; i < result.outputs.size(); ++i) {
        const auto& comparison = result.outputs[i].comparison;
        elements += launch.file.buffers[result.outputs[i].buffer].count;
        ulp = std::max(ulp, static_cast<double>(comparison.max_ulp));
        exact = exact && launch.expected[i].tolerance.rtol == 0 && launch.expected[i].tolerance.atol == 0;
      }
      good += result.good() ? 1 : 0;
      fmt::print("{:<28} {} {:>8} values {}, at most {} ulp off\n", name, result.good() ? "ok    " : "DIFFER", elements,
                 exact ? "compared bit by bit" : "within a tolerance", ulp);
    }
  }
  fmt::print("{} of {} give what the H200 gave\n", good, all);
  return good == all ? 0 : 1;
}

int print_counters(const gpu::Device& device, bool all) {
  bool good = true;
  for (const auto& row : reference::rows_of(reference::folder() / "h200_measured.csv")) {
    if (!all && std::stod(row.at("warp_inst")) > 2e7) continue;
    const auto compared = reference::compare(device, row, reference::timed_launch(row), 1);
    if (!compared) {
      fmt::print("{}\n", compared.error());
      good = false;
      continue;
    }
    const auto& result = *compared;
    fmt::print("{}\n", result.name);
    for (const auto& counter : result.counters) {
      fmt::print("  {:<22} {:>14.0f} {:>14.0f} {:>+8.2f} %{}\n", counter.name, counter.simulated, counter.measured,
                 100 * counter.error(),
                 !counter.within()   ? "  beyond what is promised"
                 : counter.tolerance ? ""
                                     : "  (not promised)");
      good = good && counter.within();
    }
  }
  return good ? 0 : 1;
}

int print_speed(const gpu::Device& device) {
  for (const auto& row : reference::rows_of(reference::folder() / "h200_measured.csv")) {
    if (std::stod(row.at("warp_inst")) > 2e7) continue;
    const auto compared = reference::compare(device, row, reference::timed_launch(row), 1);
    if (compared) {
      fmt::print("{:<24} {:>6.1f} million warp instructions a second on one core\n", compared->name,
                 run::warp_instructions_per_second(compared->simulation) / 1e6);
    }
  }
  return 0;
}

}  // namespace
}  // namespace warpwalk

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const auto device = warpwalk::reference::h200();
  if (what == "cases") return warpwalk::print_cases(device);
  if (what == "counters") return warpwalk::print_counters(device, argc > 2 && std::string_view(argv[2]) == "all");
  if (what == "speed") return warpwalk::print_speed(device);
  std::fputs("reference_report: say what to print: cases, counters, counters all, or speed\n", stderr);
  return 2;
}
