#include "core/trace/read/read_trace.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/platform/byte_source.h"
#include "core/trace/chrome/reader.h"
#include "core/trace/json/window.h"
#include "core/trace/link.h"
#include "core/trace/ncu/read_ncu.h"
#include "core/trace/nsys/read_nsys.h"
#include "core/trace/pickle/unpickler.h"
#include "core/trace/rocm/read_rocpd.h"
#include "core/trace/rocm/read_rocprof_csv.h"
#include "core/trace/rocm/read_rocprof_json.h"
#include "core/trace/snapshot/read_snapshot.h"
#include "core/trace/source_end.h"

namespace warpwalk::trace {
namespace {

rocm::Options rocm_options(const ReadOptions& options, std::function<ReadProgress(std::uint64_t)> progress) {
  rocm::Options out;
  out.memory_cap_bytes = options.memory_cap_bytes;
  if (options.on_progress)
    out.go_on = [&options, progress = std::move(progress)](std::uint64_t events) {
      return options.on_progress(progress(events));
    };
  return out;
}

// Reads a database of Nsight Systems or of rocprofv3; `from` is its file or its bytes.
template <class From>
void read_database(const From& from, std::string_view name, bool compressed, const ReadOptions& options,
                   ReadResult& result) {
  if (compressed) {
    result.error = fmt::format("{}: is a compressed database; decompress it first (gunzip)", name);
    return;
  }
  if (const auto database = nsys::Database::open(from); database && rocm::is_rocpd(*database)) {
    const auto progress = [&](std::uint64_t events) { return ReadProgress{0, database->bytes(), events}; };
    if (!database->unread_log().empty()) result.problems.add(ProblemKind::truncated, 0, database->unread_log());
    const rocm::Result read =
        rocm::read_rocpd(*database, rocm_options(options, progress), result.trace, result.problems);
    result.events = read.events;
    result.bytes = database->bytes();
    if (read.error) result.error = fmt::format("{}: {}", name, *read.error);
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
  if (read.error) result.error = fmt::format("{}: {}", name, *read.error);
}

// Reads a memory snapshot of PyTorch.
void read_pickle(platform::ByteSource& source, Window& window, const ReadOptions& options, std::string_view name,
                 ReadResult& result) {
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
  if (read.error) result.error = fmt::format("{}: {}", name, *read.error);
}

// Reads a report of Nsight Compute, or its CSV.
void read_report(platform::ByteSource& source, Window& window, const ReadOptions& options, std::string_view name,
                 ReadResult& result) {
  ncu::Options ncu_options;
  ncu_options.memory_cap_bytes = options.memory_cap_bytes;
  if (options.on_progress)
    ncu_options.go_on = [&](std::uint64_t launches) {
      return options.on_progress({source.consumed(), source.total(), launches});
    };
  const ncu::Result read = ncu::read_ncu(window, ncu_options, result.trace, result.problems);
  result.events = read.launches;
  if (!read.stopped) note_source_end(source, window, result.events, result.problems);
  result.bytes = bytes_of(source);
  if (read.error) result.error = fmt::format("{}: {}", name, *read.error);
}

// Reads the JSON or the CSV of rocprofv3. `beside`: the other files of the same recording.
void read_rocprof(platform::ByteSource& source, Window& window, const std::vector<std::filesystem::path>& beside,
                  const ReadOptions& options, std::string_view name, ReadResult& result) {
  const rocm::Options limits = rocm_options(options, [&](std::uint64_t events) {
    return ReadProgress{source.consumed(), source.total(), events};
  });
  const rocm::Result read =
      rocm::is_rocprof_json(window.text())
          ? rocm::read_rocprof_json(window, options.entry_cap_bytes, limits, result.trace, result.problems)
          : rocm::read_rocprof_csv(window, beside, limits, result.trace, result.problems);
  result.events = read.events;
  if (!read.stopped) note_source_end(source, window, result.events, result.problems);
  result.bytes = bytes_of(source);
  if (read.error) result.error = fmt::format("{}: {}", name, *read.error);
}

std::vector<std::filesystem::path> beside_of(const std::filesystem::path& file) { return rocm::files_beside(file); }
std::vector<std::filesystem::path> beside_of(std::string_view) { return {}; }  // bytes in memory

// Reads so much of the text that its format can be told: of JSON the first key, of other text the first lines, because
// output of a program can stand before ncu's.
void fill_for_format(Window& window) {
  constexpr std::size_t signature = 16, first_key = 64, first_lines = std::size_t{1} << 16;
  window.fill(signature);
  if (pickle::begins_a_pickle(window.text())) return;
  const std::size_t first = window.text().find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return;
  const char begin = window.text()[first];
  window.fill(begin == '[' ? signature : begin == '{' ? first_key : first_lines);
}

// The first bytes of the text show its format. `from`: the file or its bytes, which SQLite reads itself.
template <class From>
ReadResult read_source(platform::ByteSource& source, const From& from, std::string_view name,
                       const ReadOptions& options) {
  ReadResult result;
  Window window(source, options.window_bytes, options.entry_cap_bytes);
  fill_for_format(window);
  if (nsys::is_sqlite(window.text()))
    read_database(from, name, source.is_gzip(), options, result);
  else if (pickle::begins_a_pickle(window.text()))
    read_pickle(source, window, options, name, result);
  else if (rocm::is_rocprof_json(window.text()) || rocm::is_rocprof_csv(window.text()))
    read_rocprof(source, window, beside_of(from), options, name, result);
  else if (ncu::is_of_nsight_compute(window.text()))
    read_report(source, window, options, name, result);
  else
    read_chrome(source, std::move(window), options, name, result);
  return result;
}

}  // namespace

ReadResult read_trace(const std::filesystem::path& file, const ReadOptions& options) {
  auto opened = platform::open_source(file);
  if (!opened) {
    ReadResult result;
    result.error = opened.error();
    return result;
  }
  return read_source(**opened, file, file.string(), options);
}

ReadResult read_trace_text(std::string_view bytes, const ReadOptions& options, std::string_view name) {
  return read_source(*platform::memory_source(bytes), bytes, name, options);
}

}  // namespace warpwalk::trace
