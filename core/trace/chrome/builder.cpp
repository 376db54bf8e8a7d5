#include "core/trace/chrome/builder.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/trace/chrome/kinds.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

using Type = RawValue::Type;

// No value, or a word such as N/A: both mean "not known".
bool is_missing(const RawValue& value) { return value.type == Type::null || value.type == Type::word; }

}  // namespace

void Builder::add(const RawEvent& event, std::uint64_t byte_offset) {
  if (empty_at_) report_no_phase(*std::exchange(empty_at_, {}));
  event_offset_ = byte_offset;
  if ((event.irregular & ~harmless_bits) != 0) note_irregular(event);
  switch (event.phase) {
    case 'X': slice(event); break;
    case 'M': describe(event); break;
    case 's':
    case 'f': flow(event); break;
    case 'B': begin_slice(event, false); break;
    case 'E': end_slice(event, false); break;
    case 'b':
    case 'S': begin_slice(event, true); break;  // S, T and F are older names of b, n and e
    case 'e':
    case 'F': end_slice(event, true); break;
    case 'i':
    case 'I':
    case 'n':
    case 'R':
    case 'T': instant(event); break;
    case 'C': counter(event); break;
    case 0:
      // XLA ends its list with an empty object, in place of a comma that it would have to leave out.
      if (event.empty())
        empty_at_ = byte_offset;
      else
        report_no_phase(byte_offset);
      break;
    default:
      problems_.add(ProblemKind::unsupported_phase, event_offset_, [&] {
        return fmt::format("event at byte {} has phase {}, which warpwalk does not support", event_offset_,
                           excerpt({&event.phase, 1}));
      });
  }
}

void Builder::report_no_phase(std::uint64_t at) {
  problems_.add(ProblemKind::missing_field, at,
                [&] { return fmt::format("event at byte {} has no phase (\"ph\"); it is counted but not shown", at); });
}

void Builder::note_irregular(const RawEvent& event) {
  const auto note = [&](std::uint32_t bits, ProblemKind kind, std::string_view what) {
    if ((event.irregular & bits) == 0) return;
    problems_.add(kind, event_offset_, [&] {
      std::uint32_t ignored = 0;
      return fmt::format("event {} at byte {} {}", excerpt(decode(event.name.text, scratch_, ignored)), event_offset_,
                         what);
    });
  };
  note(irregular_word, ProblemKind::unknown_value, "has inf, nan or N/A instead of a number; the value is unknown");
  note(irregular_control, ProblemKind::control_character, "has a raw control character in a string; it is kept");
  note(irregular_utf8, ProblemKind::invalid_utf8, "has bytes that are not UTF-8 in a key; the key is not used");
  note(irregular_escape, ProblemKind::bad_escape, "has an invalid backslash escape in a key; the key is not used");
  note(irregular_number, ProblemKind::invalid_json, "has a number with leading zeros or a plus; its value is used");
  note(irregular_comma, ProblemKind::invalid_json, "has a comma before a closing bracket; the comma is ignored");
}

void Builder::note_decoded(std::uint32_t irregular, std::string_view where) {
  if ((irregular & (irregular_utf8 | irregular_escape)) == 0) return;
  if ((irregular & irregular_utf8) != 0)
    problems_.add(ProblemKind::invalid_utf8, event_offset_, [&] {
      return fmt::format("event at byte {} has bytes that are not UTF-8 in {}; they are shown as U+FFFD", event_offset_,
                         excerpt(where));
    });
  if ((irregular & irregular_escape) != 0)
    problems_.add(ProblemKind::bad_escape, event_offset_, [&] {
      return fmt::format("event at byte {} has backslashes that are not escaped in {}; they are kept", event_offset_,
                         excerpt(where));
    });
}

// ---- Values

StringId Builder::frame_name(const RawValue& name) {
  if (name.type != Type::string || name.text.plain || !is_unescaped_path(name.text.text)) return text(name);
  std::uint32_t irregular = irregular_escape;
  const StringId id = trace_.strings.intern(decode(name.text, Backslashes::literal, scratch_, irregular));
  note_decoded(irregular, trace_.text(id));
  return id;
}

StringId Builder::text(const RawValue& value) {
  if (is_missing(value)) return 0;
  if (value.type == Type::string && value.text.plain) return trace_.strings.intern(value.text.text);
  std::uint32_t irregular = 0;
  const std::string_view meant =
      value.type == Type::string ? decode(value.text, scratch_, irregular) : to_strict_json(value, scratch_, irregular);
  const StringId id = trace_.strings.intern(meant);
  note_decoded(irregular, trace_.text(id));
  return id;
}

StringId Builder::json(const RawValue& value) {
  if (is_missing(value)) return 0;
  std::uint32_t irregular = 0;
  const StringId id = trace_.strings.intern(to_strict_json(value, scratch_, irregular));
  note_decoded(irregular, trace_.text(id));
  return id;
}

bool Builder::read_integer(const RawArg& arg, std::int64_t& out) {
  if (is_missing(arg.value)) return true;
  if (arg.value.type != Type::number && arg.value.type != Type::string) return false;
  const auto number = parse_integer(arg.value.text.text);
  if (!number) return false;
  out = *number;
  return true;
}

bool Builder::read_real(const RawArg& arg, double& out) {
  if (is_missing(arg.value)) return true;
  if (arg.value.type != Type::number) return false;
  const auto number = parse_real(arg.value.text.text);
  if (!number) return false;
  out = *number;
  return true;
}

bool Builder::shape(const RawArg& arg, std::array<std::int32_t, 3>& out) {
  JsonCursor cursor(arg.value.text.text, true);
  std::array<std::int32_t, 3> read{};
  bool good = arg.value.type == Type::array && cursor.take('[');
  for (std::size_t i = 0; good && i < 3; ++i) {
    RawValue element;
    good = (i == 0 || cursor.take(',')) && cursor.value(element) && element.type == Type::number;
    const auto number = good ? parse_integer(element.text.text) : std::nullopt;
    good = number && *number > 0 && *number <= 0x7fffffff;
    if (good) read[i] = static_cast<std::int32_t>(*number);
  }
  if (good && cursor.take(']')) {
    out = read;
  } else {
    problems_.add(ProblemKind::bad_shape, event_offset_, [&] {
      return fmt::format("kernel at byte {} has the {} {}, not three positive numbers; it is treated as not recorded",
                         event_offset_, name_of(arg.key), excerpt(arg.value.text.text));
    });
  }
  return true;
}

void Builder::append_extra(const RawArg& arg) {
  if (!extra_.empty()) extra_ += ", ";
  std::uint32_t irregular = 0;
  append_quoted(extra_, decode(arg.name, scratch_, irregular));
  extra_ += ": ";
  extra_ += to_strict_json(arg.value, scratch_, irregular);
  note_decoded(irregular, extra_);
}

StringId Builder::keep_all(const RawEvent& event) {
  for (const RawArg& arg : event.args) append_extra(arg);
  return take_extra();
}

StringId Builder::take_extra() {
  if (extra_.empty()) return 0;
  const StringId id = trace_.strings.intern(extra_);
  extra_.clear();
  return id;
}

bool Builder::read_time(const RawEvent& event, std::int64_t& out) {
  if (is_missing(event.ts)) {
    problems_.add(ProblemKind::missing_field, event_offset_, [&] {
      return fmt::format("event at byte {} has no time (\"ts\"); it is counted but not shown", event_offset_);
    });
    return false;
  }
  const auto time = parse_microseconds(event.ts.text.text);
  if (!time) {
    problems_.add(ProblemKind::time_out_of_range, event_offset_, [&] {
      return fmt::format("event at byte {} has the time {}, which is out of range; it is counted but not shown",
                         event_offset_, excerpt(event.ts.text.text));
    });
    return false;
  }
  out = *time;
  return true;
}

std::int64_t Builder::read_duration(const RawEvent& event, std::int64_t start) {
  if (is_missing(event.dur)) return 0;
  const auto duration = parse_microseconds(event.dur.text.text);
  if (duration && *duration >= 0 && *duration <= time_limit - start) return *duration;
  problems_.add(ProblemKind::time_out_of_range, event_offset_, [&] {
    return fmt::format("event at byte {} has the invalid duration {}; it is shown without a duration", event_offset_,
                       excerpt(event.dur.text.text));
  });
  return 0;
}

// ---- Rows

template <class Row>
bool Builder::take(const RawArg& arg, const Field<Row>& field, Row& row) {
  switch (field.type) {
    case Field<Row>::Type::none: return false;
    case Field<Row>::Type::integer:
    case Field<Row>::Type::address: return read_integer(arg, row.*field.whole);
    case Field<Row>::Type::real: return read_real(arg, row.*field.real);
    case Field<Row>::Type::json: row.*field.string = json(arg.value); return true;
    case Field<Row>::Type::text: row.*field.string = text(arg.value); return true;
    case Field<Row>::Type::shape: return shape(arg, row.*field.shape);
  }
  return false;
}

template <class Row>
void Builder::fill(const RawEvent& event, Row& row) {
  for (const RawArg& arg : event.args)
    if (arg.key != ArgKey::untimed && !take(arg, field_by_key<Row>[static_cast<std::size_t>(arg.key)], row))
      append_extra(arg);
}

template <class Row>
std::uint32_t Builder::add_row(const RawEvent& event, Column<Row>& table) {
  Row row;
  fill(event, row);
  table.push_back(row);
  return static_cast<std::uint32_t>(table.size() - 1);
}

void Builder::slice(const RawEvent& event) {
  std::int64_t start = 0;
  if (!read_time(event, start)) return;
  if (event.name.type == Type::null)
    problems_.add(ProblemKind::missing_field, event_offset_,
                  [&] { return fmt::format("event at byte {} has no name; it is shown without one", event_offset_); });
  const SliceKind kind = kind_of(event.category);
  std::uint32_t detail = 0;
  switch (kind) {
    case SliceKind::op:
    case SliceKind::annotation: detail = add_row(event, trace_.ops); break;
    case SliceKind::python: detail = add_row(event, trace_.python); break;
    case SliceKind::runtime:
    case SliceKind::driver: detail = add_row(event, trace_.calls); break;
    case SliceKind::kernel: detail = add_row(event, trace_.kernels); break;
    case SliceKind::memcpy:
    case SliceKind::memset: detail = add_row(event, trace_.transfers); break;
    case SliceKind::sync: detail = add_row(event, trace_.syncs); break;
    default:
      for (const RawArg& arg : event.args) append_extra(arg);
      if (kind == SliceKind::other) detail = text(event.category);
  }
  // The times that warpwalk writes for a launch without times are only for other viewers.
  const bool untimed = (is_gpu_work(kind) || is_call(kind)) &&
                       std::ranges::find(event.args, ArgKey::untimed, &RawArg::key) != event.args.end();
  Slices& rows = trace_.slices;
  rows.start.push_back(untimed ? 0 : start);
  rows.duration.push_back(untimed ? 0 : read_duration(event, start));
  rows.name.push_back(kind == SliceKind::python ? frame_name(event.name) : text(event.name));
  rows.extra.push_back(take_extra());
  rows.track.push_back(track_of(event, on_gpu(kind)));
  rows.detail.push_back(detail);
  rows.kind.push_back(kind);
}

void Builder::instant(const RawEvent& event) {
  std::int64_t time = 0;
  if (!read_time(event, time)) return;
  const StringId name = text(event.name);
  const bool out_of_memory = trace_.text(name) == "[OutOfMemory]";
  if (!out_of_memory && trace_.text(name) != "[memory]") {
    trace_.instants.push_back({time, name, text(event.category), keep_all(event), track_of(event, false), event.scope});
    return;
  }
  MemoryEvent row;
  row.time = time;
  row.track = track_of(event, false);
  row.out_of_memory = out_of_memory;
  fill(event, row);
  row.extra = take_extra();
  trace_.memory.push_back(row);
}

void Builder::counter(const RawEvent& event) {
  std::int64_t time = 0;
  if (!read_time(event, time)) return;
  trace_.counters.push_back({time, text(event.name), text(event.category), keep_all(event), track_of(event, false)});
}

SliceKind Builder::kind_of(const RawValue& category) {
  if (category.text.plain) return kind_of_category(category.text.text);
  std::uint32_t ignored = 0;
  return kind_of_category(decode(category.text, scratch_, ignored));
}

}  // namespace warpwalk::trace
