#include "app/verbs/info/info.h"

#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/language.h"
#include "app/verbs/common/load_ranks.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/info/compiled.h"
#include "app/verbs/info/conditions.h"
#include "app/verbs/info/core_dump.h"
#include "app/verbs/info/hang.h"
#include "app/verbs/info/json.h"
#include "app/verbs/info/json_writer.h"
#include "app/verbs/info/ranks.h"
#include "app/verbs/info/text.h"
#include "core/analysis/ranks/hang/hang_report.h"
#include "core/analysis/ranks/rank_source.h"
#include "core/compiled/layout/cute_table.h"
#include "core/compiled/open_compiled.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::verbs {
namespace {

/// Prints a line for each condition that holds. Returns the exit status.
int check_conditions(const std::vector<Condition>& conditions, InfoFigures& figures) {
  int status = 0;
  for (const Condition& condition : conditions) {
    const std::optional<double> value = condition.figure->value(figures);
    if (!value)
      return refuse(fmt::format("--fail-if {}: this trace does not have {} ({})", condition.text,
                                condition.figure->name, condition.figure->meaning));
    if (!condition.holds(*value)) continue;
    const auto at_best = condition.figure->at_best ? condition.figure->at_best(figures) : value;
    if (at_best && !condition.holds(*at_best)) {
      print_message(fmt::format("warpwalk: {}", doubtful_text(condition, *value, *at_best)));
      continue;
    }
    print_message(fmt::format("warpwalk: {}", condition_text(condition, *value)));
    status = 1;
  }
  return status;
}

base::Result<words::Narration> english_words() {
  const auto assets = find_assets();
  if (!assets) return base::Error{"the assets (narration, walks) were not found; set WARPWALK_ASSETS to their folder"};
  return load_words(*assets, std::string(default_language));
}

/// What the ranks of a run wait for; the texts are those of the window.
base::Result<std::string> text_of_ranks(const analysis::RankReport& report, std::string_view name) {
  const auto words = english_words();
  if (!words) return base::Error{words.error()};
  return ranks_report_text(*words, report, name);
}

int info_of_ranks(const InfoOptions& options, const analysis::RankReport& report) {
  if (!options.fail_if.empty())
    return refuse(fmt::format("--fail-if {}: is about one trace; give the file of one rank", options.fail_if.front()));
  if (options.json != "-") {
    const auto text = text_of_ranks(report, analysis::name_of_ranks(options.ranks));
    if (!text) return refuse(text.error());
    print_report(*text);
  }
  if (!options.json.empty())
    if (const auto done = write_file(options.json, ranks_json(report)); !done) return refuse(done.error());
  return 0;
}

/// What ranks that hang wait for, by the dumps of PyTorch's flight recorder.
int info_of_hang(const InfoOptions& options, const std::vector<std::filesystem::path>& paths) {
  if (!options.fail_if.empty())
    return refuse(
        fmt::format("--fail-if {}: is about a trace; these are dumps of the flight recorder", options.fail_if.front()));
  if (!options.compare.empty()) return refuse("--compare: compares traces; these are dumps of the flight recorder");
  const auto report = analysis::read_hang(paths);
  if (!report) return refuse(report.error());
  const auto words = english_words();
  if (!words) return refuse(words.error());
  if (options.json != "-") print_report(hang_text(*words, *report, analysis::name_of_ranks(paths)));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, hang_json(*words, *report)); !done) return refuse(done.error());
  return 0;
}

/// What a compiler wrote.
int info_of_compiled(const InfoOptions& options, const compiled::Compiled& all) {
  const std::string name = options.ranks.empty() ? options.file.string() : options.ranks.front().string();
  if (!options.fail_if.empty())
    return refuse(
        fmt::format("--fail-if {}: is about a trace; {} is what a compiler wrote", options.fail_if.front(), name));
  if (!options.compare.empty())
    return refuse(fmt::format("--compare: compares traces; {} is what a compiler wrote", name));
  KernelLayouts layouts;
  if (options.layouts) {
    auto read = layouts_of_kernels(all);
    if (!read) return refuse(read.error());
    layouts = std::move(*read);
  }
  if (options.json != "-") print_report(compiled_text(all, name, options.lines, layouts));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, compiled_json(all, layouts)); !done) return refuse(done.error());
  return 0;
}

/// A layout of CuTe, in place of a file.
int info_of_layout(const InfoOptions& options) {
  if (!options.file.empty() || !options.ranks.empty()) return refuse("--layout: shows a layout; give it without FILE");
  const auto layout = compiled::parse_cute_layout(options.layout);
  if (!layout) return refuse(fmt::format("--layout {}: {}", options.layout, layout.error()));
  const auto table = compiled::cute_table(*layout);
  if (!table) return refuse(fmt::format("--layout {}: {}", options.layout, table.error()));
  if (options.json != "-")
    print_report(fmt::format(
        "{}\n{} elements, offsets below {}; {} share an offset with another one, {} offsets are "
        "not used\n{}",
        options.layout, table->elements, table->cosize, table->repeated, table->unused, compiled::text_of(*table)));
  if (options.json.empty()) return 0;
  std::string offsets;
  for (const std::vector<std::int64_t>& row : table->offsets)
    offsets += fmt::format("{}\n    [{}]", offsets.empty() ? "" : ",", fmt::join(row, ", "));
  JsonWriter json;
  json.object([&] {
    json.text("layout", options.layout);
    json.integers("shape", layout->shape(), [](std::int64_t size) { return size; });
    json.integer("elements", table->elements);
    json.integer("cosize", table->cosize);
    json.integer("repeated", table->repeated);
    json.integer("unused", table->unused);
    json.raw("offsets", "[" + offsets + "\n  ]", rapidjson::kArrayType);
  });
  json.finish();
  if (const auto done = write_file(options.json, json.document()); !done) return refuse(done.error());
  return 0;
}

/// The ranks that are merged in one file.
void print_merged_ranks(InfoFigures& figures) {
  if (figures.ranks() == nullptr) return;
  if (const auto text = text_of_ranks(*figures.ranks(), "")) print_report(*text);
}

}  // namespace

std::string info_text(const LoadedTrace& loaded, std::string_view name) {
  InfoFigures figures(loaded);
  return figures_text(figures, name);
}

std::string info_json(const LoadedTrace& loaded) {
  InfoFigures figures(loaded);
  return figures_json(figures);
}

int info(const InfoOptions& options) {
  std::vector<Condition> conditions;
  for (const std::string& text : options.fail_if) {
    auto condition = parse_condition(text);
    if (!condition) return refuse(condition.error());
    conditions.push_back(*std::move(condition));
  }
  if (!options.layout.empty()) return info_of_layout(options);
  if (options.file.empty() && options.ranks.empty())
    return refuse("FILE is required: a trace, a folder of traces, a core dump; see warpwalk info --help");
  if (options.ranks.empty() && words::is_core_dump_file(options.file)) return info_of_core_dump(options);
  if (options.ranks.empty() && words::is_calls_file(options.file)) return info_of_calls(options);
  std::filesystem::path file = options.file;
  const std::vector<std::filesystem::path> paths = options.ranks.empty() ? std::vector{file} : options.ranks;
  if (analysis::has_dumps(paths)) return info_of_hang(options, paths);
  if (paths.size() == 1) {
    const auto opened = compiled::open_compiled(paths.front());
    if (!opened) return refuse(opened.error());
    if (*opened) return info_of_compiled(options, **opened);
  }
  if (options.what_if && !options.ranks.empty())
    return refuse("--what-if: is about one trace; give the file of a rank");
  if (options.lines)
    return refuse(
        fmt::format("--lines: {} is no kernel of a compiler; give an entry of Triton's cache", file.string()));
  if (options.layouts)
    return refuse("--layouts: is about what Triton wrote: an entry of its cache, or a folder of them");
  if (!options.compare.empty() && !options.ranks.empty())
    return refuse("--compare: compares the trace of one rank with another; give one file");
  if (options.compare == "-" && file == "-") return refuse("--compare -: stdin is the first trace; give a file");
  if (!options.ranks.empty()) {
    const auto source = load_ranks(options.ranks, analysis::any_rank, options.memory_cap_bytes);
    if (!source) return refuse(source.error());
    if (source->report != nullptr) return info_of_ranks(options, *source->report);
    file = source->file;
  }
  std::optional<analysis::WorkProfile> other;
  if (!options.compare.empty()) {
    const LoadedTrace second = load(options.compare, options.memory_cap_bytes);
    if (second.result.error) return refuse("--compare: " + *second.result.error);
    other = analysis::work_profile(second.result.trace, options.compare == "-" ? shown_name(options.compare)
                                                                               : options.compare.filename().string());
  }
  const LoadedTrace loaded = load(file, options.memory_cap_bytes);
  if (loaded.result.error) return refuse(*loaded.result.error);
  InfoFigures figures(loaded);
  if (other) figures.compare_with(*std::move(other));
  if (options.what_if) figures.predict_advice();
  if (!options.compiled.empty()) {
    if (!compiled::is_compiled_output(options.compiled))
      return refuse(fmt::format("--compiled {}: nothing in it was written by torch.compile or Triton",
                                options.compiled.string()));
    figures.read_compiled_from(options.compiled);
  }
  if (options.json != "-") {
    if (figures.comparison() != nullptr)
      print_report(comparison_text(*figures.comparison()));
    else
      print_report(figures_text(figures, shown_name(file)));
    print_merged_ranks(figures);
  }
  if (!options.json.empty())
    if (const auto done = write_figures_json(figures, options.json); !done) return refuse(done.error());
  return check_conditions(conditions, figures);
}

Verb add_info(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  const auto cap_gb = std::make_shared<double>(0);
  const auto files = std::make_shared<std::vector<std::filesystem::path>>();
  CLI::App* const verb =
      app.add_subcommand("info", "Show what a trace contains, how its events are linked, and its problems");
  verb->add_option("FILE", *files,
                   "a trace (torch.profiler, Nsight Systems' SQLite, rocprofv3, warpwalk), a report of Nsight Compute "
                   "(.ncu-rep, "
                   "CSV) or a memory snapshot, plain or gzip; a GPU core dump; "
                   "- for stdin; a folder, or several files: the traces of the ranks of a run, compared");
  verb->add_option("--compare", options->compare, "a second trace: shows how it differs, by the step");
  verb->add_option("--compiled", options->compiled,
                   "of a trace: the folder of TORCH_TRACE, of Inductor or of Triton's cache, to divide the time of "
                   "compiled kernels among lines of the program (default: the folder that record keeps beside a walk)");
  verb->add_option("--json", options->json,
                   "write the summary as JSON to this file; to stdout if it is -, or if --json is the last word");
  verb->add_flag("--what-if", options->what_if,
                 "of a trace: also what the changes would gain that come first, as predict says");
  verb->add_flag("--lines", options->lines,
                 "of kernels in Triton's cache: what each line of Python became in TTIR, TTGIR, LLVM IR, PTX and SASS");
  verb->add_flag("--layouts", options->layouts,
                 "of what Triton wrote: also the layout of each tensor in the TTGIR; simulate --layouts compares them "
                 "with a run");
  verb->add_option("--layout", options->layout,
                   "in place of FILE: the offsets of a layout of CuTe, such as '((4,8),(2,2)):((32,1),(16,8))' or "
                   "'Sw<3,4,3> o (8,64):(64,1)', as a table");
  verb->add_option("--fail-if", options->fail_if,
                   "exit with 1 if this holds, for example 'idle_pct>20'; repeatable (docs/verbs.md lists the figures)")
      ->allow_extra_args(false);
  verb->add_option("--memory-cap", *cap_gb,
                   "stop reading at this many GB (10^9 bytes) of memory (default: 8 GiB, 6 GiB for several files)")
      ->check(number_above_zero());
  return {verb, [options, cap_gb, files] {
            if (analysis::names_ranks(*files))
              options->ranks = *files;
            else if (!files->empty())
              options->file = files->front();
            options->memory_cap_bytes = static_cast<std::uint64_t>(*cap_gb * 1e9);
            return info(*options);
          }};
}

}  // namespace warpwalk::verbs
