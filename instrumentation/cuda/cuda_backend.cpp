#include "instrumentation/cuda/cuda_backend.h"

#include <cstring>

#include <fmt/format.h>

#include "core/ops/error.h"
#include "instrumentation/cuda/merge_recording.h"

namespace warpwalk::cuda {

ArgumentValues::ArgumentValues(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands) {
  for (const run::PlannedArgument& argument : launch.arguments) {
    if (argument.operand >= 0)
      add(operands[static_cast<std::size_t>(argument.operand)].address());
    else
      values_.push_back(argument.bytes);
  }
  for (auto& value : values_) pointers_.push_back(value.data());
}

void ArgumentValues::add(std::uint64_t address) {
  std::vector<std::uint8_t> value(sizeof address);
  std::memcpy(value.data(), &address, sizeof address);
  values_.push_back(std::move(value));
}

std::variant<std::unique_ptr<CudaBackend>, std::string> CudaBackend::open(const std::filesystem::path& folder,
                                                                          int ordinal) {
  std::unique_ptr<CudaBackend> backend(new CudaBackend);
  backend->recording_ = std::make_unique<OwnRecording>(folder);
  auto opened = CudaLibrary::open(folder, ordinal);
  if (auto* const error = std::get_if<std::string>(&opened)) return std::move(*error);
  backend->library_ = std::move(std::get<0>(opened));
  if (const char* const error = backend->library_->calls().make_stream(&backend->stream_))
    return fmt::format("no stream can be made on the GPU: CUDA says \"{}\"", error);
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
  ArgumentValues arguments(launch, operands);
  int found = 0;
  const char* const error =
      library_->calls().launch(launch.entry.c_str(), launch.grid.data(), launch.block.data(),
                               launch.dynamic_shared_bytes, stream_, arguments.pointers(), &found);
  if (found == 0)
    throw ops::OpError(fmt::format("libwarpwalk_cuda.so has no kernel {}; build warpwalk again", launch.entry));
  check(error, launch.entry);
}

void CudaBackend::synchronize() { check(library_->calls().synchronize(), "waiting for the GPU"); }

void CudaBackend::complete(trace::Trace& trace) {
  const recording::ReadRecording recorded = recording_->end();
  if (recorded.error) throw ops::OpError(*recorded.error);
  if (!recorded.account.fatal.empty()) throw ops::OpError(recorded.account.fatal);
  if (const auto error = merge_recording(recorded.trace, trace)) throw ops::OpError(*error);
  const std::uint32_t api = recorded.account.cupti_api;
  trace.records.sources.push_back({"kernels", fmt::format("CUPTI API {}", api), trace::Origin::measured});
}

}  // namespace warpwalk::cuda
