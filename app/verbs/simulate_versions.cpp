// `simulate A.cu B.cu --compare`: two versions of a CUDA program.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/info/json_writer.h"
#include "app/verbs/program_launches.h"
#include "app/verbs/simulate.h"
#include "core/base/quantity_text.h"
#include "core/platform/available_memory.h"
#include "core/platform/read_file.h"
#include "core/platform/temporary_folder.h"
#include "core/run/kernel_lab/compare_runs.h"
#include "core/run/launch/line_costs.h"
#include "core/run/replay/load_recorded.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t most_lines_shown = 8;

/// A launch that ran, without its memory.
struct VersionLaunch {
  std::string kernel;
  std::vector<run::RunFigure> figures;
  run::CostsByLine costs;
  std::vector<std::string> findings;
  bool good = true;
};

struct Version {
  std::filesystem::path file;
  std::vector<std::string> lines;  // of its source
  std::vector<VersionLaunch> launches;
};

class VersionRunner {
 public:
  VersionRunner(const SimulateOptions& options, const gpu::Device& device, run::CyclesOptions cycles)
      : options_(options), device_(device), runner_(options, device, std::move(cycles)) {}

  /// Runs all launches of a version.
  base::Result<Version> run(const std::filesystem::path& file) {
    Version version;
    version.file = file;
    const auto text = platform::read_text_file(file);
    if (!text) return base::Error{text.error()};
    for (std::size_t at = 0; at < text->text.size();) {
      const std::size_t end = std::min(text->text.find('\n', at), text->text.size());
      version.lines.push_back(text->text.substr(at, end - at));
      at = end + 1;
    }
    if (!options_.launch_file.empty()) {
      run::LoadOptions how;
      how.host_bytes = platform::available_memory();
      how.ask_ptxas = options_.ptxas;
      how.cuda = file;
      auto loaded = run::load_launch(options_.launch_file, device_, how);
      if (!loaded) return base::Error{loaded.error()};
      if (const auto done = add(version, *loaded); !done) return base::Error{done.error()};
      return version;
    }
    const platform::TemporaryFolder folder;
    const std::filesystem::path walk = folder.path() / "walk.json.gz";
    if (const auto done = record_program(file, options_, walk); !done) return base::Error{done.error()};
    const trace::ReadResult read = trace::read_trace(walk);
    if (read.error) return base::Error{*read.error};
    for (std::uint64_t i = 1; i <= run::recorded_launches(read.trace).size(); ++i) {
      auto recording = run::load_recorded(read.trace, i, file);
      if (!recording) return base::Error{recording.error()};
      if (const auto done = add(version, recording->loaded); !done) return base::Error{done.error()};
    }
    if (version.launches.empty()) return base::Error{fmt::format("{}: launches no kernel", file.string())};
    return version;
  }

 private:
  base::Result<void> add(Version& version, run::LoadedLaunch& loaded) {
    const auto ran = runner_.run(loaded, loaded.file.caches.value_or(gpu::CacheStart::cold));
    if (!ran) return base::Error{ran.error()};
    VersionLaunch& launch = version.launches.emplace_back();
    launch.kernel = loaded.file.kernel;
    launch.figures = run::figures_of(device_, loaded, *ran);
    const auto& timing = ran->cycles.timing;
    launch.costs =
        run::costs_by_line(*loaded.program, run::instruction_costs(ran->simulation, timing ? &*timing : nullptr),
                           run::CostText::source, version.file.filename().string());
    for (const gpu::Finding& finding : ran->simulation.findings) launch.findings.push_back(finding.message);
    launch.good = ran->good();
    return {};
  }

  const SimulateOptions& options_;
  const gpu::Device& device_;
  LaunchRunner runner_;
};

using Versions = std::array<Version, 2>;

std::string figure_text(const std::optional<double>& value) {
  if (!value) return "–";
  if (*value == std::floor(*value) && std::abs(*value) < 1e15) return base::with_thousands(std::llround(*value));
  return fmt::format("{:.4g}", *value);
}

std::string change_of_figure(const run::ComparedFigure& figure) {
  if (const auto ratio = figure.ratio()) return fmt::format("{:+.1f} %", 100 * (*ratio - 1));
  return "";
}

// Warp-cycles of a launch without cycles are unknown, so its lines are ranked by their instructions.
run::LineMetric metric_of(const VersionLaunch& launch) {
  return launch.costs.total().stalled() > 0 ? run::LineMetric::stalls : run::LineMetric::instructions;
}

std::string_view line_text(const Version& version, std::uint64_t line) {
  if (line == 0 || line > version.lines.size()) return {};
  std::string_view text = version.lines[line - 1];
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, 60);
}

std::string lines_text(const Version& version, const VersionLaunch& launch) {
  const run::LineMetric metric = metric_of(launch);
  std::string out = fmt::format("  {}: lines by {}\n", version.file.string(),
                                metric == run::LineMetric::stalls ? "warp-cycles of waiting" : "warp instructions");
  const std::vector<std::uint64_t> hottest = launch.costs.hottest(metric);
  for (std::size_t i = 0; i < std::min(hottest.size(), most_lines_shown); ++i) {
    const run::LineCosts& costs = launch.costs.lines.at(hottest[i]);
    const auto reason = costs.main_reason();
    out += fmt::format("    {:>14}  {:<20} {:>5}: {}\n",
                       base::with_thousands(static_cast<std::int64_t>(run::metric_value(costs, metric))),
                       reason ? name_of(*reason) : "", hottest[i], line_text(version, hottest[i]));
  }
  return out;
}

std::string versions_text(const Versions& versions, bool lines) {
  std::string out;
  const std::size_t pairs = std::min(versions[0].launches.size(), versions[1].launches.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    const VersionLaunch &a = versions[0].launches[i], &b = versions[1].launches[i];
    out += fmt::format("{}launch {}: {}{}\n", i == 0 ? "" : "\n", i + 1, a.kernel,
                       a.kernel == b.kernel ? "" : " → " + b.kernel);
    const std::vector<std::string> of_a = run::main_figures(a.figures), of_b = run::main_figures(b.figures);
    for (const run::ComparedFigure& figure : run::compare_figures(a.figures, b.figures)) {
      const bool shown = std::ranges::count(of_a, figure.name) > 0 || std::ranges::count(of_b, figure.name) > 0;
      if (shown)
        out += fmt::format("  {:<28}{:>16} → {:>16}  {}\n", figure.name, figure_text(figure.a), figure_text(figure.b),
                           change_of_figure(figure));
    }
    for (std::size_t side = 0; side < 2; ++side)
      for (const std::string& finding : versions[side].launches[i].findings)
        out += fmt::format("  {}: {}\n", versions[side].file.string(), finding);
    if (lines)
      for (std::size_t side = 0; side < 2; ++side) out += lines_text(versions[side], versions[side].launches[i]);
  }
  for (const Version& version : versions)
    if (version.launches.size() > pairs)
      out += fmt::format("\n{}: {} more launch{}, without a counterpart\n", version.file.string(),
                         version.launches.size() - pairs, version.launches.size() - pairs == 1 ? "" : "es");
  return out;
}

void write_lines(JsonWriter& json, const Version& version, const VersionLaunch& launch) {
  json.array(launch.costs.lines, [&](const auto& one) {
    const auto& [line, costs] = one;
    json.object([&] {
      json.number("line", line);
      json.text("text", line_text(version, line));
      json.number("warp_instructions", costs.instructions);
      json.number("stalled", costs.stalled());
      if (const auto reason = costs.main_reason())
        json.text("reason", name_of(*reason));
      else
        json.null("reason");
      json.number("global_sectors", costs.accesses.global_sectors);
      json.number("ideal_sectors", costs.accesses.ideal_sectors);
      json.number("shared_bank_conflicts", costs.accesses.bank_conflicts);
    });
  });
}

std::string versions_json(const Versions& versions, bool lines) {
  JsonWriter json;
  const std::size_t pairs = std::min(versions[0].launches.size(), versions[1].launches.size());
  json.object([&] {
    json.array("files", versions, [&](const Version& version) { json.text(version.file.string()); });
    json.integers("launches_of_files", versions,
                  [](const Version& version) { return static_cast<std::int64_t>(version.launches.size()); });
    std::vector<std::size_t> numbers(pairs);
    for (std::size_t i = 0; i < pairs; ++i) numbers[i] = i;
    json.array("launches", numbers, [&](std::size_t i) {
      const std::array<const VersionLaunch*, 2> both = {&versions[0].launches[i], &versions[1].launches[i]};
      json.object([&] {
        json.array("kernels", both, [&](const VersionLaunch* one) { json.text(one->kernel); });
        json.array("figures", run::compare_figures(both[0]->figures, both[1]->figures),
                   [&](const run::ComparedFigure& figure) {
                     json.object([&] {
                       json.text("name", figure.name);
                       json.real_or_null("a", figure.a);
                       json.real_or_null("b", figure.b);
                       json.real_or_null("ratio", figure.ratio());
                     });
                   });
        json.array("findings", both, [&](const VersionLaunch* one) {
          json.array(one->findings, [&](const std::string& finding) { json.text(finding); });
        });
        if (lines)
          json.array("lines", std::array<std::size_t, 2>{0, 1},
                     [&](std::size_t side) { write_lines(json, versions[side], *both[side]); });
      });
    });
  });
  json.finish();
  return json.document();
}

}  // namespace

int simulate_versions(const SimulateOptions& options, const gpu::Device& device, const run::CyclesOptions& cycles) {
  if (options.file.empty() || options.other.empty())
    return refuse("--compare: give two files: simulate A.cu B.cu --compare");
  Versions versions;
  VersionRunner runner(options, device, cycles);
  const std::array<std::filesystem::path, 2> files = {options.file, options.other};
  for (const std::filesystem::path& file : files)
    if (!is_cuda_source(file)) return refuse(fmt::format("{}: --compare takes CUDA C++ (.cu)", file.string()));
  for (std::size_t i = 0; i < 2; ++i) {
    auto version = runner.run(files[i]);
    if (!version) return version.error().empty() ? 2 : refuse(version.error());
    versions[i] = std::move(*version);
  }
  if (options.json != "-") print_report(versions_text(versions, options.lines));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, versions_json(versions, options.lines)); !done)
      return refuse(done.error());
  for (const Version& version : versions)
    for (const VersionLaunch& launch : version.launches)
      if (!launch.good) return 1;
  return 0;
}

}  // namespace warpwalk::verbs
