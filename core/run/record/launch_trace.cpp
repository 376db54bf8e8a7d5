#include "core/run/record/launch_trace.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/ptx/module.h"
#include "core/run/record/record_rows.h"
#include "core/trace/link.h"

namespace warpwalk::run {
namespace {

constexpr std::int64_t correlation = 1;          // ID of the only launch
constexpr std::uint64_t buffer_alignment = 512;  // of a buffer

/// An element as the double that a record's fill stores; nullopt if a double cannot represent it exactly.
std::optional<double> value_of(ops::DType dtype, std::uint64_t bits) {
  if (is_float(dtype)) {
    const double value = float_value(dtype, bits);
    if (float_bits(dtype, value) != bits || bits == float_bits(dtype, -0.0)) return {};  // records read -0 as 0
    return value;
  }
  const int unused = 64 - 8 * static_cast<int>(bytes_of(dtype));
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const std::int64_t number =
      is_signed(dtype) ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
  if (number > exact || number < (is_signed(dtype) ? -exact : 0)) return {};
  return static_cast<double>(number);
}

void describe(const Fill& fill, ops::DType dtype, trace::InitialBuffer& row) {
  using Kind = trace::InitialBuffer::Kind;
  row.kind = Kind::bytes;
  if (const auto* const random = std::get_if<FillRandom>(&fill)) {
    row.kind = Kind::random;
    row.seed = random->seed;
  } else if (std::holds_alternative<FillIota>(fill)) {
    row.kind = Kind::iota;
  } else if (const auto value = value_of(dtype, std::get<FillValue>(fill).bits)) {
    row.kind = Kind::fill;
    row.value = *value;
  }
}

trace::Track track(trace::Trace& trace, bool gpu) {
  trace::Track row;
  row.gpu = gpu;
  row.pid = trace.strings.intern(gpu ? "0" : "1");
  row.tid = trace.strings.intern(gpu ? "0" : "1");
  row.process_name = trace.strings.intern(gpu ? "simulated GPU 0" : "warpwalk simulate");
  row.name = trace.strings.intern(gpu ? "stream 0" : "launch file");
  return row;
}

const gpu::LaunchTiming* timing_of(const LaunchResult& result) {
  return result.cycles.timing ? &*result.cycles.timing : nullptr;
}

/// Adds the launch call and the kernel, which begins when the call returns. Without simulated cycles, start and
/// duration of both are 0, which readers of traces interpret as "not recorded".
void add_slices(trace::Trace& trace, const gpu::Device& device, const LoadedLaunch& loaded,
                const LaunchResult& result) {
  std::int64_t call_ns = 0, ns = 0;
  if (const gpu::LaunchTiming* const timing = timing_of(result)) {
    if (device.host_launch_call) call_ns = std::llround(1e9 * *device.host_launch_call);
    ns = kernel_ns(device, *timing);
  }
  add_slice(trace, trace::SliceKind::runtime, "cudaLaunchKernel", 0, 0, call_ns);
  add_slice(trace, trace::SliceKind::kernel, gpu::entry_of(*loaded.program).name, 1, call_ns, ns);
}

std::vector<trace::AddressField> recorded_addresses(const std::vector<AddressSpec>& addresses) {
  std::vector<trace::AddressField> fields;
  for (const AddressSpec& address : addresses)
    fields.push_back(
        {address.at, address.buffer.value_or(trace::no_record), address.variable, address.function, address.offset});
  return fields;
}

trace::KernelRecord kernel_record(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                                  std::vector<trace::InitialBuffer> initial) {
  const LaunchFile& file = loaded.file;
  trace::KernelRecord record;
  record.module = 0;
  record.entry = gpu::entry_of(*loaded.program).name;
  record.grid = file.grid;
  record.block = file.block;
  record.dynamic_shared_bytes = file.dynamic_shared_bytes;
  record.registers_origin = loaded.registers_origin;
  record.code = loaded.code;
  for (const ArgumentSpec& spec : file.arguments) {
    trace::KernelArgument& argument = record.arguments.emplace_back();
    argument.bytes = spec.bytes;
    argument.addresses = recorded_addresses(spec.addresses);
    if (spec.dtype) argument.dtype = name_of(*spec.dtype);
    if (!spec.buffer) continue;
    argument.kind = trace::KernelArgument::Kind::pointer;
    argument.dtype = name_of(file.buffers[*spec.buffer].dtype);
    argument.allocation = *spec.buffer;
    argument.offset = spec.offset;
  }
  record.buffers = std::move(initial);
  // Addresses need not be the same when the launch is simulated again.
  for (std::size_t i = 0; i < loaded.launch.buffers.size(); ++i)
    if (loaded.launch.buffers[i].addresses.empty())
      record.digests.push_back({i, base::sha256(loaded.launch.buffers[i].bytes)});
  add_simulation(record, device, result.simulation, timing_of(result));
  return record;
}

}  // namespace

std::vector<trace::InitialBuffer> initial_buffers(const LoadedLaunch& loaded, std::uint64_t max_bytes) {
  std::vector<trace::InitialBuffer> rows;
  for (std::size_t i = 0; i < loaded.file.buffers.size(); ++i) {
    const BufferSpec& spec = loaded.file.buffers[i];
    if (std::holds_alternative<Unwritten>(spec.content)) continue;
    trace::InitialBuffer& row = rows.emplace_back();
    row.allocation = i;
    row.dtype = name_of(spec.dtype);
    row.count = spec.count;
    row.kind = trace::InitialBuffer::Kind::bytes;
    for (const ElementRange& range : spec.written) row.written.push_back({range.first, range.count});
    if (const auto* const value = std::get_if<StructSpec>(&spec.content))
      row.addresses = recorded_addresses(value->addresses);
    if (const auto* const fill = std::get_if<Fill>(&spec.content)) describe(*fill, spec.dtype, row);
    if (row.kind != trace::InitialBuffer::Kind::bytes) continue;
    set_bytes(row, loaded.launch.buffers[i].bytes, max_bytes);
  }
  return rows;
}

trace::Trace trace_of(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                      std::vector<trace::InitialBuffer> initial) {
  trace::Trace trace;
  trace.devices.push_back(device_row(device, trace.strings));
  trace.tracks = {track(trace, false), track(trace, true)};
  trace::CallDetail call;
  call.correlation = correlation;
  trace.calls.push_back(call);
  trace::KernelDetail kernel =
      kernel_detail(loaded.file.grid, loaded.file.block, *device.sm_count, *device.threads_per_warp);
  kernel.correlation = correlation;
  kernel.stream = 0;
  kernel.registers = result.simulation.registers;
  kernel.shared_bytes = std::int64_t{gpu::static_shared_bytes(*loaded.program)} + loaded.file.dynamic_shared_bytes;
  kernel.record = 0;
  trace.kernels.push_back(kernel);
  add_slices(trace, device, loaded, result);

  const std::string by = fmt::format("warpwalk {} simulated {}", simulator_version, device.id);
  const gpu::LaunchTiming* const timing = timing_of(result);
  trace.records.sources = {{"times",
                            by + (timing == nullptr   ? " without cycles"
                                  : timing->estimated ? ": cycles / clock, of a schedule estimated from PTX"
                                                      : ": cycles / clock"),
                            trace::Origin::simulated},
                           {"counters", by, trace::Origin::simulated}};
  trace::Module& module = trace.records.modules.emplace_back();
  module.name = loaded.module_file.filename().string();
  module.ptx = loaded.ptx;
  module.cubin.assign(loaded.cubin.begin(), loaded.cubin.end());
  if (!loaded.source.empty())
    module.source_file = loaded.source_file.empty() ? loaded.module_file.string() : loaded.source_file;
  module.source = loaded.source;
  for (const BufferSpec& buffer : loaded.file.buffers) {
    trace::Allocation& allocation = trace.records.allocations.emplace_back();
    allocation.name = buffer.name;
    allocation.bytes = buffer.bytes();
    allocation.rounded_bytes = (buffer.bytes() + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
    allocation.variable = buffer.variable;
  }
  trace.records.kernels.push_back(kernel_record(device, loaded, result, std::move(initial)));
  trace::Problems problems;  // only that the kernel has no time, which file readers report
  trace::link(trace, problems);
  return trace;
}

}  // namespace warpwalk::run
