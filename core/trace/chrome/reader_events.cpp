// The part of Reader that reads the elements of traceEvents, and finds the next one after damage.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/trace/chrome/reader_parts.h"
#include "core/trace/json/json_text.h"
#include "core/trace/source_end.h"

namespace warpwalk::trace {
namespace {

// Bytes of lost text shown in messages; a few more are kept to truncate at a character boundary.
constexpr std::size_t longest_shown = 160;

}  // namespace

bool Reader::events() {
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
        // Two writers of one file leave the end of another event behind a whole one.
        if (event_follows_brace()) {
          note_invalid("there is a closing brace too many");
          window_.drop(1);
          last = Separator::unknown;
          break;
        }
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

bool Reader::event_follows_brace() {
  bool follows = false;
  parse_refilling([&](JsonCursor& cursor) {
    cursor.take('}');
    const bool comma = cursor.take(',');
    follows = comma && cursor.peek() == '{';
    return cursor.peek() != 0;
  });
  return follows;
}

bool Reader::array_left_open() {
  result_.problems.add(ProblemKind::truncated, window_.offset(), [&] {
    return fmt::format("traceEvents is not closed before the object ends at byte {}; {}", window_.offset(),
                       kept_before(result_.events));
  });
  return true;
}

bool Reader::skip_zeros() {
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

bool Reader::read_element() {
  const std::uint64_t at = window_.offset();
  const bool is_object = window_.text().starts_with('{');
  RawValue other;
  const Step step = parse_refilling(
      [&](JsonCursor& cursor) { return is_object ? read_event(cursor, event_, keys_) : cursor.value(other); });
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
      return fmt::format("event at byte {} is longer than {}; it is left out", at,
                         base::bytes_text(static_cast<double>(options_.entry_cap_bytes)));
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

void Reader::accept(std::uint64_t at) {
  ++result_.events;
  with_phase_ += event_.phase != 0;
  builder_.add(event_, at);
  window_.drop(used_);
}

void Reader::note_lost(std::uint64_t at, const std::string& lost) {
  result_.problems.add(ProblemKind::lost_event, at, [&] {
    return fmt::format("event at byte {} cannot be read (stopped at byte {}); it is left out: {}", at, failed_at_,
                       excerpt(lost, longest_shown));
  });
}

bool Reader::resync(std::uint64_t lost_at, bool count_tail) {
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
        parse_refilling([&](JsonCursor& cursor) { return read_event(cursor, event_, keys_); }, longest_candidate);
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

Reader::Boundary Reader::next_boundary() const {
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

std::size_t Reader::closing_bracket() const {
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

}  // namespace warpwalk::trace
