#include "core/trace/nsys/read_nsys.h"

#include <utility>

#include "core/trace/link.h"
#include "core/trace/nsys/import.h"

namespace warpwalk::trace::nsys {
namespace {

std::string not_exported(const Database& database) {
  if (database.has_table("StringTable") && !database.has_table("StringIds"))
    return "is a database of nvprof, which warpwalk does not read; record with Nsight Systems and export that: nsys "
           "export --type sqlite";
  if (database.has_table("META_DATA_EXPORT") || database.has_table("StringIds"))
    return "is a database of Nsight Systems without CUDA or NVTX events; record with nsys profile --trace=cuda,nvtx";
  return "is an SQLite database without the tables of Nsight Systems; give a file written by nsys export --type sqlite";
}

void fill(Import& in) {
  read_target(in);
  // Calls come first: they name the processes that GPU work belongs to.
  read_calls(in);
  read_gpu_work(in);
  read_synchronizations(in);
  read_ranges(in);
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
