#include "app/verbs/simulate_measured.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/info/json_writer.h"
#include "app/verbs/program_launches.h"
#include "core/analysis/names/short_names.h"
#include "core/base/quantity_text.h"
#include "core/platform/temporary_folder.h"
#include "core/run/measured/compare_measured.h"
#include "core/run/measured/pair_launches.h"
#include "core/run/measured/report_code.h"
#include "core/run/measured/summary.h"
#include "core/run/replay/load_recorded.h"
#include "core/run/replay/replay_plan.h"
#include "core/trace/ncu/read_report.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

/// A launch of the program that has its counterpart in the report.
struct ComparedLaunch {
  std::uint64_t number = 0;  // in the program, from 1
  std::string kernel;        // as it is written
  std::array<std::uint32_t, 3> grid{}, block{};
  std::vector<std::string> findings;
  bool good = true;
};

/// All launches of a program beside a report. The rows of `beside` are those of `launches`.
struct ProgramBeside {
  std::filesystem::path file;
  const trace::ncu::Report* report = nullptr;
  std::size_t program_launches = 0;
  std::size_t with_report_code = 0;  // launches that ran the report's machine code
  std::vector<ComparedLaunch> launches;
  std::vector<run::BesideMeasured> beside;

  std::size_t unpaired_in_program() const { return program_launches - launches.size(); }
  std::size_t unpaired_in_report() const { return report->launches.size() - launches.size(); }
};

std::vector<std::string> recorded_kernels(const trace::Trace& trace) {
  std::vector<std::string> kernels;
  for (const trace::SliceId kernel : run::recorded_launches(trace))
    kernels.push_back(run::record_of(trace, kernel)->entry);
  return kernels;
}

base::Result<ProgramBeside> compare_program(const SimulateOptions& options, const gpu::Device& device,
                                            const run::CyclesOptions& cycles, const trace::ncu::Report& report) {
  ProgramBeside all;
  all.file = options.file;
  all.report = &report;
  const platform::TemporaryFolder folder;
  const std::filesystem::path walk = folder.path() / "walk.json.gz";
  if (const auto done = record_program(options.file, options, walk); !done) return base::Error{done.error()};
  trace::ReadResult read = trace::read_trace(walk);
  if (read.error) return base::Error{*read.error};
  if (options.code != "ptx") all.with_report_code = run::use_report_code(read.trace, report, device);
  const std::vector<std::string> kernels = recorded_kernels(read.trace);
  all.program_launches = kernels.size();
  const auto rows = run::pair_launches(kernels, report);
  LaunchRunner runner(options, device, cycles);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (!rows[i]) continue;
    auto recording = run::load_recorded(read.trace, i + 1, options.file);
    if (!recording) return base::Error{recording.error()};
    run::LoadedLaunch& loaded = recording->loaded;
    const auto ran = runner.run(loaded, measured_cache_start(report));
    if (!ran) return base::Error{ran.error()};
    const trace::ncu::Launch& measured = report.launches[*rows[i]];
    ComparedLaunch& launch = all.launches.emplace_back();
    launch.number = i + 1;
    launch.kernel = measured.function.empty() ? measured.name : measured.function;
    launch.grid = loaded.file.grid;
    launch.block = loaded.file.block;
    for (const gpu::Finding& finding : ran->simulation.findings) launch.findings.push_back(finding.message);
    launch.good = ran->good();
    all.beside.push_back(run::compare_with_measured(report, *rows[i], options.ncu.filename().string(), device, loaded,
                                                    *ran, options.file.filename().string()));
  }
  if (all.launches.empty()) {
    const auto row = run::chosen_launch(report, kernels.empty() ? "" : kernels.front(), {});
    return base::Error{
        fmt::format("{}: {}", options.ncu.string(), row ? "no launch of the program is in the report" : row.error())};
  }
  return all;
}

std::string measured_value(double value) {
  return value == std::floor(value) || std::abs(value) >= 1000 ? base::with_thousands(std::llround(value))
                                                               : fmt::format("{:.4g}", value);
}

// "17,251 / 16,900  0.98"; empty if the launch does not have the figure.
std::string pair_text(const run::BesideMeasured& beside, std::string_view name) {
  const auto pair = std::ranges::find(beside.figures, name, &run::MeasuredPair::name);
  if (pair == beside.figures.end()) return "–";
  const auto ratio = pair->ratio();
  return fmt::format("{} / {}{}", measured_value(pair->measured), measured_value(pair->simulated),
                     ratio ? fmt::format("  {:.2f}", *ratio) : "");
}

std::string largest_difference(const run::BesideMeasured& beside) {
  if (beside.figures.empty()) return "–";
  const run::MeasuredPair& pair = beside.figures.front();
  const auto ratio = pair.ratio();
  return fmt::format("{}{}", pair.name, ratio ? fmt::format(" {:.2f}", *ratio) : "");
}

std::string counted_launches(std::size_t number) { return fmt::format("{} launch{}", number, number == 1 ? "" : "es"); }

std::string program_text(const ProgramBeside& all) {
  const run::BesideMeasured& first = all.beside.front();
  std::string out = fmt::format("{} beside {} ({}{}{})\nmeasured / simulated, ratio\n", all.file.string(), first.report,
                                first.by, first.gpu.empty() ? "" : ", ", first.gpu);
  out += fmt::format("  {:>3} {:>4}  {:<20} {:>24} {:>30} {:>28}  {}\n", "", "ncu", "kernel", "cycles",
                     "warp instructions", "global load sectors", "largest difference");
  for (std::size_t i = 0; i < all.launches.size(); ++i) {
    const ComparedLaunch& launch = all.launches[i];
    const run::BesideMeasured& beside = all.beside[i];
    out += fmt::format("  {:>3} {:>4}  {:<20} {:>24} {:>30} {:>28}  {}\n", launch.number, beside.launch,
                       analysis::shortened(launch.kernel, 20), pair_text(beside, "cycles"),
                       pair_text(beside, "warp_instructions"), pair_text(beside, "global_load_sectors"),
                       largest_difference(beside));
    for (const std::string& finding : launch.findings) out += fmt::format("           {}\n", finding);
  }
  out += fmt::format("\n{} imported and compared", counted_launches(all.launches.size()));
  if (all.unpaired_in_program() > 0)
    out += fmt::format(", {} of the program {} not in the report", counted_launches(all.unpaired_in_program()),
                       all.unpaired_in_program() == 1 ? "is" : "are");
  if (all.unpaired_in_report() > 0)
    out += fmt::format(", {} of the report {} not in the program", counted_launches(all.unpaired_in_report()),
                       all.unpaired_in_report() == 1 ? "is" : "are");
  if (all.with_report_code > 0)
    out += fmt::format("\n{} ran the report's machine code (--code ptx: the program's own PTX)",
                       all.with_report_code == all.program_launches
                           ? std::string("all")
                           : fmt::format("{} of {}", all.with_report_code, all.program_launches));
  out += fmt::format("\n\n  {:<28}{:>9}{:>9}{:>16}{:>9}{:>9}\n", "simulated / measured", "launches", "equal",
                     "median ratio", "least", "greatest");
  for (const run::FigureSummary& row : run::summarize(all.beside)) {
    out += fmt::format("  {:<28}{:>9}{:>9}", row.name, row.launches, row.equal);
    out += row.ratios == 0
               ? std::string("\n")
               : fmt::format("{:>16.3f}{:>9.3f}{:>9.3f}\n", row.median_ratio, row.least_ratio, row.greatest_ratio);
  }
  std::vector<std::string> notes;
  for (const run::BesideMeasured& beside : all.beside)
    for (const std::string& note : beside.notes)
      if (std::ranges::count(notes, note) == 0) notes.push_back(note);
  for (const std::string& note : notes) out += fmt::format("\nnote: {}", note);
  return notes.empty() ? out : out + "\n";
}

void write_pair(JsonWriter& json, const run::MeasuredPair& pair) {
  json.object([&] {
    json.text("name", pair.name);
    json.figure("measured", pair.measured);
    json.figure("simulated", pair.simulated);
    json.real_or_null("ratio", pair.ratio());
  });
}

void write_measured_line(JsonWriter& json, const run::MeasuredLine& line) {
  const auto both = [&](const char* key, std::uint64_t measured, std::uint64_t simulated) {
    json.object(key, [&] {
      json.number("measured", measured);
      json.number("simulated", simulated);
    });
  };
  json.object([&] {
    json.number("line", line.line);
    json.text("text", line.text);
    json.object("stall_pct", [&] {
      json.real("measured", line.measured_stall_pct);
      json.real("simulated", line.simulated_stall_pct);
    });
    json.object("reason", [&] {
      json.text("measured", line.measured_reason);
      json.text("simulated", line.simulated_reason);
    });
    both("warp_instructions", line.measured_instructions, line.simulated_instructions);
    both("global_sectors", line.measured_sectors, line.simulated_sectors);
    both("ideal_sectors", line.measured_ideal_sectors, line.simulated_ideal_sectors);
    both("shared_bank_conflicts", line.measured_conflicts, line.simulated_conflicts);
  });
}

std::string program_json(const ProgramBeside& all) {
  JsonWriter json;
  const run::BesideMeasured& first = all.beside.front();
  std::vector<std::size_t> rows(all.launches.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  json.object([&] {
    json.text("file", all.file.string());
    json.text("report", first.report);
    json.text("measured_by", first.by);
    json.text("measured_gpu", first.gpu);
    json.number("launches_compared", all.launches.size());
    json.number("only_in_program", all.unpaired_in_program());
    json.number("only_in_report", all.unpaired_in_report());
    json.number("with_report_code", all.with_report_code);
    json.array("summary", run::summarize(all.beside), [&](const run::FigureSummary& row) {
      json.object([&] {
        json.text("name", row.name);
        json.number("launches", row.launches);
        json.number("equal", row.equal);
        if (row.ratios > 0) {
          json.real("median_ratio", row.median_ratio);
          json.real("least_ratio", row.least_ratio);
          json.real("greatest_ratio", row.greatest_ratio);
        }
      });
    });
    json.array("launches", rows, [&](std::size_t i) {
      const ComparedLaunch& launch = all.launches[i];
      const run::BesideMeasured& beside = all.beside[i];
      const auto number = [](std::uint32_t n) { return std::int64_t{n}; };
      json.object([&] {
        json.number("launch", launch.number);
        json.number("ncu_launch", beside.launch);
        json.text("kernel", launch.kernel);
        json.integers("grid", launch.grid, number);
        json.integers("block", launch.block, number);
        json.array("findings", launch.findings, [&](const std::string& finding) { json.text(finding); });
        json.array("notes", beside.notes, [&](const std::string& note) { json.text(note); });
        json.array("measured", beside.figures, [&](const run::MeasuredPair& pair) { write_pair(json, pair); });
        json.array("measured_lines", beside.lines,
                   [&](const run::MeasuredLine& line) { write_measured_line(json, line); });
      });
    });
  });
  json.finish();
  return json.document();
}

}  // namespace

base::Result<trace::ncu::Report> read_measurements(const std::filesystem::path& file) {
  auto read = trace::ncu::read_report_file(file);
  if (!read) return base::Error{fmt::format("--ncu: {}", read.error())};
  for (const std::string& line : read->lost) print_message(fmt::format("warpwalk: {}", line));
  return std::move(read->report);
}

gpu::CacheStart measured_cache_start(const trace::ncu::Report& report) {
  return report.caches_flushed() ? gpu::CacheStart::cold : gpu::CacheStart::warm;
}

base::Result<void> add_measured(const SimulateOptions& options, const trace::ncu::Report& report,
                                const std::vector<std::string>& kernels, const gpu::Device& device,
                                const run::LoadedLaunch& loaded, const std::filesystem::path& source_file,
                                run::LaunchResult& result) {
  std::optional<std::size_t> row;
  if (!options.ncu_launch) row = run::pair_launches(kernels, report).back();
  if (!row) {
    const auto chosen = run::chosen_launch(report, kernels.back(), options.ncu_launch);
    if (!chosen) return base::Error{fmt::format("{}: {}", options.ncu.string(), chosen.error())};
    row = *chosen;
  }
  result.measured = run::compare_with_measured(report, *row, options.ncu.filename().string(), device, loaded, result,
                                               source_file.string());
  return {};
}

int simulate_measured(const SimulateOptions& options, const gpu::Device& device, const run::CyclesOptions& cycles) {
  if (!options.trace.empty() || !options.values.empty())
    return refuse("-o and --values: are for one launch; choose it with --launch N");
  const auto report = read_measurements(options.ncu);
  if (!report) return refuse(report.error());
  const auto all = compare_program(options, device, cycles, *report);
  if (!all) return all.error().empty() ? 2 : refuse(all.error());
  if (options.json != "-") print_report(program_text(*all));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, program_json(*all)); !done) return refuse(done.error());
  return std::ranges::all_of(all->launches, &ComparedLaunch::good) ? 0 : 1;
}

}  // namespace warpwalk::verbs
