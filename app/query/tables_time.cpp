#include "app/query/slice_cells.h"
#include "core/trace/link.h"

namespace warpwalk::query {
namespace {

const Source::Gap& gap_at(Source& source, std::size_t row) { return source.gaps()[row]; }
SliceId gap_op(Source& source, std::size_t row) {
  const SliceId work = gap_at(source, row).gap.work;
  return work == no_slice ? no_slice : trace::op_of(source.trace(), work);
}

constexpr Column gap_columns[] = {
    {"id", ColumnType::integer, "by GPU and start, from 0", [](Source&, std::size_t row) { return count(row); }},
    {"device", ColumnType::integer, "the GPU's number",
     [](Source& s, std::size_t row) { return recorded(gap_at(s, row).device); }},
    {"start_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), gap_at(s, row).gap.from); }},
    {"end_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), gap_at(s, row).gap.to); }},
    {"duration_ns", ColumnType::integer, "ns",
     [](Source& s, std::size_t row) { return Cell(gap_at(s, row).gap.length()); }},
    {"cause", ColumnType::text, "why the GPU did nothing for most of it (docs/idle.md)",
     [](Source& s, std::size_t row) { return Cell(name_of(gap_at(s, row).gap.cause)); }},
    {"work", ColumnType::integer, "slices.id of the work that ended it",
     [](Source& s, std::size_t row) { return reference(gap_at(s, row).gap.work); }},
    {"work_name", ColumnType::text, "name of that work",
     [](Source& s, std::size_t row) { return name_cell(s.trace(), gap_at(s, row).gap.work); }},
    {"op", ColumnType::integer, "ops.id of the op that launched that work",
     [](Source& s, std::size_t row) { return reference(gap_op(s, row)); }},
    {"op_name", ColumnType::text, "name of that op",
     [](Source& s, std::size_t row) { return name_cell(s.trace(), gap_op(s, row)); }},
    {"line", ColumnType::text, "line of the program that launched that work",
     [](Source& s, std::size_t row) { return line_cell(s, gap_at(s, row).gap.work); }},
    {"seen_in", ColumnType::integer, "slices.id of what shows the cause, e.g. the waiting call",
     [](Source& s, std::size_t row) { return reference(gap_at(s, row).gap.seen_in); }},
    {"seen_in_name", ColumnType::text, "name of it",
     [](Source& s, std::size_t row) { return name_cell(s.trace(), gap_at(s, row).gap.seen_in); }},
};

const Source::GapPart& part_at(Source& source, std::size_t row) { return source.gap_parts()[row]; }

constexpr Column part_columns[] = {
    {"gap", ColumnType::integer, "gaps.id", [](Source& s, std::size_t row) { return count(part_at(s, row).gap); }},
    {"device", ColumnType::integer, "the GPU's number",
     [](Source& s, std::size_t row) { return recorded(s.gaps()[part_at(s, row).gap].device); }},
    {"start_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), part_at(s, row).part.from); }},
    {"end_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), part_at(s, row).part.to); }},
    {"duration_ns", ColumnType::integer, "ns; the parts of a gap add up to it",
     [](Source& s, std::size_t row) { return Cell(part_at(s, row).part.length()); }},
    {"cause", ColumnType::text, "why the GPU did nothing (docs/idle.md)",
     [](Source& s, std::size_t row) { return Cell(name_of(part_at(s, row).part.cause)); }},
    {"seen_in", ColumnType::integer, "slices.id of what shows it: what the CPU was in, the call that waited",
     [](Source& s, std::size_t row) { return reference(part_at(s, row).part.seen_in); }},
    {"seen_in_name", ColumnType::text, "name of it",
     [](Source& s, std::size_t row) { return name_cell(s.trace(), part_at(s, row).part.seen_in); }},
    {"line", ColumnType::text, "line of the program around it",
     [](Source& s, std::size_t row) { return line_cell(s, part_at(s, row).part.seen_in); }},
};

analysis::PathSegment segment_at(Source& source, std::size_t row) { return source.path().segments[row]; }

constexpr Column path_columns[] = {
    {"id", ColumnType::integer, "by time, from 0", [](Source&, std::size_t row) { return count(row); }},
    {"start_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), segment_at(s, row).from); }},
    {"end_ns", ColumnType::integer, "ns since the trace's start; where the next one begins",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), segment_at(s, row).to); }},
    {"duration_ns", ColumnType::integer, "ns",
     [](Source& s, std::size_t row) { return Cell(segment_at(s, row).length()); }},
    {"kind", ColumnType::text, "python, op, call, launch, kernel, copy, queue ... (docs/overview.md)",
     [](Source& s, std::size_t row) { return Cell(name_of(segment_at(s, row).kind)); }},
    {"thread", ColumnType::integer, "the thread's number; NULL for time of the GPU",
     [](Source& s, std::size_t row) {
       const trace::TrackId thread = segment_at(s, row).thread;
       return thread == analysis::PathSegment::no_track ? Cell() : thread_cell(s.trace(), thread);
     }},
    {"slice", ColumnType::integer, "slices.id of the frame, op, call or work; of launch and queue, the work after it",
     [](Source& s, std::size_t row) { return reference(segment_at(s, row).slice); }},
    {"name", ColumnType::text, "name of that slice",
     [](Source& s, std::size_t row) { return name_cell(s.trace(), segment_at(s, row).slice); }},
};

constexpr Table all_time_tables[] = {
    {"gaps", "times in which a GPU had no work, with their causes", gap_columns, Table::Id::row,
     [](Source& s) { return s.gaps().size(); }},
    {"gap_parts", "the gaps, divided by what happened in them", part_columns, Table::Id::none,
     [](Source& s) { return s.gap_parts().size(); }},
    {"path", "the critical path of the whole trace, without a gap", path_columns, Table::Id::row,
     [](Source& s) { return s.path().segments.size(); }},
};

}  // namespace

std::span<const Table> time_tables() { return all_time_tables; }

}  // namespace warpwalk::query
