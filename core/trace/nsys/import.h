#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/nsys/database.h"
#include "core/trace/nsys/places.h"
#include "core/trace/nsys/read_nsys.h"
#include "core/trace/nsys/strings.h"
#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::nsys {

/// The times of a slice, as the trace has them.
struct Span {
  std::int64_t start = 0;
  std::int64_t duration = 0;
};

/// A table of events and the columns that are read from it, in this order.
struct TableColumns {
  std::string_view table;
  std::span<const std::string_view> columns;
};

/// What the functions below share: the database, the trace that they fill, and the limits of reading.
class Import {
 public:
  Import(const Database& database, const Options& options, Trace& trace, Problems& problems);

  /// Calls `visit` for each row of a table of events. Ends early at damage, which becomes a problem, when cancelled and
  /// at the memory cap.
  void for_each_row(const TableColumns& what, const std::function<void(const Statement&)>& visit);
  /// The current row, for messages: "row 7 of NVTX_EVENTS".
  std::string place() const;

  /// The times in two columns. A row without a usable start is a problem and gives nullopt; one without a usable end
  /// is a problem and gets the duration 0.
  std::optional<Span> span(const Statement& row, int start, int end);
  /// A time in a column, or nullopt after adding a problem.
  std::optional<std::int64_t> time(const Statement& row, int column);
  void slice(SliceKind kind, StringId name, Span span, TrackId track, std::size_t detail, StringId extra = 0);

  const Database& database() const { return database_; }
  Trace& trace() { return trace_; }
  Problems& problems() { return problems_; }
  Strings& strings() { return strings_; }
  Places& places() { return places_; }
  std::uint64_t events() const { return events_; }
  bool stopped() const { return stopped_; }

 private:
  bool go_on();

  const Database& database_;
  const Options& options_;
  Trace& trace_;
  Problems& problems_;
  Strings strings_;
  Places places_;
  std::uint64_t all_rows_ = 0;  // of all tables of events, estimated
  std::uint64_t events_ = 0;
  std::string_view table_;  // that is read now, and its row
  std::uint64_t row_ = 0;
  bool stopped_ = false;
};

/// Whether a database has one of the tables that Nsight Systems writes.
bool has_event_tables(const Database& database);

/// Each reads the tables of one kind of event.
void read_calls(Import& in);
void read_gpu_work(Import& in);
void read_synchronizations(Import& in);
void read_ranges(Import& in);
/// Reads the GPUs, the time of the recording, and the version of Nsight Systems.
void read_target(Import& in);
/// Reports what Nsight Systems could not record of CUDA.
void read_diagnostics(Import& in);
/// The warnings and errors about CUDA, each in one line.
std::vector<std::string> cuda_diagnostics(const Database& database);

}  // namespace warpwalk::trace::nsys
