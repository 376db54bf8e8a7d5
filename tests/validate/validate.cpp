// Compares the timing model with a GPU. `validate --help` lists the options; README.md describes the figures.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/reference/compared.h"
#include "tests/validate/comparison.h"
#include "tests/validate/report.h"
#include "tests/validate/statistics.h"
#include "tests/validate/without.h"

namespace warpwalk::validate {
namespace {

constexpr std::string_view usage =
    "usage: validate [OPTION...]\n"
    "  --folder FOLDER      the launches of FOLDER/h200_measured.csv (default: tests/validate/reference)\n"
    "  --case TEXT,...      only launches whose name contains one of the texts; may be repeated\n"
    "  --limit NUMBER       only launches of at most so many warp instructions (default: 60 million)\n"
    "  --stalls             also the shares of the stall reasons\n"
    "  --code               also the stall reasons of each instruction\n"
    "  --ptx                the launches' PTX, with an estimated schedule, instead of their machine code\n"
    "  --csv FILE           also writes one line per launch to FILE\n"
    "  --without NAME,...   makes parameters ineffective; may be repeated\n"
    "  --list-parameters    prints these parameters and what remains without them\n"
    "  --threads N          host threads (default: 1)\n";

struct Options {
  std::filesystem::path folder = WARPWALK_SOURCE_DIR "/tests/validate/reference";
  double limit = 6e7;
  bool stalls = false, code = false, ptx = false, list = false;
  int threads = 1;
  std::string csv;
  std::vector<std::string> only, without;
};

template <class T>
bool read_number(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out > 0;
}

void add_words(std::string_view list, std::vector<std::string>& words) {
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    words.emplace_back(list.substr(from, comma - from));
    from = comma + 1;
  }
}

/// Returns nothing if the options are not understood.
std::optional<Options> options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--stalls") {
      options.stalls = true;
      continue;
    }
    if (word == "--code") {
      options.code = true;
      continue;
    }
    if (word == "--ptx") {
      options.ptx = true;
      continue;
    }
    if (word == "--list-parameters") {
      options.list = true;
      continue;
    }
    if (i + 1 == argc) return {};
    const std::string_view value = argv[++i];
    if (word == "--threads") {
      if (!read_number(value, options.threads)) return {};
    } else if (word == "--limit") {
      if (!read_number(value, options.limit)) return {};
    } else if (word == "--case") {
      add_words(value, options.only);
    } else if (word == "--folder") {
      options.folder = value;
    } else if (word == "--csv") {
      options.csv = value;
    } else if (word == "--without") {
      add_words(value, options.without);
    } else {
      return {};
    }
  }
  return options;
}

/// The name of the set in the CSV file: that of the folder.
std::string set_of(const std::filesystem::path& folder) {
  return std::filesystem::weakly_canonical(folder).filename().string();
}

int validate(const Options& options) {
  gpu::Device device = reference::h200();
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
  for (const auto& row : reference::rows_of(options.folder / "h200_measured.csv")) {
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
  const auto options = options_of(argc, argv);
  if (!options) {
    std::fwrite(usage.data(), 1, usage.size(), stderr);
    return 2;
  }
  if (options->list) {
    for (const Without& without : withouts()) fmt::print("{}\t{}\n", without.name, without.meaning);
    return 0;
  }
  return validate(*options);
}
