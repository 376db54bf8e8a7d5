#include "app/verbs/info/core_dump.h"

#include <functional>
#include <string>

#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::verbs {

namespace {

/// Refuses options that are for traces. 0: there are none.
int refuse_options_of_traces(const InfoOptions& options, std::string_view what) {
  const std::string name = options.file.string();
  if (!options.fail_if.empty())
    return refuse(fmt::format("--fail-if: {} is {}, which has none of the figures of a trace", name, what));
  if (!options.compare.empty()) return refuse(fmt::format("--compare: {} is {}; give two traces", name, what));
  return 0;
}

/// Writes the text, unless the JSON takes its place, and the JSON if it is wanted.
int print(const InfoOptions& options, const std::function<std::string()>& text,
          const std::function<std::string()>& json) {
  if (options.json != "-") print_report(text());
  if (!options.json.empty())
    if (const auto done = write_file(options.json, json()); !done) return refuse(done.error());
  return 0;
}

}  // namespace

int info_of_core_dump(const InfoOptions& options) {
  if (const int refused = refuse_options_of_traces(options, "a core dump"); refused != 0) return refused;
  const std::uint64_t cap = options.memory_cap_bytes != 0 ? options.memory_cap_bytes : words::usual_dump_cap;
  const auto opened = words::open_dump(options.file, cap, "raise it with --memory-cap, or ");
  if (!opened) return refuse(opened.error());
  words::DumpReport& report = (*opened)->report;
  return print(
      options, [&] { return dump_text(report); }, [&] { return dump_json(report); });
}

int info_of_calls(const InfoOptions& options) {
  if (const int refused = refuse_options_of_traces(options, "the calls of an armed program"); refused != 0)
    return refused;
  const auto opened = words::open_calls(options.file);
  if (!opened) return refuse(opened.error());
  const crash::CallRing& calls = opened->calls;
  return print(
      options, [&] { return calls_text(options.file.filename().string(), calls); }, [&] { return calls_json(calls); });
}

}  // namespace warpwalk::verbs
