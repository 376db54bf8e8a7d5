// The part of Reader that reads the top-level object: its entries other than the events.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/trace/chrome/devices.h"
#include "core/trace/chrome/reader_parts.h"
#include "core/trace/chrome/records_json.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace {

void Reader::top_level() {
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

void Reader::note_invalid(std::string_view what) {
  const std::uint64_t at = window_.offset();
  result_.problems.add(ProblemKind::invalid_json, at, [&] { return fmt::format("{} at byte {}", what, at); });
}

bool Reader::member() {
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
                           fmt::format("{} at byte {} is longer than {}; reading stopped there", excerpt(key), at,
                                       base::bytes_text(static_cast<double>(options_.entry_cap_bytes))));
    return false;
  }
  window_.drop(used_);
  return true;
}

void Reader::note_irregular(std::uint32_t irregular, const std::string& where, std::uint64_t at) {
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

void Reader::metadata(const std::string& key, const RawValue& value, std::uint64_t at) {
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

bool Reader::lost_metadata(std::uint64_t at, const std::string& what) {
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

}  // namespace warpwalk::trace
