#include "core/trace/read/formats.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/trace/chrome/reader.h"
#include "core/trace/link.h"
#include "core/trace/ncu/read_ncu.h"
#include "core/trace/nsys/read_nsys.h"
#include "core/trace/pickle/unpickler.h"
#include "core/trace/read/other_formats.h"
#include "core/trace/rocm/read_rocpd.h"
#include "core/trace/rocm/read_rocprof_csv.h"
#include "core/trace/rocm/read_rocprof_json.h"
#include "core/trace/snapshot/read_snapshot.h"
#include "core/trace/source_end.h"

namespace warpwalk::trace {
namespace {

void set_error(const FormatInput& input, const std::optional<std::string>& error, ReadResult& result) {
  if (error) result.error = fmt::format("{}: {}", input.name, *error);
}

rocm::Options rocm_options(const ReadOptions& options, std::function<ReadProgress(std::uint64_t)> progress) {
  rocm::Options out;
  out.memory_cap_bytes = options.memory_cap_bytes;
  if (options.on_progress)
    out.go_on = [&options, progress = std::move(progress)](std::uint64_t events) {
      return options.on_progress(progress(events));
    };
  return out;
}

// `from`: the file of the database or its bytes.
template <class From>
void read_database_from(const From& from, const FormatInput& input, ReadResult& result) {
  const ReadOptions& options = input.options;
  if (const auto database = nsys::Database::open(from); database && rocm::is_rocpd(*database)) {
    const auto progress = [&](std::uint64_t events) { return ReadProgress{0, database->bytes(), events}; };
    if (!database->unread_log().empty()) result.problems.add(ProblemKind::truncated, 0, database->unread_log());
    const rocm::Result read =
        rocm::read_rocpd(*database, rocm_options(options, progress), result.trace, result.problems);
    result.events = read.events;
    result.bytes = database->bytes();
    set_error(input, read.error, result);
    return;
  }
  nsys::Options nsys_options;
  nsys_options.memory_cap_bytes = options.memory_cap_bytes;
  if (options.on_progress)
    nsys_options.go_on = [&](const nsys::Progress& progress) {
      return options.on_progress({progress.bytes_read, progress.bytes_total, progress.events});
    };
  const nsys::Result read = nsys::read_nsys(from, nsys_options, result.trace, result.problems);
  result.events = read.events;
  result.bytes = read.bytes;
  set_error(input, read.error, result);
}

void read_database(FormatInput& input, ReadResult& result) {
  if (input.source.is_gzip()) {
    result.error = fmt::format("{}: is a compressed database; decompress it first (gunzip)", input.name);
    return;
  }
  std::visit([&](const auto& from) { read_database_from(from, input, result); }, input.origin);
}

void read_pickle(FormatInput& input, ReadResult& result) {
  platform::ByteSource& source = input.source;
  Window& window = input.window;
  const ReadOptions& options = input.options;
  const snapshot::Result read = snapshot::read_snapshot(
      window, options.memory_cap_bytes,
      [&](std::uint64_t entries) {
        return !options.on_progress || options.on_progress({source.consumed(), source.total(), entries});
      },
      result.trace, result.problems);
  result.events = read.entries;
  if (!read.stopped && !read.error) {
    window.drop(window.text().size());
    while (window.more()) window.drop(window.text().size());  // gzip's checksum is at the end
  }
  if (!read.stopped) note_source_end(source, window, result.events, result.problems);
  link(result.trace, result.problems);
  result.bytes = bytes_of(source);
  set_error(input, read.error, result);
}

void read_report(FormatInput& input, ReadResult& result) {
  const ReadOptions& options = input.options;
  ncu::Options ncu_options;
  ncu_options.memory_cap_bytes = options.memory_cap_bytes;
  if (options.on_progress)
    ncu_options.go_on = [&](std::uint64_t launches) {
      return options.on_progress({input.source.consumed(), input.source.total(), launches});
    };
  const ncu::Result read = ncu::read_ncu(input.window, ncu_options, result.trace, result.problems);
  result.events = read.launches;
  if (!read.stopped) note_source_end(input.source, input.window, result.events, result.problems);
  result.bytes = bytes_of(input.source);
  set_error(input, read.error, result);
}

rocm::Options rocprof_options(const FormatInput& input) {
  return rocm_options(input.options, [&input](std::uint64_t events) {
    return ReadProgress{input.source.consumed(), input.source.total(), events};
  });
}

void finish_rocprof(const FormatInput& input, const rocm::Result& read, ReadResult& result) {
  result.events = read.events;
  if (!read.stopped) note_source_end(input.source, input.window, result.events, result.problems);
  result.bytes = bytes_of(input.source);
  set_error(input, read.error, result);
}

void read_rocprof_json(FormatInput& input, ReadResult& result) {
  finish_rocprof(input,
                 rocm::read_rocprof_json(input.window, input.options.entry_cap_bytes, rocprof_options(input),
                                         result.trace, result.problems),
                 result);
}

void read_rocprof_csv(FormatInput& input, ReadResult& result) {
  std::vector<std::filesystem::path> beside;  // the other files of the same recording; none of bytes in memory
  if (const auto* const file = std::get_if<std::filesystem::path>(&input.origin)) beside = rocm::files_beside(*file);
  finish_rocprof(input,
                 rocm::read_rocprof_csv(input.window, beside, rocprof_options(input), result.trace, result.problems),
                 result);
}

// The last of the formats: says of other files what they are.
void read_chrome_json(FormatInput& input, ReadResult& result) {
  const std::string begin(input.window.text().substr(0, other_format_bytes));
  if (read_chrome(input.source, std::move(input.window), input.options, input.name, result)) return;
  if (const auto what = other_format(begin, input.name)) result.error = fmt::format("{}: {}", input.name, *what);
}

constexpr auto format_rows = std::to_array<Format>({
    {"SQLite of Nsight Systems or rocprofv3", nsys::is_sqlite, read_database},
    {"pickle of PyTorch's memory snapshot", pickle::begins_a_pickle, read_pickle},
    {"JSON of rocprofv3", rocm::is_rocprof_json, read_rocprof_json},
    {"CSV of rocprofv3", rocm::is_rocprof_csv, read_rocprof_csv},
    {"report of Nsight Compute", ncu::is_of_nsight_compute, read_report},
    {"Chrome-trace JSON", [](std::string_view) { return true; }, read_chrome_json},
});

}  // namespace

std::span<const Format> formats() { return format_rows; }

const Format& format_of(std::string_view first_bytes) {
  return *std::ranges::find_if(format_rows, [&](const Format& format) { return format.begins(first_bytes); });
}

}  // namespace warpwalk::trace
