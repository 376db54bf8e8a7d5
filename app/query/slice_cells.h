#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "app/query/cell.h"
#include "app/query/source.h"
#include "app/query/table.h"

/// Cells of a slice, which many tables have.
namespace warpwalk::query {

/// NULL for a number that is not in the file.
inline Cell recorded(std::int64_t value) { return value == trace::absent ? Cell() : Cell(value); }
inline Cell recorded_real(double value) { return trace::is_absent(value) ? Cell() : Cell(value); }
/// NULL for a text that is not in the file.
inline Cell recorded_text(const trace::Trace& trace, trace::StringId text) {
  return text == 0 ? Cell() : Cell(trace.text(text));
}
inline Cell count(std::size_t value) { return static_cast<std::int64_t>(value); }
/// The id of another row, NULL if there is none.
inline Cell reference(SliceId slice) { return slice == no_slice ? Cell() : Cell(std::int64_t{slice}); }
inline Cell name_cell(const trace::Trace& trace, SliceId slice) {
  return slice == no_slice ? Cell() : Cell(trace.name(slice));
}

/// NULL for an empty text.
inline Cell text_cell(std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); }
/// The line and the module of the program in which a slice ran.
inline Cell line_cell(Source& source, SliceId slice) {
  return slice == no_slice ? Cell() : text_cell(source.places().line_text(slice));
}
inline Cell module_cell(Source& source, SliceId slice) {
  return slice == no_slice ? Cell() : text_cell(source.places().path_text(slice));
}

/// Ns since the trace's start, as in --at.
inline Cell time_cell(const trace::Trace& trace, std::int64_t time) { return time - trace.begin_ns; }

/// The number of a thread; NULL for a stream. A thread that has no number is its text.
inline Cell thread_cell(const trace::Trace& trace, trace::TrackId track) {
  const trace::Track& one = trace.tracks[track];
  if (one.gpu) return {};
  const std::string_view text = trace.text(one.tid);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return recorded_text(trace, one.tid);
}
inline Cell device_cell(const trace::Trace& trace, trace::TrackId track) {
  return trace.tracks[track].gpu ? recorded(trace.tracks[track].device) : Cell();
}
inline Cell stream_cell(const trace::Trace& trace, trace::TrackId track) {
  return trace.tracks[track].gpu ? recorded(trace.tracks[track].stream) : Cell();
}

/// Columns of a table whose rows are slices. `SliceOf`: the slice of a row.
template <SliceId (*SliceOf)(Source&, std::size_t)>
struct SliceColumns {
  static constexpr Column id = {"id", ColumnType::integer, "of the slice in slices",
                                [](Source& s, std::size_t row) { return reference(SliceOf(s, row)); }};
  static constexpr Column name = {"name", ColumnType::text, "as recorded, in full",
                                  [](Source& s, std::size_t row) { return Cell(s.trace().name(SliceOf(s, row))); }};
  static constexpr Column start = {
      "start_ns", ColumnType::integer, "ns since the trace's start",
      [](Source& s, std::size_t row) { return time_cell(s.trace(), s.trace().slices.start[SliceOf(s, row)]); }};
  static constexpr Column end = {
      "end_ns", ColumnType::integer, "ns since the trace's start",
      [](Source& s, std::size_t row) { return time_cell(s.trace(), s.trace().slices.end(SliceOf(s, row))); }};
  static constexpr Column duration = {"duration_ns", ColumnType::integer, "ns", [](Source& s, std::size_t row) {
                                        return Cell(s.trace().slices.duration[SliceOf(s, row)]);
                                      }};
  static constexpr Column thread = {
      "thread", ColumnType::integer, "the thread's number",
      [](Source& s, std::size_t row) { return thread_cell(s.trace(), s.trace().slices.track[SliceOf(s, row)]); }};
  static constexpr Column device = {"device", ColumnType::integer, "the GPU's number", [](Source& s, std::size_t row) {
                                      return device_cell(s.trace(), s.trace().slices.track[SliceOf(s, row)]);
                                    }};
  static constexpr Column stream = {
      "stream", ColumnType::integer, "the stream's number",
      [](Source& s, std::size_t row) { return stream_cell(s.trace(), s.trace().slices.track[SliceOf(s, row)]); }};
  static constexpr Column gpu_time = {"gpu_ns", ColumnType::integer,
                                      "ns of all GPU work that was launched in it, also deeper inside",
                                      [](Source& s, std::size_t row) { return Cell(s.gpu_time()[SliceOf(s, row)]); }};
  static constexpr Column line = {"line", ColumnType::text, "line of the program around it: train.py(12): step",
                                  [](Source& s, std::size_t row) { return line_cell(s, SliceOf(s, row)); }};
  static constexpr Column module = {"module", ColumnType::text, "nn.Modules around it: Model_0 / Linear_1",
                                    [](Source& s, std::size_t row) { return module_cell(s, SliceOf(s, row)); }};
};

}  // namespace warpwalk::query
