#include "app/verbs/info/core_dump.h"

#include <string>

#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::verbs {

int info_of_core_dump(const InfoOptions& options) {
  const std::string name = options.file.string();
  if (!options.fail_if.empty())
    return refuse(fmt::format("--fail-if: {} is a core dump, which has none of the figures of a trace", name));
  if (!options.compare.empty()) return refuse(fmt::format("--compare: {} is a core dump; give two traces", name));
  const std::uint64_t cap = options.memory_cap_bytes != 0 ? options.memory_cap_bytes : words::usual_dump_cap;
  const auto opened = words::open_dump(options.file, cap, "raise it with --memory-cap, or ");
  if (!opened) return refuse(opened.error());
  words::DumpReport& report = (*opened)->report;
  if (options.json != "-") print_report(dump_text(report));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, dump_json(report)); !done) return refuse(done.error());
  return 0;
}

}  // namespace warpwalk::verbs
