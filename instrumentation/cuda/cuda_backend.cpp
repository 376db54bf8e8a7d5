#include "instrumentation/cuda/cuda_backend.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"
#include "instrumentation/cuda/merge_recording.h"
#include "instrumentation/cupti_names.h"

namespace warpwalk::cuda {

KernelArguments::KernelArguments(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands) {
  for (const run::PlannedArgument& argument : launch.arguments) {
    if (argument.operand >= 0)
      add(operands[static_cast<std::size_t>(argument.operand)].address());
    else
      values_.push_back(argument.bytes);
  }
  for (auto& value : values_) pointers_.push_back(value.data());
}

void KernelArguments::add(std::uint64_t address) {
  std::vector<std::uint8_t> value(sizeof address);
  std::memcpy(value.data(), &address, sizeof address);
  values_.push_back(std::move(value));
}

base::Result<std::unique_ptr<CudaBackend>> CudaBackend::open(const Options& options) {
  std::unique_ptr<CudaBackend> backend(new CudaBackend);
  backend->ptx_folder_ = options.ptx_folder;
  if (options.record) backend->recording_ = std::make_unique<SelfRecording>(options.libraries);
  auto opened = CudaLibrary::open(options.libraries, options.ordinal);
  if (backend->recording_ != nullptr) backend->recording_->cuda_started();
  if (!opened) return base::Error{opened.error()};
  backend->library_ = std::move(*opened);
  if (const char* const error = backend->library_->calls().make_stream(&backend->stream_))
    return base::Error{fmt::format("cannot create a CUDA stream: CUDA reports \"{}\"", error)};
  return backend;
}

CudaBackend::~CudaBackend() {
  if (stream_ != nullptr) library_->calls().drop_stream(stream_);
}

ops::Memory& CudaBackend::memory(ops::Observer* observer) {
  memory_ = std::make_unique<CudaMemory>(library_, stream_, observer);
  return *memory_;
}

void CudaBackend::launch(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands) {
  const KernelArguments arguments(launch, operands);
  if (probing_) {
    if (placement_ == nullptr) placement_ = std::make_unique<PlacementRun>(library_, ptx_folder_);
    placements_.push_back(placement_->launch(launch.module, launch.entry, launch.grid, launch.block,
                                             launch.dynamic_shared_bytes, stream_, arguments.pointers()));
    return;
  }
  std::vector<void*> pointers = arguments.pointers();
  int found = 0;
  const char* const error = library_->calls().launch(launch.entry.c_str(), launch.grid.data(), launch.block.data(),
                                                     launch.dynamic_shared_bytes, stream_, pointers.data(), &found);
  if (found == 0)
    throw ops::OpError(fmt::format("libwarpwalk_cuda.so has no kernel {}; rebuild warpwalk", launch.entry));
  check(error, launch.entry);
}

std::string CudaBackend::compute_capability() const {
  return fmt::format("{}.{}", library_->device().compute_major, library_->device().compute_minor);
}

void CudaBackend::synchronize() { check(library_->calls().synchronize(), "waiting for the GPU"); }

void CudaBackend::add_placement(trace::Records& records) const {
  std::string cost;
  for (std::size_t i = 0; i < std::min(placements_.size(), records.kernels.size()); ++i) {
    trace::KernelRecord& record = records.kernels[i];
    record.placement = placements_[i].blocks;
    record.placement_origin = trace::Origin::measured;
    cost += fmt::format(
        "{}{}: {} registers with the probe, {} without, {:.1f} us from the first block's start to the "
        "last block's end with the probe",
        cost.empty() ? "" : "; ", placements_[i].entry, placements_[i].registers, record.registers,
        static_cast<double>(placements_[i].span_ns) / 1000.0);
  }
  if (!cost.empty())
    records.sources.push_back({"placement", "%smid and %globaltimer stored by every block, in a separate run; " + cost,
                               trace::Origin::measured});
}

void CudaBackend::complete(trace::Trace& trace) {
  if (recording_ == nullptr) return;
  const instrumentation::RecordingResult recorded = recording_->end();
  if (recorded.error) throw ops::OpError(*recorded.error);
  if (!recorded.account.fatal_error.empty()) throw ops::OpError(recorded.account.fatal_error);
  const std::string cupti = instrumentation::cupti_version_name(recorded.account.cupti_api);
  if (const auto done = merge_recording(recorded.trace, cupti, trace); !done) throw ops::OpError(done.error());
  add_placement(trace.records);
}

}  // namespace warpwalk::cuda
