#include "core/trace/chrome/reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/trace/chrome/builder.h"
#include "core/trace/chrome/devices.h"
#include "core/trace/chrome/event.h"
#include "core/trace/chrome/recording_losses.h"
#include "core/trace/chrome/records_json.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/json/window.h"
#include "core/trace/link.h"
#include "core/trace/snapshot/read_snapshot.h"

namespace warpwalk::trace {
namespace {

enum class Step { done, failed, ended };  // failed: malformed; ended: the text ended, or an entry exceeded its cap

std::string kept_before(std::uint64_t events) {
  if (events == 0) return "there is no event before it";
  return events == 1 ? "the event before it is kept" : fmt::format("the {} events before it are kept", events);
}

class Reader {
 public:
  Reader(platform::ByteSource& source, const ReadOptions& options, std::string_view name, ReadResult& result)
      : source_(source),
        options_(options),
        name_(name),
        result_(result),
        window_(source, options.window_bytes, options.entry_cap_bytes),
        builder_(result.trace, result.problems) {}

  void run() {
    read_first_bytes();
    if (snapshot::begins_a_pickle(window_.text())) return pickle();
    if (window_.text().starts_with("\xef\xbb\xbf")) window_.drop(3);  // a byte order mark
    bool recognised = true;
    bool empty = false;
    switch (peek()) {
      case 0: empty = !stopped_; break;
      case '[':  // the legacy writer's bare array
        is_array_ = true;
        window_.drop(1);
        ++event_arrays_;
        finished_ = events();
        break;
      case '{':
        window_.drop(1);
        top_level();
        break;
      default: recognised = false;
    }
    if (finished_) skip_trailing_text();
    note_end_of_source();
    builder_.finish();
    link(result_.trace, result_.problems);
    report_recording_losses(result_.trace, result_.problems);
    result_.bytes = source_.total() != 0 ? source_.total() : source_.consumed();
    set_error(recognised, empty);
  }

 private:
  // A memory snapshot of PyTorch.
  void pickle() {
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

  // Reads to the end of the file, because gzip's checksum is there.
  void skip_trailing_text() {
    if (const char next = peek(); next != 0)
      result_.problems.add(ProblemKind::trailing_text, window_.offset(), [&] {
        return fmt::format("the file continues after the end of the trace at byte {} ({}); the rest is ignored",
                           window_.offset(), excerpt(window_.text().substr(0, 100), 40));
      });
    do window_.drop(window_.text().size());
    while (more());
  }

  static constexpr std::size_t longest_shown =
      160;  // bytes of lost text shown in messages; a few more are kept to truncate at a character boundary

  // Runs `parse` on the window, and again with more text until it needs no more.
  template <class Parse>
  Step parse_refilling(Parse parse, std::uint64_t cap = ~std::uint64_t{0}) {
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

  // The next character that is not white space, without consuming it; 0 at the end of the text.
  char peek() {
    char c = 0;
    const Step step = parse_refilling([&](JsonCursor& cursor) {
      c = cursor.peek();
      return c != 0;
    });
    if (step != Step::done) return 0;
    window_.drop(used_);
    return c;
  }

  void read_first_bytes() {
    while (window_.text().size() < 3 && window_.more()) {
    }
  }

  void top_level() {
    Separator last = Separator::opening;
    while (!stopped_) {
      const char c = peek();
      if (c == ',') {
        note_comma(last);
        window_.drop(1);
      } else if (c == '}') {
        note_closing(last);
        window_.drop(1);
        finished_ = true;
        return;
      } else if (c == 0) {
        return;
      } else {
        note_element(last);
        if (!member()) return;
        if (std::exchange(resumed_, false)) last = Separator::unknown;
      }
    }
  }

  // The token before the next comma, element or closing bracket.
  enum class Separator { opening, comma, element, unknown };

  void note_invalid(std::string_view what) {
    const std::uint64_t at = window_.offset();
    result_.problems.add(ProblemKind::invalid_json, at, [&] { return fmt::format("{} at byte {}", what, at); });
  }
  void note_comma(Separator& last) {
    if (last == Separator::opening || last == Separator::comma) note_invalid("there is a comma too many");
    last = Separator::comma;
  }
  void note_element(Separator& last) {
    if (last == Separator::element) note_invalid("a comma is missing");
    last = Separator::element;
  }
  void note_closing(Separator last) {
    if (last == Separator::comma) note_invalid("there is a comma before a closing bracket");
  }

  // Reads one top-level entry. Returns false if nothing more can be read.
  bool member() {
    std::string key;
    std::uint32_t irregular_key = 0;
    const std::uint64_t at = window_.offset();
    const Step step = parse_refilling([&](JsonCursor& cursor) {
      RawText raw;
      if (!cursor.string(raw) || !cursor.take(':') || cursor.peek() == 0) return false;
      std::string scratch;
      irregular_key = cursor.irregular();
      key = decode(raw, scratch, irregular_key);
      return true;
    });
    if (step == Step::failed) return lost_metadata(at, "a top-level entry");
    if (step == Step::ended) return false;
    window_.drop(used_);
    note_irregular(irregular_key, fmt::format("the key {}", excerpt(key)), at);
    if (key == "traceEvents" && window_.text().starts_with('[')) {
      if (++event_arrays_ > 1)
        result_.problems.add(ProblemKind::duplicate_key, at, [&] {
          return fmt::format("traceEvents appears again at byte {}; all events are kept", at);
        });
      window_.drop(1);
      return events();
    }
    const Step value = parse_refilling([&](JsonCursor& cursor) {
      RawValue raw;
      if (!cursor.value(raw)) return false;
      metadata(key, raw, at);
      return true;
    });
    if (value == Step::failed) return lost_metadata(at, excerpt(key));
    if (value == Step::ended) {
      if (!window_.complete() && !stopped_)
        result_.problems.add(ProblemKind::too_long, at,
                             fmt::format("{} at byte {} is longer than {} MB; reading stopped there", excerpt(key), at,
                                         options_.entry_cap_bytes >> 20));
      return false;
    }
    window_.drop(used_);
    return true;
  }

  // Counts what is not strict JSON in a top-level entry, but was read nevertheless.
  void note_irregular(std::uint32_t irregular, const std::string& where, std::uint64_t at) {
    const auto note = [&](std::uint32_t bits, ProblemKind kind, std::string_view what) {
      if ((irregular & bits) != 0)
        result_.problems.add(kind, at, [&] { return fmt::format("{} at byte {} {}", where, at, what); });
    };
    note(irregular_word, ProblemKind::unknown_value, "has inf, nan or N/A instead of a number; it is read as null");
    note(irregular_utf8, ProblemKind::invalid_utf8, "has bytes that are not UTF-8; they are shown as U+FFFD");
    note(irregular_escape, ProblemKind::bad_escape, "has an invalid backslash escape; the backslash is kept");
    note(irregular_control, ProblemKind::control_character, "has a raw control character in a string; it is kept");
    note(irregular_number, ProblemKind::invalid_json, "has a number with leading zeros or a plus; its value is used");
    note(irregular_comma, ProblemKind::invalid_json, "has a comma before a closing bracket; the comma is ignored");
  }

  void metadata(const std::string& key, const RawValue& value, std::uint64_t at) {
    Trace& trace = result_.trace;
    const auto lost = [&](ProblemKind kind, std::string_view why) {
      result_.problems.add(kind, at, [&] { return fmt::format("{} at byte {} {}", excerpt(key), at, why); });
    };
    std::uint32_t irregular = value.irregular;
    std::string scratch;
    const std::string_view json = to_strict_json(value, scratch, irregular);
    note_irregular(irregular, excerpt(key), at);
    ++metadata_entries_;
    if (key == "baseTimeNanoseconds") {
      if (const auto base = parse_integer(value.text.text))
        trace.base_time_ns = *base;
      else
        lost(ProblemKind::lost_metadata, "is not a whole number; times start at 0");
    } else if (key == "deviceProperties") {
      if (!read_devices(json, trace)) lost(ProblemKind::lost_metadata, "is not an array of devices; it is left out");
    } else if (key == "warpwalk") {
      if (std::exchange(has_records_, true))
        lost(ProblemKind::duplicate_key, "appears again; the first is kept");
      else
        read_records(json, trace, result_.problems, at);
    } else if (key == "traceEvents") {
      ++event_arrays_;
      lost(ProblemKind::lost_metadata, "is not an array; it has no events");
    } else if (key != "displayTimeUnit" && !(key == "schemaVersion" && json == "1")) {
      // The writer always writes these two, so they are not stored: displayTimeUnit changes no value, and the schema
      // version is always 1.
      trace.metadata.emplace_back(trace.strings.intern(key), trace.strings.intern(json));
    }
  }

  // After a broken entry, continues at the events if they are still ahead.
  bool lost_metadata(std::uint64_t at, const std::string& what) {
    result_.problems.add(ProblemKind::lost_metadata, at, [&] {
      return fmt::format("{} at byte {} cannot be read (stopped at byte {}); it is left out", what, at, failed_at_);
    });
    window_.drop(std::min<std::size_t>(1, window_.text().size()));
    constexpr std::string_view wanted = "\"traceEvents\"";
    do {
      const std::size_t found = window_.text().find(wanted);
      if (found != std::string_view::npos) {
        window_.drop(found);
        resumed_ = true;
        return true;
      }
      const std::size_t held = window_.text().size();
      if (held > wanted.size()) window_.drop(held - wanted.size());
    } while (more());
    return false;
  }

  // Reads the elements of traceEvents. Returns true if its end was found.
  bool events() {
    Separator last = Separator::opening;
    while (!stopped_) {
      switch (peek()) {
        case 0: return false;
        case ',':
          note_comma(last);
          window_.drop(1);
          break;
        case ']':
          note_closing(last);
          window_.drop(1);
          return true;
        case '}':
          if (is_array_ ? !read_element() : array_left_open()) return !is_array_;
          break;
        default:
          if (window_.text().starts_with('\0')) {
            if (!skip_zeros()) return false;
            break;
          }
          note_element(last);
          if (!read_element()) return false;
          if (std::exchange(resumed_, false)) last = Separator::unknown;
      }
    }
    return false;
  }

  // Reports a top-level object that ends before its array of events. Always returns true.
  bool array_left_open() {
    result_.problems.add(ProblemKind::truncated, window_.offset(), [&] {
      return fmt::format("traceEvents is not closed before the object ends at byte {}; {}", window_.offset(),
                         kept_before(result_.events));
    });
    return true;
  }

  // Skips zeros: a machine that crashes while writing can leave zeros in place of text. Returns false if they continue
  // to the end.
  bool skip_zeros() {
    const std::uint64_t at = window_.offset();
    do {
      const std::string_view text = window_.text();
      const std::size_t zeros = std::min(text.find_first_not_of('\0'), text.size());
      window_.drop(zeros);
      if (zeros == text.size()) continue;
      failed_at_ = at;
      note_lost(at, std::string(1, '\0'));
      return true;
    } while (more());
    if (!stopped_)
      result_.problems.add(ProblemKind::truncated, at, [&] {
        return fmt::format("the text ends at byte {}; only zeros follow to the end of the file; {}", at,
                           kept_before(result_.events));
      });
    return false;
  }

  // Reads one element, or skips it if it is unreadable. Returns false if nothing more can be read.
  bool read_element() {
    const std::uint64_t at = window_.offset();
    const bool is_object = window_.text().starts_with('{');
    RawValue other;
    const Step step = parse_refilling(
        [&](JsonCursor& cursor) { return is_object ? read_event(cursor, event_) : cursor.value(other); });
    if (step == Step::done && is_object) {
      accept(at);
      return true;
    }
    if (step == Step::done) {
      failed_at_ = at;
      note_lost(at, std::string(window_.text().substr(0, std::min(used_, longest_shown + 4))));
      window_.drop(used_);
      return true;
    }
    if (step == Step::failed) {
      if (too_deep_)
        result_.problems.add(ProblemKind::too_deep, at, [&] {
          return fmt::format("event at byte {} is nested more than {} levels deep; it is left out", at,
                             JsonCursor::max_depth);
        });
      return resync(at, true);
    }
    if (stopped_) return false;
    if (!window_.complete()) {
      result_.problems.add(ProblemKind::too_long, at, [&] {
        return fmt::format("event at byte {} is longer than {} MB; it is left out", at, options_.entry_cap_bytes >> 20);
      });
      return resync(at, false);
    }
    // The text ends inside a string: it was either cut off, or a quote before it was never closed.
    const std::uint64_t end = window_.offset() + window_.text().size();
    if (resync(at, false)) return true;
    if (source_.end() == platform::ByteSource::End::complete)
      result_.problems.add(ProblemKind::truncated, end, [&] {
        return fmt::format("the text ends at byte {}, inside the event that starts at byte {}; {}", end, at,
                           kept_before(result_.events));
      });
    return false;
  }

  void accept(std::uint64_t at) {
    ++result_.events;
    builder_.add(event_, at);
    window_.drop(used_);
  }

  void note_lost(std::uint64_t at, const std::string& lost) {
    result_.problems.add(ProblemKind::lost_event, at, [&] {
      return fmt::format("event at byte {} cannot be read (stopped at byte {}); it is left out: {}", at, failed_at_,
                         excerpt(lost, longest_shown));
    });
  }

  // Finds the start of the next event: "{" after "}", followed by a readable event; or the end of the array if there is
  // none. The text in between is lost. Returns false at the end of the text; the rest then counts as lost if
  // `count_tail`.
  bool resync(std::uint64_t lost_at, bool count_tail) {
    resumed_ = true;
    const std::string lost = std::string(window_.text().substr(0, longest_shown + 4));
    constexpr std::uint64_t longest_candidate = std::uint64_t{64} << 10;  // prevents quadratic time on hostile text
    const std::uint64_t stopped_at = failed_at_;
    window_.drop(1);
    for (;;) {
      const Boundary boundary = next_boundary();
      if (!boundary.found) {
        const std::size_t end_of_array = window_.complete() ? closing_bracket() : std::string_view::npos;
        window_.drop(end_of_array != std::string_view::npos ? end_of_array : boundary.skip);
        if (end_of_array == std::string_view::npos && more()) continue;
        failed_at_ = stopped_at;
        if (count_tail || end_of_array != std::string_view::npos) note_lost(lost_at, lost);
        return end_of_array != std::string_view::npos;
      }
      window_.drop(boundary.skip);
      const std::uint64_t at = window_.offset();
      const Step step =
          parse_refilling([&](JsonCursor& cursor) { return read_event(cursor, event_); }, longest_candidate);
      if (step == Step::done && event_.phase != 0) {
        failed_at_ = stopped_at;
        note_lost(lost_at, lost);
        accept(at);
        return true;
      }
      if (stopped_) return false;
      window_.drop(1);
    }
  }

  struct Boundary {
    std::size_t skip = 0;  // found: offset of the opening brace; else bytes that cannot contain a boundary
    bool found = false;
  };
  Boundary next_boundary() const {
    const std::string_view text = window_.text();
    const auto after_space = [&](std::size_t i) {
      while (i < text.size() && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t')) ++i;
      return i;
    };
    for (std::size_t close = text.find('}'); close != std::string_view::npos; close = text.find('}', close + 1)) {
      std::size_t open = after_space(close + 1);
      if (open < text.size() && text[open] == ',') open = after_space(open + 1);
      if (open == text.size()) return {close, false};
      if (text[open] == '{') return {open, true};
    }
    return {text.size(), false};
  }

  // Finds the "]" that closes traceEvents in the last window of the text: only complete entries follow it to the end.
  std::size_t closing_bracket() const {
    const std::string_view text = window_.text();
    std::size_t bracket = text.size();
    for (int tries = 0; tries < 64 && bracket != 0; ++tries) {
      bracket = text.rfind(']', bracket - 1);
      if (bracket == std::string_view::npos) break;
      JsonCursor cursor(text.substr(bracket + 1), true);
      bool good = true;
      while (good && cursor.take(',')) {
        RawText key;
        RawValue value;
        good = cursor.string(key) && cursor.take(':') && cursor.value(value);
      }
      if (good && (is_array_ || cursor.take('}')) && cursor.peek() == 0) return bracket;
    }
    return std::string_view::npos;
  }

  void note_end_of_source() {
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
                   fmt::format("the gzip data is damaged near byte {} (byte {} of the text); {}", source_.consumed(),
                               end, kept()));
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

  bool source_is_whole() const {
    return source_.end() == platform::ByteSource::End::complete ||
           source_.end() == platform::ByteSource::End::gzip_trailing;
  }

  void set_error(bool recognised, bool empty) {
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
    else if (!recognised)
      fail("is neither JSON nor gzip; give a file written by torch.profiler's export_chrome_trace or by warpwalk");
    else if (finished_ && !is_array_ && event_arrays_ == 0 && !has_records_ && metadata_entries_ > 0)
      fail(other_document());
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

  // Recognises another kind of JSON document without events by keys that only it has, and says what to do with it.
  std::string other_document() const {
    const auto has = [&](std::string_view key) {
      return std::ranges::any_of(result_.trace.metadata,
                                 [&](const auto& entry) { return result_.trace.text(entry.first) == key; });
    };
    if (has("warpwalk_lesson")) return "is a lesson, not a trace; open it in the window: warpwalk FILE";
    if (has("kernel") && (has("ptx") || has("cuda") || has("cubin")))
      return "is a launch file, not a trace; run it: warpwalk simulate FILE -o walk.json.gz";
    if (has("parameters") && has("id")) return "describes a GPU and is no trace; pass it to simulate or run with --gpu";
    return "is a JSON object without traceEvents; give a file written by torch.profiler's export_chrome_trace or by "
           "warpwalk";
  }

  platform::ByteSource& source_;
  const ReadOptions& options_;
  std::string_view name_;
  ReadResult& result_;
  Window window_;
  Builder builder_;
  RawEvent event_;
  std::size_t used_ = 0;         // bytes of the window used by the last parse_refilling()
  std::uint64_t failed_at_ = 0;  // where the last parse_refilling() failed
  bool too_deep_ = false;
  bool stopped_ = false;      // cancelled or at the memory cap
  bool finished_ = false;     // the top-level object was closed
  bool resumed_ = false;      // reading went on behind text that could not be read
  bool is_array_ = false;     // the text is a bare array of events
  bool has_records_ = false;  // a "warpwalk" entry has been read
  int event_arrays_ = 0;
  std::uint64_t metadata_entries_ = 0;
};

}  // namespace

ReadResult read_trace(const std::filesystem::path& file, const ReadOptions& options) {
  ReadResult result;
  auto opened = platform::open_source(file);
  if (!opened) {
    result.error = opened.error();
    return result;
  }
  const std::string name = file.string();
  Reader(**opened, options, name, result).run();
  return result;
}

ReadResult read_trace_text(std::string_view bytes, const ReadOptions& options, std::string_view name) {
  ReadResult result;
  const std::unique_ptr<platform::ByteSource> source = platform::memory_source(bytes);
  Reader(*source, options, name, result).run();
  return result;
}

}  // namespace warpwalk::trace
