#include <algorithm>

#include <fmt/format.h>

#include "app/query/slice_cells.h"
#include "core/analysis/time/gpu_breakdown.h"
#include "core/trace/link.h"

namespace warpwalk::query {
namespace {

using trace::KernelDetail;
using trace::SliceKind;
using trace::TransferDetail;

// ---- what the tables of GPU work share ----

SliceId kernel_slice(Source& source, std::size_t row) { return source.trace().kernel_order[row]; }
SliceId copy_slice(Source& source, std::size_t row) { return source.copies()[row]; }
SliceId launch_slice(Source& source, std::size_t row) { return source.launches()[row].call; }

SliceId op_of_call(Source& source, SliceId call) { return call == no_slice ? no_slice : source.op_around()[call]; }

template <SliceId (*SliceOf)(Source&, std::size_t)>
struct WorkColumns {
  static SliceId call(Source& source, std::size_t row) {
    return trace::launch_of(source.trace(), SliceOf(source, row));
  }

  static constexpr Column launch = {"launch", ColumnType::integer, "launches.id of the call that started it",
                                    [](Source& s, std::size_t row) { return reference(call(s, row)); }};
  static constexpr Column launch_delay = {
      "launch_delay_ns", ColumnType::integer, "ns from the start of that call to its own start",
      [](Source& s, std::size_t row) {
        const SliceId of = call(s, row);
        const auto& rows = s.trace().slices;
        return of == no_slice ? Cell() : Cell(rows.start[SliceOf(s, row)] - rows.start[of]);
      }};
  static constexpr Column thread = {
      "thread", ColumnType::integer, "the number of the thread that launched it", [](Source& s, std::size_t row) {
        const SliceId of = call(s, row);
        return of == no_slice ? Cell() : thread_cell(s.trace(), s.trace().slices.track[of]);
      }};
  static constexpr Column op = {"op", ColumnType::integer, "ops.id of the innermost op around its launch",
                                [](Source& s, std::size_t row) { return reference(op_of_call(s, call(s, row))); }};
  static constexpr Column op_name = {"op_name", ColumnType::text, "name of that op", [](Source& s, std::size_t row) {
                                       return name_cell(s.trace(), op_of_call(s, call(s, row)));
                                     }};
};

// ---- kernels ----

const KernelDetail& kernel_at(Source& source, std::size_t row) {
  return source.trace().kernels[source.trace().slices.detail[kernel_slice(source, row)]];
}

template <std::int64_t KernelDetail::*Member>
Cell kernel_number(Source& source, std::size_t row) {
  return recorded(kernel_at(source, row).*Member);
}
template <double KernelDetail::*Member>
Cell kernel_real(Source& source, std::size_t row) {
  return recorded_real(kernel_at(source, row).*Member);
}
// 0 blocks or threads: not recorded.
template <std::array<std::int32_t, 3> KernelDetail::*Shape, std::size_t Axis>
Cell shape_cell(Source& source, std::size_t row) {
  const std::int32_t size = (kernel_at(source, row).*Shape)[Axis];
  return size == 0 ? Cell() : Cell(std::int64_t{size});
}
template <std::array<std::int32_t, 3> KernelDetail::*Shape>
Cell volume_cell(Source& source, std::size_t row) {
  const auto& shape = kernel_at(source, row).*Shape;
  if (shape[0] == 0 || shape[1] == 0 || shape[2] == 0) return {};
  // Grids of valid launches are below 2^63 blocks; a damaged file may hold more.
  const double product = static_cast<double>(shape[0]) * shape[1] * shape[2];
  if (product >= 9.2e18) return product;
  return std::int64_t{shape[0]} * shape[1] * shape[2];
}

std::string_view work_class(Source& source, std::size_t row) {
  switch (analysis::class_of(source.communication(), source.trace(), kernel_slice(source, row))) {
    case analysis::WorkClass::compute: return "compute";
    case analysis::WorkClass::communication: return "communication";
    case analysis::WorkClass::memory: return "memory";
  }
  return "";
}

Cell amount_cell(const std::optional<double>& amount) { return amount ? Cell(*amount) : Cell(); }

using Kernel = SliceColumns<kernel_slice>;
using KernelWork = WorkColumns<kernel_slice>;
constexpr Column kernel_columns[] = {
    Kernel::id,
    {"number", ColumnType::integer, "N of kernel:N, as in --follow",
     [](Source&, std::size_t row) { return count(row); }},
    Kernel::name,
    {"short_name", ColumnType::text, "name without namespaces and template arguments",
     [](Source& s, std::size_t row) { return Cell(s.short_name(s.trace().slices.name[kernel_slice(s, row)])); }},
    {"class", ColumnType::text, "compute or communication",
     [](Source& s, std::size_t row) { return Cell(work_class(s, row)); }},
    {"category", ColumnType::text, "what it is for: gemm, convolution, attention, elementwise ...",
     [](Source& s, std::size_t row) { return Cell(name_of(s.categories().of(kernel_slice(s, row)))); }},
    {"flops", ColumnType::real, "operations, from the shapes of its op",
     [](Source& s, std::size_t row) { return amount_cell(s.categories().amounts().of(kernel_slice(s, row)).flops); }},
    {"bytes", ColumnType::real, "bytes that it has to read and write, from the shapes of its op",
     [](Source& s, std::size_t row) { return amount_cell(s.categories().amounts().of(kernel_slice(s, row)).bytes); }},
    Kernel::start,
    Kernel::end,
    Kernel::duration,
    Kernel::device,
    Kernel::stream,
    {"grid_x", ColumnType::integer, "blocks in x", shape_cell<&KernelDetail::grid, 0>},
    {"grid_y", ColumnType::integer, "blocks in y", shape_cell<&KernelDetail::grid, 1>},
    {"grid_z", ColumnType::integer, "blocks in z", shape_cell<&KernelDetail::grid, 2>},
    {"blocks", ColumnType::integer, "blocks of the grid", volume_cell<&KernelDetail::grid>},
    {"block_x", ColumnType::integer, "threads of a block in x", shape_cell<&KernelDetail::block, 0>},
    {"block_y", ColumnType::integer, "threads of a block in y", shape_cell<&KernelDetail::block, 1>},
    {"block_z", ColumnType::integer, "threads of a block in z", shape_cell<&KernelDetail::block, 2>},
    {"threads_per_block", ColumnType::integer, "threads of a block", volume_cell<&KernelDetail::block>},
    {"registers", ColumnType::integer, "per thread", kernel_number<&KernelDetail::registers>},
    {"shared_bytes", ColumnType::integer, "shared memory per block, static and dynamic",
     kernel_number<&KernelDetail::shared_bytes>},
    {"occupancy_pct", ColumnType::real, "the profiler's estimate of achieved occupancy",
     kernel_real<&KernelDetail::occupancy_pct>},
    {"blocks_per_sm", ColumnType::real, "blocks of the grid / SMs", kernel_real<&KernelDetail::blocks_per_sm>},
    {"warps_per_sm", ColumnType::real, "warps of the grid / SMs", kernel_real<&KernelDetail::warps_per_sm>},
    KernelWork::launch,
    KernelWork::launch_delay,
    KernelWork::thread,
    KernelWork::op,
    KernelWork::op_name,
    Kernel::line,
    Kernel::module,
    {"correlation", ColumnType::integer, "the number that the profiler gave the launch",
     kernel_number<&KernelDetail::correlation>},
    {"graph", ColumnType::integer, "number of the CUDA graph it belongs to", kernel_number<&KernelDetail::graph_id>},
};

// ---- copies ----

const TransferDetail& copy_at(Source& source, std::size_t row) {
  return source.trace().transfers[source.trace().slices.detail[copy_slice(source, row)]];
}

using Copy = SliceColumns<copy_slice>;
using CopyWork = WorkColumns<copy_slice>;
constexpr Column copy_columns[] = {
    Copy::id,
    {"kind", ColumnType::text, "copy or fill",
     [](Source& s, std::size_t row) { return Cell(trace::name_of(s.trace().slices.kind[copy_slice(s, row)])); }},
    {"name", ColumnType::text, "as recorded, with direction and kind of memory", Copy::name.value},
    Copy::start,
    Copy::end,
    Copy::duration,
    {"bytes", ColumnType::integer, "copied or filled",
     [](Source& s, std::size_t row) { return recorded(copy_at(s, row).bytes); }},
    {"bandwidth_gb_s", ColumnType::real, "GB/s as recorded",
     [](Source& s, std::size_t row) { return recorded_real(copy_at(s, row).bandwidth_gb_s); }},
    Copy::device,
    Copy::stream,
    CopyWork::launch,
    CopyWork::launch_delay,
    CopyWork::thread,
    CopyWork::op,
    CopyWork::op_name,
    Copy::line,
    Copy::module,
};

// ---- launches ----

SliceId first_work(Source& source, std::size_t row) {
  return source.trace().launched[source.launches()[row].first].second;
}

using Call = SliceColumns<launch_slice>;
constexpr Column launch_columns[] = {
    Call::id,
    {"name", ColumnType::text, "of the CUDA call, e.g. cudaLaunchKernel", Call::name.value},
    Call::start,
    Call::end,
    Call::duration,
    Call::thread,
    {"op", ColumnType::integer, "ops.id of the innermost op around it",
     [](Source& s, std::size_t row) { return reference(op_of_call(s, launch_slice(s, row))); }},
    {"op_name", ColumnType::text, "name of that op",
     [](Source& s, std::size_t row) { return name_cell(s.trace(), op_of_call(s, launch_slice(s, row))); }},
    Call::line,
    Call::module,
    {"works", ColumnType::integer, "kernels, copies and fills that it started",
     [](Source& s, std::size_t row) { return count(s.launches()[row].count); }},
    {"work", ColumnType::integer, "slices.id of the first of them",
     [](Source& s, std::size_t row) { return reference(first_work(s, row)); }},
    {"work_name", ColumnType::text, "name of the first of them",
     [](Source& s, std::size_t row) { return name_cell(s.trace(), first_work(s, row)); }},
    {"delay_ns", ColumnType::integer, "ns from its start to the start of the first of them",
     [](Source& s, std::size_t row) {
       return Cell(s.trace().slices.start[first_work(s, row)] - s.trace().slices.start[launch_slice(s, row)]);
     }},
    {"correlation", ColumnType::integer, "the number that the profiler gave it",
     [](Source& s, std::size_t row) {
       const auto& rows = s.trace().slices;
       const SliceId call = launch_slice(s, row);
       return trace::is_call(rows.kind[call]) ? recorded(s.trace().calls[rows.detail[call]].correlation) : Cell();
     }},
};

// ---- gpus ----

const trace::Device* device_at(Source& source, std::size_t row) {
  const auto& devices = source.trace().devices;
  const auto found = std::ranges::find(devices, source.idle()[row].device, &trace::Device::id);
  return found == devices.end() ? nullptr : &*found;
}

constexpr Column gpu_columns[] = {
    {"device", ColumnType::integer, "the GPU's number",
     [](Source& s, std::size_t row) { return recorded(s.idle()[row].device); }},
    {"name", ColumnType::text, "as recorded",
     [](Source& s, std::size_t row) {
       const trace::Device* const device = device_at(s, row);
       return device == nullptr ? Cell() : recorded_text(s.trace(), device->name);
     }},
    {"sms", ColumnType::integer, "streaming multiprocessors",
     [](Source& s, std::size_t row) {
       const trace::Device* const device = device_at(s, row);
       return device == nullptr ? Cell() : recorded(device->sms);
     }},
    {"memory_bytes", ColumnType::integer, "device memory",
     [](Source& s, std::size_t row) {
       const trace::Device* const device = device_at(s, row);
       return device == nullptr ? Cell() : recorded(device->total_memory);
     }},
    {"start_ns", ColumnType::integer,
     "of its first work, or of the step in which that was launched; ns since the trace's start",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), s.idle()[row].from); }},
    {"end_ns", ColumnType::integer, "of its last work",
     [](Source& s, std::size_t row) { return time_cell(s.trace(), s.idle()[row].to); }},
    {"duration_ns", ColumnType::integer, "end - start; computing + communicating + copying + idle",
     [](Source& s, std::size_t row) { return Cell(s.idle()[row].span()); }},
    {"computing_ns", ColumnType::integer, "ns in which at least one kernel computed",
     [](Source& s, std::size_t row) { return Cell(s.idle()[row].computing); }},
    {"communicating_ns", ColumnType::integer, "ns in which all kernels exchanged data with other GPUs",
     [](Source& s, std::size_t row) { return Cell(s.idle()[row].communicating); }},
    {"copying_ns", ColumnType::integer, "ns in which only copies and fills ran",
     [](Source& s, std::size_t row) { return Cell(s.idle()[row].copying); }},
    {"idle_ns", ColumnType::integer, "ns without work",
     [](Source& s, std::size_t row) { return Cell(s.idle()[row].idle()); }},
    {"verdict", ColumnType::text, "what takes most of it",
     [](Source& s, std::size_t row) { return Cell(name_of(s.idle()[row].verdict())); }},
};

constexpr Table all_gpu_tables[] = {
    {"kernels", "kernels, by start", kernel_columns, Table::Id::column,
     [](Source& s) { return s.trace().kernel_order.size(); }},
    {"launches", "CUDA calls that started GPU work, by start", launch_columns, Table::Id::column,
     [](Source& s) { return s.launches().size(); }},
    {"copies", "copies and fills by a GPU, by start", copy_columns, Table::Id::column,
     [](Source& s) { return s.copies().size(); }},
    {"gpus", "GPUs with timed work", gpu_columns, Table::Id::none, [](Source& s) { return s.idle().size(); }},
};

}  // namespace

std::span<const Table> gpu_tables() { return all_gpu_tables; }

}  // namespace warpwalk::query
