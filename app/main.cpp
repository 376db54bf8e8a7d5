#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/answers.h"
#include "app/verbs/common/fetched_inputs.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/usage.h"
#include "app/verbs/compile.h"
#include "app/verbs/completion.h"
#include "app/verbs/debug/debug.h"
#include "app/verbs/digest.h"
#include "app/verbs/doctor.h"
#include "app/verbs/export.h"
#include "app/verbs/grade.h"
#include "app/verbs/info/info.h"
#include "app/verbs/open.h"
#include "app/verbs/predict.h"
#include "app/verbs/program_launches.h"
#include "app/verbs/query.h"
#include "app/verbs/record/record.h"
#include "app/verbs/render.h"
#include "app/verbs/run.h"
#include "app/verbs/simulate.h"
#include "app/verbs/translate.h"
#include "app/version.h"

using warpwalk::verbs::refuse;
using warpwalk::verbs::Verb;

namespace {

int run(int argc, char** argv) {
  using namespace warpwalk::verbs;
  CLI::App app("warpwalk follows a tensor operation from the line of Python to the GPU warps that run it, and back.",
               "warpwalk");
  app.require_subcommand(0, 1);
  const Verb window = add_open(app);
  app.set_version_flag("-V,--version", fmt::format("warpwalk {}{}", warpwalk::program_version, warpwalk::program_build),
                       "print the version and exit");
  const std::vector<Verb> verbs = {
      add_info(app),    add_query(app),    add_predict(app),    add_render(app),
      add_export(app),  add_run(app),      add_simulate(app),   add_debug(app, record_debugged),
      add_digest(app),  add_grade(app),    add_record(app),     add_dump(app),
      add_answers(app), add_doctor(app),   add_completion(app), add_man(app, warpwalk::program_version),
      add_compile(app), add_translate(app)};
  prepare_options(app);
  std::optional<FetchedInputs> fetched;
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    // --json at the end writes to stdout. In CLI11, an option with an optional value would also take a FILE after it.
    const bool may_end = words.size() > 1 && (words.front() == "info" || words.front() == "predict");
    if (may_end && words.back() == "--json") words.emplace_back("-");
    if (!words.empty() && reads_elsewhere(words))
      if (const auto done = fetched.emplace().fetch(words); !done) return refuse(done.error());
    std::ranges::reverse(words);  // as parse() wants them
    app.parse(std::move(words));
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    std::string hint;
    for (const Verb& verb : verbs)
      if (verb.command->parsed() && verb.hint) hint = verb.hint();
    return refuse(usage_error(app, error, hint));
  }
  for (const Verb& verb : verbs)
    if (verb.command->parsed()) return verb.run();
  if (const auto line = window_cannot_open(app)) return refuse(*line);
  return window.run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    // Buffered output reaches a full disk or a closed pipe only when it is flushed.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      return refuse(fmt::format("the output cannot be written: {}", std::strerror(errno)));
    return status;
  } catch (const std::bad_alloc&) {
    return refuse("out of memory; close other programs, or open a smaller trace");
  } catch (const std::exception& error) {
    return refuse(fmt::format("unexpected error: {}", error.what()));
  }
}
