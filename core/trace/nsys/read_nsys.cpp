#include "core/trace/nsys/read_nsys.h"

#include <string>
#include <utility>
#include <vector>

#include "core/trace/link.h"
#include "core/trace/nsys/import.h"

namespace warpwalk::trace::nsys {
namespace {

bool is_of_rocm(const Database& database) {
  Statement found(database, "SELECT 1 FROM sqlite_master WHERE name LIKE 'rocpd%' LIMIT 1");
  return found && found.next();
}

std::string not_exported(const Database& database) {
  if (is_of_rocm(database))
    return "is a database of ROCm's profilers (rocpd), which warpwalk does not read; convert it to a trace in JSON: "
           "rocpd convert --output-format pftrace and traceconv json for rocprofv3, rpd2tracing.py for rpd_tracer";
  if (database.has_table("StringTable") && !database.has_table("StringIds"))
    return "is a database of nvprof, which warpwalk does not read; record with Nsight Systems and export that: nsys "
           "export --type sqlite";
  if (database.has_table("META_DATA_EXPORT") || database.has_table("StringIds")) {
    const std::vector<std::string> reported = cuda_diagnostics(database);
    return "is a database of Nsight Systems without CUDA or NVTX events; record with nsys profile --trace=cuda,nvtx" +
           (reported.empty() ? std::string() : ". Nsight Systems reported: " + reported.front());
  }
  return "is an SQLite database without the tables of Nsight Systems; give a file written by nsys export --type sqlite";
}

void fill(Import& in) {
  read_target(in);
  // Calls come first: they name the processes that GPU work belongs to.
  read_calls(in);
  read_gpu_work(in);
  read_synchronizations(in);
  read_ranges(in);
  read_diagnostics(in);
  in.places().finish();
}

Result read(const base::Result<Database>& opened, const Options& options, Trace& trace, Problems& problems) {
  Result result;
  if (!opened) {
    result.error = opened.error();
    return result;
  }
  const Database& database = *opened;
  result.bytes = database.bytes();
  if (!has_event_tables(database)) {
    result.error = not_exported(database);
    return result;
  }
  if (!database.unread_log().empty()) problems.add(ProblemKind::truncated, 0, database.unread_log());
  Import in(database, options, trace, problems);
  fill(in);
  link(trace, problems);
  result.events = in.events();
  result.stopped = in.stopped();
  if (result.events != 0) return result;
  result.error = not_exported(database);
  for (const Problem& problem : problems.rows())
    if (result.stopped || problem.kind == ProblemKind::lost_event) result.error = problem.message;
  return result;
}

}  // namespace

bool is_sqlite(std::string_view first_bytes) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  return first_bytes.starts_with(magic);
}

Result read_nsys(const std::filesystem::path& file, const Options& options, Trace& trace, Problems& problems) {
  return read(Database::open(file), options, trace, problems);
}

Result read_nsys(std::string_view database, const Options& options, Trace& trace, Problems& problems) {
  return read(Database::open(database), options, trace, problems);
}

}  // namespace warpwalk::trace::nsys
