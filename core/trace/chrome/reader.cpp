#include "core/trace/chrome/reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/give_way.h"
#include "core/trace/chrome/reader_parts.h"
#include "core/trace/chrome/recording_losses.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/link.h"
#include "core/trace/other_documents.h"
#include "core/trace/source_end.h"

namespace warpwalk::trace {

bool Reader::run() {
  if (window_.text().starts_with("\xef\xbb\xbf")) window_.drop(3);  // a byte order mark
  bool recognised = true;
  bool empty = false;
  switch (peek()) {
    case 0: empty = !stopped_; break;
    case '[':  // the legacy writer's bare array
      is_array_ = true;
      window_.drop(1);
      lists_ = begins_list_of_numbers();
      if (begins_profile_tree()) {
        other_kind_ = profile_tree();
        break;
      }
      ++event_arrays_;
      finished_ = events();
      break;
    case '{':
      window_.drop(1);
      top_level();
      break;
    default: recognised = false;
  }
  if (is_array_ && with_phase_ == 0 && result_.events != 0 && result_.problems.count_of(ProblemKind::lost_event) == 0) {
    other_kind_ = array_without_events();
    result_.events = 0;
  }
  if (finished_) skip_trailing_text();
  note_end_of_source();
  builder_.finish();
  link(result_.trace, result_.problems);
  report_recording_losses(result_.trace, result_.problems);
  result_.bytes = bytes_of(source_);
  set_error(recognised, empty);
  return result_.events != 0 || empty || stopped_ || other_kind_ || (finished_ && metadata_entries_ > 0);
}

bool Reader::begins_list_of_numbers() {
  if (peek() != '[') return false;
  const std::string_view text = window_.text();
  const std::size_t first = text.find_first_not_of(" \n\r\t", 1);
  return first != std::string_view::npos && (is_digit(text[first]) || text[first] == '-');
}

bool Reader::begins_profile_tree() {
  constexpr std::size_t longest_key = 64;
  window_.fill(longest_key);
  JsonCursor cursor(window_.text(), true);
  RawText key;
  if (!cursor.take('{') || !cursor.string(key)) return false;
  return key.text == "children" || key.text == "frame" || key.text == "metrics";
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
        fmt::format("reading stopped at byte {}: the trace reached the cap of {}; everything before it is kept",
                    window_.offset(), base::bytes_text(static_cast<double>(options_.memory_cap_bytes))));
    stopped_ = true;
  }
  return !stopped_;
}

void Reader::note_end_of_source() {
  if (stopped_) return;
  note_source_end(source_, window_, result_.events, result_.problems);
  if (window_.complete() && source_is_whole() && !finished_ && result_.problems.count_of(ProblemKind::truncated) == 0 &&
      event_arrays_ != 0) {
    const std::uint64_t end = window_.offset() + window_.text().size();
    result_.problems.add(
        ProblemKind::truncated, end,
        fmt::format("the text ends at byte {} before the trace is closed; {}", end, kept_before(result_.events)));
  }
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
  else if (other_kind_)
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

bool read_chrome(platform::ByteSource& source, Window window, const ReadOptions& options, std::string_view name,
                 ReadResult& result) {
  return Reader(source, std::move(window), options, name, result).run();
}

}  // namespace warpwalk::trace
