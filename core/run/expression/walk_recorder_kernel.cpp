// Records kernel launches.
#include <algorithm>

#include "core/base/sha256.h"
#include "core/run/expression/walk_recorder.h"
#include "core/run/record/record_rows.h"

namespace warpwalk::run {
namespace {

constexpr std::int64_t stream = 7;   // PyTorch's default stream, as CUPTI numbers it
constexpr std::int64_t context = 1;  // the device's first context

/// The digest of the whole allocation that argument number `index` points into, after the kernel.
std::string storage_digest(const DoneLaunch& launch, std::size_t index, const ops::Storage& storage) {
  if (launch.launch != nullptr)
    return base::sha256(launch.launch->buffers[static_cast<std::size_t>(launch.launch->arguments[index].buffer)].bytes);
  std::vector<std::uint8_t> bytes(storage.bytes());
  storage.memory().read(storage.address(), bytes);
  return base::sha256(bytes);
}

}  // namespace

trace::TrackId WalkRecorder::gpu_track() {
  constexpr trace::TrackId row = 1;
  if (trace_.tracks.size() > row) return row;
  trace::Track& track = trace_.tracks.emplace_back();
  track.gpu = true;
  track.pid = trace_.strings.intern("0");
  track.tid = trace_.strings.intern(std::to_string(stream));
  track.process_name = trace_.strings.intern(place_.gpu_process);
  track.name = trace_.strings.intern("stream " + std::to_string(stream));
  return row;
}

std::size_t WalkRecorder::module_row(const DoneLaunch& launch) {
  const auto [at, added] = modules_.try_emplace(launch.planned.module, trace_.records.modules.size());
  if (added) {
    trace::Module& module = trace_.records.modules.emplace_back();
    module.name = launch.planned.module + ".ptx";
    module.ptx = launch.ptx;
    if (!launch.source.empty()) module.source_file = "kernels/" + launch.planned.module + ".cu";
    module.source = launch.source;
    module.cubin.assign(launch.cubin.begin(), launch.cubin.end());
  }
  return at->second;
}

trace::KernelRecord WalkRecorder::kernel_record(const DoneLaunch& launch) {
  trace::KernelRecord record;
  record.module = module_row(launch);
  record.entry = launch.planned.entry;
  record.grid = launch.planned.grid;
  record.block = launch.planned.block;
  record.dynamic_shared_bytes = launch.planned.dynamic_shared_bytes;
  record.code = launch.code;
  if (launch.simulation != nullptr) add_simulation(record, *launch.device, *launch.simulation, launch.timing);
  std::vector<std::size_t> reached;  // rows of allocations
  for (std::size_t i = 0; i < launch.planned.arguments.size(); ++i) {
    const PlannedArgument& planned = launch.planned.arguments[i];
    trace::KernelArgument& argument = record.arguments.emplace_back();
    argument.dtype = planned.dtype;
    argument.bytes = planned.bytes;
    if (planned.operand < 0) continue;
    const ops::Tensor& tensor = launch.operands[static_cast<std::size_t>(planned.operand)];
    argument.kind = trace::KernelArgument::Kind::pointer;
    argument.dtype = name_of(tensor.dtype());
    argument.offset = tensor.address();
    const std::uint64_t base = tensor.storage()->address();
    const auto row = memory_.row_at(base);
    if (!row) continue;  // zero bytes
    argument.allocation = *row;
    argument.offset = tensor.address() - base;
    if (std::ranges::find(reached, *row) != reached.end()) continue;
    reached.push_back(*row);
    if (!launch.contents) continue;
    if (auto content = memory_.content(*row, tensor.dtype())) record.buffers.push_back(std::move(*content));
    record.digests.push_back({*row, storage_digest(launch, i, *tensor.storage())});
  }
  for (const trace::BufferDigest& digest : record.digests) memory_.after_kernel(digest.allocation, digest.sha256);
  return record;
}

void WalkRecorder::launch_ends(const DoneLaunch& launch) {
  if (taken_) return;
  call_slice("cudaLaunchKernel", call_start_, &HostModel::launch_call);
  trace::KernelDetail kernel = kernel_detail(launch.planned.grid, launch.planned.block, place_.sms, place_.warp_size);
  kernel.correlation = correlations_;
  if (!open_.empty()) kernel.external_id = open_.back().external_id;
  kernel.context = context;
  kernel.stream = stream;
  if (launch.simulation != nullptr) kernel.registers = launch.simulation->registers;
  kernel.shared_bytes = std::int64_t{launch.static_shared_bytes} + launch.planned.dynamic_shared_bytes;
  kernel.record = static_cast<std::int64_t>(trace_.records.kernels.size());
  trace_.records.kernels.push_back(kernel_record(launch));
  trace_.kernels.push_back(kernel);
  add_kernel_slice(launch);
}

void WalkRecorder::add_kernel_slice(const DoneLaunch& launch) {
  std::int64_t start = 0, duration = 0;
  if (launch.timing == nullptr) {
    stream_end_.reset();
  } else if (stream_end_) {
    start = std::max(clock_.now() - WalkClock::separation, *stream_end_);
    duration = kernel_ns(*launch.device, *launch.timing);
    stream_end_ = start + duration + WalkClock::separation;
  }
  add_slice(trace_, trace::SliceKind::kernel, launch.planned.entry, gpu_track(), start, duration,
            static_cast<std::uint32_t>(trace_.kernels.size() - 1));
}

}  // namespace warpwalk::run
