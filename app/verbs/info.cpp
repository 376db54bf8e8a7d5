#include "app/verbs/info.h"

#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/info/conditions.h"
#include "app/verbs/info/json.h"
#include "app/verbs/info/text.h"

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
    print_message(fmt::format("warpwalk: {}", condition_text(condition, *value)));
    status = 1;
  }
  return status;
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
  const LoadedTrace loaded = load(options.file, options.memory_cap_bytes);
  if (loaded.result.error) return refuse(*loaded.result.error);
  InfoFigures figures(loaded);
  if (options.json != "-") print_report(figures_text(figures, shown_name(options.file)));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, figures_json(figures)); !done) return refuse(done.error());
  return check_conditions(conditions, figures);
}

Verb add_info(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  const auto cap_gb = std::make_shared<double>(0);
  CLI::App* const verb =
      app.add_subcommand("info", "Show what a trace contains, how its events are linked, and its problems");
  verb->add_option("FILE", options->file,
                   "a trace (torch.profiler, Nsight Systems' SQLite, warpwalk) or a memory snapshot, plain or gzip; "
                   "- for stdin")
      ->required();
  verb->add_option("--json", options->json, "write the summary as JSON to this file (- for stdout)");
  verb->add_option("--fail-if", options->fail_if,
                   "exit with 1 if this holds, for example 'idle_pct>20'; repeatable (docs/verbs.md lists the figures)")
      ->allow_extra_args(false);
  verb->add_option("--memory-cap", *cap_gb, "stop reading at this many GB of memory (default: 8)")
      ->check(number_above_zero());
  return {verb, [options, cap_gb] {
            options->memory_cap_bytes = static_cast<std::uint64_t>(*cap_gb * 1e9);
            return info(*options);
          }};
}

}  // namespace warpwalk::verbs
