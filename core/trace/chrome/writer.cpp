#include "core/trace/chrome/writer.h"

#include <cmath>
#include <functional>
#include <string_view>

#include "core/platform/output_file.h"
#include "core/trace/chrome/detail_fields.h"
#include "core/trace/chrome/devices.h"
#include "core/trace/chrome/export_tracks.h"
#include "core/trace/chrome/kinds.h"
#include "core/trace/chrome/records_json.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

class Writer {
 public:
  /// `sink` receives the text in pieces and returns false to stop.
  Writer(const Trace& trace, std::function<bool(std::string_view)> sink)
      : trace_(trace), tracks_(trace), sink_(std::move(sink)) {}

  void run() {
    // First, because Perfetto's UI of 2021 recognises a trace only by this beginning.
    out_ += "{\"traceEvents\": [";
    tracks_.describe([&](const std::string& event) {
      begin_event();
      out_ += event;
    });
    for (SliceId s = 0; s < trace_.slices.size() && sink_open_; ++s) slice(s);
    // Viewers sort by time and keep this order at equal times. Flows come after all slices, so that a flow belongs to
    // the slice in which it starts or ends, and before the instants, which some viewers treat as slices.
    for (const auto& [launch, work] : trace_.launched) launch_flow(launch, work);
    for (const Flow& flow : trace_.flows)
      arrow(trace_.text(flow.category), trace_.text(flow.name), tracks_.line_at(flow.from_track, flow.from_time),
            flow.from_time, tracks_.line_at(flow.to_track, flow.to_time), flow.to_time);
    for (const MemoryEvent& event : trace_.memory) memory(event);
    for (const Instant& event : trace_.instants) instant(event);
    for (const Counter& event : trace_.counters) counter(event);
    out_ += "\n]";
    top_level();
    out_ += "\n}\n";
    flush();
  }

 private:
  void top_level() {
    bool has_schema = false;
    for (const auto& [key, value] : trace_.metadata) has_schema = has_schema || trace_.text(key) == "schemaVersion";
    if (!has_schema) entry("schemaVersion", "1");
    entry("deviceProperties", devices_json(trace_));
    entry("displayTimeUnit", "\"ms\"");
    entry("baseTimeNanoseconds", std::to_string(trace_.base_time_ns));
    for (const auto& [key, value] : trace_.metadata) entry(trace_.text(key), trace_.text(value));
    if (!trace_.records.empty()) entry("warpwalk", records_json(trace_.records));
  }

  void entry(std::string_view key, std::string_view json) {
    out_ += ",\n";
    append_quoted(out_, key);
    out_ += ": ";
    out_ += json;
  }

  void flush() {
    sink_open_ = sink_open_ && sink_(out_);
    out_.clear();
  }

  void begin_event() {
    constexpr std::size_t piece = std::size_t{1} << 16;
    if (out_.size() >= piece) flush();
    out_ += first_ ? "\n" : ",\n";
    first_ = false;
  }

  void text_member(std::string_view key, std::string_view value) {
    out_ += ", \"";
    out_ += key;
    out_ += "\": ";
    append_quoted(out_, value);
  }

  void time_member(std::string_view key, std::int64_t ns) {
    out_ += ", \"";
    out_ += key;
    out_ += "\": ";
    append_microseconds(out_, ns);
  }

  void head(char phase, std::string_view category, std::string_view name, ExportTracks::Line line, std::int64_t time) {
    begin_event();
    out_ += "{\"ph\": \"";
    out_ += phase;
    out_ += '"';
    if (!category.empty()) text_member("cat", category);
    text_member("name", name);
    out_ += ", \"pid\": ";
    append_integer(out_, line.pid);
    out_ += ", \"tid\": ";
    append_integer(out_, line.tid);
    time_member("ts", time);
  }

  void arg_key(std::string_view key) {
    out_ += has_args_ ? ", \"" : ", \"args\": {\"";
    has_args_ = true;
    out_ += key;
    out_ += "\": ";
  }

  template <class Row>
  void args(const Row& row) {
    for (const Field<Row>& field : fields_of<Row>) {
      const std::string_view key = arg_names()[static_cast<std::size_t>(field.key)];
      switch (field.type) {
        case Field<Row>::Type::none: break;
        case Field<Row>::Type::integer:
          if (row.*field.whole == absent) break;
          arg_key(key);
          append_integer(out_, row.*field.whole);
          break;
        case Field<Row>::Type::address:
          if (row.*field.whole == absent) break;
          arg_key(key);
          out_ += std::to_string(static_cast<std::uint64_t>(row.*field.whole));
          break;
        case Field<Row>::Type::real:
          if (is_absent(row.*field.real) || !std::isfinite(row.*field.real)) break;
          arg_key(key);
          append_real(out_, row.*field.real);
          break;
        case Field<Row>::Type::json:
          if (row.*field.string == 0) break;
          arg_key(key);
          out_ += trace_.text(row.*field.string);
          break;
        case Field<Row>::Type::text:
          if (row.*field.string == 0) break;
          arg_key(key);
          append_quoted(out_, trace_.text(row.*field.string));
          break;
        case Field<Row>::Type::shape: shape(key, row.*field.shape); break;
      }
    }
  }

  void shape(std::string_view key, const std::array<std::int32_t, 3>& value) {
    if (value[0] <= 0 || value[1] <= 0 || value[2] <= 0) return;
    arg_key(key);
    for (std::size_t i = 0; i < 3; ++i) {
      out_ += i == 0 ? "[" : ", ";
      append_integer(out_, value[i]);
    }
    out_ += ']';
  }

  void end_event(StringId extra) {
    if (extra != 0) {
      out_ += has_args_ ? ", " : ", \"args\": {";
      has_args_ = true;
      out_ += trace_.text(extra);
    }
    if (has_args_) out_ += '}';
    has_args_ = false;
    out_ += '}';
  }

  void slice(SliceId s) {
    const Slices& rows = trace_.slices;
    const SliceKind kind = rows.kind[s];
    const std::uint32_t detail = rows.detail[s];
    const ExportTracks::Times times = tracks_.times_of(s);
    head('X', kind == SliceKind::other ? trace_.text(detail) : category_of(kind), trace_.name(s), tracks_.line_of(s),
         times.start);
    time_member("dur", times.duration);
    switch (kind) {
      case SliceKind::op:
      case SliceKind::annotation: args(trace_.ops[detail]); break;
      case SliceKind::python: args(trace_.python[detail]); break;
      case SliceKind::runtime:
      case SliceKind::driver: args(trace_.calls[detail]); break;
      case SliceKind::kernel: args(trace_.kernels[detail]); break;
      case SliceKind::memcpy:
      case SliceKind::memset: args(trace_.transfers[detail]); break;
      case SliceKind::sync: args(trace_.syncs[detail]); break;
      default: break;
    }
    if (times.stand_in) {
      arg_key(name_of(ArgKey::untimed));
      out_ += "true";
    }
    end_event(rows.extra[s]);
  }

  void memory(const MemoryEvent& event) {
    head('i', "cpu_instant_event", event.out_of_memory ? "[OutOfMemory]" : "[memory]",
         tracks_.line_at(event.track, event.time), event.time);
    out_ += ", \"s\": \"t\"";
    args(event);
    end_event(event.extra);
  }

  void instant(const Instant& event) {
    head('i', trace_.text(event.category), trace_.text(event.name), tracks_.line_at(event.track, event.time),
         event.time);
    out_ += ", \"s\": \"";
    out_ += event.scope;
    out_ += '"';
    end_event(event.extra);
  }

  void counter(const Counter& event) {
    head('C', trace_.text(event.category), trace_.text(event.name), tracks_.line_at(event.track, event.time),
         event.time);
    end_event(event.values);
  }

  void launch_flow(SliceId launch, SliceId work) {
    arrow("ac2g", "ac2g", tracks_.line_of(launch), trace_.slices.start[launch], tracks_.line_of(work),
          tracks_.times_of(work).start);
  }

  // Viewers drop a second start of the same id, so each flow gets its own id, even if one call starts many kernels.
  void arrow(std::string_view category, std::string_view name, ExportTracks::Line from, std::int64_t from_time,
             ExportTracks::Line to, std::int64_t to_time) {
    ++arrows_;
    for (const bool start : {true, false}) {
      head(start ? 's' : 'f', category, name, start ? from : to, start ? from_time : to_time);
      out_ += ", \"id\": ";
      append_integer(out_, arrows_);
      if (!start) out_ += ", \"bp\": \"e\"";
      end_event(0);
    }
  }

  static const std::array<std::string_view, arg_keys>& arg_names() {
    static const std::array<std::string_view, arg_keys> names = [] {
      std::array<std::string_view, arg_keys> all;
      for (std::size_t i = 0; i < arg_keys; ++i) all[i] = name_of(static_cast<ArgKey>(i));
      return all;
    }();
    return names;
  }

  const Trace& trace_;
  ExportTracks tracks_;
  std::function<bool(std::string_view)> sink_;
  std::string out_;
  std::int64_t arrows_ = 0;
  bool first_ = true;
  bool has_args_ = false;
  bool sink_open_ = true;
};

}  // namespace

base::Result<void> write_trace(const Trace& trace, const std::filesystem::path& file) {
  platform::OutputFile out(file);
  if (!out.failed())
    Writer(trace, [&](std::string_view text) {
      out.write(text);
      return !out.failed();
    }).run();
  return out.finish();
}

std::string write_trace_text(const Trace& trace) {
  std::string whole;
  Writer(trace, [&](std::string_view text) {
    whole += text;
    return true;
  }).run();
  return whole;
}

}  // namespace warpwalk::trace
