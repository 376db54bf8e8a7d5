#include "core/trace/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/trace/builder.h"
#include "core/trace/devices.h"
#include "core/trace/event.h"
#include "core/trace/link.h"
#include "core/trace/records_json.h"
#include "core/trace/window.h"

namespace warpwalk::trace {
namespace {

enum class Step { done, failed, ended };  // failed: malformed; ended: the text ended first, or an entry passed its cap

class Reader {
 public:
  Reader(ByteSource& source, const ReadOptions& options, std::string_view name, ReadResult& result)
      : source_(source),
        options_(options),
        name_(name),
        result_(result),
        window_(source, options.entry_cap_bytes),
        builder_(result.trace, result.problems) {}

  void run() {
    skip_byte_order_mark();
    bool recognised = true;
    switch (peek()) {
      case 0: break;
      case '[':  // the legacy writer's bare array
        window_.drop(1);
        ++event_arrays_;
        events();
        finished_ = !in_events_;
        break;
      case '{':
        window_.drop(1);
        top_level();
        break;
      default: recognised = false;
    }
    const bool empty = window_.offset() == 0 && window_.text().empty();
    // Read on to the end of the file: gzip's checksum stands there.
    while (finished_ && more()) window_.drop(window_.text().size());
    note_end_of_source();
    builder_.finish();
    link(result_.trace, result_.problems);
    result_.bytes = source_.total() != 0 ? source_.total() : source_.consumed();
    set_error(recognised, empty);
  }

 private:
  // Runs `parse` on the window, with more and more text until it needs no more.
  template <class Parse>
  Step whole(Parse parse, std::uint64_t cap = ~std::uint64_t{0}) {
    for (;;) {
      JsonCursor cursor(window_.text(), window_.complete());
      if (parse(cursor)) {
        used_ = cursor.offset();
        return Step::done;
      }
      failed_at_ = window_.offset() + cursor.offset();
      too_deep_ = cursor.too_deep();
      if (!cursor.need_more() && !(window_.complete() && cursor.at_end())) return Step::failed;
      if (window_.text().size() >= cap) return Step::failed;
      if (!more()) return Step::ended;
    }
  }

  bool more() {
    if (stopped_) return false;
    const bool got = window_.more();
    if (!got) return false;
    if (options_.on_progress && !options_.on_progress({source_.consumed(), source_.total(), result_.events})) {
      result_.problems.add(ProblemKind::cancelled, window_.offset(),
                           fmt::format("reading was cancelled at byte {}; what came before is kept", window_.offset()));
      stopped_ = true;
    } else if (result_.trace.bytes() + builder_.bytes() > options_.memory_cap_bytes) {
      result_.problems.add(ProblemKind::memory_cap, window_.offset(),
                           fmt::format("reading stopped at byte {}: the trace holds {} MB, the cap; what came before is kept",
                                       window_.offset(), options_.memory_cap_bytes >> 20));
      stopped_ = true;
    }
    return !stopped_;
  }

  // The next character that is not white space, without taking it; 0 at the end of the text.
  char peek() {
    char c = 0;
    const Step step = whole([&](JsonCursor& cursor) {
      c = cursor.peek();
      return c != 0;
    });
    if (step != Step::done) return 0;
    window_.drop(used_);
    return c;
  }

  void skip_byte_order_mark() {
    while (window_.text().size() < 3 && window_.more()) {
    }
    if (window_.text().starts_with("\xef\xbb\xbf")) window_.drop(3);
  }

  void top_level() {
    while (!stopped_) {
      const char c = peek();
      if (c == ',') {
        window_.drop(1);
      } else if (c == '}') {
        window_.drop(1);
        finished_ = true;
        return;
      } else if (c == 0 || !member()) {
        return;
      }
    }
  }

  // One top-level entry; false where nothing more can be read.
  bool member() {
    std::string key;
    const std::uint64_t at = window_.offset();
    const Step step = whole([&](JsonCursor& cursor) {
      RawText raw;
      if (!cursor.string(raw) || !cursor.take(':') || cursor.peek() == 0) return false;
      std::string scratch;
      std::uint32_t irregular = 0;
      key = decode(raw, scratch, irregular);
      return true;
    });
    if (step == Step::failed) return lost_metadata(at, "a top-level entry");
    if (step == Step::ended) return false;
    window_.drop(used_);
    if (key == "traceEvents" && window_.text().starts_with('[')) {
      if (++event_arrays_ > 1)
        result_.problems.add(ProblemKind::duplicate_key, at,
                             fmt::format("traceEvents appears again at byte {}; the events of all are kept", at));
      window_.drop(1);
      events();
      return true;
    }
    const Step value = whole([&](JsonCursor& cursor) {
      RawValue raw;
      if (!cursor.value(raw)) return false;
      metadata(key, raw, at);
      return true;
    });
    if (value == Step::failed) return lost_metadata(at, fmt::format("\"{}\"", key.substr(0, 60)));
    if (value == Step::ended) {
      if (!window_.complete() && !stopped_)
        result_.problems.add(ProblemKind::too_long, at,
                             fmt::format("\"{}\" at byte {} is longer than {} MB; reading stopped there",
                                         key.substr(0, 60), at, options_.entry_cap_bytes >> 20));
      return false;
    }
    window_.drop(used_);
    return true;
  }

  void metadata(const std::string& key, const RawValue& value, std::uint64_t at) {
    Trace& trace = result_.trace;
    std::uint32_t irregular = value.irregular;
    std::string_view raw = value.text.text;
    if (value.type == RawValue::Type::string) raw = {raw.data() - 1, raw.size() + 2};
    std::string strict;
    if (irregular != 0 || (value.type == RawValue::Type::string && !value.text.plain)) {
      strict = strict_json(raw, irregular);
      raw = strict;
    }
    if ((irregular & irregular_word) != 0)
      result_.problems.add(ProblemKind::unknown_value, at,
                           fmt::format("\"{}\" at byte {} has inf, nan or N/A where a number belongs", key, at));
    if (key == "baseTimeNanoseconds" && value.type == RawValue::Type::number) {
      trace.base_time_ns = whole_number(value.text.text).value_or(0);
    } else if (key == "deviceProperties") {
      read_devices(raw, trace);
    } else if (key == "warpwalk") {
      read_records(raw, trace, result_.problems, at);
    } else if (key != "displayTimeUnit") {  // it changes no unit, and the writer always writes it
      trace.metadata.emplace_back(trace.strings.intern(key), trace.strings.intern(raw));
    }
    ++metadata_entries_;
  }

  // After a broken entry, reading goes on at the events if they are still to come.
  bool lost_metadata(std::uint64_t at, const std::string& what) {
    result_.problems.add(ProblemKind::lost_metadata, at,
                         fmt::format("{} at byte {} cannot be read (stopped at byte {}); it is left out", what, at, failed_at_));
    constexpr std::string_view wanted = "\"traceEvents\"";
    do {
      const std::size_t found = window_.text().find(wanted);
      if (found != std::string_view::npos) {
        window_.drop(found);
        return true;
      }
      const std::size_t held = window_.text().size();
      if (held > wanted.size()) window_.drop(held - wanted.size());
    } while (more());
    return false;
  }

  void events() {
    while (!stopped_) {
      switch (peek()) {
        case 0: return;
        case ',': window_.drop(1); break;
        case ']': window_.drop(1); in_events_ = false; return;
        default:
          in_events_ = true;
          if (!one_event()) return;
      }
    }
  }

  bool one_event() {
    const std::uint64_t at = window_.offset();
    const Step step = whole([&](JsonCursor& cursor) { return read_event(cursor, event_); });
    if (step == Step::done) {
      accept(at);
      return true;
    }
    if (step == Step::ended) {
      if (stopped_) return false;
      if (window_.complete()) {
        // The end of the text inside a string is either a cut, or a quote that was never closed somewhere before it.
        const std::uint64_t end = window_.offset() + window_.text().size();
        if (resync(at, false)) return true;
        if (source_.end() == ByteSource::End::complete)
          result_.problems.add(ProblemKind::truncated, end,
                               fmt::format("the text ends at byte {}, inside the event that starts at byte {}; the {} events "
                                           "before it are kept", end, at, result_.events));
        return false;
      }
      result_.problems.add(ProblemKind::too_long, at,
                           fmt::format("event at byte {} is longer than {} MB; it is left out", at,
                                       options_.entry_cap_bytes >> 20));
      return resync(at, false);
    }
    if (too_deep_)
      result_.problems.add(ProblemKind::too_deep, at,
                           fmt::format("event at byte {} nests deeper than {}; it is left out", at, JsonCursor::max_depth));
    return resync(at, true);
  }

  void accept(std::uint64_t at) {
    ++result_.events;
    builder_.add(event_, at);
    window_.drop(used_);
  }

  // Looks for the next place where an event starts: "{" after "," after "}", followed by what reads as an event. What lies
  // between is lost. False at the end of the text, where what is left is lost too (if `count_tail`).
  bool resync(std::uint64_t lost_at, bool count_tail) {
    const std::string lost = std::string(window_.text().substr(0, 160));
    const auto note = [&] {
      std::string shown;
      append_quoted(shown, lost);
      result_.problems.add(ProblemKind::lost_event, lost_at,
                           fmt::format("event at byte {} cannot be read (stopped at byte {}); it is left out: {}", lost_at,
                                       failed_at_, shown));
    };
    constexpr std::uint64_t longest_candidate = std::uint64_t{64} << 10;  // keeps hostile text from costing its square
    const std::uint64_t stopped_at = failed_at_;
    window_.drop(1);
    for (;;) {
      const Boundary boundary = next_boundary();
      window_.drop(boundary.skip);
      if (!boundary.found) {
        if (more()) continue;
        failed_at_ = stopped_at;
        if (count_tail) note();
        return false;
      }
      const std::uint64_t at = window_.offset();
      const Step step = whole([&](JsonCursor& cursor) { return read_event(cursor, event_); }, longest_candidate);
      if (step == Step::done && event_.phase != 0) {
        failed_at_ = stopped_at;
        note();
        accept(at);
        return true;
      }
      if (stopped_) return false;
      window_.drop(1);
    }
  }

  struct Boundary {
    std::size_t skip = 0;  // where found: to the opening brace; else what certainly holds no boundary
    bool found = false;
  };
  Boundary next_boundary() const {
    const std::string_view text = window_.text();
    const auto after_space = [&](std::size_t i) {
      while (i < text.size() && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t')) ++i;
      return i;
    };
    for (std::size_t close = text.find('}'); close != std::string_view::npos; close = text.find('}', close + 1)) {
      const std::size_t comma = after_space(close + 1);
      if (comma == text.size()) return {close, false};
      if (text[comma] != ',') continue;
      const std::size_t open = after_space(comma + 1);
      if (open == text.size()) return {close, false};
      if (text[open] == '{') return {open, true};
    }
    return {text.size(), false};
  }

  void note_end_of_source() {
    Problems& problems = result_.problems;
    const std::uint64_t end = window_.offset() + window_.text().size();
    const auto kept = [&] { return fmt::format("the {} events before it are kept", result_.events); };
    if (stopped_) return;
    if (source_.end() == ByteSource::End::gzip_truncated)
      problems.add(ProblemKind::gzip_truncated, end,
                   fmt::format("the gzip file is cut off after {} bytes (byte {} of the text); {}", source_.consumed(), end, kept()));
    else if (source_.end() == ByteSource::End::gzip_corrupt)
      problems.add(ProblemKind::gzip_corrupt, end,
                   fmt::format("the gzip data is damaged near byte {} (byte {} of the text); {}", source_.consumed(), end, kept()));
    else if (source_.end() == ByteSource::End::read_error)
      problems.add(ProblemKind::truncated, end, fmt::format("the file cannot be read beyond byte {}; {}", end, kept()));
    else if (window_.complete() && !finished_ && result_.events != 0 && problems.count_of(ProblemKind::truncated) == 0 &&
             (in_events_ || event_arrays_ != 0))
      problems.add(ProblemKind::truncated, end, fmt::format("the text ends at byte {} without closing; {}", end, kept()));
  }

  void set_error(bool recognised, bool empty) {
    if (result_.events != 0) return;
    const auto fail = [&](std::string what) { result_.error = fmt::format("{}: {}", name_, what); };
    if (stopped_)
      fail(result_.problems.rows().back().message);
    else if (empty && source_.end() == ByteSource::End::gzip_truncated)
      fail(fmt::format("the gzip file is cut off after {} bytes, before any event; copy or record it again", source_.consumed()));
    else if (empty && source_.end() == ByteSource::End::gzip_corrupt)
      fail("the gzip data is damaged before any event; copy or record it again");
    else if (empty && source_.is_gzip())
      fail("file is empty (a gzip file of nothing); record the trace again");
    else if (empty)
      fail("file is empty; record the trace again");
    else if (!recognised)
      fail("is neither JSON nor gzip; give a file written by torch.profiler's export_chrome_trace or by warpwalk");
    else if (metadata_entries_ == 0 && finished_ && result_.problems.rows().empty())
      fail("holds no events and no metadata; give a file written by torch.profiler's export_chrome_trace or by warpwalk");
    else if (metadata_entries_ == 0 || !finished_)
      fail(fmt::format("holds no readable event (the text stops making sense at byte {}); give a file written by "
                       "torch.profiler's export_chrome_trace or by warpwalk", std::max(failed_at_, window_.offset())));
  }

  ByteSource& source_;
  const ReadOptions& options_;
  std::string_view name_;
  ReadResult& result_;
  Window window_;
  Builder builder_;
  RawEvent event_;
  std::size_t used_ = 0;          // of the window, by the last whole()
  std::uint64_t failed_at_ = 0;   // where the last whole() gave up
  bool too_deep_ = false;
  bool stopped_ = false;          // cancelled or at the memory cap
  bool finished_ = false;         // the top-level object was closed
  bool in_events_ = false;        // an event was begun and its array not closed
  int event_arrays_ = 0;
  std::uint64_t metadata_entries_ = 0;
};

}  // namespace

ReadResult read_trace(const std::filesystem::path& file, const ReadOptions& options) {
  ReadResult result;
  OpenedSource opened = open_source(file);
  if (opened.error) {
    result.error = std::move(opened.error);
    return result;
  }
  const std::string name = file.string();
  Reader(*opened.source, options, name, result).run();
  return result;
}

ReadResult read_trace_text(std::string_view bytes, const ReadOptions& options, std::string_view name) {
  ReadResult result;
  const std::unique_ptr<ByteSource> source = memory_source(bytes);
  Reader(*source, options, name, result).run();
  return result;
}

}  // namespace warpwalk::trace
