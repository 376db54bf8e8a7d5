// Kernels, copies, fills, and graphs that were recorded as a whole.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/trace/nsys/import.h"

namespace warpwalk::trace::nsys {
namespace {

// The columns that all tables of GPU work begin with here.
enum WorkColumn : int {
  work_start,
  work_end,
  work_device,
  work_context,
  work_stream,
  work_correlation,
  work_process,
  work_graph_node,
  first_own  // the number of the first column that only one table has
};

enum KernelColumn : int {
  kernel_demangled = first_own,
  kernel_short,
  kernel_mangled,
  kernel_registers,
  kernel_grid,  // and the next two, in y and z
  kernel_block = kernel_grid + 3,
  kernel_static_shared = kernel_block + 3,
  kernel_dynamic_shared,
  kernel_local,
  kernel_graph,
  kernel_cluster,
  kernel_columns_end = kernel_cluster + 3
};
constexpr std::array<std::string_view, kernel_columns_end> kernel_columns = {"start",
                                                                             "end",
                                                                             "deviceId",
                                                                             "contextId",
                                                                             "streamId",
                                                                             "correlationId",
                                                                             "globalPid",
                                                                             "graphNodeId",
                                                                             "demangledName",
                                                                             "shortName",
                                                                             "mangledName",
                                                                             "registersPerThread",
                                                                             "gridX",
                                                                             "gridY",
                                                                             "gridZ",
                                                                             "blockX",
                                                                             "blockY",
                                                                             "blockZ",
                                                                             "staticSharedMemory",
                                                                             "dynamicSharedMemory",
                                                                             "localMemoryPerThread",
                                                                             "graphId",
                                                                             "clusterX",
                                                                             "clusterY",
                                                                             "clusterZ"};

enum TransferColumn : int { transfer_bytes = first_own, transfer_kind, transfer_from, transfer_to };
constexpr std::array<std::string_view, first_own + 4> copy_columns = {
    "start",     "end",         "deviceId", "contextId", "streamId", "correlationId",
    "globalPid", "graphNodeId", "bytes",    "copyKind",  "srcKind",  "dstKind"};
// A fill has its memory where a copy has its source, and its value where a copy has its kind.
constexpr std::array<std::string_view, first_own + 3> fill_columns = {
    "start",     "end",         "deviceId", "contextId", "streamId", "correlationId",
    "globalPid", "graphNodeId", "bytes",    "value",     "memKind"};

enum GraphColumn : int { graph_id = first_own };
constexpr std::array<std::string_view, first_own + 1> graph_columns = {
    "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphNodeId", "graphId"};

// CUPTI's abbreviations of the kinds of copies, by copyKind; 11 and more move pages of unified memory.
constexpr std::array<std::string_view, 14> copy_kinds = {"unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
                                                         "DtoA",    "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD"};
constexpr std::int64_t first_unified_copy = 11;
// Kinds of memory, by ENUM_CUDA_MEM_KIND.
constexpr std::array<std::string_view, 8> memory_kinds = {"Pageable", "Pinned",        "Device",         "Array",
                                                          "Managed",  "Device Static", "Managed Static", "Unknown"};

std::string memory_name(std::int64_t kind) {
  if (kind == absent) return "Unknown";
  if (kind < 0 || static_cast<std::size_t>(kind) >= memory_kinds.size()) return fmt::format("kind {}", kind);
  return std::string(memory_kinds[static_cast<std::size_t>(kind)]);
}

// In CUPTI's form, "Memcpy HtoD (Pageable -> Device)".
std::string copy_name(std::int64_t kind, std::int64_t from, std::int64_t to) {
  if (kind == absent) return "Memcpy";
  if (kind < 0 || static_cast<std::size_t>(kind) >= copy_kinds.size()) return fmt::format("Memcpy kind {}", kind);
  const std::string_view direction = copy_kinds[static_cast<std::size_t>(kind)];
  if (kind >= first_unified_copy) return fmt::format("Memcpy {} (unified memory)", direction);
  if (from == absent && to == absent) return fmt::format("Memcpy {}", direction);
  return fmt::format("Memcpy {} ({} -> {})", direction, memory_name(from), memory_name(to));
}

std::int64_t not_negative(std::int64_t value) { return value < 0 ? absent : value; }

// The members that details of all GPU work have. Returns the track.
template <class Detail>
TrackId fill_place(Import& in, const Statement& row, Detail& detail) {
  const Process process = in.places().process(row.integer(work_process));
  detail.correlation = in.places().correlation(process, row.integer(work_correlation));
  detail.device = in.places().gpu(process, row.integer(work_device));
  detail.context = row.integer(work_context);
  detail.stream = row.integer(work_stream);
  return in.places().stream(process, detail.device, detail.stream);
}

StringId kernel_name(Import& in, const Statement& row) {
  for (const int column : {kernel_demangled, kernel_short, kernel_mangled})
    if (const StringId name = in.strings().text(row, column); name != 0) return name;
  return 0;
}

// Three sizes from consecutive columns; zeros if they were not recorded.
std::array<std::int32_t, 3> shape(Import& in, const Statement& row, int column, std::string_view what) {
  std::array<std::int64_t, 3> read{};
  for (int i = 0; i < 3; ++i) read[static_cast<std::size_t>(i)] = row.integer(column + i);
  if (std::ranges::all_of(read, [](std::int64_t size) { return size == absent; })) return {};
  std::array<std::int32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (read[i] <= 0 || read[i] > 0x7fffffff) {
      in.problems().add(ProblemKind::bad_shape, 0, [&] {
        return fmt::format("{} has a {} that is not three positive numbers; it is treated as not recorded", in.place(),
                           what);
      });
      return {};
    }
    out[i] = static_cast<std::int32_t>(read[i]);
  }
  return out;
}

void read_kernel(Import& in, const Statement& row) {
  const auto span = in.span(row, work_start, work_end);
  if (!span) return;
  Trace& trace = in.trace();
  KernelDetail detail;
  const TrackId track = fill_place(in, row, detail);
  detail.registers = not_negative(row.integer(kernel_registers));
  const std::int64_t fixed = not_negative(row.integer(kernel_static_shared));
  const std::int64_t dynamic = not_negative(row.integer(kernel_dynamic_shared));
  constexpr std::int64_t sane_bytes = std::int64_t{1} << 40;
  if ((fixed != absent || dynamic != absent) && fixed < sane_bytes && dynamic < sane_bytes)
    detail.shared_bytes = std::max<std::int64_t>(fixed, 0) + std::max<std::int64_t>(dynamic, 0);
  detail.graph_id = row.integer(kernel_graph);
  if (const std::int64_t node = row.integer(work_graph_node); node != 0) detail.graph_node = node;
  detail.grid = shape(in, row, kernel_grid, "grid");
  detail.block = shape(in, row, kernel_block, "block");
  Extra extra;
  if (const std::int64_t local = row.integer(kernel_local); local > 0) extra.add("local memory per thread", local);
  const std::int64_t cluster[] = {row.integer(kernel_cluster), row.integer(kernel_cluster + 1),
                                  row.integer(kernel_cluster + 2)};
  if (std::ranges::all_of(cluster, [](std::int64_t size) { return size > 0; }) &&
      std::ranges::any_of(cluster, [](std::int64_t size) { return size > 1; }))
    extra.add_json("cluster", fmt::format("[{}, {}, {}]", cluster[0], cluster[1], cluster[2]));
  trace.kernels.push_back(detail);
  in.slice(SliceKind::kernel, kernel_name(in, row), *span, track, trace.kernels.size() - 1,
           trace.strings.intern(extra.json()));
}

void read_transfer(Import& in, const Statement& row, SliceKind kind, StringId name) {
  const auto span = in.span(row, work_start, work_end);
  if (!span) return;
  Trace& trace = in.trace();
  TransferDetail detail;
  const TrackId track = fill_place(in, row, detail);
  detail.bytes = not_negative(row.integer(transfer_bytes));
  if (detail.bytes != absent && span->duration > 0)  // bytes per nanosecond equal GB/s
    detail.bandwidth_gb_s = static_cast<double>(detail.bytes) / static_cast<double>(span->duration);
  Extra extra;
  if (kind == SliceKind::memset) extra.add("value", row.integer(transfer_kind));
  if (const std::int64_t node = row.integer(work_graph_node); node != 0) extra.add("graph node id", node);
  trace.transfers.push_back(detail);
  in.slice(kind, name, *span, track, trace.transfers.size() - 1, trace.strings.intern(extra.json()));
}

void read_copies(Import& in) {
  std::map<std::array<std::int64_t, 3>, StringId> names;
  in.for_each_row({"CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns}, [&](const Statement& row) {
    const std::array key = {row.integer(transfer_kind), row.integer(transfer_from), row.integer(transfer_to)};
    const auto [name, is_new] = names.try_emplace(key, 0);
    if (is_new) name->second = in.trace().strings.intern(copy_name(key[0], key[1], key[2]));
    read_transfer(in, row, SliceKind::memcpy, name->second);
  });
  in.for_each_row({"CUPTI_ACTIVITY_KIND_MEMSET", fill_columns}, [&](const Statement& row) {
    const std::int64_t memory = row.integer(transfer_from);
    const std::string name = memory == absent ? "Memset" : fmt::format("Memset ({})", memory_name(memory));
    read_transfer(in, row, SliceKind::memset, in.trace().strings.intern(name));
  });
}

// With --cuda-graph-trace=graph, which is the default, a launched graph is one row for all of its work. It occupies the
// GPU as a kernel does, and a call launched it, so it is one; the name says what it is.
void read_graphs(Import& in) {
  Trace& trace = in.trace();
  std::uint64_t graphs = 0;
  in.for_each_row({"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns}, [&](const Statement& row) {
    const auto span = in.span(row, work_start, work_end);
    if (!span) return;
    KernelDetail detail;
    const TrackId track = fill_place(in, row, detail);
    detail.graph_id = row.integer(graph_id);
    const std::string number = detail.graph_id == absent ? "" : fmt::format(" {}", detail.graph_id);
    trace.kernels.push_back(detail);
    in.slice(SliceKind::kernel, trace.strings.intern(fmt::format("CUDA graph{} (kernels not recorded)", number)), *span,
             track, trace.kernels.size() - 1);
    ++graphs;
  });
  if (graphs != 0 && in.problems().count(ProblemKind::incomplete_recording, 0, graphs))
    in.problems().rows().back().message = fmt::format(
        "{} of CUDA graphs were recorded as a whole, without their kernels; nsys profile --cuda-graph-trace=node "
        "records each kernel",
        graphs == 1 ? "1 launch" : fmt::format("{} launches", graphs));
}

}  // namespace

void read_gpu_work(Import& in) {
  in.for_each_row({"CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns}, [&](const Statement& row) { read_kernel(in, row); });
  read_copies(in);
  read_graphs(in);
}

}  // namespace warpwalk::trace::nsys
