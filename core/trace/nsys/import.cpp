#include "core/trace/nsys/import.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace::nsys {
namespace {

constexpr std::array<std::string_view, 8> event_tables = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                                                          "CUPTI_ACTIVITY_KIND_DRIVER",
                                                          "CUPTI_ACTIVITY_KIND_KERNEL",
                                                          "CUPTI_ACTIVITY_KIND_MEMCPY",
                                                          "CUPTI_ACTIVITY_KIND_MEMSET",
                                                          "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                                          "NVTX_EVENTS",
                                                          "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"};

// Rows between two checks of the limits.
constexpr std::uint64_t rows_per_check = 4096;

bool in_range(std::int64_t time) { return time > -time_limit && time < time_limit; }

}  // namespace

bool has_event_tables(const Database& database) {
  return std::ranges::any_of(event_tables, [&](std::string_view table) { return database.has_table(table); });
}

Import::Import(const Database& database, const Options& options, Trace& trace, Problems& problems)
    : database_(database),
      options_(options),
      trace_(trace),
      problems_(problems),
      strings_(database, trace, problems),
      places_(database, trace, strings_) {
  for (const std::string_view table : event_tables) all_rows_ += database.estimated_rows(table);
}

void Import::for_each_row(const TableColumns& what, const std::function<void(const Statement&)>& visit) {
  if (stopped_ || !database_.has_table(what.table)) return;
  table_ = what.table;
  row_ = 0;
  Statement rows = select(database_, what.table, what.columns);
  while (rows && rows.next()) {
    if (++row_ % rows_per_check == 0 && !go_on()) break;
    ++events_;
    visit(rows);
  }
  if (!rows || rows.damaged())
    problems_.add(ProblemKind::lost_event, 0, [&] {
      return fmt::format("the table {} is damaged after {} rows ({}); what was read before is kept", what.table, row_,
                         database_.last_error());
    });
  if (!stopped_) go_on();
}

std::string Import::place() const { return fmt::format("row {} of {}", row_, table_); }

bool Import::go_on() {
  const std::uint64_t total = database_.bytes();
  const double share =
      all_rows_ == 0 ? 1 : std::min(1.0, static_cast<double>(events_) / static_cast<double>(all_rows_));
  if (options_.go_on &&
      !options_.go_on({static_cast<std::uint64_t>(share * static_cast<double>(total)), total, events_})) {
    stopped_ = true;
    problems_.add(ProblemKind::cancelled, 0,
                  fmt::format("reading was cancelled at {}; everything before it is kept", place()));
  } else if (trace_.bytes() > options_.memory_cap_bytes) {
    stopped_ = true;
    problems_.add(ProblemKind::memory_cap, 0,
                  fmt::format("reading stopped at {}: the trace reached the cap of {}; everything before it is kept",
                              place(), base::bytes_text(static_cast<double>(options_.memory_cap_bytes))));
  }
  return !stopped_;
}

std::optional<std::int64_t> Import::time(const Statement& row, int column) {
  const std::int64_t time = row.integer(column);
  if (time == absent)
    problems_.add(ProblemKind::missing_field, 0,
                  [&] { return fmt::format("{} has no start; it is counted but not shown", place()); });
  else if (!in_range(time))
    problems_.add(ProblemKind::time_out_of_range, 0, [&] {
      return fmt::format("{} has the time {} ns, which is out of range; it is counted but not shown", place(), time);
    });
  else
    return time;
  return {};
}

std::optional<Span> Import::span(const Statement& row, int start, int end) {
  const auto begin = time(row, start);
  if (!begin) return {};
  const std::int64_t until = row.integer(end);
  if (until == absent)
    problems_.add(ProblemKind::missing_field, 0, [&] {
      return fmt::format(
          "{} has no end, perhaps because it was open when the recording ended; it is shown without a duration",
          place());
    });
  else if (!in_range(until) || until < *begin)
    problems_.add(ProblemKind::time_out_of_range, 0, [&] {
      return fmt::format("{} ends at {} ns and starts at {} ns; it is shown without a duration", place(), until,
                         *begin);
    });
  else
    return Span{*begin, until - *begin};
  return Span{*begin, 0};
}

void Import::slice(SliceKind kind, StringId name, Span span, TrackId track, std::size_t detail, StringId extra) {
  Slices& rows = trace_.slices;
  rows.start.push_back(span.start);
  rows.duration.push_back(span.duration);
  rows.name.push_back(name);
  rows.extra.push_back(extra);
  rows.track.push_back(track);
  rows.detail.push_back(static_cast<std::uint32_t>(detail));
  rows.kind.push_back(kind);
}

}  // namespace warpwalk::trace::nsys
