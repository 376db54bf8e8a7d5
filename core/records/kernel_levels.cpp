#include "core/records/kernel_levels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/platform/read_file.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::records {
namespace {

constexpr std::string_view header = "kernel,level,cycles_measured,cycles_simulated,warp_instructions";

std::string_view take(std::string_view& rest, char end) {
  const std::size_t at = std::min(rest.find(end), rest.size());
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return part;
}

std::optional<double> positive(std::string_view digits) {
  double value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || stop != digits.data() + digits.size() || !std::isfinite(value) || value <= 0) return {};
  return value;
}

/// The source, PTX and cubin of one level; the first file that cannot be read.
base::Result<trace::Module> read_module(const std::filesystem::path& folder, const LevelFigures& figures) {
  const auto file = [&](std::string_view ending) { return folder / fmt::format("{}{}", figures.kernel, ending); };
  // Level 3 is ptxas's default, with which the Kernel lab's own cubins are compiled.
  const auto cubin = platform::read_compressed_file(
      figures.level == "3" ? file(".cubin.gz")
                           : folder / "levels" / fmt::format("{}.{}.cubin.gz", figures.kernel, figures.level));
  const auto source = platform::read_text_file(file(".cu")), ptx = platform::read_text_file(file(".ptx"));
  for (const auto* const one : {&cubin, &source, &ptx})
    if (!*one) return base::Error{one->error()};
  trace::Module module;
  module.name = figures.kernel;
  module.source_file = fmt::format("{}.cu", figures.kernel);
  module.source = source->text;
  module.ptx = ptx->text;
  const std::string& bytes = cubin->text;
  module.cubin.assign(bytes.begin(), bytes.end());
  return module;
}

}  // namespace

base::Result<std::vector<LevelFigures>> parse_level_figures(std::string_view text) {
  std::vector<LevelFigures> rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = take(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1) {
      if (line != header) return base::Error{fmt::format("line 1: expected {}", header)};
      continue;
    }
    if (line.empty()) continue;
    LevelFigures row;
    row.kernel = take(line, ',');
    row.level = take(line, ',');
    std::array<std::optional<double>, 3> values;
    for (std::optional<double>& value : values) value = positive(take(line, ','));
    if (row.kernel.empty() || row.level.empty() || !line.empty() || !values[0] || !values[1] || !values[2])
      return base::Error{fmt::format("line {}: expected a kernel, a level and three positive numbers", number)};
    row.cycles_measured = *values[0];
    row.cycles_simulated = *values[1];
    row.executed_instructions = *values[2];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::pair<std::vector<LevelledKernel>, std::optional<std::string>> load_kernel_levels(
    const std::filesystem::path& folder) {
  const std::filesystem::path figures_file = folder / "levels" / "cycles.csv";
  const auto text = platform::read_text_file(figures_file);
  if (!text) return {};
  const auto figures = parse_level_figures(text->text);
  if (!figures) return {{}, fmt::format("{}: {}", figures_file.string(), figures.error())};
  std::vector<LevelledKernel> kernels;
  for (const LevelFigures& row : *figures) {
    auto read = read_module(folder, row);
    if (!read) return {std::move(kernels), read.error()};
    trace::Module& module = *read;
    const auto parsed = sass::parse_cubin({reinterpret_cast<const char*>(module.cubin.data()), module.cubin.size()});
    const auto entry = parsed ? std::ranges::find_if(parsed->functions, &sass::CubinFunction::is_entry)
                              : decltype(parsed->functions.begin())();
    if (!parsed || entry == parsed->functions.end())
      return {std::move(kernels),
              fmt::format("{}: level {} of {} has no kernel", figures_file.string(), row.level, row.kernel)};
    if (row.level == "G") {  // compiled from PTX of its own, which the cubin contains
      module.ptx = parsed->ptx;
      std::ranges::replace(module.ptx, '\0', '\n');
    }
    if (kernels.empty() || kernels.back().name != row.kernel)
      kernels.push_back({row.kernel, std::string(entry->name), {}});
    kernels.back().levels.push_back({(row.level == "G" ? "-" : "-O") + row.level, std::move(module),
                                     row.cycles_measured, row.cycles_simulated, row.executed_instructions});
  }
  return {std::move(kernels), {}};
}

}  // namespace warpwalk::records
