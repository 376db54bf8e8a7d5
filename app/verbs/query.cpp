#include "app/verbs/query.h"

#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/query/database.h"
#include "app/query/table.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/load.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/query_output.h"
#include "core/platform/blocked_signals.h"

namespace warpwalk::verbs {
namespace {

/// The lines for a word that is not SQL, such as .tables; none if the statement is SQL. An unknown one: an error.
std::optional<base::Result<std::string>> described(const QueryOptions& options) {
  using Text = base::Result<std::string>;
  if (options.schema) return Text(query::schema_text());
  std::string_view words = options.statement;
  while (words.ends_with(' ') || words.ends_with(';')) words.remove_suffix(1);
  if (!words.starts_with('.')) return {};
  if (words == ".tables") return Text(query::tables_text());
  if (words == ".schema") return Text(query::schema_text());
  constexpr std::string_view of_one = ".schema ";
  if (words.starts_with(of_one)) {
    const std::string_view table = words.substr(of_one.size());
    std::string text = query::schema_text(table);
    if (!text.empty()) return Text(std::move(text));
    return Text(base::Error{fmt::format("query: no such table: {}; .tables lists them", table)});
  }
  return Text(base::Error{fmt::format("query: unknown word {}; known are .tables, .schema and .schema TABLE", words)});
}

base::Result<void> export_to(query::Database& database, const std::filesystem::path& file,
                             platform::BlockedSignals& signals) {
  database.set_stop([&] { return signals.stop_requested(); });
  return database.write(file);
}

}  // namespace

int query_trace(const QueryOptions& options) {
  if (const auto text = described(options)) {
    if (!*text) return refuse(text->error());
    print_report(**text);
    return 0;
  }
  constexpr std::string_view usage =
      "write: warpwalk query FILE \"SELECT ...\"; warpwalk query --schema lists the tables";
  if (options.file.empty()) return refuse(fmt::format("query: no trace given; {}", usage));
  if (options.statement.empty() && options.export_to.empty())
    return refuse(fmt::format("query: no statement given; {}", usage));
  if (options.csv && options.json) return refuse("query: --csv and --json exclude each other; give one of them");
  if (!options.export_to.empty())
    if (const auto may = query::check_exportable(options.export_to); !may) return refuse("--export " + may.error());

  const LoadedTrace loaded = load(options.file, options.memory_cap_bytes);
  if (loaded.result.error) return refuse(*loaded.result.error);
  for (const std::string& line : lost_data(options.file, loaded.result)) print_message(line);
  const auto database = query::Database::open(loaded.result.trace);
  if (!database) return refuse(database.error());
  if (!options.statement.empty()) {
    const auto output = make_query_output(options.csv    ? QueryFormat::csv
                                          : options.json ? QueryFormat::json
                                                         : QueryFormat::table,
                                          isatty(STDOUT_FILENO) != 0);
    if (const auto done = (*database)->run(options.statement, *output); !done) {
      output->abandon();
      return refuse("query: " + done.error());
    }
    output->finish();
  }
  if (options.export_to.empty()) return 0;
  // The unfinished file is removed, too, if a signal ends the program: it arrives once `signals` is destroyed.
  platform::BlockedSignals signals;
  if (const auto done = export_to(**database, options.export_to, signals); !done)
    return refuse("--export " + done.error());
  return 0;
}

Verb add_query(CLI::App& app) {
  const auto options = std::make_shared<QueryOptions>();
  const auto cap_gb = std::make_shared<double>(0);
  CLI::App* const verb = app.add_subcommand("query", "Answer SQL about a trace, or write it as an SQLite database");
  verb->add_option("FILE", options->file, "a trace, plain or gzip; - for stdin");
  verb->add_option("SQL", options->statement,
                   "a SELECT statement, or .tables (the tables), .schema or .schema TABLE (their columns)");
  verb->add_flag("--csv", options->csv, "print comma-separated values with a line of names");
  verb->add_flag("--json", options->json, "print a JSON array with an object for each row");
  verb->add_flag("--schema", options->schema, "print the tables with their columns; needs no FILE");
  verb->add_option("--export", options->export_to, "write all tables to this SQLite database (FILE.sqlite)");
  verb->add_option("--memory-cap", *cap_gb, "stop reading at this many GB (10^9 bytes) of memory (default: 8 GiB)")
      ->check(number_above_zero());
  return {verb, [options, cap_gb] {
            options->memory_cap_bytes = static_cast<std::uint64_t>(*cap_gb * 1e9);
            return query_trace(*options);
          }};
}

}  // namespace warpwalk::verbs
