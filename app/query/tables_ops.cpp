#include "app/query/slice_cells.h"

namespace warpwalk::query {
namespace {

using trace::OpDetail;
using trace::SliceKind;

SliceId op_slice(Source& source, std::size_t row) { return source.trace().op_order[row]; }
const OpDetail& op_at(Source& source, std::size_t row) {
  return source.trace().ops[source.trace().slices.detail[op_slice(source, row)]];
}
template <trace::StringId OpDetail::*Member>
Cell op_text(Source& source, std::size_t row) {
  return recorded_text(source.trace(), op_at(source, row).*Member);
}

using Op = SliceColumns<op_slice>;
constexpr Column op_columns[] = {
    Op::id,
    {"number", ColumnType::integer, "N of op:N, as in --follow", [](Source&, std::size_t row) { return count(row); }},
    Op::name,
    Op::start,
    Op::end,
    Op::duration,
    {"self_ns", ColumnType::integer, "ns on the CPU, without the ops and CUDA calls inside it",
     [](Source& s, std::size_t row) { return Cell(s.op_work()[op_slice(s, row)].self_ns); }},
    {"gpu_ns", ColumnType::integer, "ns of the GPU work that it launched, without the ops inside it",
     [](Source& s, std::size_t row) { return Cell(s.op_work()[op_slice(s, row)].gpu_ns); }},
    {"gpu_total_ns", ColumnType::integer, "ns of the GPU work that it launched, with the ops inside it",
     Op::gpu_time.value},
    {"kernels", ColumnType::integer, "kernels that it launched, without the ops inside it",
     [](Source& s, std::size_t row) { return count(s.op_work()[op_slice(s, row)].kernels); }},
    {"copies", ColumnType::integer, "copies and fills that it launched, without the ops inside it",
     [](Source& s, std::size_t row) { return count(s.op_work()[op_slice(s, row)].copies); }},
    {"parent", ColumnType::integer, "ops.id of the op around it",
     [](Source& s, std::size_t row) {
       const SliceId above = s.trace().slices.parent[op_slice(s, row)];
       return above == no_slice ? Cell() : reference(s.op_around()[above]);
     }},
    Op::thread,
    Op::line,
    Op::module,
    {"sequence", ColumnType::integer, "the number that pairs a forward op with its backward",
     [](Source& s, std::size_t row) { return recorded(op_at(s, row).sequence); }},
    {"input_dims", ColumnType::text, "sizes of the inputs, as JSON", op_text<&OpDetail::input_dims>},
    {"input_types", ColumnType::text, "types of the inputs, as JSON", op_text<&OpDetail::input_types>},
};

const analysis::TrainingStep& step_at(Source& source, std::size_t row) { return source.steps().steps[row]; }

constexpr Column step_columns[] = {
    {"number", ColumnType::integer, "from 0", [](Source&, std::size_t row) { return count(row); }},
    {"name", ColumnType::text, "of its range",
     [](Source& s, std::size_t row) { return Cell(std::string_view(step_at(s, row).name)); }},
    {"start_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), step_at(s, row).from); }},
    {"end_ns", ColumnType::integer, "ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), step_at(s, row).to); }},
    {"duration_ns", ColumnType::integer, "ns on the CPU",
     [](Source& s, std::size_t row) { return Cell(step_at(s, row).duration()); }},
    {"computing_ns", ColumnType::integer, "ns in which a kernel computed on the busiest GPU",
     [](Source& s, std::size_t row) { return Cell(step_at(s, row).computing); }},
    {"communicating_ns", ColumnType::integer, "ns in which its kernels only exchanged data with other GPUs",
     [](Source& s, std::size_t row) { return Cell(step_at(s, row).communicating); }},
    {"copying_ns", ColumnType::integer, "ns in which only copies and fills ran on it",
     [](Source& s, std::size_t row) { return Cell(step_at(s, row).copying); }},
    {"idle_ns", ColumnType::integer, "ns in which it had no work, between its first and its last",
     [](Source& s, std::size_t row) { return Cell(step_at(s, row).idle_time()); }},
    {"kernels", ColumnType::integer, "kernels that were launched in the step",
     [](Source& s, std::size_t row) { return count(step_at(s, row).kernels); }},
};

constexpr Table all_op_tables[] = {
    {"ops", "PyTorch ops, by start", op_columns, Table::Id::column,
     [](Source& s) { return s.trace().op_order.size(); }},
    {"steps", "training steps, and what the busiest GPU did meanwhile", step_columns, Table::Id::none,
     [](Source& s) { return s.steps().steps.size(); }},
};

}  // namespace

std::span<const Table> op_tables() { return all_op_tables; }

}  // namespace warpwalk::query
