#include <fmt/format.h>

#include "app/query/slice_cells.h"
#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::query {
namespace {

using trace::SliceKind;
using trace::Trace;

SliceId slice_itself(Source&, std::size_t row) { return static_cast<SliceId>(row); }
SliceId python_slice(Source& source, std::size_t row) { return source.python()[row]; }
SliceId annotation_slice(Source& source, std::size_t row) { return source.annotations()[row]; }

// The members of a record that have no column, as a JSON object.
Cell arguments_of(const Trace& trace, SliceId slice) {
  const std::string_view members = trace.text(trace.slices.extra[slice]);
  return members.empty() ? Cell() : Cell(fmt::format("{{{}}}", members));
}

using Slice = SliceColumns<slice_itself>;
constexpr Column slice_columns[] = {
    {"id", ColumnType::integer, "the number to which other tables refer", Slice::id.value},
    {"kind", ColumnType::text, "op, kernel, copy, fill, Python frame, runtime call, driver call, annotation ...",
     [](Source& s, std::size_t row) { return Cell(trace::name_of(s.trace().slices.kind[row])); }},
    Slice::name,
    Slice::start,
    Slice::end,
    Slice::duration,
    {"parent", ColumnType::integer, "slices.id of the innermost slice around it",
     [](Source& s, std::size_t row) { return reference(s.trace().slices.parent[row]); }},
    {"track", ColumnType::integer, "tracks.id of its thread or stream",
     [](Source& s, std::size_t row) { return Cell(std::int64_t{s.trace().slices.track[row]}); }},
    Slice::thread,
    Slice::device,
    Slice::stream,
    {"op", ColumnType::integer, "ops.id of the innermost op at or around it; of GPU work, around its launch",
     [](Source& s, std::size_t row) {
       const auto slice = static_cast<SliceId>(row);
       const SliceId at = trace::is_gpu_work(s.trace().slices.kind[slice]) ? trace::launch_of(s.trace(), slice) : slice;
       return at == no_slice ? Cell() : reference(s.op_around()[at]);
     }},
    {"args", ColumnType::text, "what the file says beyond the columns of this database, as JSON",
     [](Source& s, std::size_t row) { return arguments_of(s.trace(), static_cast<SliceId>(row)); }},
};

using Frame = SliceColumns<python_slice>;
constexpr Column python_columns[] = {
    Frame::id,
    Frame::name,
    Frame::start,
    Frame::end,
    Frame::duration,
    Frame::thread,
    {"parent", ColumnType::integer, "python.id of the frame that called it",
     [](Source& s, std::size_t row) {
       return reference(trace::enclosing(s.trace(), python_slice(s, row), SliceKind::python));
     }},
    Frame::gpu_time,
};

using Range = SliceColumns<annotation_slice>;
constexpr Column annotation_columns[] = {
    Range::id,
    Range::name,
    Range::start,
    Range::end,
    Range::duration,
    Range::thread,
    Range::device,
    Range::stream,
    {"gpu_ns", ColumnType::integer, "ns of all GPU work that was launched in it; 0 for a range on a GPU",
     Range::gpu_time.value},
};

const trace::Track& track_at(Source& source, std::size_t row) { return source.trace().tracks[row]; }

constexpr Column track_columns[] = {
    {"id", ColumnType::integer, "the number to which slices refer",
     [](Source&, std::size_t row) { return count(row); }},
    {"kind", ColumnType::text, "thread or stream",
     [](Source& s, std::size_t row) { return Cell(std::string_view(track_at(s, row).gpu ? "stream" : "thread")); }},
    {"process", ColumnType::text, "the process's number, of a stream the GPU's",
     [](Source& s, std::size_t row) { return recorded_text(s.trace(), track_at(s, row).pid); }},
    {"process_name", ColumnType::text, "as recorded",
     [](Source& s, std::size_t row) { return recorded_text(s.trace(), track_at(s, row).process_name); }},
    {"thread", ColumnType::integer, "the thread's number",
     [](Source& s, std::size_t row) { return thread_cell(s.trace(), static_cast<trace::TrackId>(row)); }},
    {"name", ColumnType::text, "the thread's name as recorded",
     [](Source& s, std::size_t row) { return recorded_text(s.trace(), track_at(s, row).name); }},
    {"device", ColumnType::integer, "the GPU's number",
     [](Source& s, std::size_t row) { return device_cell(s.trace(), static_cast<trace::TrackId>(row)); }},
    {"stream", ColumnType::integer, "the stream's number",
     [](Source& s, std::size_t row) { return stream_cell(s.trace(), static_cast<trace::TrackId>(row)); }},
    {"slices", ColumnType::integer, "slices on it",
     [](Source& s, std::size_t row) { return count(track_at(s, row).last - track_at(s, row).first); }},
};

constexpr Table all_slice_tables[] = {
    {"slices", "all that has a start and a duration, on threads and streams", slice_columns, Table::Id::row,
     [](Source& s) { return s.trace().slices.size(); }},
    {"python", "Python frames, by start", python_columns, Table::Id::column,
     [](Source& s) { return s.python().size(); }},
    {"annotations", "ranges that the program named, on threads and on GPUs, by start", annotation_columns,
     Table::Id::column, [](Source& s) { return s.annotations().size(); }},
    {"tracks", "threads and streams", track_columns, Table::Id::row, [](Source& s) { return s.trace().tracks.size(); }},
};

}  // namespace

std::span<const Table> slice_tables() { return all_slice_tables; }

}  // namespace warpwalk::query
