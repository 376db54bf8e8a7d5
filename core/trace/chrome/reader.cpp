#include "core/trace/chrome/reader.h"

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "core/platform/give_way.h"
#include "core/trace/chrome/other_files.h"
#include "core/trace/chrome/reader_parts.h"
#include "core/trace/chrome/recording_losses.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/link.h"
#include "core/trace/nsys/read_nsys.h"
#include "core/trace/snapshot/read_snapshot.h"

namespace warpwalk::trace {

std::string kept_before(std::uint64_t events) {
  if (events == 0) return "there is no event before it";
  return events == 1 ? "the event before it is kept" : fmt::format("the {} events before it are kept", events);
}

void Reader::run() {
  read_first_bytes(16);
  const std::string first_bytes(window_.text().substr(0, 16));
  is_database_ = nsys::is_sqlite(window_.text());
  if (is_database_) return;
  if (snapshot::begins_a_pickle(window_.text())) return pickle();
  if (window_.text().starts_with("\xef\xbb\xbf")) window_.drop(3);  // a byte order mark
  bool recognised = true;
  bool empty = false;
  switch (peek()) {
    case 0: empty = !stopped_; break;
    case '[':  // the legacy writer's bare array
      is_array_ = true;
      window_.drop(1);
      lists_ = begins_list_of_numbers();
      ++event_arrays_;
      finished_ = events();
      break;
    case '{':
      window_.drop(1);
      top_level();
      break;
    default: recognised = false;
  }
  if (result_.events == 0 && !empty && !stopped_) recognise_other(first_bytes, !recognised);
  if (finished_) skip_trailing_text();
  note_end_of_source();
  builder_.finish();
  link(result_.trace, result_.problems);
  report_recording_losses(result_.trace, result_.problems);
  result_.bytes = source_.total() != 0 ? source_.total() : source_.consumed();
  set_error(recognised, empty);
}

bool Reader::begins_list_of_numbers() {
  if (peek() != '[') return false;
  const std::string_view text = window_.text();
  const std::size_t first = text.find_first_not_of(" \n\r\t", 1);
  return first != std::string_view::npos && (is_digit(text[first]) || text[first] == '-');
}

void Reader::recognise_other(const std::string& first_bytes, bool at_start) {
  std::string begin = first_bytes;
  if (at_start) {
    read_first_bytes(4096);
    // peek() has dropped white space, of which a protobuf's first byte is one.
    if (window_.offset() <= begin.size()) begin.resize(window_.offset());
    begin += window_.text().substr(0, 4096);
  }
  other_kind_ = other_file(begin, name_);
}

void Reader::pickle() {
  const snapshot::Result read = snapshot::read_snapshot(
      window_, options_.memory_cap_bytes,
      [&](std::uint64_t entries) {
        return !options_.on_progress || options_.on_progress({source_.consumed(), source_.total(), entries});
      },
      result_.trace, result_.problems);
  stopped_ = read.stopped;
  result_.events = read.entries;
  if (!stopped_ && !read.error) {
    window_.drop(window_.text().size());
    while (window_.more()) window_.drop(window_.text().size());  // gzip's checksum is at the end
  }
  note_end_of_source();
  link(result_.trace, result_.problems);
  result_.bytes = source_.total() != 0 ? source_.total() : source_.consumed();
  if (read.error) result_.error = fmt::format("{}: {}", name_, *read.error);
}

void Reader::skip_trailing_text() {
  if (const char next = peek(); next != 0)
    result_.problems.add(ProblemKind::trailing_text, window_.offset(), [&] {
      return fmt::format("the file continues after the end of the trace at byte {} ({}); the rest is ignored",
                         window_.offset(), excerpt(window_.text().substr(0, 100), 40));
    });
  do window_.drop(window_.text().size());
  while (more());
}

bool Reader::more() {
  if (stopped_) return false;
  const bool got = window_.more();
  if (!got) return false;
  platform::give_way();
  if (options_.on_progress && !options_.on_progress({source_.consumed(), source_.total(), result_.events})) {
    result_.problems.add(
        ProblemKind::cancelled, window_.offset(),
        fmt::format("reading was cancelled at byte {}; everything before it is kept", window_.offset()));
    stopped_ = true;
  } else if (result_.trace.bytes() + builder_.bytes() > options_.memory_cap_bytes) {
    result_.problems.add(
        ProblemKind::memory_cap, window_.offset(),
        fmt::format("reading stopped at byte {}: the trace reached the cap of {} MB; everything before it is kept",
                    window_.offset(), options_.memory_cap_bytes >> 20));
    stopped_ = true;
  }
  return !stopped_;
}

void Reader::read_first_bytes(std::size_t bytes) {
  while (window_.text().size() < bytes && window_.more()) {
  }
}

void Reader::note_end_of_source() {
  Problems& problems = result_.problems;
  const std::uint64_t end = window_.offset() + window_.text().size();
  const auto kept = [&] { return kept_before(result_.events); };
  if (stopped_) return;
  if (source_.end() == platform::ByteSource::End::gzip_truncated)
    problems.add(ProblemKind::gzip_truncated, end,
                 fmt::format("the gzip file is cut off after {} bytes (byte {} of the text); {}", source_.consumed(),
                             end, kept()));
  else if (source_.end() == platform::ByteSource::End::gzip_corrupt)
    problems.add(ProblemKind::gzip_corrupt, end,
                 fmt::format("the gzip data is damaged near byte {} (byte {} of the text); {}", source_.consumed(), end,
                             kept()));
  else if (source_.end() == platform::ByteSource::End::read_error)
    problems.add(ProblemKind::truncated, end, fmt::format("the file cannot be read beyond byte {}; {}", end, kept()));
  else if (source_.end() == platform::ByteSource::End::gzip_trailing)
    problems.add(
        ProblemKind::trailing_text, end,
        fmt::format("the gzip file continues with other data after the trace's end at byte {} of the file (byte "
                    "{} of the text); the rest is ignored",
                    source_.consumed(), end));
  if (window_.complete() && source_is_whole() && !finished_ && problems.count_of(ProblemKind::truncated) == 0 &&
      event_arrays_ != 0)
    problems.add(ProblemKind::truncated, end,
                 fmt::format("the text ends at byte {} before the trace is closed; {}", end, kept()));
}

bool Reader::source_is_whole() const {
  return source_.end() == platform::ByteSource::End::complete ||
         source_.end() == platform::ByteSource::End::gzip_trailing;
}

void Reader::set_error(bool recognised, bool empty) {
  if (result_.events != 0) return;
  const auto fail = [&](std::string what) { result_.error = fmt::format("{}: {}", name_, what); };
  if (stopped_)
    fail(result_.problems.rows().back().message);
  else if (empty && source_.end() == platform::ByteSource::End::gzip_truncated)
    fail(fmt::format("the gzip file is cut off after {} bytes, before any event; copy or record it again",
                     source_.consumed()));
  else if (empty && source_.end() == platform::ByteSource::End::gzip_corrupt)
    fail("the gzip data is damaged before any event; copy or record it again");
  else if (empty && source_.is_gzip())
    fail("file is empty (a gzip file without contents); record the trace again");
  else if (empty)
    fail("file is empty; record the trace again");
  else if (other_kind_ && !(finished_ && metadata_entries_ > 0))
    fail(std::string(*other_kind_));
  else if (!recognised)
    fail("is neither JSON nor gzip; give a file written by torch.profiler's export_chrome_trace or by warpwalk");
  else if (finished_ && !is_array_ && event_arrays_ == 0 && !has_records_ && metadata_entries_ > 0)
    fail(std::string(other_document(result_.trace)));
  else if (lists_)
    fail(
        "is a memory timeline of torch.profiler (export_memory_timeline), which has sums and no events; give the trace "
        "of the same run (export_chrome_trace) or a memory snapshot (torch.cuda.memory._dump_snapshot)");
  else if (metadata_entries_ == 0 && finished_ && result_.problems.rows().empty())
    fail(
        "contains no events and no metadata; give a file written by torch.profiler's export_chrome_trace or by "
        "warpwalk");
  else if (metadata_entries_ == 0 || !finished_)
    fail(
        fmt::format("contains no readable event (the text is unreadable from byte {}); give a file written by "
                    "torch.profiler's export_chrome_trace or by warpwalk",
                    std::max(failed_at_, window_.offset())));
}

namespace {

// Reads a database of Nsight Systems; `from` is its file or its bytes.
template <class From>
ReadResult read_database(const From& from, std::string_view name, bool compressed, const ReadOptions& options) {
  ReadResult result;
  if (compressed) {
    result.error = fmt::format("{}: is a compressed database; decompress it first (gunzip)", name);
    return result;
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
  return result;
}

}  // namespace

ReadResult read_trace(const std::filesystem::path& file, const ReadOptions& options) {
  ReadResult result;
  auto opened = platform::open_source(file);
  if (!opened) {
    result.error = opened.error();
    return result;
  }
  const std::string name = file.string();
  Reader reader(**opened, options, name, result);
  reader.run();
  if (reader.is_database()) return read_database(file, name, (*opened)->is_gzip(), options);
  return result;
}

ReadResult read_trace_text(std::string_view bytes, const ReadOptions& options, std::string_view name) {
  ReadResult result;
  const std::unique_ptr<platform::ByteSource> source = platform::memory_source(bytes);
  Reader reader(*source, options, name, result);
  reader.run();
  if (reader.is_database()) return read_database(bytes, name, source->is_gzip(), options);
  return result;
}

}  // namespace warpwalk::trace
